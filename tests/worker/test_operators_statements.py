"""Statements that are left out: which, and what stays valid around them."""

from __future__ import annotations

import re

import pytest

from redhanded_worker.operators.base import Operator
from redhanded_worker.operators.statements import (
    AssignmentDeleted,
    AssignmentToNone,
    AugmentedAssignmentDeleted,
    CallDeleted,
    DelDeleted,
    RaiseDeleted,
    YieldDeleted,
)
from tests.worker.operating import change, changes, parts


def body(*lines: str) -> str:
    return "".join(["def f(a, b=1, *c, d, **e):\n", *(f"    {line}\n" for line in lines)])


def test_the_only_statement_of_a_body() -> None:
    assert parts(CallDeleted(), "if a: f()") == ["if a: pass"]
    assert parts(AugmentedAssignmentDeleted(), "for x in xs: n += x") == ["for x in xs: pass"]


def test_statements_that_share_a_line() -> None:
    assert parts(CallDeleted(), "f(';'); g(); h()") == [
        "pass; g(); h()",
        "f(';'); pass; h()",
        "f(';'); g(); pass",
    ]


def test_a_statement_over_several_lines_and_its_comment() -> None:
    text = "f(\n    1,  # one\n    (2),\n)  # done\ng = 1\n"
    assert change(CallDeleted(), text) == "pass  # done\ng = 1\n"
    text = "x[0] = 1 + \\\n    y\nz = 1\n"
    assert change(AssignmentDeleted(), text) == "pass\nz = 1\n"


def test_a_statement_in_parentheses() -> None:
    assert parts(CallDeleted(), "(f())") == ["pass"]


@pytest.mark.parametrize("line", ['"""Doc."""', "...", "x.y", "assert_never(x)", "f() or g()"])
def test_what_is_no_call_stays(line: str) -> None:
    assert changes(CallDeleted(), line + "\n") == []


def test_a_constructor_s_call_of_its_base_is_a_call() -> None:
    text = "class C(B):\n    def __init__(self):\n        super().__init__()\n"
    assert change(CallDeleted(), text) == text.replace("super().__init__()", "pass")


# Which assignments have an older value to leave behind


OLDER = [
    body("a = g()"),
    body("b = g()"),
    body("c = g()"),
    body("d = g()"),
    body("e = g()"),
    body("x = 1", "x = g()"),
    body("x = 1", "if a:", "    x = g()"),
    body("if a: x = 1", "else: x = 2", "x = g()"),
    body("if a: x = 1", "else: return", "x = g()"),
    body("for x in a:", "    x = g()"),
    body("with a as (x, y):", "    x = g()"),
    body("with a:", "    x = 1", "x = g()"),
    body("try:", "    x = 1", "except E:", "    raise", "x = g()"),
    body("try: h()", "except E as x:", "    x = g()"),
    body("match a:", "    case [x, *y]:", "        x = g()"),
    body("match a:", "    case [x, *y]:", "        y = g()"),
    body("try: h()", "finally: x = 1", "x = g()"),
    body("x += 1", "x = g()"),
    body("import x.y", "x = g()"),
    body("from m import y as x", "x = g()"),
    body("def x(): ...", "x = g()"),
    body("class x: ...", "x = g()"),
    body("global x", "x = g()"),
    body("def h():", "    nonlocal a", "    a = g()"),
    body("x: int = 1", "while a:", "    x = g()"),
    "x = 1\nx = g()\n",
    "class C:\n    x = 1\n    x = g()\n",
]


@pytest.mark.parametrize("text", OLDER)
def test_with_an_older_value_the_assignment_is_deleted(text: str) -> None:
    assert re.sub(r"\w = g\(\)", "pass", text) in changes(AssignmentDeleted(), text)
    assert changes(AssignmentToNone(), text) == []


FIRST = [
    body("x = g()"),
    body("if a:", "    x = g()"),
    body("if a: x = 1", "x = g()"),
    body("for x in a: ...", "x = g()"),
    body("for y in a:", "    x = g()"),
    body("for x in a: ...", "else:", "    x = g()"),
    body("try:", "    x = 1", "except E:", "    h()", "x = g()"),
    body("while a:", "    x = 1", "x = g()"),
    body("def h():", "    a = g()"),
    body("def h():", "    x = 1", "x = g()"),
    body("x: int", "x = g()"),
    body("y += 1", "x = g()"),
    body("y: int = h(1)", "x = g()"),
    body("x__ = g()"),
    body("__x = g()"),
    body("try: h()", "except E as x: ...", "x = g()"),
]


