"""From the trials of a run to the kill matrix of each cohort, and to their grades."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from redhanded.code.measured import Measured
from redhanded.code.side import Suite
from redhanded.model import delta as deltas
from redhanded.model.cells import Cell, cells_of_trial, unviable
from redhanded.model.facts import Facts
from redhanded.model.matrix import KillMatrix
from redhanded.model.mutant import Mutant
from redhanded.model.rows import Side
from redhanded.model.score import Score, score


def judged_mutants(found: Measured) -> tuple[Mutant, ...]:
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


def _names_of(suite: Suite) -> tuple[str, ...]:
    """Ids of a suite's tests, made distinct where the project repeats one."""
    seen: Counter[str] = Counter()
    names = []
    for name in suite.tests:
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return tuple(names)


def _controls_of(suite: Suite) -> dict[int, Facts]:
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


class Matrices:
    """The kill matrices of both cohorts, and the trials that they are made of."""

    def __init__(self, found: Measured, mutants: Sequence[Mutant]) -> None:
        viable = {each.id for each in mutants if each.viability == "viable"}
        old, new = found.suites.get("reference"), found.suites.get("candidate")
        self.old_names = () if old is None else _names_of(old)
        self.new_names = () if new is None else _names_of(new)
        old_cells = _cells(found, old, "reference", self.old_names, viable)
        self.reference = KillMatrix.of(
            mutants,
            # A test that isn't there any more is one of the old ones all the same.
            [*self.old_names, *found.gone],
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


@dataclass(frozen=True)
class Grades:
    """What the matrices come to; without a change there is the reference alone."""

    reference: Score
    candidate: Score | None = None
    delta: deltas.Delta | None = None


def grade(found: Measured, matrices: Matrices) -> Grades:
    """Score the cohorts, and compare them."""
    policy = found.options.policy
    if matrices.candidate is None:
        return Grades(score(matrices.reference, policy=policy))
    reference = score(matrices.reference, contested=found.contest.mutants, policy=policy)
    candidate = score(matrices.candidate, reference=reference, policy=policy)
    delta = deltas.delta(
        matrices.reference,
        matrices.candidate,
        contested=found.contest.mutants,
        inapplicable=len(found.plan.refused) if found.options.mutants_file else 0,
        policy=policy,
    )
    return Grades(reference, candidate, delta)


def _cells(
    found: Measured, suite: Suite | None, side: Side, names: Sequence[str], viable: set[str]
) -> list[Cell]:
    if suite is None:
        return []
    controls = _controls_of(suite)
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
