"""The ledger: every call of a grader, by why it was made. It balances, or the run is no evidence.

It is kept as calls come in and holds counts alone, so that it doesn't grow with the number of
cases; each case's rows are checked against that case's calls when it ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from redhanded.model.graded import Call, Lack, OutputOutcome, Phase, Row


class Ledger(msgspec.Struct, frozen=True):
    """What was asked, and what for."""

    asked: int
    """Times that redhanded called a grader."""
    calls: int
    """Verdicts that these calls gave: more than ``asked`` where a grader gives several."""
    control: int
    """Before and after the decisions."""
    decision: int
    sham: int
    probe: int
    unattributed: int
    """Calls during which entries were seen that belong to no known call."""
    stray: int = 0
    """Those entries."""
    problems: tuple[str, ...] = ()
    """Why it doesn't balance; empty where it does."""

    @property
    def balanced(self) -> bool:
        """Do all phases add up to the calls, and does every row have its own calls?"""
        return not self.problems


class Bookkeeping:
    """Counts calls as they come."""

    def __init__(self) -> None:
        self._asked = 0
        self._stray = 0
        self._phases: Counter[str] = Counter()
        self._calls = 0
        self._problems: list[str] = []

    def stray(self, entries: int) -> None:
        """Entries were seen that belong to no known call."""
        self._stray += entries

    def enter(self, asked: int, calls: Sequence[Call], rows: Sequence[Row]) -> None:
        """One case is done: keep its calls, and check its rows against them.

        Args:
            asked: How many times its grader was called.
            calls: What these calls gave.
            rows: The case's rows.
        """
        self._asked += asked
        self._calls += len(calls)
        for call in calls:
            self._phases[account(call)] += 1
        self._problems += check(calls, rows)
        if asked and not calls:
            self._problems.append(f"{asked} calls were made and none recorded")

    def ledger(self) -> Ledger:
        """The ledger as it stands."""
        problems = list(self._problems)
        total = sum(self._phases.values())
        if total != self._calls:
            problems.append(f"the phases add up to {total}, expected {self._calls} calls")
        if self._asked > self._calls:
            problems.append(f"{self._asked} calls were made, {self._calls} recorded")
        if self._stray and not self._phases["unattributed"]:
            problems.append(f"{self._stray} entries belong to no call, and no call failed for it")
        return Ledger(
            asked=self._asked,
            calls=self._calls,
            control=self._phases["control"],
            decision=self._phases["decision"],
            sham=self._phases["sham"],
            probe=self._phases["probe"],
            unattributed=self._phases["unattributed"],
            stray=self._stray,
            problems=tuple(problems),
        )


def account(call: Call) -> str:
    """The account that a call is entered in."""
    if call.lack is Lack.UNATTRIBUTED:
        return "unattributed"
    return "control" if call.phase is Phase.CONTROL_AFTER else str(call.phase)


def check(calls: Iterable[Call], rows: Iterable[Row]) -> list[str]:
    """Say where a case's rows and calls don't fit each other."""
    by_id = {call.id: call for call in calls}
    problems: list[str] = []
    claimed: Counter[int] = Counter()
    for row in rows:
        for number in row.calls:
            call = by_id.get(number)
            if call is None:
                problems.append(f"{row.id}: its call {number} is not in the ledger")
                continue
            if call.case != row.case or call.grader != row.grader:
                problems.append(f"{row.id}: call {number} asked {call.grader} about {call.case}")
            if call.phase in (Phase.DECISION, Phase.SHAM):
                claimed[number] += 1
                if call.row != row.id:
                    problems.append(f"{row.id}: call {number} was made for {call.row}")
        if row.outcome not in _SILENT and not _decides(row, by_id):
            problems.append(f"{row.id}: {row.outcome} without a control and a decision")
    for number, call in by_id.items():
        if call.phase in (Phase.DECISION, Phase.SHAM) and claimed[number] != 1:
            problems.append(f"call {number} ({call.phase}) belongs to {claimed[number]} rows")
    return problems


_SILENT = (OutputOutcome.NOT_APPLICABLE, OutputOutcome.INCOMPLETE)


def _decides(row: Row, calls: dict[int, Call]) -> bool:
    phases = {calls[number].phase for number in row.calls if number in calls}
    return Phase.CONTROL in phases and Phase.DECISION in phases
