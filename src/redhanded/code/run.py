"""A whole run of the code instrument: plan, controls, trials, result."""

from __future__ import annotations

import datetime
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from time import perf_counter

import redhanded
from redhanded.code.aim import aim
from redhanded.code.cohorts import Opener, Point, classify
from redhanded.code.contest import OldSource, real_defect
from redhanded.code.controls import Asked, recall, run_controls
from redhanded.code.loop import Loop, resumed
from redhanded.code.measured import Measured
from redhanded.code.options import RunOptions
from redhanded.code.planner import Plan
from redhanded.code.schedule import Schedule
from redhanded.code.side import Suite
from redhanded.code.summary import summarise
from redhanded.code.testdiff import TestDiff
from redhanded.code.workshop import Workshop, workshop
from redhanded.errors import RedControlError, UnavailableError
from redhanded.model.mutant import Mutant
from redhanded.model.result import FORMAT, Change, PlanSummary, RealDefect, Result
from redhanded.model.rows import (
    HEAD_TREE,
    ControlRow,
    PlanRow,
    Row,
    RunRow,
    SessionRow,
    Side,
    TestRow,
)
from redhanded.model.sink import Progress, Silent, Sink


def run(options: RunOptions, sink: Sink, progress: Progress | None = None) -> Result:
    """Measure what a change's tests add, or what a suite catches.

    Args:
        options: What to do.
        sink: Takes rows as they come.
        progress: What a person watches.

    Raises:
        RedhandedError: Of the kind that says why there is no result.
    """
    started = perf_counter()
    with workshop(options) as shop:
        one = _Run(shop, sink, progress or Silent(), started)
        try:
            return one.measure()
        finally:
            one.close()


def plan(
    options: RunOptions, progress: Progress | None = None
) -> tuple[PlanSummary, tuple[Mutant, ...]]:
    """The mutants that a run would plant, none of them run.

    Where the new tests choose the scope, their control is run to find it.
    """
    with workshop(options) as shop:
        made = aim(shop, TestDiff(shop.change), progress or Silent(), [])
        return made.summary, made.mutants


