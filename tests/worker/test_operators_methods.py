"""Methods and functions: what a name stands for."""

from __future__ import annotations

import pytest

from redhanded_worker.operators.methods import (
    BuiltinDropped,
    BuiltinSwapped,
    CollectionMethod,
    CopyDropped,
    LibraryFunction,
    StringMethod,
)
from tests.worker.operating import change, changes, parts


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("s.strip()", ["s.lstrip()", "s.rstrip()"]),
        ("'x'.lower()", ["'x'.upper()"]),
        ("f(s)[0].find(x).lower()", ["f(s)[0].rfind(x).lower()", "f(s)[0].find(x).upper()"]),
        ("self.name.lower()", ["self.name.upper()"]),
        ("s.split(maxsplit=1)", ["s.rsplit(maxsplit=1)"]),
        ("s.split(',')", []),
        ("s.rindex(x)", ["s.index(x)"]),
        ("s.index(x)", []),
        ("map(str.lower, xs)", ["map(str.upper, xs)"]),
        ("map(s.lower, xs)", []),
        ("y = s.title", []),
        ("self.lower()", []),
        ("super().lower()", []),
        ("Shape.lower()", []),
    ],
)
def test_methods_of_strings(line: str, expected: list[str]) -> None:
    assert parts(StringMethod(), line) == expected


def test_an_imported_module_s_function_is_no_method() -> None:
    assert changes(StringMethod(), "import numpy as s\ns.lower(x)\n") == []
    assert changes(StringMethod(), "import a.b\na.b.lower(x)\n") == []
    assert changes(StringMethod(), "from a import s\ns.lower()\n") == []


CLASS = "class C:\n    def union(self, other): pass\n{}y = a.union(b)\nz = self.union(b)\n"


def test_a_class_s_own_method_needs_its_counterpart() -> None:
    assert changes(CollectionMethod(), CLASS.format("")) == []
    both = CLASS.format("    intersection = __and__\n")
    assert changes(CollectionMethod(), both) == [
        both.replace("a.union", "a.intersection"),
        both.replace("self.union", "self.intersection"),
    ]


def test_a_function_is_no_method() -> None:
    text = "def union(a, b): pass\nclass C:\n    def f(self):\n        def union(): pass\n"
    assert change(CollectionMethod(), text + "y = a.union(b)\n").endswith("a.intersection(b)\n")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("d.setdefault(k, [])", ["d.get(k, [])"]),
        ("q.popleft()", ["q.pop()"]),
        ("q.pop()", []),
        ("set.union(*xs)", ["set.intersection(*xs)"]),
    ],
)
def test_methods_of_collections(line: str, expected: list[str]) -> None:
    assert parts(CollectionMethod(), line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("y = (a or b).copy()", ["y = (a or b)"]),
        ("y = x.copy(deep=True)", []),
        ("y = x.copy(1)", []),
        ("y = x.copy", []),
        ("y = self.copy()", []),
    ],
)
def test_copies(line: str, expected: list[str]) -> None:
    assert parts(CopyDropped(), line) == expected


def test_a_module_s_copy_is_no_method() -> None:
    assert changes(CopyDropped(), "import copy\ny = copy.copy()\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "any = f\ny = any(xs)\n",
        "def f(any): return any(xs)\n",
        "from m import any\ny = any(xs)\n",
        "from m import f as all\ny = any(xs)\n",
        "def all(): pass\ny = any(xs)\n",
        "y = x.any()\n",
        "try: f()\nexcept E as any: any(xs)\n",
        "match x:\n    case [any]: any(xs)\n",
    ],
)
def test_a_name_of_the_module_s_own_is_no_builtin(text: str) -> None:
    assert changes(BuiltinSwapped(), text) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("y = sorted(xs)", ["y = list(xs)"]),
        ("y = sorted(xs, reverse=True)", ["y = list(xs)"]),
        ("y = sorted((x for x in xs), key=f)", ["y = list((x for x in xs))"]),
        ("y = sorted(x for x in xs)", ["y = list(x for x in xs)"]),
        ("y = sorted(*xs)", []),
        ("y = -abs(x)", ["y = -x"]),
        ("y = abs(-x)", ["y = (-x)"]),
        ("y = abs((x))", ["y = x"]),
        ("y = abs(x if x else z)", ["y = (x if x else z)"]),
        ("y = x.abs(z)", []),
        ("y = map(abs, xs)", []),
        ("raise E(repr(x), sorted(y))", ["raise E(repr(x), list(y))"]),
    ],
)
def test_builtins_that_do_nothing(line: str, expected: list[str]) -> None:
    assert parts(BuiltinDropped(), line) == expected


def test_a_dropped_builtin_over_several_lines() -> None:
    assert change(BuiltinDropped(), "y = abs(\n    f\n    .g\n)\n") == "y = (f\n    .g)\n"


def test_a_hidden_replacement_is_not_used() -> None:
    assert changes(BuiltinDropped(), "list = f\ny = sorted(xs)\n") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import math as m\ny = map(m.floor, xs)\n", "import math as m\ny = map(m.ceil, xs)\n"),
        ("import os\ny = os.path.isdir(x)\n", "import os\ny = os.path.isfile(x)\n"),
        ("from os import path\ny = path.isdir(x)\n", "from os import path\ny = path.isfile(x)\n"),
        ("from math import ceil, floor as f\ny = f(x)\n",
         "from math import ceil, floor as f\ny = ceil(x)\n"),
        ("import re\ny = (re)\\\n    .search(x)\n", "import re\ny = (re)\\\n    .match(x)\n"),
    ],
)  # fmt: skip
def test_functions_of_the_library(text: str, expected: str) -> None:
    assert change(LibraryFunction(), text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "from math import floor\ny = floor(x)\n",
        "y = math.floor(x)\n",
        "from .math import ceil, floor\ny = floor(x)\n",
        "import math\nmath.floor = f\n",
        "from math import floor\ndel floor\n",
    ],
)
def test_functions_without_a_counterpart_within_reach_stay(text: str) -> None:
    assert changes(LibraryFunction(), text) == []
