"""What a run would ask, counted before anything is asked."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from redhanded.outputs.case import Case
from redhanded.outputs.importers.found import grader_name
from redhanded.outputs.options import Options
from redhanded.outputs.planner import CasePlan, plan_case

CANARIES = 2
"""Calls that show how a grader is wired; once for each way in which its code is put together."""


class GraderPlan(msgspec.Struct):
    """What one grader would be asked."""

    grader: str
    cases: int = 0
    outputs: int = 0
    """Outputs that would be planted."""
    least: int = 0
    """Calls, where nothing is asked twice and no twin is needed."""
    most: int = 0
    """Calls, where each question takes all repeats and each twin is asked."""


class CasePlanned(msgspec.Struct, frozen=True):
    """What would be planted in one case."""

    case: str
    grader: str
    rows: tuple[str, ...]
    """``case/operator/variant`` of each output."""
    refused: str | None = None
    """Why the case can't be asked."""


class Budget(msgspec.Struct, frozen=True):
    """A whole plan."""

    suite: str
    cases: tuple[CasePlanned, ...]
    graders: tuple[GraderPlan, ...]
    outputs: int
    least: int
    most: int
    """Calls, canaries included."""


def budget(suite: str, cases: Iterable[Case], options: Options) -> Budget:
    """Plan all cases; no grader is called."""
    graders: dict[str, GraderPlan] = {}
    planned = []
    for case in cases:
        plan = plan_case(case, options.operators)
        name = grader_name(case.grader)
        rows = tuple(row.id for row in plan.planned)
        refused = None if plan.refused is None else plan.refused[1]
        planned.append(CasePlanned(case.id, name, rows, refused))
        if plan.refused is None:
            _add(graders.setdefault(name, GraderPlan(name)), plan, options.repeats)
    for one in graders.values():
        one.most += CANARIES
    return Budget(
        suite=suite,
        cases=tuple(planned),
        graders=tuple(graders.values()),
        outputs=sum(one.outputs for one in graders.values()),
        least=sum(one.least for one in graders.values()),
        most=sum(one.most for one in graders.values()),
    )


def _add(counted: GraderPlan, plan: CasePlan, repeats: int) -> None:
    outputs = len(plan.planned)
    shams = sum(row.sham is not None for row in plan.planned)
    controls = 2 if outputs else 1
    counted.cases += 1
    counted.outputs += outputs
    counted.least += controls + outputs
    counted.most += repeats * (controls + outputs + shams)
