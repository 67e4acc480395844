"""Code objects that do the same, and those that don't."""

from __future__ import annotations

import sys
from types import CodeType
from typing import Any

import pytest

from redhanded_worker.compare import digest, same


def code(text: str) -> CodeType:
    compiled: CodeType = compile(text, "<text>", "exec", dont_inherit=True)
    return compiled


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = 1 + 1", "x = 2"),
        ("x = (1)", "\n\nx = 1  # one"),
        ("def f(x):\n    return x", "\n\ndef f(x): return x"),
        ("def f():\n    return lambda: 1", "def f():\n\n    return (lambda: 1)"),
        ("x = y in {1, 2, 3}", "x = y in {3, 1, 2}"),
        ("x = y in [1, (2, 3)]", "x = y in (1, (2, 3))"),
        ("def f():\n    return 1\n    return 2", "def f():\n    return 1"),
        ("class C:\n    x = 3", "\n\n\n\nclass C:\n    x = 3"),
        ("def f():\n    class C:\n        x = 3", "\n\ndef f():\n    class C:\n        x = 3"),
    ],
)
def test_what_does_the_same_is_the_same(one: str, other: str) -> None:
    assert same(code(one), code(other))
    assert digest(code(one)) == digest(code(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = 1", "x = 2"),
        ("x = 1", "x = 1.0"),
        ("x = 1", "x = True"),
        ("x = 0.0", "x = -0.0"),
        ("x = (1, 0.0)", "x = (1, -0.0)"),
        ("x = (1, (2,))", "x = (1, 2)"),
        ("x = (1,)", "x = (True,)"),
        ("x = 0j", "x = -0j"),
        ("x = 'a'", "x = b'a'"),
        ("x = y in {1, 2}", "x = y in {1, 3}"),
        ("x = y in {1, 2}", "x = y in (1, 2)"),
        ("x = a", "x = b"),
        ("x = a.b", "x = a.c"),
        ("x = a < b", "x = a <= b"),
        ("def f(x): return x", "def f(y): return y"),
        ("def f(x): return 1", "def g(x): return 1"),
        ("def f(x): return 1", "def f(*x): return 1"),
        ("def f(x, y): return 1", "def f(x, *, y): return 1"),
        ("def f(x, y): return 1", "def f(x, /, y): return 1"),
        ("def f(x): return 1", "async def f(x): return 1"),
        ("def f(x):\n    def g(): return x", "def f(x):\n    def g(): return y"),
        ("def f():\n    return lambda: 1", "def f():\n    return lambda: 2"),
        ("class C:\n    x = 1", "class C:\n    x = 2"),
        ("class C:\n    x = 1", "class C:\n    x = None"),
        ("\n\nclass C:\n    x = 3", "\n\nclass C:\n    x = 4"),
        ("\n\nclass C:\n    x = 3", "\n\nclass C:\n    x = None"),
        ("try:\n    f()\nexcept A:\n    g()", "try:\n    f()\nexcept B:\n    g()"),
    ],
)
def test_what_does_something_else_is_not_the_same(one: str, other: str) -> None:
    assert not same(code(one), code(other))
    assert digest(code(one)) != digest(code(other))


def test_integers_may_be_longer_than_python_writes_in_decimal() -> None:
    digits = "f" * 6000
    assert same(code(f"x = 0x{digits}"), code(f"x = 0x0{digits}"))
    assert not same(code(f"x = 0x{digits}"), code(f"x = 0x1{digits}"))


@pytest.mark.skipif(sys.version_info < (3, 11), reason="there is no such table before 3.11")
def test_what_an_exception_table_covers_counts() -> None:
    whole = code("try:\n    f()\n    g()\nexcept A:\n    pass")
    changes: Any = {"co_exceptiontable": b""}
    assert not same(whole, whole.replace(**changes))
