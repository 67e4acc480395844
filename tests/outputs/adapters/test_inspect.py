"""Inspect's scorers."""

from __future__ import annotations

from typing import Any

import pytest

from redhanded.errors import UsageError
from redhanded.model.graded import Answer
from redhanded.model.output import Message, Output, ToolCall
from redhanded.outputs.adapters.inspect_ai import build, read_score
from tests.outputs.adapters.asking import accepts, answer, asked, called, case, need, verdicts
from tests.outputs.adapters.stock import Stock, all_different_instances, ids

scorers = need("inspect_ai.scorer")

STOCK = [
    Stock(
        "inspect_ai:match(numeric=True)",
        lambda: scorers.match(numeric=True),
        "It is 42",
        "It is 43",
        {"target": 42},
        "number",
    ),
    Stock(
        "inspect_ai:match()", lambda: scorers.match(), "It is x", "y", {"target": "x"}, "contains"
    ),
    Stock(
        "inspect_ai:match(location='exact')",
        lambda: scorers.match(location="exact"),
        "x",
        "x y",
        {"target": "x"},
        "exact",
    ),
    Stock("inspect_ai:includes()", lambda: scorers.includes(), "axb", "ab", {"target": "x"}),
    Stock(
        "inspect_ai:pattern('is (\\\\d+)')",
        lambda: scorers.pattern(r"is (\d+)"),
        "is 42",
        "is 43",
        {"target": "42"},
    ),
    Stock(
        "inspect_ai:answer('word')",
        lambda: scorers.answer("word"),
        "ANSWER: yes",
        "ANSWER: no",
        {"target": "yes"},
        "answer",
    ),
    Stock(
        "inspect_ai:choice()",
        lambda: scorers.choice(),
        "ANSWER: B",
        "ANSWER: A",
        {"target": "B", "hints": {"choices": ["Rome", "Paris"]}},
        "choice",
    ),
    Stock("inspect_ai:exact()", lambda: scorers.exact(), "x", "y", {"target": ["z", "x"]}, "exact"),
    Stock(
        "inspect_ai:f1()",
        lambda: scorers.f1(),
        "big dog",
        "cat",
        {"target": "big dog", "pass_at": 1},
    ),
]


@pytest.mark.parametrize("stock", STOCK, ids=ids(STOCK))
def test_stock(stock: Stock) -> None:
    stock.tried()


def test_two_scorers_of_one_code_are_told_apart() -> None:
    all_different_instances(scorers.includes, scorers.match(), "x", target="x")


def test_output_and_last_message_agree() -> None:
    state, target = build(called("a"), case(scorers.exact(), target=["x", "y"]))
    assert state.messages[-1].text == state.output.completion == "done"
    assert state.messages[-1] is state.output.message
    assert list(target) == ["x", "y"]


def test_calls_and_results_are_messages() -> None:
    output = called("a", ToolCall("b", {"q": 1}, error="down"))
    state, _ = build(output, case(scorers.exact(), target="x"))
    assert [message.role for message in state.messages] == [
        "user",
        "assistant",
        "tool",
        "tool",
        "assistant",
    ]
    calls = state.messages[1].tool_calls
    assert [(call.function, call.arguments) for call in calls] == [("a", {}), ("b", {"q": 1})]
    assert state.messages[3].tool_call_id == calls[1].id
    assert state.messages[3].error.message == "down"
    assert state.messages[2].error is None


def test_input_metadata_and_system_message() -> None:
    output = Output(
        text="x", messages=(Message("system", "s"), Message("user", "q")), metadata={"k": 1}
    )
    state, _ = build(output, case(scorers.exact(), input="q", target="x"))
    assert [message.role for message in state.messages] == ["system", "user", "assistant"]
    assert (state.input_text, state.metadata, state.output.completion) == ("q", {"k": 1}, "x")


def own(value: Any) -> Any:
    def factory() -> Any:
        async def score(state: Any, target: Any) -> Any:
            return value if value is None else scorers.Score(value=value)

        return score

    return scorers.scorer(metrics=[scorers.accuracy()], name="own")(factory)()


@pytest.mark.parametrize(
    ("value", "pass_at", "found"),
    [
        ("C", None, Answer.ACCEPT),
        ("I", None, Answer.REJECT),
        ("P", None, Answer.REJECT),
        ("P", 0.5, Answer.ACCEPT),
        ("N", None, Answer.REJECT),
        ("yes", None, Answer.ACCEPT),
        ("0.7", 0.6, Answer.ACCEPT),
        ("perhaps", None, Answer.ERROR),
        (True, None, Answer.ACCEPT),
        (0.7, None, Answer.SCORED),
        (0.7, 0.8, Answer.REJECT),
        (float("nan"), 0.8, Answer.ABSTAIN),
        (None, 0.8, Answer.ABSTAIN),
        ([1, 2], 0.8, Answer.ERROR),
    ],
)
def test_values(value: Any, pass_at: float | None, found: Answer) -> None:
    assert answer(own(value), "x", pass_at=pass_at) is found


def test_each_value_of_a_score_is_a_judge() -> None:
    found = verdicts(own({"a": "C", "b": 0.2}), "x", pass_at=0.5)
    assert {key: one.answer for key, one in found.items()} == {
        "a": Answer.ACCEPT,
        "b": Answer.REJECT,
    }


def test_a_foreign_return_is_an_error() -> None:
    assert read_score(True, None)[""].answer is Answer.ERROR


def test_ones_own_scorer_is_asked_and_claims_nothing() -> None:
    one = asked(own("C"))
    assert (one.name, one.claim) == ("inspect_ai:own()", None)
    assert [watched.role for watched in one.watched] == ["grader"]


def test_a_scorer_that_can_not_be_made_again_is_shared() -> None:
    """Its argument is a function, and the registry keeps that by name alone."""
    one = asked(scorers.f1(answer_fn=str.upper), target="X", pass_at=1)
    assert one.state == "shared"
    assert accepts(scorers.f1(answer_fn=str.upper), "x", target="X", pass_at=1)


def test_another_factory_of_the_same_name_is_not_asked_instead() -> None:
    first = own("C")
    own("I")
    assert accepts(first, "x")


def test_other_code_under_the_same_name_is_not_asked_instead() -> None:
    def strict() -> Any:
        async def score(state: Any, target: Any) -> Any:
            return scorers.Score(value="C" if state.output.completion == "x" else "I")

        return score

    def lax() -> Any:
        async def score(state: Any, target: Any) -> Any:
            return scorers.Score(value="C")

        return score

    decorate = scorers.scorer(metrics=[scorers.accuracy()], name="namesake")
    first = decorate(strict)()
    decorate(lax)()
    assert not accepts(first, "y")
    assert asked(first).state == "shared"


@pytest.mark.parametrize(
    ("make", "given", "message"),
    [
        (lambda: scorers.exact(), {}, "has none"),
        (lambda: scorers.match, {"target": "x"}, "factory"),
        (lambda: scorers.choice(), {"target": "A"}, "needs the options"),
        (lambda: scorers.model_graded_qa(), {"target": "A"}, "asks a model"),
    ],
)
def test_refusals_say_what_to_do(make: Any, given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message) as refused:
        asked(make(), **given)
    assert refused.value.hint
