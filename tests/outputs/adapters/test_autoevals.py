"""autoevals' scorers."""

from __future__ import annotations

from typing import Any

import pytest

from redhanded.errors import UsageError
from redhanded.model.graded import Answer
from redhanded.model.output import Output
from tests.outputs.adapters.asking import accepts, answer, asked, need, verdicts, witnessed
from tests.outputs.adapters.stock import Stock, all_different_instances, ids

autoevals = need("autoevals")
lists = need("autoevals.list")

SCHEMA = {"type": "object"}
STOCK = [
    Stock(
        "autoevals:ExactMatch()",
        lambda: autoevals.ExactMatch(),
        "x",
        "y",
        {"target": "x", "pass_at": 1},
        "exact",
    ),
    Stock(
        "autoevals:Levenshtein()",
        lambda: autoevals.Levenshtein(),
        "hello",
        "world",
        {"target": "hello", "pass_at": 0.9},
        "similarity",
    ),
    Stock(
        "autoevals:NumericDiff()",
        lambda: autoevals.NumericDiff(),
        Output(value=100),
        Output(value=120),
        {"target": 100, "pass_at": 0.99},
        "number",
    ),
    Stock(
        "autoevals:ValidJSON()",
        lambda: autoevals.ValidJSON(),
        "{}",
        "{",
        {"pass_at": 1},
        "json.syntax",
    ),
    Stock(
        "autoevals:ValidJSON(schema={'type': 'object'})",
        lambda: autoevals.ValidJSON(schema=SCHEMA),
        "{}",
        "{",
        {"pass_at": 1},
        "json.schema",
    ),
    Stock(
        "autoevals:ValidJSON.partial(schema={'type': 'object'})()",
        lambda: autoevals.ValidJSON.partial(schema=SCHEMA)(),
        "{}",
        "[]",
        {"pass_at": 1},
        "json.schema",
    ),
    Stock(
        "autoevals:JSONDiff()",
        lambda: autoevals.JSONDiff(),
        '{"a": 1}',
        '{"a": 2}',
        {"target": '{"a": 1}', "pass_at": 1},
        "json",
    ),
]


@pytest.mark.parametrize("stock", STOCK, ids=ids(STOCK))
def test_stock(stock: Stock) -> None:
    stock.tried()


def test_an_async_scorer_is_awaited() -> None:
    """It compares lists in its own coroutine, and needs scipy only where neither is empty."""
    given = {"target": ["a"], "pass_at": 1}
    assert not accepts(lists.ListContains(), Output(value=[]), **given)
    found = witnessed(lists.ListContains(), Output(value=[]), **given)
    assert (found["doubt"], found["ignored"]) == (None, {})
    assert asked(lists.ListContains(), **given).watched[1].function.__name__ == "_run_eval_async"


def test_two_scorers_of_one_class_are_told_apart() -> None:
    all_different_instances(
        autoevals.ExactMatch, autoevals.ExactMatch(), "x", target="x", pass_at=1
    )


def test_without_a_bar_it_is_only_scored() -> None:
    assert answer(autoevals.ExactMatch(), "x", target="x") is Answer.SCORED


def test_a_class_or_a_method_stands_for_a_scorer() -> None:
    given = {"target": "x", "pass_at": 1}
    assert accepts(autoevals.ExactMatch, "x", **given)
    assert accepts(autoevals.ExactMatch().eval, "x", **given)


def own(score: Any) -> Any:
    class Own(autoevals.Scorer):  # type: ignore[misc,name-defined]
        def _run_eval_sync(self, output: Any, expected: Any = None, **kwargs: Any) -> Any:
            return autoevals.Score(name="own", score=score if kwargs == {"input": "q"} else 0)

    return Own()


def test_ones_own_scorer_is_given_the_input_and_claims_nothing() -> None:
    assert accepts(own(1), "x", input="q", pass_at=1)
    one = asked(own(1))
    assert (one.claim, [watched.role for watched in one.watched]) == (None, ["grader"])


def test_a_score_of_none_abstains() -> None:
    assert answer(own(None), "x", input="q", pass_at=1) is Answer.ABSTAIN


def test_text_is_parsed_where_the_case_says_so() -> None:
    given = {"target": 100, "pass_at": 0.99, "hints": {"parse": "number"}}
    assert accepts(autoevals.NumericDiff(), "100", **given)
    with pytest.raises(TypeError):
        verdicts(autoevals.NumericDiff(), "100", target=100, pass_at=0.99)


def test_scorers_that_ask_a_model_are_refused_also_inside_others() -> None:
    online = autoevals.EmbeddingSimilarity(api_key="none")
    with pytest.raises(UsageError, match="EmbeddingSimilarity asks a model"):
        asked(online)
    with pytest.raises(UsageError, match=r"JSONDiff asks a model \(through EmbeddingSimilarity\)"):
        asked(autoevals.JSONDiff(string_scorer=online))
    assert asked(online, hints={"online": True}).name.startswith("autoevals:EmbeddingSimilarity")
