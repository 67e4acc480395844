"""openevals' evaluators that ask no model, with a reasonable user's contract."""

from openevals.exact import exact_match
from openevals.json.match import create_json_match_evaluator
from openevals.string.levenshtein import levenshtein_distance
from openevals.trajectory.match import create_trajectory_match_evaluator

import redhanded as rh

WEATHER = rh.Output(
    text="It is 12 degrees in Oslo.",
    messages=(
        rh.Message("user", "How warm is it in Oslo?"),
        rh.Message("assistant", "", (rh.ToolCall("weather", {"city": "Oslo"}, "12"),)),
        rh.Message("assistant", "It is 12 degrees in Oslo."),
    ),
)
TARGET = [
    {"role": "user", "content": "How warm is it in Oslo?"},
    {"role": "assistant", "content": "", "tool_calls": [
        {"id": "1", "type": "function",
         "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}}]},
    {"role": "tool", "tool_call_id": "1", "content": "12"},
    {"role": "assistant", "content": "It is 12 degrees in Oslo."},
]  # fmt: skip
CALLS = [rh.ToolCall("weather", {"city": "Oslo"})]
DATA = {"city": "Oslo", "degrees": 12}
LIST = [{"city": "Oslo"}, {"city": "Rome"}]


def trajectory(mode: str) -> object:
    """A grader of trajectories."""
    return create_trajectory_match_evaluator(trajectory_match_mode=mode)


suite = [
    rh.case(exact_match, id="exact", good="5", target="5", right=rh.number(5)),
    rh.case(levenshtein_distance, id="levenshtein", good="Paris", target="Paris", pass_at=0.8,
            right=rh.answer("Paris")),
    rh.case(create_json_match_evaluator(aggregator="all"), id="json-match",
            good=rh.Output(value=DATA), target=DATA, pass_at=1,
            right=rh.json(values={"": DATA})),
    rh.case(create_json_match_evaluator(aggregator="all", list_aggregator="all",
                                        list_match_mode="subset"),
            id="json-match-subset", good=rh.Output(value=LIST), target=LIST, pass_at=1,
            right=rh.json(values={"": LIST}, order=False)),
    *(
        rh.case(trajectory(mode), id=f"trajectory-{mode}", good=WEATHER, target=TARGET,
                right=rh.trajectory(CALLS, final=rh.number(12, unit="degrees")))
        for mode in ("strict", "unordered", "superset")
    ),
]  # fmt: skip
