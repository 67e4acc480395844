"""The plan as a person reads it."""

from __future__ import annotations

import msgspec

from redhanded.model.mutant import Mutant
from redhanded.report.mutants import render_plan
from redhanded.report.page import Options
from tests import samples
from tests.report.pictures import compare, paper, text_of

MUTANTS = (
    samples.mutant(4, "0", "1", "integer", static=True),
    *samples.PLANNED,
    samples.mutant(6, ">", ">=", "compare-boundary"),
    samples.mutant(
        19, "1", "2", "integer", viability="equivalent", reason="the code object is the same"
    ),
    samples.mutant(19, "-", "+", "arithmetic", viability="duplicate", duplicate_of="x1"),
)


def plan(mutants: tuple[Mutant, ...], brief: bool = False) -> str:
    summary = msgspec.structs.replace(samples.result().plan, mutants=len(mutants), runnable=4)
    console = paper()
    render_plan(
        summary, mutants, console, Options(sources={samples.FILE: samples.SOURCE}, brief=brief)
    )
    return text_of(console)


def test_plan() -> None:
    compare("plan-80.txt", plan(MUTANTS))


def test_a_long_plan_is_listed_whole_or_counted() -> None:
    many = tuple(msgspec.structs.replace(MUTANTS[1], id=f"{n:03}") for n in range(50))
    assert plan(many).count("    + ") == 50
    assert plan(many, brief=True).splitlines() == [
        "redhanded mutants: the plan, nothing is run",
        "Scope: changed-lines (the lines of source that the change touches);",
        "       src/shop/cart.py, 50 mutants, set 9f3a1c20b7d4",
        "Would be run: 4 of 50; not run: unviable 0 · equivalent 0 · duplicate 0",
        "",
        "src/shop/cart.py:23: this pragma comes with the change itself and is not",
        "  honoured",
    ]