@dataclass
class _Run:
    shop: Workshop
    sink: Sink
    progress: Progress
    started: float
    suites: dict[Side, Suite] = field(default_factory=dict)
    changes: dict[str, Change] = field(default_factory=dict)
    """How each test id of a change stands."""
    gone: tuple[str, ...] = ()
    """Old tests that are collected on base's source and not on head's."""
    warnings: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.old = OldSource(self.shop)

    def close(self) -> None:
        self.old.close()
        for suite in self.suites.values():
            suite.close()

    def add(self, row: Row) -> None:
        with self._lock:
            self.sink.add(row)

    def measure(self) -> Result:
        """Do everything."""
        self.add(self._run_row())
        self.progress.stage("plan", None)
        diff = TestDiff(self.shop.change)
        made = aim(self.shop, diff, self.progress, self.warnings)
        self.sink.mutants(made.mutants)
        self.add(PlanRow(made.summary))
        self.progress.stage("control", None)
        tasks = self._collect(made, diff)
        setup_done = perf_counter()
        self.progress.stage("controls", None)
        controls, defect = self._before_trials(tasks)
        controls_done = perf_counter()
        before = tuple(self.sink.finished())
        for suite in self.suites.values():
            recall(suite, before)
        done = resumed(before, {side: suite.tests for side, suite in self.suites.items()})
        rows = Loop(tasks, self.shop.jobs, self.add, self.progress).run(done)
        # Trials, too, find tests that are no judges.
        contest = self.old.contest(self.suites.get("reference"), made.mutants)
        trials_done = perf_counter()
        for suite in self.suites.values():
            controls += suite.later_rows()
        return summarise(
            Measured(
                options=self.shop.options,
                shop=self.shop,
                plan=made,
                suites=self.suites,
                gone=self.gone,
                changes=self.changes,
                controls=controls,
                rows=rows,
                contest=contest,
                real_defect=defect,
                warnings=[*self.warnings, *self.shop.notes],
                seconds=(
                    perf_counter() - self.started,
                    setup_done - self.started,
                    controls_done - setup_done,
                    trials_done - controls_done,
                ),
            )
        )

    def _run_row(self) -> RunRow:
        options, change, python = self.shop.options, self.shop.change, self.shop.python
        return RunRow(
            format=FORMAT,
            command=options.command,
            redhanded=redhanded.__version__,
            python=python.version,
            pytest=python.pytest,
            platform=python.platform,
            base=change.base,
            head=change.head,
            options={**deciding(options), HEAD_TREE: change.head_tree},
            started=datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        )

    def _collect(self, made: Plan, diff: TestDiff) -> Schedule:
        """Open the suites, tell their tests apart, and lay out the trials."""
        runnable = tuple(each for each in made.mutants if each.viability == "viable")
        targets = tuple(sorted({each.file for each in made.mutants}))
        points = tuple(sorted({_point(each) for each in runnable}))
        at = {point: index for index, point in enumerate(points)}
        opener = Opener(self.shop, diff, self.progress, self.warnings)
        with ThreadPoolExecutor(1) as pool:
            before = pool.submit(self.old.open) if self.shop.grades_change else None
            self.suites = opener.open(targets, points)
            if before is not None:
                before.result()
        if self.shop.grades_change:
            self.gone = self.old.gone(self.suites.get("reference"))
            self.changes = classify(self.suites, self.gone, diff, self.progress)
        for side, suite in self.suites.items():
            self.add(_session_row(side, suite, self.changes))
        return Schedule(
            suites=self.suites,
            mutants=runnable,
            point_of={each.id: at[_point(each)] for each in runnable},
            changes=self.changes,
            matrix=self.shop.options.matrix or False,
        )

    def _before_trials(self, tasks: Schedule) -> tuple[list[ControlRow], RealDefect | None]:
        """The controls; and meanwhile, in a tree of its own, the real defect."""
        candidate = self.suites.get("candidate")
        new = tasks.new_tests() if candidate is not None else ()
        with ThreadPoolExecutor(1) as pool:
            defect = None
            if self.shop.grades_change:
                defect = pool.submit(real_defect, self.shop, candidate, new)
            controls = self._controls(tasks)
            # Rather now than after the trials.
            self.old.needed(self.suites.get("reference"))
            return controls, None if defect is None else defect.result()

    def _controls(self, tasks: Schedule) -> list[ControlRow]:
        """Run the controls of each side; refuse where no judge is green."""
        rows: list[ControlRow] = []
        files = tuple(sorted({each.file for each in tasks.mutants}))
        for side, suite in self.suites.items():
            relevant = tasks.relevant(side)
            green = tuple(suite.green(relevant))
            # Old tests of a change are not what is graded: for them it is enough that those
            # which read a target's file are shown the placebos, and that canaries sing.
            graded = side == self.shop.main_side
            suspects = tuple(
                test for test, seen in suite.scouted.by_test.items() if graded or seen.reads
            )
            asked_of = frozenset(green) if graded else frozenset()
            asked = Asked(files, green, tuple(suite.green(suspects)), asked_of)
            found = run_controls(self.shop, suite, asked)
            for row in found:
                self.add(row)
            rows += found
            if side == "reference" and suite.tests and not suite.green(suite.scouted.by_test):
                if all(seen.facts.verdict == "skipped" for seen in suite.scouted.by_test.values()):
                    raise UnavailableError(
                        "expected tests that run, found that all are skipped",
                        hint="install what the tests need, or name other tests after --.",
                    )
                raise RedControlError(
                    "expected the tests to pass with nothing planted, found that none does"
                    + _first_failure(suite),
                    hint="make the suite pass in a clean checkout with this interpreter first.",
                )
        return rows


def _point(mutant: Mutant) -> Point:
    first, last = mutant.lines
    return mutant.file, first, last


def deciding(options: RunOptions) -> dict[str, object]:
    """The options that decide verdicts, as rows keep them."""
    return {
        "base": options.base,
        "head": options.head,
        "sources": list(options.sources),
        "pytest_args": list(options.pytest_args),
        "matrix": options.matrix,
        "operators": None if options.operators is None else sorted(options.operators),
        "families_off": sorted(options.families_off),
        "mutants_file": None if options.mutants_file is None else str(options.mutants_file),
        "source_from": options.source_from,
        "max_mutants": options.max_mutants,
        "seed": options.seed,
        "isolate": options.isolate,
        "policy": options.policy,
    }


def _session_row(side: Side, suite: Suite, changes: Mapping[str, Change]) -> SessionRow:
    tests = tuple(TestRow(name, changes.get(name)) for name in suite.tests)
    return SessionRow(side, tests, suite.collected.errors)


def _first_failure(suite: Suite) -> str:
    for test, seen in sorted(suite.scouted.by_test.items()):
        if seen.facts.failures:
            first = seen.facts.failures[0]
            return f": {suite.tests[test]}: {first.type.rpartition('.')[2]}: {first.message}"
    return ""
