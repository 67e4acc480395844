"""The rows of a run, in the order in which they come to be.

A run is ``RunRow``, then ``PlanRow`` and all mutants, one ``SessionRow`` per suite that was
collected, ``ControlRow`` for each control, then one ``TrialRow`` per mutant and cohort, and before
it a ``ControlRow`` for tests that were run alone because of it. A resumed run adds a control again
only where it came out otherwise. Everything in :mod:`redhanded.model.result` is arithmetic over
these.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from redhanded.model.facts import Facts
from redhanded.model.result import (
    Change,
    Command,
    PlanSummary,
    Revision,
)

Side = Literal["reference", "candidate", "base", "defect"]
"""Which suite on which source: ``reference``: old tests on head's source; ``candidate``: head's
tests on head's source; ``base``: old tests on base's source; ``defect``: head's tests on base's
source."""


HEAD_TREE = "head_tree"
"""Among a run's options: git's id of head's files, those of a working tree included."""


class RunRow(msgspec.Struct, frozen=True, tag="run", tag_field="row"):
    """What was asked, of what, with what."""

    format: str
    command: Command
    redhanded: str
    python: str
    pytest: str
    platform: str
    base: Revision | None
    head: Revision | None
    options: dict[str, object]
    """The options that decide verdicts, and :data:`HEAD_TREE`; a resumed run must have the same."""
    started: str
    """UTC, ISO 8601."""


class TestRow(msgspec.Struct, frozen=True):
    """One collected test."""

    __test__ = False

    id: str
    """pytest's node id, relative to the tree."""
    change: Change | None = None


class SessionRow(msgspec.Struct, frozen=True, tag="session", tag_field="row"):
    """The tests of one side, in collection order; facts name a test by its index here."""

    side: Side
    tests: tuple[TestRow, ...]
    collect_errors: tuple[str, ...] = ()


class ControlRow(msgspec.Struct, frozen=True, tag="control", tag_field="row"):
    """One pass over tests with no defect planted, or with a canary or placebo planted."""

    side: Side
    name: Literal[
        "control", "reordered", "canary", "sentinel", "none-sentinel", "placebo", "disk-placebo",
        "alone", "swallowed",
    ]  # fmt: skip
    target: str | None
    facts: tuple[Facts, ...]


class PlanRow(msgspec.Struct, frozen=True, tag="plan", tag_field="row"):
    """The plan; ``mutants.jsonl`` is complete when this row is written."""

    plan: PlanSummary


class TrialRow(msgspec.Struct, frozen=True, tag="trial", tag_field="row"):
    """All trials of one mutant for one side."""

    mutant: str
    side: Side
    selected: tuple[int, ...]
    """Tests that the control shows to reach the mutant's lines, in the order they were run."""
    facts: tuple[Facts, ...]
    path: Literal["swap", "import", "process"]
    """How the mutant was planted: into live functions, at import in a fork, in a new process."""
    complete: bool
    """All selected tests were run; else it stopped at the first kill."""
    confirm: tuple[Facts, ...] = ()
    """The killer again, alone, defect on; its run alone with the defect off is a ControlRow."""
    error: str | None = None
    """Why the mutant could not be planted."""


Row = RunRow | SessionRow | ControlRow | PlanRow | TrialRow
__all__ = [
    "HEAD_TREE",
    "ControlRow",
    "PlanRow",
    "Row",
    "RunRow",
    "SessionRow",
    "Side",
    "TestRow",
    "TrialRow",
]
