"""The oracle's words for a cell, and which reports amount to which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

Word = Literal["pass", "fail", "skip", "missing"]

PASSING: Final = ("pass", "xfail")
"""What a test must do, twice, on the unmutated tree to be compared."""


@dataclass(frozen=True)
class Cell:
    """What one test did in one run."""

    word: Word
    note: str = ""
    """How it ended, where that was not by a report of its own: ``died``, ``timeout``; else, for a
    failure, the first line of its message; ``xfail`` for a skip that is one."""
    seconds: float = 0.0
    ended: Literal["", "died", "timeout"] = ""

    @property
    def control(self) -> str:
        """The word for a run of the unmutated tree, where an xfail is told from a skip."""
        return "xfail" if self.word == "skip" and self.note == "xfail" else self.word


def cell_of(phases: Sequence[Mapping[str, Any]], seconds: float) -> Cell:
    """The word for one test's reports.

    A test fails if any of its phases or subtests does. It is skipped if it is itself, in setup or
    call, skipped or xfailed; subtests that are skipped leave their test as it is.
    """
    for phase in phases:
        if phase["outcome"] == "failed":
            return Cell("fail", phase["text"], seconds)
    for phase in phases:
        if phase["outcome"] == "skipped" and phase["xfail"]:
            return Cell("skip", "xfail", seconds)
    for phase in phases:
        if phase["outcome"] == "skipped" and not phase["subtest"] and phase["when"] != "teardown":
            return Cell("skip", "", seconds)
    if any(phase["when"] == "call" and not phase["subtest"] for phase in phases):
        return Cell("pass", "", seconds)
    return Cell("fail", "no report of the test's call", seconds)
