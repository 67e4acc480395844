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
    elif empty:
        parts = [f"there were no tests before, {_what_was_open(counts)}"]
    else:
        killed = counts.killed or "none"
        parts = [f"the existing tests already kill {killed}, {_what_was_open(counts)}"]
    if counts.contested:
        more = f", and these tests kill {counts.regained} of those" if counts.regained else ""
        parts.append(
            f"of {counts.contested} more it can't be told whether the existing tests kill "
            f"{'it' if counts.contested == 1 else 'them'}{more}"
        )
    if counts.inapplicable:
        fits = "fits" if counts.inapplicable == 1 else "fit"
        parts.append(f"{counts.inapplicable} of the fixed set no longer {fits} the source")
    if counts.lost:
        parts.append(_were(counts.lost, "killed before and no longer"))
    return "; ".join(parts)


def _were(count: int, what: str) -> str:
    return f"{count} {'was' if count == 1 else 'were'} {what}"


def _what_was_open(counts: Counts) -> str:
    if counts.open == 0:
        return "none was open"
    if counts.gained == 0:
        kill = "don't kill it" if counts.open == 1 else "kill none of them"
    elif counts.gained == counts.open:
        kill = "kill it" if counts.open == 1 else "kill all of them"
    else:
        kill = f"kill {counts.gained} of them"
    return f"{_were(counts.open, 'open')}, these tests {kill}"
