"""Slices and indices: bounds left out, bounds and indices off by one.

Bounds and indices that are literals, or sums with one, are off by one already where integer
literals are mutated.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from redhanded_worker.operators._shared import token_after
from redhanded_worker.operators.base import Edit, Example, Operator, Source

# What people call positions. Any other name may as well be a key.
_POSITIONS = frozenset({
    "i", "j", "n", "m", "p", "pos", "position", "idx", "index", "indices", "ix", "at", "offset",
    "start", "stop", "end", "begin", "lo", "low", "hi", "high", "mid", "middle", "left", "right",
    "cursor", "lower", "upper", "row", "col", "column", "depth", "length", "size",
})  # fmt: skip

_TIGHT = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult)


class SliceBoundDropped(Operator):
    """``xs[a:b]`` has no lower, or no upper, bound."""

    name = "slice-bound-dropped"
    family = "slices"
    description = "A slice loses its lower or its upper bound."
    shared_with = ("mutatest", "mutpy")
    examples = (
        Example("y = xs[a:b]\n", "y = xs[:b]\n"),
        Example("y = xs[a:b]\n", "y = xs[a:]\n"),
        Example("y = xs[(a) : f(b)[1:2] : c]\n", "y = xs[(a) : : c]\n"),
        Example("y = xs[2:]\n", "y = xs[:]\n"),
    )
    node_types = (ast.Slice,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Remove each bound that makes a difference beside what literals are mutated to."""
        assert isinstance(node, ast.Slice)
        start, end = source.span(node)
        first, second = _colons(node, source)
        if node.lower is not None and _integer(node.lower) not in (0, 1):
            yield Edit(start, first, "")
        if node.upper is not None:
            after = source.text[first + 1 : source.span(node.upper)[0]]
            keep = " " if second is not None and after.startswith(" ") else ""
            yield Edit(first + 1, end if second is None else second, keep)


class SliceStepDropped(Operator):
    """``xs[a:b:c]`` takes every item."""

    name = "slice-step-dropped"
    family = "slices"
    description = "A slice loses its step."
    shared_with = ("mutpy",)
    examples = (
        Example("y = xs[a:b:c]\n", "y = xs[a:b]\n"),
        Example("y = xs[::f(n)], 1\n", "y = xs[:], 1\n"),
        Example("y = xs[: (n) : (c)]\n", "y = xs[: (n)]\n"),
    )
    node_types = (ast.Slice,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Remove the step, unless a mutated literal makes it 1 already."""
        assert isinstance(node, ast.Slice)
        _, second = _colons(node, source)
        if second is None or node.step is None or _integer(node.step) in (-1, 1, 2):
            return
        before = source.text[:second]
        yield Edit(len(before.rstrip(" ")), source.span(node)[1], "")


class SliceBoundShifted(Operator):
    """``xs[a:b]`` begins one later or ends one earlier."""

    name = "slice-bound-shifted"
    family = "slices"
    description = "A slice begins one item later, or ends one item earlier."
    shared_with = ()
    examples = (
        Example("y = xs[a:b]\n", "y = xs[a + 1:b]\n"),
        Example("y = xs[a:b]\n", "y = xs[a:b - 1]\n"),
        Example("y = xs[: (n or m)]\n", "y = xs[: ((n or m) - 1)]\n"),
        Example("y = xs[n // 2:]\n", "y = xs[n // 2 + 1:]\n"),
    )
    node_types = (ast.Slice,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Shift each bound that isn't shifted as a literal."""
        assert isinstance(node, ast.Slice)
        if node.lower is not None and not _has_integer(node.lower):
            yield source.edit(node.lower, _plus(node.lower, "+ 1", source))
        if node.upper is not None and not _has_integer(node.upper):
            yield source.edit(node.upper, _plus(node.upper, "- 1", source))


class IndexShifted(Operator):
    """``xs[i]`` is the next item."""

    name = "index-shifted"
    family = "slices"
    description = "An index is off by one: a name for a position, plus 1."
    shared_with = ()
    examples = (
        Example("y = xs[i]\n", "y = xs[i + 1]\n"),
        Example("xs[(self.pos)], n = f(), xs[0]\n", "xs[(self.pos + 1)], n = f(), xs[0]\n"),
        Example("y = xs[start_index]\n", "y = xs[start_index + 1]\n"),
    )
    node_types = (ast.Subscript,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Shift an index that is named like one; any other may be a key."""
        assert isinstance(node, ast.Subscript)
        index = node.slice
        if isinstance(index, ast.Name):
            name = index.id
        elif isinstance(index, ast.Attribute):
            name = index.attr
        else:
            return
        if name.lower().strip("_").rsplit("_", 1)[-1] in _POSITIONS:
            yield source.edit(index, f"{source.text_of(index)} + 1")


def _colons(node: ast.Slice, source: Source) -> tuple[int, int | None]:
    """Where the slice's colons are; the second one may be missing."""
    start, end = source.span(node)
    after_lower = start if node.lower is None else source.span(node.lower)[1]
    first = token_after(source, after_lower, ":", end)
    assert first is not None
    after_upper = first + 1 if node.upper is None else source.span(node.upper)[1]
    return first, token_after(source, after_upper, ":", end)


def _integer(node: ast.expr) -> int | None:
    """The value of an integer literal, signed or not."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _integer(node.operand)
        return None if value is None else -value
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return None


def _has_integer(node: ast.expr) -> bool:
    """Whether mutating an integer literal shifts the value by one."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        return _has_integer(node.left) or _has_integer(node.right)
    return isinstance(node, ast.Constant) or _integer(node) is not None


def _plus(node: ast.expr, change: str, source: Source) -> str:
    text = source.text_of(node)
    loose = not isinstance(
        node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.UnaryOp, ast.BinOp)
    )
    if isinstance(node, ast.BinOp) and not isinstance(node.op, _TIGHT):
        loose = True
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        loose = True
    return f"({text}) {change}" if loose else f"{text} {change}"


OPERATORS = (SliceBoundDropped(), SliceStepDropped(), SliceBoundShifted(), IndexShifted())
