"""Arithmetic and bitwise operators, plain and augmented, and signs.

Left alone is what can only crash: sums of strings or lists, string formatting with ``%``, unions
of types.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from redhanded_worker.operators.base import Edit, Example, Operator, Source

_ARITHMETIC: Mapping[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "/",
    ast.Div: "*",
    ast.FloorDiv: "/",
    ast.Mod: "//",
    ast.Pow: "*",
    ast.MatMult: "*",
}
_BITWISE: Mapping[type[ast.operator], str] = {
    ast.BitAnd: "|",
    ast.BitOr: "&",
    ast.BitXor: "&",
    ast.LShift: ">>",
    ast.RShift: "<<",
}

_DISPLAYS = (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp)
_MAKE_SEQUENCES = frozenset({"str", "repr", "bytes", "list", "tuple", "sorted", "format", "ascii"})
_TYPES = frozenset({
    "int", "float", "complex", "bool", "str", "bytes", "bytearray", "list", "dict", "set",
    "frozenset", "tuple", "type", "object", "None",
})  # fmt: skip


class ArithmeticOperator(Operator):
    """``a + b`` is ``a - b``."""

    name = "arithmetic-operator"
    family = "arithmetic"
    description = (
        "An arithmetic operator is replaced: + and - by each other, * and / by each other, "
        "// by /, % by //, ** and @ by *."
    )
    shared_with = (
        "cosmic-ray", "mutatest", "mutmut", "mutpy", "poodle", "PIT", "Stryker", "cargo-mutants",
    )  # fmt: skip
    examples = (
        Example("y = a + b\n", "y = a - b\n"),
        Example("y = (a)//(b)\n", "y = (a)/(b)\n"),
        Example("y = a % b ** c\n", "y = a % b * c\n"),
        Example("y = f(\n    a  # +\n    - (b)\n)\n", "y = f(\n    a  # +\n    + (b)\n)\n"),
    )
    node_types = (ast.BinOp,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the operator."""
        assert isinstance(node, ast.BinOp)
        other = _ARITHMETIC.get(type(node.op))
        if other is not None and not _is_of_sequences(node, source):
            yield Edit(*source.infix(node.left, node.right), other)


