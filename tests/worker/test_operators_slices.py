"""Slices and indices: what literals do already, and where the colons are."""

from __future__ import annotations

import pytest

from redhanded_worker.operators.slices import (
    IndexShifted,
    SliceBoundDropped,
    SliceBoundShifted,
    SliceStepDropped,
)
from tests.worker.operating import changes, parts


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x[a:b]", ["x[:b]", "x[a:]"]),
        ("x[a : b]", ["x[: b]", "x[a :]"]),
        ("x[(a):(b)]", ["x[:(b)]", "x[(a):]"]),
        ("x[a[1:]:b]", ["x[:b]", "x[a[1:]:]"]),
        ("x[a:b:c]", ["x[:b:c]", "x[a::c]"]),
        ("x[(lambda: 1)():{1: 2}[1]]", ["x[:{1: 2}[1]]", "x[(lambda: 1)():]"]),
        ("x[a:b, c:]", ["x[:b, c:]", "x[a:, c:]", "x[a:b, :]"]),
        ("x[0:b]", ["x[0:]"]),
        ("x[1:]", []),
        ("x[2:]", ["x[:]"]),
        ("x[-1:]", ["x[:]"]),
        ("x[:-1]", ["x[:]"]),
        ("x[:]", []),
        ("x[::c]", []),
    ],
)
def test_bounds_are_dropped(line: str, expected: list[str]) -> None:
    assert parts(SliceBoundDropped(), line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x[a:b:c]", ["x[a:b]"]),
        ("x[a : (b) : (c)]", ["x[a : (b)]"]),
        ("x[::c]", ["x[:]"]),
        ("x[::3]", ["x[:]"]),
        ("x[::2]", []),
        ("x[::1]", []),
        ("x[::-1]", []),
        ("x[::]", []),
    ],
)
def test_the_step_is_dropped(line: str, expected: list[str]) -> None:
    assert parts(SliceStepDropped(), line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x[a:b]", ["x[a + 1:b]", "x[a:b - 1]"]),
        ("x[a if b else c:]", ["x[(a if b else c) + 1:]"]),
        ("x[a | b:]", ["x[(a | b) + 1:]"]),
        ("x[a * b:]", ["x[a * b + 1:]"]),
        ("x[-a:]", ["x[-a + 1:]"]),
        ("x[:f(a)]", ["x[:f(a) - 1]"]),
        ("x[:a - b]", ["x[:a - b - 1]"]),
        ("x[a + 1:]", []),
        ("x[:1 + a - b]", []),
        ("x[1:-1]", []),
        ("x[None:'a']", []),
    ],
)
def test_bounds_are_shifted(line: str, expected: list[str]) -> None:
    assert parts(SliceBoundShifted(), line) == expected


@pytest.mark.parametrize(
    "index",
    ["key", "k", "0", "-1", "i + 1", "i:", "i, j", "f(i)", "name", "'i'", "ki", "T"],
)
def test_an_index_that_may_be_a_key_stays(index: str) -> None:
    assert parts(IndexShifted(), f"x[{index}]") == []


@pytest.mark.parametrize("index", ["i", "pos", "end_pos", "self._index", "lo"])
def test_a_position_is_shifted(index: str) -> None:
    assert parts(IndexShifted(), f"x[{index}] = y") == [f"x[{index} + 1] = y"]


def test_a_slice_over_several_lines() -> None:
    text = "y = x[\n    a  # from\n    :\n    b  # to\n]\n"
    assert changes(SliceBoundDropped(), text) == [
        "y = x[\n    :\n    b  # to\n]\n",
        "y = x[\n    a  # from\n    :  # to\n]\n",
    ]
