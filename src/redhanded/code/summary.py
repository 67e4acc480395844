"""From the rows of a run to its result. Arithmetic only: nothing is measured here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

import redhanded
from redhanded.code.options import RunOptions
from redhanded.code.planner import Plan
from redhanded.code.side import GREEN, Suite
from redhanded.code.workshop import Workshop
from redhanded.model import delta as deltas
from redhanded.model.cells import Cell, cells_of_trial, unviable
from redhanded.model.facts import Facts
from redhanded.model.matrix import KillMatrix
from redhanded.model.mutant import Mutant
from redhanded.model.outcome import Reason, Status
from redhanded.model.reading import NOTHING_LEFT
from redhanded.model.result import (
    FORMAT,
    Change,
    CohortName,
    Control,
    MutantResult,
    RealDefect,
    Result,
    StatusPair,
    TestResult,
    Timings,
)
from redhanded.model.rows import ControlRow, Side, TrialRow
from redhanded.model.score import Score, excluded, score


@dataclass(frozen=True)
class Measured:
    """All that a run found."""

    options: RunOptions
    shop: Workshop
    plan: Plan
    suites: Mapping[Side, Suite]
    changes: Mapping[str, Change]
    controls: Sequence[ControlRow]
    rows: Mapping[tuple[str, Side], TrialRow]
    contested: frozenset[str]
    broken: tuple[str, ...]
    """Old tests that are green on base's source and red, or gone, on head's."""
    real_defect: RealDefect | None
    warnings: Sequence[str]
    complete: bool
    seconds: tuple[float, float, float, float]
    """Total, setup, controls, trials."""


def summarise(found: Measured) -> Result:
    """The result of a run."""
    mutants = _viable(found)
    matrices = _Matrices(found, mutants)
    policy = found.options.policy
    graded = found.shop.change.base is not None
    reference = score(
        matrices.reference, contested=found.contested if graded else None, policy=policy
    )
    candidate: Score | None = None
    delta: deltas.Delta | None = None
    if matrices.candidate is not None:
        candidate = score(matrices.candidate, reference=reference, policy=policy)
        delta = deltas.delta(
            matrices.reference,
            matrices.candidate,
            contested=found.contested,
            inapplicable=len(found.plan.refused) if found.options.mutants_file else 0,
            policy=policy,
            unavailable=None if found.complete else "the run was aborted",
        )
    old = found.suites.get("reference")
    empty = graded and (old is None or not old.tests)
    result = Result(
        format=FORMAT,
        command=found.options.command,
        redhanded=redhanded.__version__,
        python=found.shop.python.version,
        pytest=found.shop.python.pytest,
        platform=found.shop.python.platform,
        policy=policy,
        base=found.shop.change.base,
        head=found.shop.change.head,
        plan=found.plan.summary,
        reference=reference.result(
            tests=len(matrices.reference.tests),
            judges=_judges(old),
            label="reference: empty" if empty else None,
        ),
        candidate=None
        if candidate is None or matrices.candidate is None
        else candidate.result(
            tests=len(matrices.candidate.tests), judges=_candidate_judges(found, matrices)
        ),
        delta=None if delta is None else delta.result(found.real_defect),
        excluded=excluded(matrices.reference, reference.statuses),
        tests=tuple(_tests(found, matrices, delta)),
        mutants=tuple(_mutants(found, mutants, matrices, reference, candidate, delta)),
        controls=tuple(_controls(found)),
        warnings=_warnings(found),
        timings=_timings(found),
        complete=found.complete,
    )
    return msgspec.structs.replace(result, exit_code=exit_code(result))


def exit_code(result: Result) -> int:
    """0 where mutants were tried, or nothing was left to gain; 3 where nothing was measured."""
    if result.delta is not None:
        nothing_left = result.delta.unavailable == NOTHING_LEFT
        return 0 if result.delta.value is not None or nothing_left else 3
    reference = result.reference
    answered = reference.tried + reference.crashed + reference.hung
    return 0 if answered else 3


def _viable(found: Measured) -> tuple[Mutant, ...]:
    """The mutant set, with those marked that only a trial showed to be unviable."""
    why: dict[str, str] = {}
    for (mutant, _), row in found.rows.items():
        reason = unviable(row)
        if reason is not None:
            why[mutant] = reason
    return tuple(
        msgspec.structs.replace(each, viability="unviable", reason=why[each.id])
        if each.id in why and each.viability == "viable"
        else each
        for each in found.plan.mutants
    )


def names_of(suite: Suite) -> tuple[str, ...]:
    """Ids of a suite's tests, made distinct where the project repeats one."""
    seen: Counter[str] = Counter()
    names = []
    for name in suite.tests:
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return tuple(names)


def controls_of(suite: Suite) -> dict[int, Facts]:
    """Each test's control, with what its test code swallows where that was asked."""
    found = {}
    for test, seen in suite.scouted.by_test.items():
        swallowed = suite.swallowed_in_control(test)
        found[test] = (
            seen.facts
            if swallowed is None
            else msgspec.structs.replace(seen.facts, swallowed=swallowed)
        )
    return found


