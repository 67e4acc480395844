"""The smallest set of tests that kills all that a larger set kills.

A set cover, seen from the mutants: each is a *row*, the set of tests that kill it, and a cover
is a set of tests that meets every row. Rows are bit masks over the tests, so the answer depends
on the order of the tests alone, not on that of the mutants.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

_DEPTH: Final = 300
"""Choices on one branch of the search, well inside of what Python can recurse."""


class Cover(msgspec.Struct, frozen=True):
    """A set of tests that reaches all that can be reached."""

    tests: tuple[str, ...]
    """In test order."""
    exact: bool
    """No smaller set reaches as much; False: the search was given up, this one is merely small."""


class _GivenUpError(Exception):
    """The search has looked at as many nodes as it may."""

    size_known = False
    """What was given up is only which of the smallest sets comes first."""


def smallest_cover(
    kills: Mapping[str, Collection[Hashable]], order: Sequence[str], *, nodes: int = 5_000
) -> Cover:
    """Find the smallest set of tests with the same union of kills.

    Among sets of the same size it is the one that comes first when both are read in test order,
    unless the search for it would take too long.

    Args:
        kills: What each test kills; tests that are missing kill nothing.
        order: All tests, in the order in which ties are settled.
        nodes: How many nodes each search may look at.
    """
    masks: dict[Hashable, int] = {}
    for index, test in enumerate(order):
        for mutant in kills.get(test, ()):
            masks[mutant] = masks.get(mutant, 0) | 1 << index
    rows = _without_later_equals(_minimal(masks.values()))
    chosen, exact = _greedy(rows), True
    try:
        chosen = _Search(nodes).smallest(rows, chosen)
        chosen = _Search(nodes).first(rows, chosen.bit_count())
    except _GivenUpError as search:
        exact = search.size_known
    return Cover(tuple(test for index, test in enumerate(order) if chosen >> index & 1), exact)


def _minimal(rows: Iterable[int]) -> list[int]:
    """The rows that contain no other: whoever meets these meets all."""
    kept: list[int] = []
    for row in sorted(set(rows), key=lambda row: (row.bit_count(), row)):
        if not any(row & other == other for other in kept):
            kept.append(row)
    return kept


def _bits(mask: int) -> Iterable[int]:
    """Single bits of a mask, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def _columns(rows: Sequence[int]) -> dict[int, int]:
    """For each test, as a bit and in test order, the rows that it meets, as a mask over them."""
    columns: dict[int, int] = {}
    for index, row in enumerate(rows):
        for bit in _bits(row):
            columns[bit] = columns.get(bit, 0) | 1 << index
    return dict(sorted(columns.items()))


def _without_later_equals(rows: Sequence[int]) -> list[int]:
    """The rows without each test that meets nothing which one before it doesn't meet.

    In any cover the earlier one can stand in for it: no size and no first place is lost.
    """
    kept: dict[int, int] = {}
    for bit, column in _columns(rows).items():
        if not any(column & other == column for other in kept.values()):
            kept[bit] = column
    mask = sum(kept)
    return _minimal(row & mask for row in rows)


def _greedy(rows: Sequence[int]) -> int:
    """A small cover: always the test that meets most rows, the earliest of equals."""
    columns, chosen, left = _columns(rows), 0, (1 << len(rows)) - 1
    while left:
        best = max(columns, key=lambda bit: (columns[bit] & left).bit_count())
        chosen |= best
        left &= ~columns[best]
    for bit in _bits(chosen):
        if all(row & chosen & ~bit for row in rows):
            chosen &= ~bit
    return chosen


def _forced(rows: Sequence[int]) -> int:
    """Tests that alone can meet some row."""
    found = 0
    for row in rows:
        if not row & (row - 1):
            found |= row
    return found


def _at_least(rows: Sequence[int]) -> int:
    """A lower bound: rows that share no test need a test each."""
    apart = used = 0
    for row in sorted(rows, key=int.bit_count):
        if not row & used:
            used |= row
            apart += 1
    return apart


class _Search:
    """Branch and bound over rows that must be met."""

    def __init__(self, nodes: int) -> None:
        self._left = nodes

    def smallest(self, rows: Sequence[int], known: int) -> int:
        """The smallest set of tests that meets all rows, where ``known`` is one that does."""
        for size in range(_at_least(rows), known.bit_count()):
            found = self.within(rows, size)
            if found is not None:
                return found
        return known

    def first(self, rows: Sequence[int], size: int) -> int:
        """Of the sets of a size that meet all rows, the first in test order; there is one."""
        chosen, left = 0, list(rows)
        try:
            while left:
                bits = _forced(left)
                if not bits:
                    bit = min(row & -row for row in left)
                    later = [row for row in left if not row & bit]
                    if self.within(later, size - chosen.bit_count() - 1) is None:
                        left = [row & ~bit for row in left]
                        continue
                    bits = bit
                chosen |= bits
                left = [row for row in left if not row & bits]
        except _GivenUpError as search:
            search.size_known = True
            raise
        return chosen

    def within(self, rows: Sequence[int], size: int, depth: int = 0) -> int | None:
        """A set of at most ``size`` tests that meets all rows; None if there is none."""
        self._left -= 1
        if self._left < 0 or depth > _DEPTH:
            raise _GivenUpError
        # Whoever alone can meet a row must be in.
        chosen = _forced(rows)
        left = [row for row in rows if not row & chosen]
        size -= chosen.bit_count()
        if _at_least(left) > size:
            return None
        if not left:
            return chosen
        # Each way to meet the tightest row; a way already tried is closed to the next.
        closed = 0
        for bit in _bits(min(left, key=int.bit_count)):
            rest = [row & ~closed for row in left if not row & bit]
            found = self.within(rest, size - 1, depth + 1)
            if found is not None:
                return chosen | bit | found
            closed |= bit
        return None
