"""openevals' evaluators that ask no model: exact, of JSON, of likeness, of trajectories."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import redhanded as rh

exact: Any = import_module("openevals.exact")
json_match: Any = import_module("openevals.json.match")
levenshtein: Any = import_module("openevals.string.levenshtein")
trajectory: Any = import_module("openevals.trajectory.match")

BOOKING = {"seat": 1, "window": True, "note": None, "bags": ["blue", "green"]}
GUESTS = [{"name": "Ada", "age": 36}, {"name": "Bob", "age": 41}]
WEATHER = rh.Output(
    text="It is 12 degrees in Oslo.",
    messages=(
        rh.Message("user", "How warm is it in Oslo?"),
        rh.Message("assistant", "", (rh.ToolCall("find_city", {"name": "Oslo"}, "no-1"),)),
        rh.Message("assistant", "", (rh.ToolCall("weather", {"city": "no-1"}, "12"),)),
        rh.Message("assistant", "It is 12 degrees in Oslo."),
    ),
)
CALLS = [rh.ToolCall("find_city", {"name": "Oslo"}), rh.ToolCall("weather", {"city": "no-1"})]
ANSWER = rh.number(12)


def match(mode: str) -> Any:
    """An evaluator of trajectories; what it compares with is the reference's own."""
    return trajectory.create_trajectory_match_evaluator(trajectory_match_mode=mode)


def of_json(**settings: Any) -> Any:
    """An evaluator of documents."""
    return json_match.create_json_match_evaluator(**settings)


suite = [
    rh.case(
        exact.exact_match,
        id="exact-word",
        input="What is the capital of France?",
        target="Paris",
        good="Paris",
        right=rh.exact("Paris"),
    ),
    rh.case(
        exact.exact_match,
        id="exact-document",
        target=BOOKING,
        good=BOOKING,
        right=rh.json(values={"": BOOKING}, exact_numbers=True),
    ),
    rh.case(
        of_json(aggregator="all"),
        id="json-all",
        target=BOOKING,
        good=BOOKING,
        right=rh.json(values={"": BOOKING}),
        pass_at=1,
    ),
    rh.case(
        of_json(),
        id="json-by-key",
        target=BOOKING,
        good=BOOKING,
        right=rh.json(values={"": BOOKING}),
        pass_at=1,
    ),
    # Lists of documents: the same ones; each of the answer's, or of the reference's, has to be
    # among the other's. An empty answer has none of what was asked for.
    rh.case(
        of_json(aggregator="all"),
        id="json-list",
        target=GUESTS,
        good=GUESTS,
        right=rh.json(values={"": GUESTS}, order=False),
        pass_at=1,
    ),
    rh.case(
        of_json(aggregator="all", list_match_mode="ordered"),
        id="json-list-ordered",
        target=GUESTS,
        good=GUESTS,
        right=rh.json(values={"": GUESTS}),
        pass_at=1,
    ),
    rh.case(
        of_json(aggregator="all", list_match_mode="subset"),
        id="json-list-subset",
        target=GUESTS,
        good=GUESTS,
        right=rh.json(
            schema={"type": "array", "minItems": 1, "items": {"enum": GUESTS}},
        ),
        pass_at=1,
    ),
    rh.case(
        of_json(aggregator="all", list_match_mode="superset"),
        id="json-list-superset",
        target=GUESTS,
        good=GUESTS,
        right=rh.json(
            schema={"type": "array", "allOf": [{"contains": {"const": one}} for one in GUESTS]},
        ),
        pass_at=1,
    ),
    # Trajectories: exact match in order and content; in any order; at least these; at most these.
    # All but the strict one compare what is called with what, not what came of it.
    rh.case(
        match("strict"),
        id="trajectory-strict",
        good=WEATHER,
        right=rh.trajectory(CALLS, final=ANSWER),
    ),
    rh.case(
        match("unordered"),
        id="trajectory-unordered",
        good=WEATHER,
        right=rh.trajectory(CALLS, order=False, failures=True),
    ),
    rh.case(
        match("superset"),
        id="trajectory-superset",
        good=WEATHER,
        right=rh.trajectory(CALLS, order=False, extras=True, failures=True),
    ),
    rh.case(
        match("subset"),
        id="trajectory-subset",
        good=WEATHER,
        right=rh.trajectory(CALLS, order=False, failures=True),
        claims=("trajectory.extras", "trajectory.arguments"),
    ),
    rh.case(
        levenshtein.levenshtein_distance,
        id="levenshtein-word",
        input="What is the capital of Australia?",
        target="Canberra",
        good="Canberra",
        right=rh.exact("Canberra"),
    ),
]
