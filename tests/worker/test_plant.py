"""Planting: which functions are swapped, and when the marker is called."""

from __future__ import annotations

from typing import Any

import pytest

from redhanded_worker import weave
from redhanded_worker.plant import CannotSwapError, Edit, Module, alike


def planted(text: str, original: str, replacement: str) -> tuple[list[Any], list[str]]:
    """Swaps of an edit, bound to a marker that notes its calls."""
    module = Module(text, "subject.py")
    at = text.index(original)
    calls: list[str] = []
    swaps = module.swaps(Edit(at, at + len(original), replacement))
    codes = [weave.bind(swap.new, {weave.ENTER: lambda: calls.append("entered")}) for swap in swaps]
    return codes, calls


def function(text: str, name: str) -> Any:
    space: dict[str, Any] = {}
    exec(compile(text, "subject.py", "exec"), space)
    return space[name]


def test_only_the_edited_function_is_swapped_and_it_marks_its_entry() -> None:
    text = "def f(a):\n    return a + 1\n\n\ndef g(a):\n    return a + 2\n"
    (code,), calls = planted(text, "a + 1", "a - 1")
    f = function(text, "f")
    f.__code__ = code
    assert (f(5), calls) == (4, ["entered"])


def test_the_marker_is_called_only_where_the_edited_expression_is_reached() -> None:
    text = "def f(a, b):\n    return a and b + 1\n"
    (code,), calls = planted(text, "b + 1", "b + 2")
    f = function(text, "f")
    f.__code__ = code
    assert (f(0, 1), calls) == (0, [])
    assert (f(1, 1), calls) == (3, ["entered"])


def test_a_deleted_line_is_reached_where_it_stood() -> None:
    text = "def f(xs, x):\n    if x:\n        xs.append(x)\n        xs.append(x)\n    return xs\n"
    (code,), calls = planted(text, "        xs.append(x)\n", "")
    f = function(text, "f")
    f.__code__ = code
    assert (f([], 0), calls) == ([], [])
    assert (f([], 1), calls) == ([1], ["entered"])


def test_a_free_variable_that_the_mutant_drops_is_kept_alive() -> None:
    text = "def make(n):\n    def inner(x):\n        return x + n\n    return inner\n"
    codes, calls = planted(text, "x + n", "x + x")
    inner = function(text, "make")(3)
    (code,) = [code for code in codes if code.co_name == "inner"]
    inner.__code__ = code
    assert (inner(4), calls) == (8, ["entered"])


@pytest.mark.parametrize(
    ("text", "original", "replacement"),
    [
        ("LIMIT = 3\n", "3", "4"),
        ("class A:\n    size = 3\n", "3", "4"),
        ("def f(a=3):\n    return a\n", "3", "4"),
        (
            "import functools\n\n\n@functools.cache\ndef f():\n    return 1\n",
            "@functools.cache\n",
            "",
        ),
        ("def f():\n    yield 1\n", "yield 1", "pass"),
    ],
    ids=["constant", "class body", "default", "decorator", "kind"],
)
def test_what_shows_at_import_can_not_be_swapped(
    text: str, original: str, replacement: str
) -> None:
    with pytest.raises(CannotSwapError):
        planted(text, original, replacement)


def test_a_module_planted_whole_runs_the_edited_text_and_marks_it() -> None:
    module = Module('"""Doc."""\nfrom __future__ import annotations\nLIMIT = 3\n', "subject.py")
    at = module.text.index("3")
    calls: list[str] = []
    code = module.planted(Edit(at, at + 1, "4"), None)
    space: dict[str, Any] = {}
    exec(weave.bind(code, {weave.ENTER: lambda: calls.append("entered")}), space)
    assert (space["LIMIT"], space["__doc__"], calls) == (4, "Doc.", ["entered"])


def test_positions_hold_behind_characters_of_several_bytes() -> None:
    text = 'def f(a):\n    return "größe", a + 1\n'
    (code,), calls = planted(text, "a + 1", "a + 2")
    f = function(text, "f")
    f.__code__ = code
    assert (f(1), calls) == (("größe", 3), ["entered"])


def test_two_texts_are_compared_from_both_ends() -> None:
    assert alike("pair[0]", "pair[1]") == (5, 1)
    assert alike("aa", "aaa") == (2, 0)
    assert alike("", "x") == (0, 0)


@pytest.mark.parametrize("kind", ["raise", "value"])
def test_under_a_canary_no_function_does_its_work_and_shapes_stay(kind: str) -> None:
    text = (
        "def outer(n):\n    def inner(x):\n        return x + n\n    return inner\n\n\n"
        "def numbers():\n    yield 1\n"
    )
    module = Module(text, "subject.py")
    old, new = module.original(None), module.woven(weave.Canary(kind))
    names = [const.co_name for const in new.co_consts if hasattr(const, "co_name")]
    assert names == ["outer", "numbers"]
    outer_old, outer_new = (
        next(c for c in code.co_consts if getattr(c, "co_name", "") == "outer")
        for code in (old, new)
    )
    assert outer_old.co_cellvars == outer_new.co_cellvars
    assert outer_old.co_flags == outer_new.co_flags
