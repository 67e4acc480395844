"""What is told of each test, and how many of them judge."""

from __future__ import annotations

from collections.abc import Iterable

from redhanded.code.matrices import Matrices
from redhanded.code.measured import Measured
from redhanded.code.side import GREEN, Suite
from redhanded.model.delta import Delta
from redhanded.model.matrix import KillMatrix
from redhanded.model.outcome import Reason
from redhanded.model.result import CohortName, TestResult

_CONTROL = {
    Reason.RED_CONTROL: "red",
    Reason.SKIPPED_CONTROL: "skipped",
    Reason.FLAKY: "flaky",
    Reason.ORDER_DEPENDENT: "order_dependent",
    Reason.PLACEBO_RED: "placebo_red",
}


def per_test(found: Measured, matrices: Matrices, delta: Delta | None) -> Iterable[TestResult]:
    """The results of old tests, then of new ones."""
    old, new = found.suites.get("reference"), found.suites.get("candidate")
    gained = {} if delta is None else delta.gained_by
    if old is not None:
        for index, name in enumerate(matrices.old_names):
            yield _test(
                found, old, index, name, "reference", matrices.reference, None, complete=False
            )
    for name in found.gone:
        yield TestResult(
            id=name,
            cohort="reference",
            change=found.changes[name],
            control="absent",
            entered=None,
            killed=None,
            killed_alone=None,
            gained=None,
            can_judge=None,
            reason="not collected on head's source",
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
    if seen is not None and seen.facts.verdict == "skipped":
        told = seen.facts.detail
    return TestResult(
        id=name,
        cohort=cohort,
        change=found.changes.get(suite.tests[index]),
        control=control,  # type: ignore[arg-type]
        entered=len(matrix.entered(name)) if known else None,
        killed=len(matrix.kills(name, found.options.policy)) if known else None,
        killed_alone=matrix.killed_alone(name, found.options.policy) if known else None,
        gained=gained,
        can_judge=_can_judge(suite, index, matrix, name) if reason is None else None,
        reason=told or (None if reason is None else str(reason)),
        seconds=None if seen is None else seen.facts.seconds,
    )


def _can_judge(suite: Suite, index: int, matrix: KillMatrix, name: str) -> bool | None:
    """Did it ever catch a canary, or a mutant, which says more?"""
    return bool(matrix.kills(name, "judged")) or suite.sees.get(index)


def judges(suite: Suite | None) -> int:
    """How many of a suite's tests can judge."""
    if suite is None:
        return 0
    return sum(
        seen.facts.verdict in GREEN and suite.usable.get(test) is None
        for test, seen in suite.scouted.by_test.items()
    )


def candidate_judges(found: Measured) -> int:
    """How many tests of the candidate can: new ones, and unchanged ones, run with the old."""
    new, old = found.suites.get("candidate"), found.suites.get("reference")
    count = judges(new)
    if old is not None:
        count += sum(
            old.usable.get(test) is None and seen.facts.verdict in GREEN
            for test, seen in old.scouted.by_test.items()
            if found.changes.get(old.tests[test]) == "unchanged"
        )
    return count
