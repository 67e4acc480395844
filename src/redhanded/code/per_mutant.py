"""What is told of each mutant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from redhanded.code.matrices import Grades, Matrices
from redhanded.code.measured import Measured
from redhanded.code.side import GREEN
from redhanded.model.mutant import Mutant
from redhanded.model.outcome import Reason, Status
from redhanded.model.result import MutantResult, StatusPair
from redhanded.model.rows import Side


def per_mutant(
    found: Measured,
    mutants: Sequence[Mutant],
    matrices: Matrices,
    grades: Grades,
) -> Iterable[MutantResult]:
    """The results of mutants, in the order of the plan."""
    reference, candidate = grades.reference.statuses, None
    if grades.candidate is not None:
        candidate = grades.candidate.statuses
    gained = set(() if grades.delta is None else grades.delta.gained)
    both = [matrices.reference] + ([matrices.candidate] if matrices.candidate else [])
    policy = found.options.policy
    for each in mutants:
        status = StatusPair(
            str(reference[each.id]),
            None if candidate is None else str(candidate[each.id]),
        )
        reason: Reason | str | None = each.reason
        if reason is None and Status.INCOMPLETE in (
            reference[each.id],
            candidate[each.id] if candidate else None,
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


def _confirmed(found: Measured, matrices: Matrices, mutant: str) -> tuple[str, ...]:
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