class BitwiseOperator(Operator):
    """``a & b`` is ``a | b``."""

    name = "bitwise-operator"
    family = "arithmetic"
    description = (
        "A bitwise operator is replaced: & and | by each other, ^ by &, << and >> by each other."
    )
    shared_with = (
        "cosmic-ray", "mutatest", "mutmut", "mutpy", "poodle", "PIT", "cargo-mutants",
    )  # fmt: skip
    examples = (
        Example("y = a & b\n", "y = a | b\n"),
        Example("y = a << (b ^ c)\n", "y = a >> (b ^ c)\n"),
        Example("y = a << (b ^ c)\n", "y = a << (b & c)\n"),
    )
    node_types = (ast.BinOp,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the operator, unless it makes a union of types."""
        assert isinstance(node, ast.BinOp)
        other = _BITWISE.get(type(node.op))
        if other is None or (isinstance(node.op, ast.BitOr) and _is_union(node, source)):
            return
        yield Edit(*source.infix(node.left, node.right), other)


class AugmentedOperator(Operator):
    """``x += y`` is ``x -= y``."""

    name = "augmented-operator"
    family = "arithmetic"
    description = "The operator of an augmented assignment is replaced, as it is between operands."
    shared_with = ("cosmic-ray", "mutatest", "mutmut", "mutpy", "poodle", "PIT", "Stryker")
    examples = (
        Example("x += y\n", "x -= y\n"),
        Example("d[i]  **= (\n    k)\n", "d[i]  *= (\n    k)\n"),
        Example("x <<= 1; y |= 1\n", "x <<= 1; y &= 1\n"),
    )
    node_types = (ast.AugAssign,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the operator."""
        assert isinstance(node, ast.AugAssign)
        other = _ARITHMETIC.get(type(node.op)) or _BITWISE.get(type(node.op))
        if other is not None and not (
            isinstance(node.op, (ast.Add, ast.Mod)) and _is_sequence(node.value)
        ):
            yield Edit(*source.infix(node.target, node.value), f"{other}=")


class AugmentedToPlain(Operator):
    """``x += y`` is ``x = y``."""

    name = "augmented-to-plain"
    family = "arithmetic"
    description = "An augmented assignment becomes a plain one: what was there is forgotten."
    shared_with = ("mutmut", "poodle")
    examples = (
        Example("x += y\n", "x = y\n"),
        Example("self.text \\\n    += 'a' 'b'\n", "self.text \\\n    = 'a' 'b'\n"),
    )
    node_types = (ast.AugAssign,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the operator."""
        assert isinstance(node, ast.AugAssign)
        yield Edit(*source.infix(node.target, node.value), "=")


class UnarySign(Operator):
    """``-x`` is ``x``."""

    name = "unary-sign"
    family = "arithmetic"
    description = "A sign is changed: -x and ~x become x, +x becomes -x."
    shared_with = ("cosmic-ray", "mutmut", "mutpy", "poodle", "PIT", "Stryker", "cargo-mutants")
    examples = (
        Example("y = -x\n", "y = x\n"),
        Example("def f(x): return-x\n", "def f(x): return x\n"),
        Example("y = a - (- (b))\n", "y = a - ((b))\n"),
        Example("y = ~x & +z\n", "y = x & +z\n"),
        Example("y = ~x & +z\n", "y = ~x & -z\n"),
    )
    node_types = (ast.UnaryOp,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Drop the sign, or turn it."""
        assert isinstance(node, ast.UnaryOp)
        above = source.parent(node)
        if isinstance(node.op, ast.Not) or (
            # Of two equal signs, dropping the one or the other is the same.
            isinstance(above, ast.UnaryOp) and type(above.op) is type(node.op)
        ):
            return
        start, _ = source.span(node)
        if isinstance(node.op, ast.UAdd):
            yield Edit(start, start + 1, "-")
        else:
            yield source.replace(start, source.outer_span(node.operand)[0], "")


def _is_of_sequences(node: ast.BinOp, source: Source) -> bool:
    """Whether the operator is one of strings, bytes, lists or tuples: another one only crashes."""
    if isinstance(node.op, ast.Mod):
        return _is_sequence(node.left)
    if isinstance(node.op, ast.Mult):
        return _is_sequence(node.left) or _is_sequence(node.right)
    if not isinstance(node.op, ast.Add):
        return False
    sums: ast.BinOp = node
    above = source.parent(sums)
    while isinstance(above, ast.BinOp) and isinstance(above.op, ast.Add):
        sums, above = above, source.parent(above)
    return _is_sequence(sums)


def _is_sequence(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (str, bytes))
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Mod):
            return _is_sequence(node.left)
        if isinstance(node.op, (ast.Add, ast.Mult)):
            return _is_sequence(node.left) or _is_sequence(node.right)
        return False
    if isinstance(node, ast.Call):
        function = node.func
        if isinstance(function, ast.Attribute):
            return function.attr in ("join", "format")
        return isinstance(function, ast.Name) and function.id in _MAKE_SEQUENCES
    return isinstance(node, _DISPLAYS)


def _is_union(node: ast.BinOp, source: Source) -> bool:
    """Whether ``|`` stands between types, as in ``isinstance(x, int | None)``."""
    union: ast.BinOp = node
    above = source.parent(union)
    while isinstance(above, ast.BinOp) and isinstance(above.op, ast.BitOr):
        union, above = above, source.parent(above)
    return any(
        (isinstance(part, ast.Name) and part.id in _TYPES)
        or (isinstance(part, ast.Constant) and part.value is None)
        for part in _united(union)
    )


def _united(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield from _united(node.left)
        yield from _united(node.right)
    else:
        yield node


OPERATORS = (
    ArithmeticOperator(),
    BitwiseOperator(),
    AugmentedOperator(),
    AugmentedToPlain(),
    UnarySign(),
)
