"""From the rows of a run to its result. Arithmetic only: nothing is measured here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

import redhanded
from redhanded.code.matrices import Grades, Matrices, grade, judged_mutants
from redhanded.code.measured import Measured
from redhanded.code.per_mutant import per_mutant
from redhanded.code.per_test import candidate_judges, judges, per_test
from redhanded.code.side import GREEN
from redhanded.model.reading import NOTHING_LEFT, cause_of_null
from redhanded.model.result import FORMAT, Control, Result, Timings
from redhanded.model.score import excluded


def summarise(found: Measured) -> Result:
    """The result of a run."""
    shop, old = found.shop, found.suites.get("reference")
    mutants = judged_mutants(found)
    matrices = Matrices(found, mutants)
    grades = grade(found, matrices)
    empty = shop.change.base is not None and not matrices.reference.tests
    result = Result(
        format=FORMAT,
        command=found.options.command,
        redhanded=redhanded.__version__,
        python=shop.python.version,
        pytest=shop.python.pytest,
        platform=shop.python.platform,
        policy=found.options.policy,
        base=shop.change.base,
        head=shop.change.head,
        plan=found.plan.summary,
        reference=grades.reference.result(
            tests=len(matrices.reference.tests),
            judges=judges(old),
            label="reference: empty" if empty else None,
        ),
        candidate=None
        if grades.candidate is None or matrices.candidate is None
        else grades.candidate.result(
            tests=len(matrices.candidate.tests), judges=candidate_judges(found)
        ),
        delta=None if grades.delta is None else grades.delta.result(found.real_defect),
        excluded=excluded(matrices.reference, grades.reference.statuses),
        tests=tuple(per_test(found, matrices, grades.delta)),
        mutants=tuple(per_mutant(found, mutants, matrices, grades)),
        controls=tuple(_controls(found)),
        warnings=_warnings(found, grades),
        timings=_timings(found),
        complete=True,
    )
    return msgspec.structs.replace(result, exit_code=exit_code(result))


def exit_code(result: Result) -> int:
    """0 where mutants were tried, or nothing was left to gain; 3 where nothing was measured.

    That mutants crash or hang is no measurement of the tests: none of them was tried.
    """
    if result.delta is not None:
        nothing_left = result.delta.unavailable == NOTHING_LEFT
        return 0 if result.delta.value is not None or nothing_left else 3
    return 0 if result.reference.tried else 3


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


def _warnings(found: Measured, grades: Grades) -> tuple[str, ...]:
    told = list(found.warnings)
    for side, suite in found.suites.items():
        spawning = [test for test, seen in suite.scouted.by_test.items() if seen.spawned]
        if spawning:
            told.append(
                f"{side}: {len(spawning)} tests start other programs; what those execute of the "
                f"code under test is not seen (first: {suite.tests[min(spawning)]})"
            )
    if grades.delta is None and not grades.reference.tried:
        told.append(cause_of_null(grades.reference.statuses.values()))
    silenced = found.contest.silenced
    if silenced:
        told.append(
            "old tests that judge on base's source and don't on head's: "
            f"{len(silenced)}; what they may have killed is contested (first: {silenced[0]})"
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
