"""A whole run of the code instrument: plan, controls, trials, result."""

from __future__ import annotations

import datetime
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from time import perf_counter

import redhanded
from redhanded.code import schedule
from redhanded.code.classify import same_pytest_tables
from redhanded.code.contest import contested, real_defect
from redhanded.code.controls import Asked, run_controls
from redhanded.code.external import read_mutants
from redhanded.code.given import Given
from redhanded.code.options import RunOptions
from redhanded.code.planner import Plan, Wanted, make_plan
from redhanded.code.scope import Chosen, all_sources, choose, self_selected
from redhanded.code.session import Collected
from redhanded.code.side import Suite, ThreadsError, open_suite
from redhanded.code.summary import Measured, summarise
from redhanded.code.testdiff import TestTexts, unchanged
from redhanded.code.trials import Trial
from redhanded.code.workshop import Workshop, workshop
from redhanded.errors import (
    InterruptedRunError,
    RedControlError,
    RedhandedError,
    UnavailableError,
    UsageError,
)
from redhanded.model.mutant import Mutant
from redhanded.model.result import FORMAT, Change, PlanSummary, RealDefect, Result
from redhanded.model.rows import (
    ControlRow,
    PlanRow,
    RunRow,
    SessionRow,
    Side,
    TestRow,
    TrialRow,
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
    from redhanded.model.sink import MemorySink

    with workshop(options) as shop:
        one = _Run(shop, MemorySink(), progress or Silent(), perf_counter())
        try:
            made = one.plan()
        finally:
            one.close()
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
    warnings: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _stop: threading.Event = field(default_factory=threading.Event)

    @property
    def options(self) -> RunOptions:
        return self.shop.options

    @property
    def grades_change(self) -> bool:
        return self.shop.change.base is not None

    @property
    def main_side(self) -> Side:
        """Whose trees hold head's source."""
        return "candidate" if self.grades_change else "reference"

    def close(self) -> None:
        self._stop.set()
        for suite in self.suites.values():
            suite.close()

    def add(self, row: SessionRow | ControlRow | PlanRow | RunRow | TrialRow) -> None:
        with self._lock:
            self.sink.add(row)

    # The plan

    def plan(self) -> Plan:
        """Choose the scope and list its mutants."""
        options, change = self.options, self.shop.change
        self.warnings += change.warnings
        chosen = choose(
            change,
            options.sources or (() if change.base else change.configuration.sources),
            mutants_file=options.mutants_file is not None,
            source_from=options.source_from,
        )
        given, misfits = self._given()
        files = chosen.files if chosen.files is not None else self._self_selected(chosen)
        made = make_plan(
            self.shop.python.path,
            self.shop.tree(self.main_side),
            chosen.scope,
            files,
            names=options.operators,
            families_off=options.families_off,
            given=given,
            most=options.max_mutants,
            seed=options.seed,
        )
        made = replace(made, refused=made.refused + misfits)
        self.warnings += made.refused
        if made.summary.ignored_pragmas:
            told = ", ".join(made.summary.ignored_pragmas)
            self.warnings.append(f"pragmas that the change adds are not honoured: {told}")
        if not made.mutants:
            raise UnavailableError(
                f"expected mutants in scope ({chosen.scope.why}), found none",
                hint="no operator applies to those lines; name more source, or other operators.",
            )
        return made

    def _given(self) -> tuple[list[Given], tuple[str, ...]]:
        """Mutants from a file, and why some of them don't fit head's source.

        Raises:
            UsageError: The file is of no use, or none of its mutants fits.
        """
        path = self.options.mutants_file
        if path is None:
            return [], ()
        misfits: list[str] = []
        tree = self.shop.tree(self.main_side)
        given = read_mutants(path, tree, python=str(self.shop.python.path), misfits=misfits)
        if misfits and not given:
            raise UsageError(
                f"expected mutants of head's source in {path}, found none that fits: {misfits[0]}",
                hint="make the file anew with `redhanded mutants --write FILE`.",
            )
        return given, tuple(misfits)

    def _self_selected(self, chosen: Chosen) -> tuple[Wanted, ...]:
        """Run the new tests' control to find the lines that they execute."""
        change = self.shop.change
        targets = all_sources(change)
        makers = self.shop.makers("candidate", targets, 1)
        if makers is None:
            raise UnavailableError("expected tests at head, found none with these arguments")
        self.progress.stage("control of the new tests", None)
        suite = open_suite(
            "candidate", makers, (), tests=self._surely_new, lines=True,
            progress=self.progress.advance,
        )  # fmt: skip
        suite.close()
        executed: dict[str, list[tuple[int, int]]] = {}
        for seen in suite.scouted.by_test.values():
            for file, lines in (seen.lines or {}).items():
                executed.setdefault(file, []).extend(lines)
        return self_selected(change, executed)

    def _surely_new(self, collected: Collected) -> Sequence[int]:
        """Tests at head that base doesn't have, or not with the same text."""
        return [
            index
            for index, name in enumerate(collected.tests)
            if not self._same_text(name, frozenset({name.split("::", 1)[0]}))
        ]

    def _same_text(self, name: str, files: frozenset[str]) -> bool:
        read = self.shop.change.read
        return unchanged(name, files, self._touched_tests(), read, self._texts)

    _texts: dict[tuple[str, str], TestTexts] = field(default_factory=dict)

    def _touched_tests(self) -> frozenset[str]:
        """Test-side files that differ, configuration that says nothing about pytest aside."""
        change = self.shop.change
        same = same_pytest_tables(
            lambda name: change.read("base", name), lambda name: change.read("head", name)
        )
        return frozenset(
            path
            for path in change.test_side_differences()
            if not (same and change.category(path) == "config")
        )

    # The run

    def measure(self) -> Result:
        """Do everything."""
        shop, options = self.shop, self.options
        self.add(self._run_row())
        self.progress.stage("plan", None)
        made = self.plan()
        runnable = tuple(each for each in made.mutants if each.viability == "viable")
        targets = tuple(sorted({each.file for each in made.mutants}))
        points = tuple(sorted({_point(each) for each in runnable}))
        at = {point: index for index, point in enumerate(points)}
        self.sink.mutants(made.mutants)
        self.add(PlanRow(made.summary))
        self.progress.stage("control", None)
        self._open(targets, points)
        self._classify()
        for side, suite in self.suites.items():
            self.add(_session_row(side, suite, self.changes))
        setup_done = perf_counter()
        tasks = schedule.Schedule(
            suites=self.suites,
            mutants=runnable,
            point_of={each.id: at[_point(each)] for each in runnable},
            changes=self.changes,
            matrix=options.matrix or False,
        )
        self.progress.stage("controls", None)
        with ThreadPoolExecutor(2) as pool:
            # What base's source says needs trees of its own: it is looked at meanwhile.
            before = pool.submit(self._before, made, tasks) if self.grades_change else None
            controls = self._controls(tasks, runnable)
            clash, broken, defect = _NOTHING_BEFORE if before is None else before.result()
        controls_done = perf_counter()
        rows, complete = self._trials(tasks, runnable)
        trials_done = perf_counter()
        for suite in self.suites.values():
            for row in suite.later_rows():
                self.add(row)
                controls.append(row)
        return summarise(
            Measured(
                options=options,
                shop=shop,
                plan=made,
                suites=self.suites,
                changes=self.changes,
                controls=controls,
                rows=rows,
                contested=clash,
                broken=broken,
                real_defect=defect,
                warnings=[*self.warnings, *shop.notes],
                complete=complete,
                seconds=(
                    perf_counter() - self.started,
                    setup_done - self.started,
                    controls_done - setup_done,
                    trials_done - controls_done,
                ),
            )
        )

    def _before(
        self, made: Plan, tasks: schedule.Schedule
    ) -> tuple[frozenset[str], tuple[str, ...], RealDefect | None]:
        """What base's source says: contested mutants, broken old tests, the real defect."""
        clash, broken, _ = contested(self.shop, self.suites.get("reference"), made.mutants)
        candidate = self.suites.get("candidate")
        new = tasks.new_tests() if candidate is not None else ()
        defect, _ = real_defect(self.shop, candidate, new)
        return clash, broken, defect

    def _run_row(self) -> RunRow:
        options, change, python = self.options, self.shop.change, self.shop.python
        return RunRow(
            format=FORMAT,
            command=options.command,
            redhanded=redhanded.__version__,
            python=python.version,
            pytest=python.pytest,
            platform=python.platform,
            base=change.base,
            head=change.head,
            options=deciding(options),
            started=datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        )

    def _open(self, targets: Sequence[str], points: Sequence[tuple[str, int, int]]) -> None:
        """Open the suites: collect, and run the control."""
        sides: list[Side] = ["reference", "candidate"] if self.grades_change else ["reference"]

        def one(side: Side) -> Suite | None:
            makers = self.shop.makers(side, targets, self.shop.jobs)
            if makers is None:
                return None
            only = self._surely_new if side == "candidate" else None
            try:
                return open_suite(side, makers, points, tests=only, progress=self.progress.advance)
            except ThreadsError as threads:
                self.warnings.append(
                    f"{side}: the suite leaves {threads} threads running once it is collected, "
                    "so that it can't be forked: each trial gets a fresh process, which is slower"
                )
                self.shop.fork = False
            makers = self.shop.makers(side, targets, self.shop.jobs)
            assert makers is not None
            return open_suite(side, makers, points, tests=only, progress=self.progress.advance)

        with ThreadPoolExecutor(len(sides)) as pool:
            futures = {side: pool.submit(one, side) for side in sides}
            failed: dict[Side, RedhandedError] = {}
            for side, future in futures.items():
                try:
                    suite = future.result()
                except UnavailableError as error:
                    failed[side] = error
                    continue
                if suite is not None:
                    self.suites[side] = suite
        if "reference" in failed:
            raise failed["reference"]
        if "candidate" in failed:
            self.warnings.append(f"the suite at head gains nothing: {failed['candidate']}")
        for side, suite in self.suites.items():
            for problem in suite.collected.errors:
                self.warnings.append(f"{side}: not collected: {problem}")
        if not self.grades_change:
            _refuse_uncollected(self.suites.get("reference"))

    def _classify(self) -> None:
        """Tell added, modified, deleted and unchanged tests apart."""
        if not self.grades_change:
            return
        reference, candidate = self.suites.get("reference"), self.suites.get("candidate")
        old = {} if reference is None else {name: at for at, name in enumerate(reference.tests)}
        new = () if candidate is None else candidate.tests
        for name in old:
            self.changes[name] = "deleted"
        late: list[int] = []
        for index, name in enumerate(new):
            if name not in old:
                self.changes[name] = "added"
            else:
                assert reference is not None
                seen = reference.control(old[name])
                files = frozenset() if seen is None else seen.files
                files |= reference.scouted.common_files
                same = self._same_text(name, files | {name.split("::", 1)[0]})
                self.changes[name] = "unchanged" if same else "modified"
            if self.changes[name] != "unchanged":
                assert candidate is not None
                if candidate.control(index) is None:
                    late.append(index)
        if late:
            assert candidate is not None
            more = candidate.sessions[0].scout(
                candidate.points, late, progress=self.progress.advance
            )
            candidate.scouted.by_test.update(more.by_test)

    def _controls(self, tasks: schedule.Schedule, runnable: Sequence[Mutant]) -> list[ControlRow]:
        """Run the controls of each side; refuse where no judge is green."""
        rows: list[ControlRow] = []
        files = tuple(sorted({each.file for each in runnable}))
        for side, suite in self.suites.items():
            relevant = tasks.relevant(side)
            green = tuple(suite.green(relevant))
            # Old tests of a change are not what is graded: for them it is enough that those
            # which read a target's file are shown the placebos, and that canaries sing.
            graded = side == self.main_side
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

    def _trials(
        self, tasks: schedule.Schedule, runnable: Sequence[Mutant]
    ) -> tuple[dict[tuple[str, Side], TrialRow], bool]:
        """Run all trials, a mutant at a time on each job slot."""
        done = self._resumed()
        todo = list(runnable)
        self.progress.stage("trials", len(todo))
        queue = iter(todo)
        rows: dict[tuple[str, Side], TrialRow] = dict(done)

        def work(slot: int) -> None:
            while not self._stop.is_set():
                with self._lock:
                    mutant = next(queue, None)
                if mutant is None:
                    return
                for side, suite in self.suites.items():
                    if (mutant.id, side) in done:
                        continue
                    task = tasks.task(mutant, side)
                    enough = tasks.enough(mutant, side)
                    row = Trial(suite, suite.sessions[slot], task, enough).run()
                    self.add(row)
                    with self._lock:
                        rows[mutant.id, side] = row
                self.progress.advance()

        try:
            _in_threads([lambda slot=slot: work(slot) for slot in range(self.shop.jobs)])  # type: ignore[misc]
        except KeyboardInterrupt:
            self._stop.set()
            raise InterruptedRunError("interrupted: what is finished is kept") from None
        return rows, not self._stop.is_set()

    def _resumed(self) -> dict[tuple[str, Side], TrialRow]:
        """Trials that an interrupted run left, if its suites were the same."""
        found: dict[tuple[str, Side], TrialRow] = {}
        for row in self.sink.finished():
            if isinstance(row, SessionRow) and row.side in self.suites:
                if tuple(test.id for test in row.tests) != self.suites[row.side].tests:
                    raise UsageError(
                        f"expected the {row.side} suite to collect the tests that the interrupted "
                        "run collected, found others",
                        hint="start a new run: the trials done so far are of other tests.",
                    )
            if isinstance(row, TrialRow):
                found[row.mutant, row.side] = row
        return found


_NOTHING_BEFORE: tuple[frozenset[str], tuple[str, ...], RealDefect | None] = (
    frozenset(),
    (),
    None,
)


def _refuse_uncollected(suite: Suite | None) -> None:
    """A suite of which a part can't be collected is no reference.

    Raises:
        UnavailableError: It is so, or holds no test at all.
    """
    if suite is not None and suite.collected.errors:
        raise UnavailableError(
            f"expected the whole suite to be collected, found {suite.collected.errors[0]}",
            hint="mend or install what that file needs, or leave it out: -- --ignore=FILE.",
        )
    if suite is None or not suite.tests:
        raise UnavailableError(
            "expected tests to collect, found none",
            hint="name where they are after --, as for pytest.",
        )


def _point(mutant: Mutant) -> tuple[str, int, int]:
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


def _in_threads(work: Sequence[Callable[[], None]]) -> None:
    """Run each in a thread of its own; the first error is raised once all have ended."""
    errors: list[BaseException] = []

    def guarded(one: Callable[[], None]) -> None:
        try:
            one()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(one,), daemon=True) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive():
            thread.join(0.2)  # in steps: an interrupt is noticed between them
    if errors:
        raise errors[0]
