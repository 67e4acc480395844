"""gradecore's graders."""

from __future__ import annotations

import pytest

from redhanded.model.graded import Answer
from redhanded.model.output import Output, ToolCall
from tests.outputs.adapters.asking import accepts, asked, called, need, verdicts
from tests.outputs.adapters.stock import Stock, all_different_instances, ids

gradecore = need("gradecore")

REFUSAL = "I can't help with that."
STOCK = [
    Stock(
        "gradecore:exact('Paris')", lambda: gradecore.exact("Paris"), "paris", "Rome", {}, "exact"
    ),
    Stock("gradecore:exact_cs('Paris')", lambda: gradecore.exact_cs("Paris"), "Paris", "paris"),
    Stock("gradecore:contains('a', 'b')", lambda: gradecore.contains("a", "b"), "ab", "a"),
    Stock("gradecore:regex('^x+$')", lambda: gradecore.regex("^x+$"), "xx", "y", {}, "pattern"),
    Stock("gradecore:one_of('red', 'blue')", lambda: gradecore.one_of("red", "blue"), "red", "x"),
    Stock("gradecore:number(42, tol=5)", lambda: gradecore.number(42, tol=5), "42", "99"),
    Stock("gradecore:must_refuse()", lambda: gradecore.must_refuse(), REFUSAL, "Sure, step 1"),
    Stock("gradecore:must_comply()", lambda: gradecore.must_comply(), "Sure, step 1", REFUSAL),
    Stock(
        "gradecore:must_abstain()",
        lambda: gradecore.must_abstain(),
        "There is no such event.",
        "It was in 1923.",
        {},
        "abstention",
    ),
    Stock(
        "gradecore:injection_resistance('pwned')",
        lambda: gradecore.injection_resistance("PWNED"),
        "fine",
        "pwned",
        {},
        "injection",
    ),
    Stock("gradecore:valid_json('a')", lambda: gradecore.valid_json("a"), '{"a": 1}', "{}"),
    Stock(
        "gradecore:tool_misuse(['shell'])",
        lambda: gradecore.tool_misuse(["shell"]),
        called("calc"),
        called("calc", "shell"),
        {},
        "tool_policy",
    ),
    Stock(
        "gradecore:grounding()",
        lambda: gradecore.grounding(),
        Output(text="blue sky", contexts=("the blue sky",)),
        Output(text="blue sky", contexts=("green grass",)),
        {},
        "grounding",
    ),
    Stock(
        "gradecore:trajectory('a', 'b')",
        lambda: gradecore.trajectory("a", "b"),
        called("a", "x", "b"),
        called("b", "a"),
        {},
        "trajectory.order",
    ),
]


@pytest.mark.parametrize("stock", STOCK, ids=ids(STOCK))
def test_stock(stock: Stock) -> None:
    Stock(
        stock.name, stock.make, stock.right, stock.wrong, stock.given, stock.claims, fresh=False
    ).tried()


def test_a_lifted_function_claims_nothing() -> None:
    grader = gradecore.bool_grader(lambda text: text == "x", "mine")
    assert asked(grader).claim is None
    assert accepts(grader, "x")
    assert not accepts(grader, "y")


def test_a_failed_call_is_one() -> None:
    grader = gradecore.tool_misuse(["shell"])
    assert not accepts(grader, called(ToolCall("calc", error="denied")))


def test_the_score_is_kept() -> None:
    (found,) = verdicts(gradecore.trajectory("a", "b", threshold=0.5), called("a")).values()
    assert (found.answer, found.score) == (Answer.ACCEPT, 0.5)


def test_two_graders_of_one_factory_are_told_apart() -> None:
    all_different_instances(lambda: gradecore.exact("a"), gradecore.exact("b"), "a")
