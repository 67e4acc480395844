"""Handlers and raises: what is left alone, and how types go out of tuples."""

from __future__ import annotations

import sys

import pytest

from redhanded_worker.operators.exceptions import (
    HandlerTypeDropped,
    HandlerUnmatched,
    HandlerWidened,
    RaisedType,
)
from tests.worker.operating import change, changes, parts

TRY = "try:\n    f()\nexcept {}:\n    g()\n"


@pytest.mark.parametrize("kind", ["Exception", "BaseException", "builtins.Exception"])
def test_the_widest_is_not_widened(kind: str) -> None:
    assert changes(HandlerWidened(), TRY.format(kind)) == []
    assert change(HandlerUnmatched(), TRY.format(kind)) == TRY.format("()")


def test_a_bare_handler_is_not_widened_and_can_match_nothing() -> None:
    bare = TRY.replace(" {}", "")
    assert changes(HandlerWidened(), bare) == []
    assert change(HandlerUnmatched(), bare) == TRY.format("()")


@pytest.mark.parametrize("operator", [HandlerWidened(), HandlerUnmatched(), HandlerTypeDropped()])
@pytest.mark.parametrize(
    "text",
    [
        "try:\n    f()\nexcept (A, B):\n    raise\n",
        "try:\n    f()\nexcept A:\n    raise\n",
        "try:\n    import f\n    from f import g\nexcept ImportError:\n    f = None\n",
    ],
)
def test_where_it_makes_no_difference_nothing_changes(
    operator: HandlerWidened | HandlerUnmatched | HandlerTypeDropped, text: str
) -> None:
    assert changes(operator, text) == []


def test_raising_another_exception_makes_a_difference() -> None:
    text = TRY.replace("g()", "raise B").format("A")
    assert change(HandlerWidened(), text) == text.replace("A", "Exception")


def test_a_single_type_is_not_dropped() -> None:
    assert changes(HandlerTypeDropped(), TRY.format("A")) == []
    assert changes(HandlerTypeDropped(), TRY.replace(" {}", "")) == []


def test_a_tuple_loses_one_type_at_a_time() -> None:
    assert changes(HandlerUnmatched(), TRY.format("(A, B)")) == []
    assert changes(HandlerTypeDropped(), TRY.format("(A, (m.B), C,)")) == [
        TRY.format("((m.B), C,)"),
        TRY.format("(A, C,)"),
        TRY.format("(A, (m.B), )"),
    ]
    assert changes(HandlerTypeDropped(), TRY.format("(A, B)")) == [
        TRY.format("(B)"),
        TRY.format("(A)"),
    ]
    assert changes(HandlerTypeDropped(), TRY.format("(A,)")) == []


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exception groups came with 3.11")
def test_handlers_of_groups() -> None:
    text = TRY.replace("except", "except*").format("A")
    assert change(HandlerUnmatched(), text) == TRY.replace("except", "except*").format("()")
    assert change(HandlerWidened(), text) == TRY.replace("except", "except*").format("Exception")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("raise A", "raise RuntimeError"),
        ("raise m.A(x) from y", "raise RuntimeError(x) from y"),
        ("raise (A)(x)", "raise (RuntimeError)(x)"),
        ("raise A(*x)", "raise RuntimeError(*x)"),
        ("raise A(x, code=(1))", "raise RuntimeError()"),
        ("raise A(**x); f()", "raise RuntimeError(); f()"),
        ("raise NotImplementedError('x')", "raise ValueError('x')"),
        ("raise RecursionError", "raise ValueError"),
    ],
)
def test_another_type_is_raised(line: str, expected: str) -> None:
    assert parts(RaisedType(), line) == [expected]


@pytest.mark.parametrize("line", ["raise e", "raise self.error(x)", "raise f()(x)", "raise E[0]"])
def test_what_looks_like_no_class_stays(line: str) -> None:
    assert parts(RaisedType(), line) == []


def test_an_abstract_method_s_raise_stays() -> None:
    assert changes(RaisedType(), "def f(self):\n    raise NotImplementedError\n") == []
