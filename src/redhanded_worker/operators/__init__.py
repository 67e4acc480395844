"""Mutation operators, one module per family."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable

from redhanded_worker.operators.base import Edit, Example, Operator, Source

_FAMILIES = (
    "arithmetic",
    "comparison",
    "boolean",
    "literal",
    "string",
    "returns",
    "defaults",
    "loops",
    "statements",
    "exceptions",
    "slices",
    "comprehensions",
    "calls",
    "decorators",
    "patterns",
    "methods",
)


def _gather() -> tuple[Operator, ...]:
    found: list[Operator] = []
    for family in _FAMILIES:
        try:
            module = importlib.import_module(f"{__name__}.{family}")
        except ModuleNotFoundError:
            continue
        found.extend(module.OPERATORS)
    return tuple(found)


ALL: tuple[Operator, ...] = _gather()


def by_name(names: Iterable[str]) -> tuple[Operator, ...]:
    """Operators by their names or their families' names, in the order of :data:`ALL`.

    Raises:
        ValueError: A name is neither; the message names the near ones.
    """
    wanted = set(names)
    known = {each.name for each in ALL} | {each.family for each in ALL}
    for name in sorted(wanted - known):
        near = difflib.get_close_matches(name, sorted(known), 3)
        told = f"; did you mean {', '.join(near)}?" if near else ""
        raise ValueError(f"there is no operator or family named {name!r}{told}")
    return tuple(each for each in ALL if each.name in wanted or each.family in wanted)


__all__ = ["ALL", "Edit", "Example", "Operator", "Source", "by_name"]
