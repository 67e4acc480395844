"""How a JSON value differs from the expected one, and which declared bar alone that violates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from redhanded.outputs.contract.document import joined, named, same, shown

Item = TypeVar("Item")
Other = TypeVar("Other")


@dataclass(frozen=True)
class Difference:
    """One way in which a value isn't the expected one."""

    why: str
    kinds: tuple[str, ...] = ("json.values",)
    bar: str | None = None


@dataclass(frozen=True)
class Rules:
    """What may differ between a value and the expected one."""

    ordered: Callable[[str], bool]
    """Does the order of the array at a pointer matter?"""
    extra_keys: bool = False
    exact_numbers: bool = False


def differences(expected: Any, found: Any, rules: Rules, pointer: str = "") -> list[Difference]:
    """How ``found`` differs from ``expected``; empty where it doesn't."""
    where = pointer or "the document"
    if isinstance(expected, dict) and isinstance(found, dict):
        return _objects(expected, found, rules, pointer)
    if isinstance(expected, list) and isinstance(found, list):
        return _arrays(expected, found, rules, pointer)
    if same(expected, found, exact_numbers=rules.exact_numbers):
        return []
    if named(expected) != named(found):
        why = f"{where}: expected the {named(expected)} {shown(expected)}, found {shown(found)}"
        return [Difference(why, ("json.values", "json.type"))]
    return [Difference(f"{where}: expected {shown(expected)}, found {shown(found)}")]


def _objects(
    expected: dict[str, Any], found: dict[str, Any], rules: Rules, pointer: str
) -> list[Difference]:
    all_: list[Difference] = []
    where = pointer or "the document"
    for key, value in expected.items():
        if key in found:
            all_ += differences(value, found[key], rules, joined(pointer, key))
        else:
            why = f"{where}: the key {shown(key)} is missing"
            all_.append(Difference(why, ("json.keys", "json.values")))
    if not rules.extra_keys:
        for key in found:
            if key not in expected:
                why = f"{where}: the key {shown(key)} is not expected"
                all_.append(Difference(why, ("json.keys", "json.values"), "extras"))
    return all_


def _arrays(expected: list[Any], found: list[Any], rules: Rules, pointer: str) -> list[Difference]:
    where = pointer or "the document"
    if len(expected) != len(found):
        return [Difference(f"{where}: expected {len(expected)} items, found {len(found)}")]

    def fits(one: Any, other: Any) -> bool:
        return not differences(one, other, rules, pointer + "/*")

    if not rules.ordered(pointer):
        if len(matching(expected, found, fits)) == len(expected):
            return []
        return [Difference(f"{where}: expected the items {shown(expected)} in any order")]
    by_place = [
        difference
        for index, (one, other) in enumerate(zip(expected, found, strict=True))
        for difference in differences(one, other, rules, joined(pointer, index))
    ]
    if by_place and len(matching(expected, found, fits)) == len(expected):
        why = f"{where}: the items are {shown(expected)} in another order"
        return [Difference(why, ("json.values", "json.order"), "order")]
    return by_place


def matching(
    expected: Sequence[Item], found: Sequence[Other], fits: Callable[[Item, Other], bool]
) -> dict[int, int]:
    """A largest matching of expected to found ones, by position: which takes which."""
    taken: dict[int, int] = {}
    edges = [[place for place, other in enumerate(found) if fits(one, other)] for one in expected]

    def place(index: int, tried: set[int]) -> bool:
        for candidate in edges[index]:
            if candidate in tried:
                continue
            tried.add(candidate)
            if candidate not in taken or place(taken[candidate], tried):
                taken[candidate] = index
                return True
        return False

    for index in range(len(expected)):
        place(index, set())
    return {index: candidate for candidate, index in taken.items()}
