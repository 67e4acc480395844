"""A delta in a sentence, and why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from redhanded.model.outcome import Status

NOTHING_LEFT = "nothing was left to gain: the existing tests kill every mutant that was tried"
"""The one cause of a missing delta that is no failure to measure."""


class Counts(msgspec.Struct, frozen=True):
    """The numbers that a reading needs."""

    killed: int
    """By the reference."""
    open: int
    contested: int
    inapplicable: int
    gained: int
    lost: int
    regained: int


def cause_of_null(statuses: Iterable[Status]) -> str:
    """Why no mutant is open or contested.

    Args:
        statuses: Of all mutants, under the reference.
    """
    counts = Counter(statuses)
    if counts[Status.KILLED]:
        return NOTHING_LEFT
    if not counts:
        return "nothing to measure: there is no mutant in scope"
    told = ", ".join(f"{counts[status]} {status}" for status in Status if counts[status])
    return f"nothing to measure: no mutant could be tried ({told})"


def reading_of(counts: Counts, unavailable: str | None, *, empty: bool) -> str:
    """The delta as a reviewer would say it.

    Args:
        counts: The numbers.
        unavailable: Why there is no delta, if there is none.
        empty: There were no tests before.
    """
    if unavailable is not None:
        parts = [unavailable]
    else:
        before = (
            "there were no tests before"
            if empty
            else f"the existing tests already kill {counts.killed}"
        )
        parts = [
            f"{before}, {_were(counts.open, 'open')}, "
            f"these tests kill {_of_them(counts.gained, counts.open)}"
        ]
    if counts.contested:
        more = f", and these tests kill {counts.regained} of those" if counts.regained else ""
        parts.append(
            f"of {counts.contested} more it can't be told whether the existing tests kill "
            f"{'it' if counts.contested == 1 else 'them'}{more}"
        )
    if counts.inapplicable:
        parts.append(f"{counts.inapplicable} of the fixed set no longer fit the source")
    if counts.lost:
        parts.append(f"{_were(counts.lost, 'killed before and no longer')}")
    return "; ".join(parts)


def _were(count: int, what: str) -> str:
    return f"{count} {'was' if count == 1 else 'were'} {what}"


def _of_them(gained: int, opened: int) -> str:
    if gained == 0:
        return "none of them" if opened != 1 else "not that one"
    if gained == opened:
        return "all of them" if opened > 1 else "it"
    return f"{gained} of them"
