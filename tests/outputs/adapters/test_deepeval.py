"""deepeval's metrics that need no model."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import redhanded
from redhanded.errors import UsageError
from redhanded.model.graded import Answer
from redhanded.model.output import Output, ToolCall
from redhanded.outputs.adapters.deepeval import build
from tests.outputs.adapters.asking import accepts, answer, asked, called, case, need, verdicts
from tests.outputs.adapters.stock import Stock, all_different_instances, ids

metrics = need("deepeval.metrics")
models = need("deepeval.models")
cases = need("deepeval.test_case")
pydantic = need("pydantic")


class Silent(models.DeepEvalBaseLLM):  # type: ignore[misc,name-defined]
    """A model that must not be asked."""

    def __init__(self) -> None:
        pass

    def load_model(self) -> None:
        return None

    def generate(self, *args: Any, **kwargs: Any) -> str:
        raise AssertionError("a model was asked")

    async def a_generate(self, *args: Any, **kwargs: Any) -> str:
        raise AssertionError("a model was asked")

    def get_model_name(self) -> str:
        return "silent"


class Person(pydantic.BaseModel):  # type: ignore[misc,name-defined]
    age: int


def tools(**given: Any) -> Any:
    return metrics.ToolCorrectnessMetric(model=Silent(), **given)


STOCK = [
    Stock(
        "deepeval:ExactMatchMetric()",
        lambda: metrics.ExactMatchMetric(),
        "x",
        "y",
        {"target": "x"},
        "exact",
    ),
    Stock(
        "deepeval:PatternMatchMetric(pattern='x+')",
        lambda: metrics.PatternMatchMetric(pattern="x+"),
        "xx",
        "y",
        {},
        "pattern",
    ),
    Stock(
        "deepeval:ToolCorrectnessMetric()",
        tools,
        called("a", "b"),
        called("c"),
        {"target": ["a", "b"]},
        "trajectory.names",
    ),
    Stock(
        "deepeval:ToolCorrectnessMetric(should_consider_ordering=True)",
        lambda: tools(should_consider_ordering=True),
        called("a", "b"),
        called("c"),
        {"target": ["a", "b"]},
        "trajectory.order",
    ),
    Stock(
        "deepeval:JsonCorrectnessMetric(expected_schema=Person, threshold=1)",
        lambda: metrics.JsonCorrectnessMetric(expected_schema=Person, model=Silent()),
        '{"age": 3}',
        '{"age": "three"}',
        {},
        "json.schema",
    ),
    Stock(
        "deepeval:ToolPermissionMetric(denied_tools={'shell'})",
        lambda: metrics.ToolPermissionMetric(denied_tools=["shell"]),
        called("a"),
        called("a", "shell"),
        {},
        "tool_policy",
    ),
]


@pytest.mark.parametrize("stock", STOCK, ids=ids(STOCK))
def test_stock(stock: Stock) -> None:
    stock.tried()


def test_two_metrics_of_one_class_are_told_apart() -> None:
    all_different_instances(metrics.ExactMatchMetric, metrics.ExactMatchMetric(), "x", target="x")


def test_no_state_is_left_by_a_call() -> None:
    one = asked(metrics.ExactMatchMetric(), target="x")
    first, second = one.fresh(), one.fresh()
    assert first.watched[0].instance is not second.watched[0].instance


def test_its_own_bar_decides_unless_the_case_has_one() -> None:
    half = called("a")
    assert accepts(tools(), half, target=["a", "b"])
    assert not accepts(tools(threshold=0.9), half, target=["a", "b"])
    assert not accepts(tools(), half, target=["a", "b"], pass_at=1)


def test_without_any_bar_it_is_scored() -> None:
    metric = metrics.ExactMatchMetric(threshold=None)
    (found,) = verdicts(metric, "x", target="x").values()
    assert (found.answer, found.score) == (Answer.SCORED, 1.0)


def test_a_metric_that_asks_a_model_is_refused() -> None:
    with pytest.raises(UsageError, match="AnswerRelevancyMetric asks a model"):
        asked(metrics.AnswerRelevancyMetric(model=Silent()))
    with pytest.raises(UsageError, match="ToolCorrectnessMetric asks a model"):
        asked(tools(available_tools=[cases.ToolCall(name="a")]))


def test_conversational_metrics_and_classes_are_refused() -> None:
    with pytest.raises(UsageError, match="conversations"):
        asked(metrics.KnowledgeRetentionMetric(model=Silent()))
    with pytest.raises(UsageError, match="the class ExactMatchMetric"):
        asked(metrics.ExactMatchMetric)


def test_the_test_case() -> None:
    target = {"expected_output": "x", "expected_tools": ["a", ToolCall("b", {"q": 1})]}
    output = Output(text="y", messages=called("a").messages, contexts=("c",))
    made = build(output, case(metrics.ExactMatchMetric(), target=target, input="q"))
    assert (made.input, made.actual_output, made.expected_output) == ("q", "y", "x")
    assert [(call.name, call.input_parameters) for call in made.expected_tools] == [
        ("a", {}),
        ("b", {"q": 1}),
    ]
    assert [(call.name, call.output) for call in made.tools_called] == [("a", "ok")]
    assert made.retrieval_context == ["c"]


def test_its_own_tool_calls_are_taken_as_they_are() -> None:
    target = [cases.ToolCall(name="a", input_parameters={"q": 1})]
    made = build(called("a"), case(tools(), target=target))
    assert made.expected_tools == target


class Own(metrics.BaseMetric):  # type: ignore[misc,name-defined]
    def __init__(self, wanted: str, score: float = 1.0) -> None:
        self.asked_for = wanted
        self.threshold = 0.5
        self.given = score

    def measure(self, test_case: Any, *args: Any, **kwargs: Any) -> float:
        self.score = self.given if test_case.actual_output == self.asked_for else 0.0
        return self.score

    def is_successful(self) -> bool:
        return bool(self.score >= self.threshold)


def test_ones_own_metric_is_measured_and_claims_nothing() -> None:
    assert accepts(Own("x"), "x")
    assert not accepts(Own("x"), "y")
    one = asked(Own("x"))
    assert (one.claim, one.state) == (None, "fresh")
    assert [watched.role for watched in one.watched] == ["grader"]
    assert answer(Own("x", float("nan")), "x") is Answer.ERROR


def test_a_call_without_arguments_is_compared_too() -> None:
    metric = tools(evaluation_params=[cases.ToolCallParams.INPUT_PARAMETERS])
    assert not accepts(metric, called("a"), target=[ToolCall("a", {"q": 1})])


def test_nothing_is_sent_or_left(tmp_path: Path) -> None:
    from deepeval.telemetry.client import telemetry_opt_out  # type: ignore[import-not-found]

    assert os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] == "1"
    assert telemetry_opt_out()
    source = (
        "import redhanded.outputs.adapters as a; a.quiet_environment(); import deepeval.metrics"
    )
    found = str(Path(redhanded.__file__).parents[1])
    subprocess.run(
        [sys.executable, "-W", "ignore", "-c", source],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": found},
        check=True,
    )
    assert list(tmp_path.iterdir()) == []
