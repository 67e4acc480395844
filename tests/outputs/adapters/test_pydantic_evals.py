"""pydantic-evals' evaluators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from redhanded.errors import UsageError
from redhanded.model.graded import Answer
from redhanded.model.output import Output, ToolCall
from redhanded.outputs.adapters.pydantic_evals import build
from tests.outputs.adapters.asking import accepts, answer, asked, called, case, need, verdicts
from tests.outputs.adapters.stock import Stock, all_different_instances, ids

evaluators = need("pydantic_evals.evaluators")

STOCK = [
    Stock(
        "pydantic_evals:Equals(5)",
        lambda: evaluators.Equals(5),
        Output(value=5),
        Output(value=6),
        {},
        "exact",
    ),
    Stock(
        "pydantic_evals:EqualsExpected()",
        lambda: evaluators.EqualsExpected(),
        "x",
        "y",
        {"target": "x"},
        "exact",
    ),
    Stock(
        "pydantic_evals:Contains('x', case_sensitive=False)",
        lambda: evaluators.Contains("x", case_sensitive=False),
        "aXb",
        "ab",
        {},
        "contains",
    ),
    Stock(
        "pydantic_evals:Contains({'a': 1})",
        lambda: evaluators.Contains({"a": 1}),
        Output(value={"a": 1, "b": 2}),
        Output(value={"b": 2}),
        {},
        "json.values",
    ),
    Stock(
        "pydantic_evals:IsInstance('dict')",
        lambda: evaluators.IsInstance("dict"),
        Output(value={}),
        "x",
        {},
        "json.type",
    ),
    Stock(
        "pydantic_evals:MaxDuration(1)",
        lambda: evaluators.MaxDuration(1),
        Output(text="x", metadata={"duration": 0.5}),
        Output(text="x", metadata={"duration": 2}),
        {},
        "metadata",
    ),
    Stock(
        "pydantic_evals:ToolCorrectness(['a', 'b'])",
        lambda: evaluators.ToolCorrectness(["a", "b"]),
        called("b", "a"),
        called("a"),
        {},
        "trajectory.extras",
    ),
    Stock(
        "pydantic_evals:TrajectoryMatch(['a', 'b'], order='exact')",
        lambda: evaluators.TrajectoryMatch(["a", "b"], order="exact"),
        called("a", "b"),
        called("b", "a"),
        {"pass_at": 1},
        "trajectory.order",
    ),
    Stock(
        "pydantic_evals:ArgumentCorrectness('a', expected_arguments={'q': 1})",
        lambda: evaluators.ArgumentCorrectness("a", {"q": 1}),
        called(ToolCall("a", {"q": 1, "more": 2})),
        called(ToolCall("a", {"q": 2})),
        {},
        "trajectory.arguments",
    ),
    Stock(
        "pydantic_evals:MaxToolCalls(1)",
        lambda: evaluators.MaxToolCalls(1),
        called("a"),
        called("a", "b"),
        {},
        "trajectory.count",
    ),
]


@pytest.mark.parametrize("stock", STOCK, ids=ids(STOCK))
def test_stock(stock: Stock) -> None:
    stock.tried()


def test_two_evaluators_of_one_class_are_told_apart() -> None:
    all_different_instances(lambda: evaluators.Equals("x"), evaluators.Equals("y"), "x")


def test_nothing_to_compare_with_is_an_abstention() -> None:
    assert answer(evaluators.EqualsExpected(), "x") is Answer.ABSTAIN


def test_the_context() -> None:
    output = Output(
        text="ignored", value={"a": 1}, metadata={"duration": 2, "attributes": {"k": 1}}
    )
    made = build(output, case(evaluators.Equals(1), input="q", target={"a": 2}))
    assert (made.name, made.inputs, made.output) == ("case", "q", {"a": 1})
    assert (made.expected_output, made.duration, made.attributes) == ({"a": 2}, 2.0, {"k": 1})


def test_failed_calls_are_spans_with_an_error() -> None:
    failing = called("a", ToolCall("b", error="down"))
    assert accepts(evaluators.ToolCorrectness(["a"]), failing)
    assert accepts(evaluators.ToolCorrectness(["a", "b"], include_failed=True), failing)
    assert accepts(evaluators.MaxModelRequests(2), failing)
    assert not accepts(evaluators.MaxModelRequests(1), failing)


def own(result: Any) -> Any:
    @dataclass
    class Own(evaluators.Evaluator):  # type: ignore[misc,name-defined]
        wanted: str = "x"

        async def evaluate(self, ctx: Any) -> Any:
            return result if ctx.output == self.wanted else False

    return Own()


def test_ones_own_evaluator_is_awaited_and_claims_nothing() -> None:
    assert accepts(own(True), "x")
    assert not accepts(own(True), "y")
    one = asked(own(True))
    assert (one.name, one.claim) == ("pydantic_evals:Own()", None)
    assert [watched.role for watched in one.watched] == ["grader"]


@pytest.mark.parametrize(
    ("result", "found"),
    [
        ({"a": True, "b": 0.2, "c": "label"}, {"a": Answer.ACCEPT, "b": Answer.REJECT}),
        ({"c": "label"}, {"": Answer.ERROR}),
        ("label", {"": Answer.ERROR}),
        ({}, {"": Answer.ABSTAIN}),
        (0.7, {"": Answer.ACCEPT}),
        (float("nan"), {"": Answer.ERROR}),
    ],
)
def test_results(result: Any, found: dict[str, Answer]) -> None:
    read = verdicts(own(result), "x", pass_at=0.5)
    assert {key: one.answer for key, one in read.items()} == found


def test_a_result_with_its_reason() -> None:
    reason = evaluators.EvaluationReason(value=False, reason="too long")
    (found,) = verdicts(own(reason), "x").values()
    assert (found.answer, found.why) == (Answer.REJECT, "too long")


def test_refusals() -> None:
    with pytest.raises(UsageError, match="LLMJudge asks a model"):
        asked(evaluators.LLMJudge(rubric="good?"))
    with pytest.raises(UsageError, match="the class Equals"):
        asked(evaluators.Equals)