@pytest.mark.parametrize("text", FIRST)
def test_without_an_older_value_it_is_none_that_is_assigned(text: str) -> None:
    assert changes(AssignmentDeleted(), text) == []
    assert text.replace("g()", "None") in changes(AssignmentToNone(), text)


def test_instances_get_none_where_they_are_made() -> None:
    text = "class C:\n    def {}(self, x):\n        self.x = x\n"
    made = text.format("__init__")
    assert changes(AssignmentDeleted(), made) == []
    assert change(AssignmentToNone(), made) == made.replace("= x", "= None")
    later = text.format("move")
    assert changes(AssignmentToNone(), later) == []
    assert change(AssignmentDeleted(), later) == later.replace("self.x = x", "pass")


def test_an_item_of_something_is_no_type() -> None:
    assert change(AssignmentToNone(), body("x = a[0]")) == body("x = None")


def test_all_targets_count() -> None:
    assert changes(AssignmentDeleted(), body("x = a = g()")) == []
    assert change(AssignmentToNone(), body("x = a = g()")) == body("x = a = None")
    assert change(AssignmentDeleted(), body("a, b = b, a")) == body("pass")
    assert change(AssignmentDeleted(), body("a.x, b[0] = 1, 2")) == body("pass")


def test_several_names_can_t_be_none() -> None:
    assert changes(AssignmentToNone(), body("x, y = g()")) == []
    assert changes(AssignmentDeleted(), body("a, y = g()")) == []


def test_an_annotation_stays() -> None:
    assert change(AssignmentDeleted(), body("a: int = g()  # n")) == body("a: int  # n")
    assert change(AssignmentToNone(), body("x: int = g()")) == body("x: int = None")
    assert changes(AssignmentDeleted(), body("a: int")) == []


@pytest.mark.parametrize(
    "line",
    [
        "x = 1", "x = -1", "x = ''", "x = None", "__version__ = g()", "X: TypeAlias = g(int)",
        "T = TypeVar('T')", "X = Optional[int]", "log = logging.getLogger(__name__)",
        "g.__doc__ = a",
    ],
)  # fmt: skip
def test_constants_and_bookkeeping_stay(line: str) -> None:
    assert changes(AssignmentToNone(), body(line)) == []
    assert changes(AssignmentDeleted(), body(line)) == []


@pytest.mark.parametrize("text", ["x = g()\n", "class C:\n    x = g()\n"])
def test_modules_and_classes_keep_their_first_values(text: str) -> None:
    assert changes(AssignmentToNone(), text) == []
    assert changes(AssignmentDeleted(), text) == []


# Raises, deletions, yields


def test_an_abstract_method_s_raise_stays() -> None:
    stub = 'def f(self):\n    """Doc."""\n    raise NotImplementedError("f")\n'
    assert changes(RaiseDeleted(), stub) == []
    assert len(changes(RaiseDeleted(), stub.replace('"""Doc."""', "g()"))) == 1
    assert len(changes(RaiseDeleted(), stub.replace('"""Doc."""', "x = 1"))) == 1


def test_a_plain_name_s_deletion_stays() -> None:
    assert changes(DelDeleted(), "del x, (y)\n") == []
    assert parts(DelDeleted(), "if a: del x, y[0]") == ["if a: pass"]


@pytest.mark.parametrize(
    "text",
    [
        body("yield a"),
        body("def g(): yield 1", "yield a"),
        body("x = yield a", "h = lambda: (yield)"),
        body("await a"),
    ],
)
def test_the_last_yield_stays(text: str) -> None:
    assert changes(YieldDeleted(), text.replace("def f", "async def f")) == []


def test_only_yields_are_deleted_in_a_generator() -> None:
    assert changes(YieldDeleted(), body("h(a)", "x = yield 1", "x = yield 2")) == []


def test_a_yield_whose_value_is_used_makes_a_generator_too() -> None:
    assert change(YieldDeleted(), body("x = yield a", "yield x")) == body("x = yield a", "pass")


@pytest.mark.parametrize(
    "operator", [CallDeleted(), AssignmentDeleted(), AugmentedAssignmentDeleted(), RaiseDeleted()]
)
def test_the_lines_after_a_statement_keep_their_numbers_where_it_was_one_line(
    operator: Operator,
) -> None:
    text = body("g(a)", "a = 1", "a += 1", "raise a", "h(b)  # last")
    for each in changes(operator, text):
        assert len(each.splitlines()) == len(text.splitlines())
