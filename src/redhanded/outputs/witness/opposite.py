"""What a grader's return would be if it meant the opposite."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
from collections.abc import Mapping
from typing import Any, Final

import msgspec


class Uninvertible(Exception):  # noqa: N818
    """Nothing is known about what the opposite of a value would be."""


OPPOSITES: Final = {
    "C": "I", "I": "C", "yes": "no", "no": "yes", "true": "false", "false": "true",
    "pass": "fail", "fail": "pass", "passed": "failed", "failed": "passed",
    "correct": "incorrect", "incorrect": "correct",
}  # fmt: skip
"""Verdicts in words, and what they turn into."""
FIELDS: Final = ("passed", "success", "score", "value")
"""Where an object keeps its verdict; all that are there are turned."""


def opposite(value: Any) -> Any:
    """A return that means the opposite.

    Raises:
        Uninvertible: Its meaning isn't known.
    """
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return _turned(value)
    if isinstance(value, str) and (value in OPPOSITES or value.lower() in OPPOSITES):
        return OPPOSITES.get(value) or OPPOSITES[value.lower()]
    if isinstance(value, Mapping):
        return _mapping(value)
    if isinstance(value, (list, tuple)) and value and not hasattr(value, "_fields"):
        turned = [opposite(one) for one in value]
        return turned if isinstance(value, list) else tuple(turned)
    if value is None or isinstance(value, (str, bytes, type)):
        raise Uninvertible(f"nothing is known about the opposite of a {type(value).__name__}")
    return _object(value)


def _turned(value: float) -> float:
    if 0 <= value <= 1:
        return 1 - value if value != 0.5 else 0.0
    return -value if value == value else 0.0


def _mapping(value: Mapping[Any, Any]) -> Any:
    found = dict(value)
    named = [key for key in value if key in FIELDS]
    turned = 0
    for key in named or value:
        with contextlib.suppress(Uninvertible):
            found[key] = opposite(value[key])
            turned += 1
    if not turned:
        raise Uninvertible("nothing in this mapping is a verdict")
    return found


def _object(value: Any) -> Any:
    changes: dict[str, Any] = {}
    for name in FIELDS:
        if isinstance(getattr(value, name, None), (bool, int, float, str)):
            with contextlib.suppress(Uninvertible):
                changes[name] = opposite(getattr(value, name))
    if not changes:
        raise Uninvertible(f"nothing is known about the opposite of a {type(value).__name__}")
    return _changed(value, changes)


def _changed(value: Any, changes: dict[str, Any]) -> Any:
    """A copy with other verdicts, however that kind of object is copied."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = {field.name for field in dataclasses.fields(value) if field.init}
        return dataclasses.replace(value, **_held(changes, names))
    for way in (_replaced, _modelled, _assigned):
        try:
            return way(value, changes)
        except Exception:
            continue
    raise Uninvertible(f"a {type(value).__name__} can't be changed")


def _replaced(value: Any, changes: dict[str, Any]) -> Any:
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.replace(value, **_held(changes, value.__struct_fields__))
    return value._replace(**_held(changes, value._fields))


def _held(changes: dict[str, Any], names: Any) -> dict[str, Any]:
    return {name: one for name, one in changes.items() if name in names}


def _modelled(value: Any, changes: dict[str, Any]) -> Any:
    return value.model_copy(update=changes)


def _assigned(value: Any, changes: dict[str, Any]) -> Any:
    copied = copy.copy(value)
    for name, one in changes.items():
        object.__setattr__(copied, name, one)
        if getattr(copied, name) != one:
            raise AttributeError(name)
    return copied
