"""One mutant against one suite: plant, run, judge as it goes, look again where that is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import msgspec

from redhanded.code.messages import Planted, mutant_plant
from redhanded.code.session import Session
from redhanded.code.side import GREEN, Suite
from redhanded.model.facts import Facts
from redhanded.model.judgement import Judgement, judge
from redhanded.model.mutant import Mutant
from redhanded.model.outcome import Outcome, Reason
from redhanded.model.rows import TrialRow

Enough = Callable[[int, Judgement], bool]
"""Told of each test that did not pass, and its judgement; True: no more tests are needed."""

NO_TRACE = "no trace"
_SLOW = "clock"


@dataclass(frozen=True)
class Task:
    """A mutant's trial on one side."""

    mutant: Mutant
    tests: tuple[int, ...]
    """In the order to run them."""
    barred: tuple[int, ...]
    """Tests that reach the mutant and are no judges: named in the row, not run."""
    in_children: tuple[int, ...]
    """Those of ``tests`` that run the mutated file in processes that they start."""
    at_import: bool
    """The edited code runs before the first test."""
    near: tuple[int, ...]
    """Those of ``tests`` that reach the edited code themselves."""
    strict: bool = True
    """Decide each failing cell alone."""


class Trial:
    """Runs one task in one session."""

    def __init__(self, suite: Suite, session: Session, task: Task, enough: Enough | None) -> None:
        """Take a task.

        Args:
            suite: Whose tests.
            session: Where to run.
            task: What.
            enough: When to stop; None: never.
        """
        self.suite = suite
        self.session = session
        self.task = task
        self.enough = enough
        self._plant = mutant_plant(task.mutant, children=bool(task.in_children))
        self._import = task.at_import
        self._path: str | None = None
        self._stopped = False

    def run(self) -> TrialRow:
        """Run the task.

        Returns:
            Its row; ``error`` says why the mutant could not be planted.
        """
        found: dict[int, Facts] = {}
        vanished: tuple[int, ...] = ()
        if self.task.tests:
            planted, vanished = self._all(found)
            if self._path is None:
                why = f"not planted: {planted.error}"
                if planted.unviable:
                    why = f"unviable: {planted.unviable}"
                return self._row({}, (), error=why)
            if vanished and len(vanished) == len(self.task.tests):
                why = "; ".join(planted.collect_errors[:1]) or "no selected test was collected"
                return self._row({}, (), error=f"unviable: {why}")
        for test in vanished:
            found[test] = Facts(test=test, verdict="lost", detail="vanished")
        self._mark_children(found)
        return self._row(found, self._confirm(found))

    def _mark_children(self, found: dict[int, Facts]) -> None:
        """Tests of which processes run the file: what isn't planted there too says nothing."""
        for test in self.task.in_children:
            facts = found.get(test)
            if facts is None:
                continue
            file = self.task.mutant.file
            planted = facts.children and self.suite.inherits(test, file, self.session)
            if not planted and (facts.children or facts.verdict == "passed"):
                found[test] = Facts(test=test, verdict="lost", detail="child_process")

    def _row(
        self, found: dict[int, Facts], confirm: tuple[Facts, ...], error: str | None = None
    ) -> TrialRow:
        complete = error is None and all(test in found for test in self.task.tests)
        return TrialRow(
            mutant=self.task.mutant.id,
            side=self.suite.side,
            selected=tuple(dict.fromkeys(self.task.tests + self.task.barred)),
            facts=tuple(found[test] for test in self.task.tests if test in found),
            path=self._path or ("import" if self._import else "swap"),  # type: ignore[arg-type]
            complete=complete,
            confirm=confirm,
            error=error,
        )

    def _all(self, found: dict[int, Facts]) -> tuple[Planted, tuple[int, ...]]:
        state = None if self.task.mutant.static else self.suite.scouted.state
        planted = self._some(self.task.tests, found, state if self._import else None)
        if planted.error == NO_TRACE:
            # Running it at import changed nothing that tests could see: only those that run it
            # themselves can notice, and live functions may be swapped.
            self._import = False
            self.task = replace(self.task, tests=self.task.near, at_import=False)
            if not self.task.tests:
                self._path = "swap"
                return Planted("swap"), ()
            planted = self._some(self.task.tests, found)
        if planted.path is None and planted.unviable is None and not self._import:
            # What can't be swapped into live code is planted at import instead.
            self._import = True
            planted = self._some(self.task.tests, found)
        self._path = planted.path
        return planted, planted.vanished

    def _some(
        self, tests: Sequence[int], found: dict[int, Facts], unless_state: str | None = None
    ) -> Planted:
        """Run tests; those that are slow, or that test code may have swallowed from, again."""
        again: list[int] = []

        def go(facts: Facts) -> bool:
            if facts.verdict == _SLOW or self._may_swallow(facts):
                again.append(facts.test)
                return True
            self._stopped = self._ends(facts)
            return not self._stopped

        limits = [self.suite.limit(test) for test in tests]
        planted, facts, _ = self.session.trial(
            self._plant,
            tests,
            limits,
            at_import=self._import,
            unless_state=unless_state,
            go=go,
            strict=self.task.strict,
        )
        for one in facts:
            found[one.test] = one
        for test in again:
            if self._stopped:
                found.pop(test, None)
            else:
                found[test] = self._again(found[test])
                self._stopped = self._ends(found[test])
        return planted

    def _ends(self, facts: Facts) -> bool:
        return self.enough is not None and self.enough(facts.test, self.judged(facts))

    def judged(self, facts: Facts) -> Judgement:
        """The verdict on one test's facts, against its control."""
        control = self.suite.control(facts.test)
        plain = control.facts if control is not None else None
        if facts.swallowed is not None:
            plain = self.suite.swallowed(facts.test, self.session)
        return judge(facts, plain, usable=self.suite.usable.get(facts.test))

    def _may_swallow(self, facts: Facts) -> bool:
        """Would this be caught, by a test whose file catches exceptions?"""
        control = self.suite.control(facts.test)
        return (
            facts.verdict == "failed"
            and control is not None
            and control.handlers
            and self.judged(facts).outcome is Outcome.CAUGHT
        )

    def _again(self, before: Facts) -> Facts:
        if before.verdict == _SLOW:
            return self._counted(before)
        facts = self._one(before.test, swallowed=True)
        if facts is not None and facts.verdict == "failed" and facts.swallowed is not None:
            return facts
        # What it swallowed can't be told: then it isn't known to have noticed anything itself.
        return msgspec.structs.replace(before, verdict="lost", detail="unconfirmed")

    def _counted(self, before: Facts) -> Facts:
        """A slow test again, ended by a count of jumps and calls, or else by the clock."""
        limit = self.suite.count_limit(before.test, self.session)
        facts = self._one(before.test, count_limit=limit)
        if facts is not None and facts.verdict == _SLOW:
            facts = self._one(before.test, count_limit=limit)
        if facts is not None and self._may_swallow(facts):
            facts = self._again(facts)
        return facts if facts is not None else before

    def _one(
        self, test: int, *, swallowed: bool = False, count_limit: int | None = None
    ) -> Facts | None:
        _, facts, _ = self.session.trial(
            self._plant,
            [test],
            [self.suite.clock(test)],
            at_import=self._import,
            swallowed=swallowed,
            count_limit=count_limit,
        )
        return facts[0] if facts else None

    def _confirm(self, found: dict[int, Facts]) -> tuple[Facts, ...]:
        """The first killer that passes alone with the defect off, again alone with it on.

        A test that fails alone without any defect depends on the tests before it: it is no judge.
        """
        confirmed: list[Facts] = []
        killers = [t for t in self.task.tests if t in found and self._kills(found[t])]
        for test in sorted(killers, key=lambda test: not found[test].again):
            if self.suite.alone(test, self.session).verdict not in GREEN:
                self.suite.usable[test] = Reason.ORDER_DEPENDENT
                continue
            swallowed = found[test].swallowed is not None
            again = found[test].again and not swallowed
            facts = found[test] if again else self._one(test, swallowed=swallowed)
            if facts is None:
                continue
            confirmed.append(facts)
            if self._kills(facts):
                break
            # Caught once and not again: what it said before is worth nothing.
            found[test] = msgspec.structs.replace(found[test], verdict="lost", detail="unconfirmed")
        return tuple(confirmed)

    def _kills(self, facts: Facts) -> bool:
        return self.judged(facts).outcome is Outcome.CAUGHT
