"""Faults planted in watched code, and returns turned round."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec
import pytest

from redhanded.model.graded import Phase
from redhanded.outputs.adapters.base import Watched
from redhanded.outputs.witness.canary import CanaryError, Inverter, raising
from redhanded.outputs.witness.opposite import Uninvertible, opposite
from redhanded.outputs.witness.target import resolve
from redhanded.outputs.witness.token import Token
from redhanded.outputs.witness.watcher import Watcher


def library(text: str, *, bar: int = 3) -> bool:
    return len(text) > bar


async def slow(text: str) -> bool:
    await asyncio.sleep(0)
    return len(text) > 3


def closure(bar: int) -> Callable[[str], bool]:
    def score(text: str) -> bool:
        return len(text) > bar

    return score


class Base:
    bar = 3

    def measure(self, text: str) -> bool:
        return len(text) > self.bar


class Derived(Base):
    def measure(self, text: str) -> bool:
        return super().measure(text)


def called(watcher: Watcher, ask: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    async def asked() -> Any:
        found = ask()
        return await found if isinstance(found, Awaitable) else found

    raw, error, _ = asyncio.run(watcher.call(Token(Phase.PROBE), asked))
    return raw, error


@pytest.mark.parametrize(
    "function", [library, slow, closure(3), Derived().measure], ids=["plain", "async", "c", "m"]
)
def test_watched_code_raises_at_its_entry_and_then_no_more(function: Any) -> None:
    watcher = Watcher()
    watcher.watch([Watched(function, "upstream")])
    watcher.plant(raising("upstream"))
    try:
        raw, error = called(watcher, lambda: function("text"))
        assert isinstance(error, CanaryError)
        assert raw is None
        watcher.plant(raising("grader"))
        assert called(watcher, lambda: function("text")) == (True, None)
        watcher.plant(None)
        assert called(watcher, lambda: function("text")) == (True, None)
    finally:
        watcher.close()


@pytest.mark.parametrize(
    "function", [library, slow, closure(3), Derived().measure], ids=["plain", "async", "c", "m"]
)
def test_a_function_returns_the_opposite_where_it_stands(function: Any) -> None:
    ((target,), _) = resolve([Watched(function, "upstream")])
    watcher = Watcher()
    inverter = Inverter()
    before = target.function.__code__
    with inverter.planted(target):
        assert called(watcher, lambda: function("text")) == (False, None)
        assert called(watcher, lambda: function("x")) == (True, None)
    assert inverter.inverted == 2
    assert target.function.__code__ is before
    assert called(watcher, lambda: function("text")) == (True, None)
    watcher.close()


def test_what_is_inverted_is_still_seen() -> None:
    watcher = Watcher()
    watcher.watch([Watched(library, "upstream")])

    async def ask() -> bool:
        return library("four", bar=9)

    with Inverter().planted(watcher.targets[0]):
        raw, _, seen = asyncio.run(watcher.call(Token(Phase.PROBE), ask))
    watcher.close()
    assert raw is True
    assert [one.returned for one in seen.opened] == [False]


@dataclasses.dataclass(frozen=True)
class Data:
    passed: bool
    score: float
    detail: str = "x"


class Plain:
    def __init__(self) -> None:
        self.value = "C"


class Struct(msgspec.Struct, frozen=True):
    score: float


class Pair(NamedTuple):
    passed: bool
    why: str


@pytest.mark.parametrize(
    ("value", "turned"),
    [
        (True, False),
        (1, 0),
        (0.25, 0.75),
        (0.5, 0.0),
        (7, -7),
        ("C", "I"),
        ("PASS", "fail"),
        ({"score": 1.0, "key": "k"}, {"score": 0.0, "key": "k"}),
        ({"a": True, "b": "comment"}, {"a": False, "b": "comment"}),
        ([True, False], [False, True]),
        (Data(True, 1.0), Data(False, 0.0)),
        (Struct(1.0), Struct(0.0)),
        (Pair(True, "x"), Pair(False, "x")),
    ],
)
def test_opposites(value: Any, turned: Any) -> None:
    assert opposite(value) == turned


def test_objects_are_copied() -> None:
    value = Plain()
    assert opposite(value).value == "I"
    assert value.value == "C"


@pytest.mark.parametrize("value", [None, "Paris", object(), {}, {"why": "x"}, int])
def test_what_has_no_known_opposite(value: Any) -> None:
    with pytest.raises(Uninvertible):
        opposite(value)


def test_a_return_without_opposite_is_left_and_told() -> None:
    def says(text: str) -> str:
        return text

    ((target,), _) = resolve([Watched(says, "upstream")])
    inverter = Inverter()
    with inverter.planted(target):
        assert says("Paris") == "Paris"
    assert inverter.inverted == 0
    assert inverter.failed is not None
