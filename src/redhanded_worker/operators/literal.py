"""Literals other than strings: numbers, booleans, None, displays of lists, tuples, sets, dicts.

Defaults of parameters are literals, too; only None as a default is changed elsewhere.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

from redhanded_worker.operators.base import Edit, Example, Operator, Source

_DISPLAYS = (ast.List, ast.Tuple, ast.Set, ast.Dict)
_EMPTY = {ast.List: "[]", ast.Tuple: "()", ast.Set: "set()", ast.Dict: "{}"}


class IntegerIncremented(Operator):
    """``n`` is ``n + 1``."""

    name = "integer-incremented"
    family = "literal"
    description = "An integer is one more."
    shared_with = ("cosmic-ray", "mutmut", "mutpy", "poodle", "PIT")
    examples = (
        Example("y = 0\n", "y = 1\n"),
        Example("y = xs[-1:0x_FF]\n", "y = xs[-2:0x_FF]\n"),
        Example("y = xs[-1:0x_FF]\n", "y = xs[-1:0x100]\n"),
        Example("y = 0b1 if x else 1_000\n", "y = 0b10 if x else 1_000\n"),
    )
    node_types = (ast.Constant,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Write the next integer, in the same base."""
        assert isinstance(node, ast.Constant)
        if type(node.value) is int:
            yield source.edit(node, _integer(node.value + 1, source.text_of(node)))


class IntegerDecremented(Operator):
    """``n`` is ``n - 1``."""

    name = "integer-decremented"
    family = "literal"
    description = (
        "An integer is one less; not 0, and not an item of a list, tuple, set or dictionary, "
        "where one change shows as much as two."
    )
    shared_with = ("cosmic-ray", "mutpy", "poodle")
    examples = (
        Example("y = 1\n", "y = 0\n"),
        Example("y = xs[2:0o7]\n", "y = xs[2:0o6]\n"),
        Example("y = range(-(1), 10)\n", "y = range(-(1), 9)\n"),
    )
    node_types = (ast.Constant,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Write the integer before, in the same base."""
        assert isinstance(node, ast.Constant)
        if type(node.value) is not int or node.value == 0:
            return
        above = source.parent(node)
        if isinstance(above, ast.UnaryOp):
            above = source.parent(above)
        if not isinstance(above, _DISPLAYS):
            yield source.edit(node, _integer(node.value - 1, source.text_of(node)))


class FloatChanged(Operator):
    """``x`` is ``x + 1.0``."""

    name = "float-changed"
    family = "literal"
    description = "A float or imaginary number is one more; doubled where that is no change."
    shared_with = ("cosmic-ray", "mutmut", "mutpy", "poodle", "PIT")
    examples = (
        Example("y = 0.5\n", "y = 1.5\n"),
        Example("y = -1e-9\n", "y = -1.000000001\n"),
        Example("y = 1e300\n", "y = 2e+300\n"),
        Example("y = 1e999\n", "y = 0.0\n"),
        Example("y = 2 + 3j\n", "y = 2 + 4j\n"),
    )
    node_types = (ast.Constant,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Write another number."""
        assert isinstance(node, ast.Constant)
        if type(node.value) is float:
            yield source.edit(node, repr(_other(node.value)))
        elif type(node.value) is complex:
            yield source.edit(node, repr(complex(0, _other(node.value.imag))))


class BooleanFlipped(Operator):
    """``True`` is ``False``."""

    name = "boolean-flipped"
    family = "literal"
    description = "True becomes False, or the other way about."
    shared_with = ("cosmic-ray", "mutatest", "mutmut", "poodle", "PIT", "Stryker", "cargo-mutants")
    examples = (
        Example("y = True\n", "y = False\n"),
        Example("def f(x, *, k=False): pass\n", "def f(x, *, k=True): pass\n"),
        Example(
            "match x:\n    case [True, y]: pass\n", "match x:\n    case [False, y]: pass\n"
        ),
    )  # fmt: skip
    node_types = (ast.Constant, ast.MatchSingleton)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Write the other one."""
        assert isinstance(node, (ast.Constant, ast.MatchSingleton))
        if isinstance(node.value, bool):
            yield source.edit(node, repr(not node.value))


class NoneReplaced(Operator):
    """``None`` is ``True``."""

    name = "none-replaced"
    family = "literal"
    description = "None becomes True, except where something is compared with it."
    shared_with = ("mutatest",)
    examples = (
        Example("y = None\n", "y = True\n"),
        Example("def f(): return None\n", "def f(): return True\n"),
        Example("y = {k: None for k in f(None)}\n", "y = {k: True for k in f(None)}\n"),
        Example("y = {k: None for k in f(None)}\n", "y = {k: None for k in f(True)}\n"),
    )
    node_types = (ast.Constant,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Write something that is true, and counts as 1 where a number is wanted."""
        assert isinstance(node, ast.Constant)
        above = source.parent(node)
        # A cause can't be True; parts of slices and unions of types neither.
        if node.value is not None or isinstance(
            above, (ast.Compare, ast.arguments, ast.Raise, ast.Slice, ast.Subscript, ast.BinOp)
        ):
            return
        yield source.edit(node, "True")


class ContainerEmptied(Operator):
    """``[a, b]`` is ``[]``."""

    name = "container-emptied"
    family = "literal"
    description = "A list, tuple, set or dictionary is written without its items."
    shared_with = ("Stryker",)
    examples = (
        Example("y = [a, b]\n", "y = []\n"),
        Example("y = f((a, b), *[c], **{'k': d})\n", "y = f((), *[c], **{'k': d})\n"),
        Example("y = f((a, b), *[c], **{'k': d})\n", "y = f((a, b), *[c], **{})\n"),
        Example("y = a if c else{\n    b,  # one\n}\n", "y = a if c else set()\n"),
        Example("for x in a, b: pass\n", "for x in (): pass\n"),
    )
    node_types = _DISPLAYS

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Empty it where its length isn't part of how it is used."""
        assert isinstance(node, _DISPLAYS)
        if isinstance(node, ast.Dict):
            full = bool(node.values)
        else:
            full = bool(node.elts) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        if full and not _has_fixed_length(node, source):
            yield source.edit(node, _EMPTY[type(node)])


def _integer(value: int, like: str) -> str:
    """An integer, written in the base of another one."""
    return format(value, {"x": "#x", "o": "#o", "b": "#b"}.get(like[1:2].lower(), "d"))


def _other(value: float) -> float:
    if math.isinf(value):
        return 0.0
    return value + 1 if value + 1 != value else value * 2 if not math.isinf(value * 2) else 0.0


def _has_fixed_length(node: ast.expr, source: Source) -> bool:
    """Whether an empty one only crashes, or another operator takes care of it."""
    above = source.parent(node)
    if isinstance(node, ast.Tuple):
        # Several keys or results; what % formats; exceptions, which are dropped one by one.
        if isinstance(above, (ast.Return, ast.Yield, ast.Subscript, ast.ExceptHandler, ast.Lambda)):
            return True
        if isinstance(above, ast.BinOp) and isinstance(above.op, ast.Mod):
            return True
    if isinstance(above, ast.Assign):
        return any(isinstance(target, (ast.Tuple, ast.List)) for target in above.targets)
    return False


OPERATORS = (
    IntegerIncremented(),
    IntegerDecremented(),
    FloatChanged(),
    BooleanFlipped(),
    NoneReplaced(),
    ContainerEmptied(),
)
