"""Cells: what one test did to one mutant, read from the row of a trial.

A cell means this test on this mutant, with nothing that another test left deciding it. So where
a test was run again alone, that run decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from redhanded.model.facts import Facts
from redhanded.model.judgement import Judgement, judge
from redhanded.model.outcome import NO_JUDGE, Outcome, Reason
from redhanded.model.rows import TrialRow


class Cell(msgspec.Struct, frozen=True):
    """One test on one mutant."""

    mutant: str
    """Id of the mutant."""
    test: str
    """Id of the test; unique within its cohort."""
    judgement: Judgement

    @property
    def outcome(self) -> Outcome:
        """What the test did."""
        return self.judgement.outcome

    @property
    def reason(self) -> Reason | None:
        """Why the cell is incomplete, where it is."""
        return self.judgement.reason

    @property
    def unanswered(self) -> bool:
        """A judge that should have answered didn't: it might have caught the mutant."""
        return self.outcome is Outcome.INCOMPLETE and not self.judgement.no_judge


def cells_of_trial(
    row: TrialRow,
    tests: Sequence[str],
    controls: Mapping[int, Facts],
    unusable: Mapping[int, Reason | None] | None = None,
) -> tuple[Cell, ...]:
    """Judge all trials of one mutant.

    Each selected test gets a cell. One that left no facts is incomplete, unless the row stopped
    at a kill before its turn: then nothing was asked of it and it has no cell.

    Args:
        row: The trials.
        tests: Ids of the side's tests, by index.
        controls: The control of each test, by index.
        unusable: Tests that the controls exclude, and why; None for one that they don't.
    """
    bars = unusable or {}
    again: dict[int, list[Facts]] = {}
    for facts in row.confirm:
        again.setdefault(facts.test, []).append(facts)
    judged: dict[int, Judgement] = {}
    for facts in row.facts:
        control, bar = controls.get(facts.test), bars.get(facts.test)
        judged[facts.test] = _settled(
            judge(facts, control, usable=bar),
            facts.alone,
            [judge(more, control, usable=bar) for more in again.get(facts.test, ())],
        )
    missing = _why_missing(row, any(one.outcome is Outcome.CAUGHT for one in judged.values()))
    if missing is not None:
        for test in row.selected:
            reason = bars.get(test) or missing
            judgement = Judgement(Outcome.INCOMPLETE, reason, no_judge=reason in NO_JUDGE)
            judged.setdefault(test, judgement)
    return tuple(Cell(row.mutant, tests[test], judged[test]) for test in sorted(judged))


def unviable(row: TrialRow) -> str | None:
    """Why a mutant can't be imported, where only its trial could show that.

    Such a mutant is ``unviable`` like one that doesn't compile: put that in its ``viability``
    before the matrix is built.
    """
    if row.error is None or not row.error.startswith(_UNVIABLE):
        return None
    return row.error[len(_UNVIABLE) :]


_UNVIABLE: Final = "unviable: "


def _settled(first: Judgement, alone: bool, again: Sequence[Judgement]) -> Judgement:
    """What a test did, where it may have been run again alone.

    The lone run stands in for one that shared its process, since state that another test left
    may have decided that. Lone runs that differ decide nothing.
    """
    lone = [first, *again] if alone else [*again]
    if not lone:
        return first
    if any(one.outcome is not lone[0].outcome for one in lone):
        return Judgement(Outcome.INCOMPLETE, Reason.UNCONFIRMED)
    return lone[-1]


def _why_missing(row: TrialRow, caught: bool) -> Reason | None:
    """Why a selected test would have no facts; None where it simply wasn't its turn."""
    if row.error is not None:
        return Reason.NOT_PLANTED
    if not row.complete:
        return None if caught else Reason.ABORTED
    return Reason.LOST if row.path == "swap" else Reason.VANISHED
