"""Literals: numbers off by one, truth values turned round, None, containers emptied.

Texts are a family of their own. What is compared with ``sys.version_info`` and its like, and the
values of ``__slots__`` and its like, are left alone.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

from redhanded_worker.operators._places import beside_surroundings, is_metadata
from redhanded_worker.operators._shared import last_name
from redhanded_worker.operators.base import Edit, Example, Operator, Source

# Beyond this no test counts on the last digit, and int and str don't convert any more.
_LARGEST = 2**64

# Keywords that decide what people see in passing: no test is meant to look there.
_PASSING = frozenset({"stacklevel"})


class IntegerIncremented(Operator):
    """``3`` is ``4``."""

    name = "integer-incremented"
    family = "literal"
    description = "An integer literal is one greater, or one further below zero."
    shared_with = ("mutmut", "cosmic-ray", "mutpy")
    examples = (
        Example("y = x[0] + 9\n", "y = x[1] + 9\n"),
        Example("y = x[0] + 9\n", "y = x[0] + 10\n"),
        Example("y = 0xff if x else-1\n", "y = 0x100 if x else-1\n"),
        Example("y = 0xff if x else-1\n", "y = 0xff if x else-2\n"),
    )
    node_types = (ast.Constant,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the number, written in its own base."""
        value = _integer(node, source)
        if value is not None:
            yield source.edit(node, _written(value + 1, source.text_of(node)))


