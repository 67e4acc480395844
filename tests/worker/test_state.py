"""The fingerprint of what importing left behind."""

from __future__ import annotations

import functools
import random
import threading
from types import ModuleType
from typing import Any

import pytest

from redhanded_worker.state import fingerprint

TEXT = """
import re
LIMIT = 3
TABLE = {"a": [1, 2], "b": (3,)}
PATTERN = re.compile("x+")

class Thing:
    size = 4
    def grow(self):
        return self.size

THING = Thing()

def make(n):
    def inner(x):
        return x + n
    return inner

ADD = make(5)

def f(a, b=7):
    return a
"""


def module(text: str = TEXT, **more: Any) -> ModuleType:
    made = ModuleType("subject")
    exec(text, vars(made))
    vars(made).update(more)
    return made


def test_two_imports_of_one_text_are_the_same() -> None:
    assert fingerprint([module()]) == fingerprint([module()]) is not None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3", "LIMIT = 3.0"),
        ("[1, 2]", "[2, 1]"),
        ("size = 4", "size = 5"),
        ("make(5)", "make(6)"),
        ("b=7", "b=8"),
        ('"x+"', '"x*"'),
        ("THING = Thing()", "THING = Thing(); THING.size = 9"),
    ],
)
def test_what_data_says_otherwise_is_another_state(old: str, new: str) -> None:
    assert fingerprint([module(TEXT.replace(old, new))]) != fingerprint([module()])


def test_code_is_no_state() -> None:
    assert fingerprint([module(TEXT.replace("x + n", "x - n"))]) == fingerprint([module()])


def test_locks_and_random_generators_say_nothing() -> None:
    one, other = random.Random(1), random.Random(2)
    held = threading.Lock()
    held.acquire()
    first = fingerprint([module(r=one.random, lock=threading.Lock())])
    assert first == fingerprint([module(r=other.random, lock=held)]) is not None


def test_a_cache_that_was_filled_is_another_state() -> None:
    @functools.lru_cache
    def cached(x: int) -> int:
        return x

    before = fingerprint([module(cached=cached)])
    cached(1)
    assert fingerprint([module(cached=cached)]) != before


def test_what_can_not_be_read_is_never_equal() -> None:
    assert fingerprint([module(numbers=(n for n in [1]))]) is None
    assert fingerprint([module(numbers=iter([1]))]) is None


class Quiet:
    __slots__ = ("size",)

    def __init__(self, size: int) -> None:
        self.size = size

    def __reduce__(self) -> Any:
        return Quiet, (0,)


class QuietList(list[int]):
    def __reduce__(self) -> Any:
        return QuietList, ()


@pytest.mark.parametrize(
    ("one", "other"),
    [(Quiet(1), Quiet(2)), (QuietList([1]), QuietList([2])), (QuietList([1]), QuietList([1, 1]))],
)
def test_what_an_object_leaves_out_when_pickled_is_told_all_the_same(
    one: object, other: object
) -> None:
    assert fingerprint([module(thing=one)]) != fingerprint([module(thing=other)])