class _Matrices:
    """The kill matrices of both cohorts, and the trials that they are made of."""

    def __init__(self, found: Measured, mutants: Sequence[Mutant]) -> None:
        viable = {each.id for each in mutants if each.viability == "viable"}
        old, new = found.suites.get("reference"), found.suites.get("candidate")
        self.old_names = () if old is None else names_of(old)
        self.new_names = () if new is None else names_of(new)
        old_cells = _cells(found, old, "reference", self.old_names, viable)
        self.reference = KillMatrix.of(
            mutants,
            self.old_names,
            old_cells,
            unfinished=_unfinished(found, "reference", viable, found.suites.get("reference")),
        )
        self.candidate: KillMatrix | None = None
        self.new_tests: tuple[str, ...] = ()
        if found.shop.change.base is None:
            return
        kept = {name for name in self.old_names if found.changes.get(name) == "unchanged"}
        self.new_tests = tuple(
            name for name in self.new_names if found.changes.get(name) != "unchanged"
        )
        cells = [cell for cell in old_cells if cell.test in kept]
        cells += _cells(found, new, "candidate", self.new_names, viable)
        shown = {cell.test for cell in cells} - kept
        order = [name for name in self.new_names if name in kept or name in self.new_tests]
        order += [name for name in self.old_names if name in kept and name not in order]
        order += [name for name in shown if name not in order]
        self.candidate = KillMatrix.of(
            mutants, order, cells, unfinished=_unasked(found, viable, old, kept, self.old_names)
        )


def _cells(
    found: Measured, suite: Suite | None, side: Side, names: Sequence[str], viable: set[str]
) -> list[Cell]:
    if suite is None:
        return []
    controls = controls_of(suite)
    cells: list[Cell] = []
    for (mutant, there), row in found.rows.items():
        if there == side and mutant in viable:
            cells += cells_of_trial(row, names, controls, suite.usable)
    return cells


def _unfinished(
    found: Measured, side: Side, viable: set[str], suite: Suite | None
) -> frozenset[str]:
    if suite is None:
        return frozenset()
    return frozenset(
        mutant
        for mutant in viable
        if (mutant, side) not in found.rows or not found.rows[mutant, side].complete
    )


def _unasked(
    found: Measured,
    viable: set[str],
    old: Suite | None,
    kept: set[str],
    names: Sequence[str],
) -> frozenset[str]:
    """Mutants of which not every test of the candidate was asked: unchanged ones included."""
    unasked = set(_unfinished(found, "candidate", viable, found.suites.get("candidate")))
    if old is not None:
        for mutant in viable:
            row = found.rows.get((mutant, "reference"))
            if row is None:
                unasked.add(mutant)
                continue
            answered = {facts.test for facts in row.facts}
            if any(
                names[test] in kept and test not in answered and old.usable.get(test) is None
                for test in row.selected
            ):
                unasked.add(mutant)
    return frozenset(unasked)


def _judges(suite: Suite | None) -> int:
    if suite is None:
        return 0
    return sum(
        seen.facts.verdict in GREEN and suite.usable.get(test) is None
        for test, seen in suite.scouted.by_test.items()
    )


def _candidate_judges(found: Measured, matrices: _Matrices) -> int:
    new, old = found.suites.get("candidate"), found.suites.get("reference")
    count = _judges(new)
    if old is not None:
        count += sum(
            old.usable.get(test) is None and seen.facts.verdict in GREEN
            for test, seen in old.scouted.by_test.items()
            if found.changes.get(old.tests[test]) == "unchanged"
        )
    return count


_CONTROL = {
    Reason.RED_CONTROL: "red",
    Reason.SKIPPED_CONTROL: "skipped",
    Reason.FLAKY: "flaky",
    Reason.ORDER_DEPENDENT: "order_dependent",
    Reason.PLACEBO_RED: "placebo_red",
}


def _tests(
    found: Measured, matrices: _Matrices, delta: deltas.Delta | None
) -> Iterable[TestResult]:
    old, new = found.suites.get("reference"), found.suites.get("candidate")
    gained = {} if delta is None else delta.gained_by
    if old is not None:
        for index, name in enumerate(matrices.old_names):
            yield _test(
                found, old, index, name, "reference", matrices.reference, None, complete=False
            )
    if new is not None and matrices.candidate is not None:
        fresh = set(matrices.new_tests)
        for index, name in enumerate(matrices.new_names):
            if name in fresh:
                yield _test(
                    found, new, index, name, "candidate", matrices.candidate,
                    len(gained.get(name, ())), complete=True,
                )  # fmt: skip