class IntegerDecremented(Operator):
    """``3`` is ``2``."""

    name = "integer-decremented"
    family = "literal"
    description = "An integer literal is one nearer to zero."
    shared_with = ("cosmic-ray", "mutpy")
    examples = (
        Example("y = x[1] + 9\n", "y = x[0] + 9\n"),
        Example("y = 0o10 if x else-2\n", "y = 0o7 if x else-2\n"),
        Example("y = 0o10 if x else-2\n", "y = 0o10 if x else-1\n"),
        Example("y = x[-1]\n", "y = x[0]\n"),
    )
    node_types = (ast.Constant,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the number; zero has its other neighbour already."""
        value = _integer(node, source)
        if not value:
            return
        parent = source.parent(node)
        negative = isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub)
        whole = parent if negative and parent is not None and value == 1 else node
        holder = source.parent(whole)
        if value == 1 and isinstance(holder, ast.Slice) and holder.step is whole:
            # A step of zero can only crash.
            return
        is_step = isinstance(holder, ast.AugAssign) and isinstance(holder.op, (ast.Add, ast.Sub))
        if value == 1 and is_step:
            # The same as when the statement is left out.
            return
        yield source.edit(whole, _written(value - 1, source.text_of(node)))


class FloatChanged(Operator):
    """``0.5`` is ``1.5``."""

    name = "float-changed"
    family = "literal"
    description = "A float literal is one greater."
    shared_with = ("mutmut", "cosmic-ray")
    examples = (
        Example("y = 0.5 * x\n", "y = 1.5 * x\n"),
        Example("y = 1e300 if x else .25\n", "y = 2e+300 if x else .25\n"),
        Example("y = 1e300 if x else .25\n", "y = 1e300 if x else 1.25\n"),
    )
    node_types = (ast.Constant,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the number; one too great to feel it is doubled."""
        assert isinstance(node, ast.Constant)
        value = node.value
        if not isinstance(value, float) or beside_surroundings(node, source):
            return
        other = value + 1.0 if value + 1.0 != value else value * 2
        if math.isfinite(other):
            yield source.edit(node, repr(other))


class TruthNegated(Operator):
    """``True`` is ``False``."""

    name = "truth-negated"
    family = "literal"
    description = "True becomes False, and False becomes True."
    shared_with = ("mutmut", "cosmic-ray", "Stryker", "PIT", "cargo-mutants")
    examples = (
        Example("y = f(True)\n", "y = f(False)\n"),
        Example("def f(x=False): return(True)\n", "def f(x=True): return(True)\n"),
    )
    node_types = (ast.Constant,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the word."""
        assert isinstance(node, ast.Constant)
        if isinstance(node.value, bool):
            yield source.edit(node, str(not node.value))


class NoneToValue(Operator):
    """``x = None`` is ``x = 1``."""

    name = "none-to-value"
    family = "literal"
    description = "None becomes a value that is true: 1."
    shared_with = ()
    examples = (
        Example("x = None\n", "x = 1\n"),
        Example("def f(x):\n    return(None)\n", "def f(x):\n    return(1)\n"),
        Example("y = x.get(k, None)if x else 0\n", "y = x.get(k, 1)if x else 0\n"),
    )
    node_types = (ast.Constant,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the word where it is a value; defaults of parameters are mutated as such."""
        assert isinstance(node, ast.Constant)
        if node.value is not None or _is_type(node, source) or is_metadata(node, source):
            return
        parent = source.parent(node)
        if isinstance(parent, (ast.Compare, ast.arguments, ast.Raise, ast.Slice, ast.Yield)):
            return
        if isinstance(parent, ast.Call) and last_name(parent.func) in ("__exit__", "type"):
            return
        yield source.edit(node, "1")


class ContainerEmptied(Operator):
    """``[a, b]`` is ``[]``."""

    name = "container-emptied"
    family = "literal"
    description = "A list, dictionary, set or tuple that is written out is empty."
    shared_with = ("Stryker",)
    examples = (
        Example("y = [a, b]\n", "y = []\n"),
        Example("y = f({\n    a: b,\n    **c,\n}, {d})\n", "y = f({}, {d})\n"),
        Example("y = f({a: b}, {d})\n", "y = f({a: b}, set())\n"),
        Example("y = x in(a, b)\n", "y = x in()\n"),
        Example("for x in a, b: f(x)\n", "for x in (): f(x)\n"),
    )
    node_types = (ast.List, ast.Dict, ast.Set, ast.Tuple)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the display, where something is left that can be used without it."""
        assert isinstance(node, (ast.List, ast.Dict, ast.Set, ast.Tuple))
        if isinstance(node, ast.Dict):
            empty, size = "{}", len(node.values)
        else:
            empty = {ast.List: "[]", ast.Set: "set()", ast.Tuple: "()"}[type(node)]
            size = len(node.elts)
        loaded = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        if not size or not loaded or _is_type(node, source) or is_metadata(node, source):
            return
        if beside_surroundings(node, source):
            return
        if isinstance(node, ast.Tuple) and _is_taken_apart(node, source):
            return
        yield source.edit(node, empty)


def _integer(node: ast.AST, source: Source) -> int | None:
    """The value, if it is an integer to be changed."""
    assert isinstance(node, ast.Constant)
    value = node.value
    if type(value) is not int or value > _LARGEST or beside_surroundings(node, source):
        return None
    parent = source.parent(node)
    if isinstance(parent, ast.keyword) and parent.arg in _PASSING:
        return None
    return value


def _written(value: int, like: str) -> str:
    prefix = like[:2].lower()
    if prefix == "0x":
        return hex(value)
    if prefix == "0o":
        return oct(value)
    return bin(value) if prefix == "0b" else str(value)


def _is_type(node: ast.AST, source: Source) -> bool:
    """Whether the node stands where types do: ``Callable[[int], None]``, ``int | None``."""
    inner: ast.AST = node
    for above in source.ancestors(node):
        if isinstance(above, ast.BinOp) and isinstance(above.op, ast.BitOr):
            return True
        if isinstance(above, ast.Subscript):
            return above.slice is inner
        if not isinstance(above, (ast.List, ast.Tuple)):
            return False
        inner = above
    return False


def _is_taken_apart(node: ast.Tuple, source: Source) -> bool:
    """Whether the tuple has to have its length, or loses as much when its statement does."""
    parent = source.parent(node)
    if isinstance(parent, ast.Assign):
        return any(isinstance(target, (ast.Tuple, ast.List)) for target in parent.targets)
    if isinstance(parent, ast.BinOp):
        return isinstance(parent.op, ast.Mod)
    if isinstance(parent, ast.Call) and last_name(parent.func) in ("append", "add", "put"):
        return True
    return isinstance(
        parent,
        (ast.Return, ast.Yield, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp,
         ast.GeneratorExp, ast.DictComp),
    )  # fmt: skip


OPERATORS: tuple[Operator, ...] = (
    IntegerIncremented(),
    IntegerDecremented(),
    FloatChanged(),
    TruthNegated(),
    NoneToValue(),
    ContainerEmptied(),
)
