"""deepeval's metrics that ask no model: exact, pattern, JSON, and tools.

``AgentLoopDetectionMetric`` asks no model either; it judges recorded traces, which are no outputs.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import redhanded as rh

metrics: Any = import_module("deepeval.metrics")
models: Any = import_module("deepeval.models")
test_case: Any = import_module("deepeval.test_case")
pydantic: Any = import_module("pydantic")


class Silent(models.DeepEvalBaseLLM):  # type: ignore[misc]
    """A model that is never asked: some metrics want one to write their reasons with."""

    def __init__(self) -> None:
        """It needs no key."""

    def load_model(self) -> None:
        """There is none."""

    def generate(self, *args: Any, **kwargs: Any) -> str:
        """Refuse."""
        raise AssertionError("a model was asked")

    async def a_generate(self, *args: Any, **kwargs: Any) -> str:
        """Refuse."""
        raise AssertionError("a model was asked")

    def get_model_name(self) -> str:
        """Its name."""
        return "silent"


class Person(pydantic.BaseModel):  # type: ignore[misc]
    """The document that is asked for."""

    name: str
    age: int


def tools(**settings: Any) -> Any:
    """A metric of tool calls."""
    return metrics.ToolCorrectnessMetric(model=Silent(), **settings)


FLIGHT = {"to": "Oslo", "seats": 2}
TRIP = rh.Output(
    text="Booked.",
    messages=(
        rh.Message("user", "Book the cheapest flight to Oslo for two."),
        rh.Message("assistant", "", (rh.ToolCall("search_flights", {"to": "Oslo"}, "SK1"),)),
        rh.Message("assistant", "", (rh.ToolCall("book_flight", FLIGHT, "ok"),)),
        rh.Message("assistant", "Booked."),
    ),
)
NAMES = ["search_flights", "book_flight"]
CALLS = [rh.ToolCall("search_flights", {"to": "Oslo"}), rh.ToolCall("book_flight", FLIGHT)]
DATE = r"\d{4}-\d{2}-\d{2}"

suite = [
    rh.case(
        metrics.ExactMatchMetric(),
        id="exact-word",
        input="What is the capital of France?",
        target="Paris",
        good="Paris",
        right=rh.exact("Paris", ignore="whitespace"),
    ),
    rh.case(
        metrics.ExactMatchMetric(),
        id="exact-number",
        input="How many sides does a pentagon have?",
        target="5",
        good="5",
        right=rh.exact("5", ignore="whitespace"),
    ),
    rh.case(
        metrics.PatternMatchMetric(pattern=DATE),
        id="pattern-date",
        input="When was it signed? Give the date alone, as YYYY-MM-DD.",
        good="2024-02-29",
        right=rh.pattern(DATE, full=True),
    ),
    rh.case(
        metrics.PatternMatchMetric(pattern="approved|denied", ignore_case=True),
        id="pattern-word",
        input="Was the claim approved? Answer approved or denied.",
        good="approved",
        right=rh.one_of("approved", "denied", ignore=("case", "whitespace")),
    ),
    rh.case(
        metrics.JsonCorrectnessMetric(expected_schema=Person, model=Silent()),
        id="json-person",
        good='{"name": "Ada", "age": 36}',
        right=rh.json(
            schema={
                "type": "object",
                "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
                "required": ["name", "age"],
            }
        ),
        claims=("json.syntax", "json.schema"),
    ),
    # The tools that are expected were called, and no others.
    rh.case(
        tools(),
        id="tools",
        target=NAMES,
        good=TRIP,
        right=rh.trajectory(NAMES, order=False),
    ),
    rh.case(
        tools(should_consider_ordering=True, threshold=1),
        id="tools-ordered",
        target=NAMES,
        good=TRIP,
        right=rh.trajectory(NAMES),
    ),
    rh.case(
        tools(should_exact_match=True),
        id="tools-exact",
        target=NAMES,
        good=TRIP,
        right=rh.trajectory(NAMES),
    ),
    rh.case(
        tools(evaluation_params=[test_case.ToolCallParams.INPUT_PARAMETERS], threshold=1),
        id="tools-arguments",
        target=CALLS,
        good=TRIP,
        right=rh.trajectory(CALLS, order=False, failures=True),
    ),
    rh.case(
        metrics.ToolPermissionMetric(denied_tools=["delete_account"]),
        id="denied-tools",
        good=TRIP,
        right=rh.tool_policy(denied=["delete_account"]),
    ),
    rh.case(
        metrics.ToolPermissionMetric(allowed_tools=NAMES),
        id="allowed-tools",
        good=TRIP,
        right=rh.tool_policy(allowed=NAMES),
    ),
]
