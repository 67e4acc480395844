"""Tool calls with other arguments."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from redhanded.model.output import Output
from redhanded.outputs.case import Case
from redhanded.outputs.contract.tools import Trajectory
from redhanded.outputs.operators.base import Variant
from redhanded.outputs.operators.conversations import Conversation, Made
from redhanded.outputs.operators.documents import at_most

CALLS: Final = 12
"""At how many calls of one trajectory something is changed."""


def places(found: Conversation) -> list[int]:
    """Where in a trajectory something is changed."""
    kept = at_most([str(place) for place in range(len(found.made))], CALLS)
    return [int(place) for place in kept]


def labelled(found: Conversation, place: int) -> str:
    """A call's place and name."""
    return f"{place}:{found.made[place].call.name}"


def _changed(found: Conversation, place: int, arguments: dict[str, Any]) -> Output:
    made = found.made
    call = msgspec.structs.replace(made[place].call, arguments=arguments)
    made[place] = Made(call, made[place].result)
    return found.with_made(made)


def _other_arguments(arguments: dict[str, Any]) -> list[tuple[str, dict[str, Any], str]]:
    variants: list[tuple[str, dict[str, Any], str]] = []
    for name, value in arguments.items():
        rest = {other: arguments[other] for other in arguments if other != name}
        for how, other in _other_values(value):
            changed = {**arguments, name: other}
            variants.append((f"{name}:{how}", changed, f"{name} is {other!r}, not {value!r}"))
        variants.append((f"{name}:missing", rest, f"the argument {name} is missing"))
        if value is not None:
            nulled = {**arguments, name: None}
            variants.append((f"{name}:null", nulled, f"{name} is null, not {value!r}"))
    return variants


def _other_values(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, bool):
        return [("negated", not value), ("number", int(value))]
    if isinstance(value, (int, float)):
        return [("next", value + 1), ("text", str(value))]
    if isinstance(value, str):
        return [("replaced", "zxqfp"), ("emptied", "")]
    if isinstance(value, list):
        return [("emptied", []), ("last_twice", [*value, value[-1]])] if value else []
    return [("emptied", {})] if isinstance(value, dict) else []


def wrong_arguments(case: Case, right: Trajectory, found: Conversation) -> list[Variant]:
    """A call with another, a missing, a null or an unexpected argument."""
    variants: list[Variant] = []
    for place in places(found):
        call = found.made[place].call
        for name, arguments, why in _other_arguments(call.arguments):
            label = f"{labelled(found, place)}:{name}"
            output = _changed(found, place, arguments)
            variants.append(Variant(label, output, case.good, why=f"{call.name}: {why}"))
        more = {**call.arguments, "x_unasked": "zxqfp"}
        label = f"{labelled(found, place)}:extra"
        why = f"{call.name} is given an argument too many"
        variants.append(Variant(label, _changed(found, place, more), case.good, why=why))
    names = set(at_most([one.name for one in variants], CALLS * 4))
    return [one for one in variants if one.name in names]


def allowed_arguments(case: Case, right: Trajectory, found: Conversation) -> list[Variant]:
    """A call with one argument more, where that is allowed."""
    if right.arguments != "subset":
        return []
    return [
        Variant(
            labelled(found, place),
            _changed(found, place, {**found.made[place].call.arguments, "x_unasked": "zxqfp"}),
            why="one more argument, which the contract allows",
        )
        for place in places(found)[:3]
    ]
