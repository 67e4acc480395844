"""Loops: what is left alone."""

from __future__ import annotations

import pytest

from redhanded_worker.operators.loops import (
    BreakToContinue,
    ContinueToBreak,
    ForNoIterations,
    WhileNoIterations,
)
from tests.worker.operating import change, changes, parts


@pytest.mark.parametrize("iterable", ["[1, 2]", "(1, 2)", "1, 2", "{1, 2}", "{1: 2}"])
def test_containers_are_emptied_elsewhere(iterable: str) -> None:
    assert changes(ForNoIterations(), f"for x in {iterable}: y = f(x)\n") == []


def test_an_asynchronous_loop_is_left_alone() -> None:
    assert changes(ForNoIterations(), "async def f(xs):\n    async for x in xs: y = g(x)\n") == []


def test_the_outer_loop_is_emptied_and_the_inner_one() -> None:
    text = "for x in xs:\n    for y in x: z = f(y)\nelse: g()\n"
    assert changes(ForNoIterations(), text) == [
        text.replace("xs", "()"),
        text.replace("in x:", "in ():"),
    ]


@pytest.mark.parametrize("statement", ["f(x)", "y += x"])
def test_a_body_of_one_statement_that_is_left_out_elsewhere(statement: str) -> None:
    assert changes(ForNoIterations(), f"for x in xs: {statement}\n") == []
    assert len(changes(ForNoIterations(), f"for x in xs: {statement}\nelse: g()\n")) == 1
    assert len(changes(ForNoIterations(), f"for x in xs: {statement}; g()\n")) == 1


@pytest.mark.parametrize("constant", ["True", "1", "False", "'s'"])
def test_a_constant_condition_is_a_literal(constant: str) -> None:
    assert changes(WhileNoIterations(), f"while {constant}: f()\n") == []


def test_a_condition_over_several_lines() -> None:
    text = "while (\n    f()  # first\n    and g()\n):\n    h()\n"
    assert change(WhileNoIterations(), text) == "while (\n    False\n):\n    h()\n"


def test_statements_that_share_a_line() -> None:
    assert parts(BreakToContinue(), "while f(): g(); break") == ["while f(): g(); continue"]
    assert parts(ContinueToBreak(), "while f(): continue; g()") == ["while f(): break; g()"]
