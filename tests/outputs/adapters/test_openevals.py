"""openevals' evaluators."""

from __future__ import annotations

import os
from typing import Any

import pytest

from redhanded.errors import UsageError
from redhanded.model.graded import Answer
from redhanded.model.output import Message, Output, ToolCall
from tests.outputs.adapters.asking import accepts, answer, asked, called, need, verdicts, witnessed
from tests.outputs.adapters.stock import Stock, ids

exact = need("openevals.exact")
json_match = need("openevals.json.match")
levenshtein = need("openevals.string.levenshtein")
trajectory = need("openevals.trajectory.match")

DATA = {"a": 1, "b": 2}


def made(**given: Any) -> Any:
    return json_match.create_json_match_evaluator(**given)


def follows(mode: str, **given: Any) -> Any:
    return trajectory.create_trajectory_match_evaluator(trajectory_match_mode=mode, **given)


STOCK = [
    Stock("openevals:exact_match", lambda: exact.exact_match, "x", "y", {"target": "x"}, "exact"),
    Stock(
        "openevals:exact_match", lambda: exact.exact_match_async, "x", "y", {"target": "x"}, "exact"
    ),
    Stock(
        "openevals:levenshtein_distance",
        lambda: levenshtein.levenshtein_distance,
        "hello",
        "world",
        {"target": "hello", "pass_at": 0.9},
        "similarity",
    ),
    Stock(
        "openevals:json_match(aggregator='all')",
        lambda: made(aggregator="all"),
        Output(value=DATA),
        Output(value={"a": 1, "b": 3}),
        {"target": DATA, "pass_at": 1},
        "json.values",
    ),
    Stock(
        "openevals:json_match(aggregator='average')",
        lambda: json_match.create_async_json_match_evaluator(aggregator="average"),
        Output(value=DATA),
        Output(value={"a": 1, "b": 3}),
        {"target": DATA, "pass_at": 1},
        "json.keys",
    ),
    Stock(
        "openevals:trajectory_strict_match()",
        lambda: follows("strict"),
        called("a", "b"),
        called("a", "c"),
        {"target": called("a", "b")},
        "trajectory",
    ),
    Stock(
        "openevals:trajectory_unordered_match()",
        lambda: follows("unordered"),
        called("b", "a"),
        called("a"),
        {"target": called("a", "b")},
        "trajectory.extras",
    ),
    Stock(
        "openevals:trajectory_subset_match()",
        lambda: follows("subset"),
        called("a"),
        called("a", "c"),
        {"target": called("a", "b")},
        "trajectory.extras",
    ),
    Stock(
        "openevals:trajectory_superset_match(tool_args_match_mode='ignore')",
        lambda: follows("superset", tool_args_match_mode="ignore"),
        called("a", "b", ToolCall("c", {"q": 1})),
        called("a"),
        {"target": called("a", "b")},
        "trajectory.names",
    ),
    Stock(
        "openevals:trajectory_strict_match()",
        lambda: trajectory.create_async_trajectory_match_evaluator(),
        called("a"),
        called("b"),
        {"target": called("a")},
        "answer",
    ),
]


@pytest.mark.parametrize("stock", STOCK, ids=ids(STOCK))
def test_stock(stock: Stock) -> None:
    Stock(
        stock.name, stock.make, stock.right, stock.wrong, stock.given, stock.claims, fresh=False
    ).tried()


@pytest.mark.parametrize(
    ("data", "target", "given"),
    [
        (DATA, DATA, {}),
        ({"a": 1}, DATA, {}),
        ([{"a": 1}, {"a": 2}], [{"a": 1}, {"a": 3}], {}),
        ([{"a": 1}, {"a": 2}], [{"a": 1}, {"a": 3}], {"list_aggregator": "average"}),
        ([{"a": 1}], [{"a": 1, "b": 2}], {}),
        ([{"a": 1}, {"b": 1}], [{"a": 1}, {"b": 2}], {}),
    ],
)
def test_a_verdict_for_each_key_agrees_with_the_comparison(
    data: Any, target: Any, given: dict[str, Any]
) -> None:
    for bar in (0.4, 1.0):
        found = witnessed(made(**given), Output(value=data), target=target, pass_at=bar)
        assert (found["error"], found["doubt"], found["ignored"]) == (None, None, {})


def test_arguments_that_are_not_compared_are_not_claimed() -> None:
    ignoring = asked(follows("superset", tool_args_match_mode="ignore")).claim
    comparing = asked(follows("superset")).claim
    assert ignoring is not None
    assert comparing is not None
    assert comparing.kinds - ignoring.kinds == {"trajectory.arguments"}


def test_it_rejects_where_any_key_does() -> None:
    (found,) = verdicts(made(), Output(value={"a": 1, "b": 3}), target=DATA, pass_at=1).items()
    assert (found[0], found[1].answer, found[1].why) == ("", Answer.REJECT, "keys: b")
    assert accepts(made(), Output(value=DATA), target=DATA, pass_at=1)
    assert answer(made(), Output(value={}), target={}, pass_at=1) is Answer.ABSTAIN
    (scored,) = verdicts(made(), Output(value={"a": 1, "b": 3}), target=DATA).values()
    assert (scored.answer, scored.score) == (Answer.SCORED, 0.0)


def test_two_evaluators_of_one_factory_are_told_apart() -> None:
    one, other = asked(made(aggregator="all")), asked(made(aggregator="average"))
    assert one.watched[0].instance is not other.watched[0].instance


@pytest.mark.parametrize(
    "target",
    [
        None,
        called("a"),
        list(called("a").messages),
        [
            {"role": "user", "content": "go"},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [
                    {"id": "1", "type": "function", "function": {"name": "a", "arguments": "{}"}}
                ],
            },
            {"role": "tool", "content": "ok", "tool_call_id": "1"},
            {"role": "assistant", "content": "done"},
        ],
    ],
)
def test_what_a_trajectory_is_compared_with(target: Any) -> None:
    given = {"target": target, "good": called("a")}
    assert accepts(follows("strict"), called("a"), **given)
    assert not accepts(follows("strict"), called("b"), **given)


def test_expected_calls_alone_are_a_trajectory() -> None:
    assert accepts(follows("superset"), called("a", "b"), target=["a"])
    assert not accepts(follows("superset"), called("b"), target=["a"])


def test_a_number_without_a_bar_is_scored() -> None:
    assert answer(levenshtein.levenshtein_distance, "x", target="x") is Answer.SCORED


def test_refusals() -> None:
    with pytest.raises(UsageError, match="makes evaluators"):
        asked(trajectory.create_trajectory_match_evaluator)
    with pytest.raises(UsageError, match="asks a model"):
        asked(made(rubric={"a": "good"}, judge=lambda **given: {"a": True}))


def test_nothing_is_traced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    assert accepts(exact.exact_match, "x", target="x")
    assert os.environ["LANGSMITH_TRACING"] == "false"


def test_text_is_parsed_where_the_case_says_so() -> None:
    given = {"target": DATA, "pass_at": 1, "hints": {"parse": "json"}}
    assert accepts(made(aggregator="all"), '{"b": 2, "a": 1}', **given)


def test_messages_keep_their_role() -> None:
    good = Output(text="x", messages=(Message("user", "q"), Message("assistant", "x")))
    assert not accepts(follows("strict"), Output(text="x", messages=()), good=good)
