"""deepeval's metrics that ask no model, with a reasonable user's contract."""

from typing import Any

from deepeval.metrics import (
    ExactMatchMetric,
    JsonCorrectnessMetric,
    PatternMatchMetric,
    ToolCorrectnessMetric,
)
from deepeval.models import DeepEvalBaseLLM
from deepeval.test_case import ToolCallParams
from pydantic import BaseModel

import redhanded as rh


class Silent(DeepEvalBaseLLM):
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


class Person(BaseModel):
    name: str
    age: int


BOOKED = rh.Output(
    text="Booked.",
    messages=(
        rh.Message("user", "Book the flight."),
        rh.Message("assistant", "", (
            rh.ToolCall("search_flights", {"to": "OSL"}, "SK1"),
            rh.ToolCall("book_flight", {"flight": "SK1"}, "ok"),
        )),
        rh.Message("assistant", "Booked."),
    ),
)  # fmt: skip
CALLS = [
    rh.ToolCall("search_flights", {"to": "OSL"}),
    rh.ToolCall("book_flight", {"flight": "SK1"}),
]
NAMES = ["search_flights", "book_flight"]

suite = [
    rh.case(ToolCorrectnessMetric(model=Silent()), id="tool-names", good=BOOKED, target=NAMES,
            right=rh.trajectory(NAMES)),
    rh.case(ToolCorrectnessMetric(model=Silent(), should_exact_match=True), id="tool-exact",
            good=BOOKED, target=NAMES, right=rh.trajectory(NAMES)),
    rh.case(ToolCorrectnessMetric(model=Silent(), should_consider_ordering=True, threshold=1.0,
                                  evaluation_params=[ToolCallParams.INPUT_PARAMETERS]),
            id="tool-arguments", good=BOOKED, target=CALLS, right=rh.trajectory(CALLS)),
    rh.case(ExactMatchMetric(), id="exact-match", good="5", target="5", right=rh.number(5)),
    rh.case(PatternMatchMetric(pattern=r"\d{4}-\d{2}-\d{2}"), id="pattern-date",
            good="2024-02-29", right=rh.exact("2024-02-29")),
    rh.case(JsonCorrectnessMetric(expected_schema=Person, model=Silent()), id="json-schema",
            good='{"name": "Ada", "age": 36}',
            right=rh.json(schema={
                "type": "object",
                "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
                "required": ["name", "age"],
            })),
]  # fmt: skip
