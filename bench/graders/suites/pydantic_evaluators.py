"""pydantic-evals' evaluators that ask no model: of values, and of an agent's tool calls."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import redhanded as rh

evaluators: Any = import_module("pydantic_evals.evaluators")

CLAIM = "Was the claim approved?"
BOOKING = {"seat": 1, "window": True, "note": None, "bags": ["blue", "green"]}
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

suite = [
    rh.case(
        evaluators.Contains("approved"),
        id="contains-word",
        input=CLAIM,
        good="The claim was approved.",
        right=rh.all_of(rh.answer("approved"), rh.pattern("approved")),
    ),
    rh.case(
        evaluators.Contains({"seat": 1, "window": True}),
        id="contains-pairs",
        good=BOOKING,
        right=rh.json(values={"/seat": 1, "/window": True}),
    ),
    rh.case(
        evaluators.Equals("Paris"),
        id="equals-word",
        input="What is the capital of France?",
        good="Paris",
        right=rh.exact("Paris"),
    ),
    rh.case(
        evaluators.Equals(True),
        id="equals-true",
        input=CLAIM,
        good=True,
        right=rh.json(values={"": True}),
    ),
    rh.case(
        evaluators.Equals(1),
        id="equals-one",
        input="How many?",
        good=1,
        right=rh.json(values={"": 1}),
    ),
    rh.case(
        evaluators.EqualsExpected(),
        id="expected-document",
        target=BOOKING,
        good=BOOKING,
        right=rh.json(values={"": BOOKING}),
    ),
    rh.case(
        evaluators.IsInstance("int"),
        id="is-int",
        input="How many?",
        good=1,
        right=rh.json(schema={"type": "integer"}, exact_numbers=True),
        claims="json.type",
    ),
    rh.case(
        evaluators.IsInstance("dict"),
        id="is-dict",
        good={"seat": 1},
        right=rh.json(schema={"type": "object"}),
        claims="json.type",
    ),
    # An agent's tool calls. What is documented: any order and no extras; a sequence; arguments
    # of one call, more may be given; a number of calls.
    rh.case(
        evaluators.ToolCorrectness(NAMES),
        id="tool-correctness",
        good=TRIP,
        right=rh.trajectory(NAMES, order=False, failures=False),
    ),
    rh.case(
        evaluators.ToolCorrectness(NAMES, allow_extra=True),
        id="tool-correctness-extra",
        good=TRIP,
        right=rh.trajectory(NAMES, order=False, extras=True, failures=False),
    ),
    rh.case(
        evaluators.TrajectoryMatch(NAMES, order="exact"),
        id="trajectory-exact",
        good=TRIP,
        right=rh.trajectory(NAMES, failures=False),
        pass_at=1,
    ),
    rh.case(
        evaluators.TrajectoryMatch(NAMES),
        id="trajectory-in-order",
        good=TRIP,
        right=rh.trajectory(NAMES, failures=False),
        pass_at=1,
    ),
    rh.case(
        evaluators.ArgumentCorrectness("book_flight", FLIGHT),
        id="argument-correctness",
        good=TRIP,
        right=rh.trajectory([rh.ToolCall("book_flight", FLIGHT)], extras=True, arguments="subset"),
    ),
    rh.case(
        evaluators.MaxToolCalls(2),
        id="max-tool-calls",
        good=TRIP,
        right=rh.trajectory(NAMES, order=False),
        claims="trajectory.count",
    ),
]