def _test(
    found: Measured,
    suite: Suite,
    index: int,
    name: str,
    cohort: CohortName,
    matrix: KillMatrix,
    gained: int | None,
    *,
    complete: bool,
) -> TestResult:
    seen = suite.control(index)
    reason = suite.usable.get(index)
    if seen is None:
        control = "absent"
    elif reason is not None:
        control = _CONTROL.get(reason, "red")
    else:
        control = "green"
    known = complete or found.options.matrix
    failure = seen.facts.failures[0] if seen is not None and seen.facts.failures else None
    told = None if failure is None else f"{failure.type}: {failure.message}"
    return TestResult(
        id=name,
        cohort=cohort,
        change=found.changes.get(suite.tests[index]),
        control=control,  # type: ignore[arg-type]
        entered=len(matrix.entered(name)) if known else None,
        killed=len(matrix.kills(name, found.options.policy)) if known else None,
        killed_alone=matrix.killed_alone(name, found.options.policy) if known else None,
        gained=gained,
        can_judge=suite.sees.get(index) if reason is None else None,
        reason=told or (None if reason is None else str(reason)),
        seconds=None if seen is None else seen.facts.seconds,
    )


def _mutants(
    found: Measured,
    mutants: Sequence[Mutant],
    matrices: _Matrices,
    reference: Score,
    candidate: Score | None,
    delta: deltas.Delta | None,
) -> Iterable[MutantResult]:
    gained = set(() if delta is None else delta.gained)
    both = [matrices.reference] + ([matrices.candidate] if matrices.candidate else [])
    policy = found.options.policy
    for each in mutants:
        status = StatusPair(
            str(reference.statuses[each.id]),
            None if candidate is None else str(candidate.statuses[each.id]),
        )
        reason: Reason | str | None = each.reason
        if reason is None and Status.INCOMPLETE in (
            reference.statuses[each.id],
            candidate.statuses[each.id] if candidate else None,
        ):
            reason = next((why for m in both if (why := m.reason(each.id)) is not None), None)
        if each.viability == "duplicate":
            reason = f"duplicate of {each.duplicate_of}"
        yield MutantResult(
            id=each.id,
            file=each.file,
            start=each.start,
            end=each.end,
            operator=each.operator,
            original=each.original,
            replacement=each.replacement,
            function=each.function,
            status=status,
            killers=_union(matrix.killers(each.id, policy) for matrix in both),
            crashers=_union(matrix.crashers(each.id) for matrix in both),
            hangers=_union(matrix.hangers(each.id) for matrix in both),
            passers=len(_union(matrix.passers(each.id) for matrix in both)),
            complete=all(each.id not in matrix.unfinished for matrix in both),
            confirmed=_confirmed(found, matrices, each.id),
            gained=each.id in gained,
            string_only=each.string_only,
            static=each.static,
            reason=None if reason is None else str(reason),
        )


def _union(names: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for some in names for name in some))


def _confirmed(found: Measured, matrices: _Matrices, mutant: str) -> tuple[str, ...]:
    told: list[str] = []
    sides: tuple[tuple[Side, Sequence[str]], ...] = (
        ("reference", matrices.old_names),
        ("candidate", matrices.new_names),
    )
    for side, names in sides:
        row = found.rows.get((mutant, side))
        if row is not None and row.confirm:
            last = row.confirm[-1]
            if last.verdict not in (*GREEN, "skipped", "lost"):
                told.append(names[last.test])
    return tuple(dict.fromkeys(told))


def _controls(found: Measured) -> Iterable[Control]:
    names = {"none-sentinel": "sentinel"}
    for row in found.controls:
        if row.side not in ("reference", "candidate") or row.name == "swallowed":
            continue
        counts = Counter(facts.verdict for facts in row.facts)
        entered = sum(facts.entered for facts in row.facts)
        told = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
        canary = row.name in ("canary", "sentinel", "none-sentinel")
        if canary:
            told += f"; {entered} entered"
        yield Control(
            name=names.get(row.name, row.name),  # type: ignore[arg-type]
            cohort=row.side,
            target=row.target,
            passed=bool(entered) if canary else not (set(counts) - {*GREEN, "skipped"}),
            detail=told or "no test",
        )


def _warnings(found: Measured) -> tuple[str, ...]:
    told = list(found.warnings)
    for side, suite in found.suites.items():
        spawning = [test for test, seen in suite.scouted.by_test.items() if seen.spawned]
        if spawning:
            told.append(
                f"{side}: {len(spawning)} tests start other programs; what those execute of the "
                f"code under test is not seen (first: {suite.tests[min(spawning)]})"
            )
    if found.broken:
        told.append(
            f"the change broke {len(found.broken)} old tests; what they may have killed is "
            f"contested (first: {found.broken[0]})"
        )
    return tuple(dict.fromkeys(told))


def _timings(found: Measured) -> Timings:
    floor, trials = 0.0, 0
    for (_, side), row in found.rows.items():
        suite = found.suites.get(side)
        for facts in row.facts:
            control = None if suite is None else suite.control(facts.test)
            floor += control.facts.seconds if control else 0.0
            trials += 1
    total, setup, controls, loop = found.seconds
    tried = len({mutant for mutant, _ in found.rows})
    return Timings(
        total=round(total, 3),
        setup=round(setup, 3),
        controls=round(controls, 3),
        trials=round(loop, 3),
        trial_floor=round(floor / found.shop.jobs, 3),
        trials_run=trials,
        mutants_per_second=round(tried / total, 2) if tried and total else None,
        jobs=found.shop.jobs,
    )
