"""Arithmetic: operators replaced by their counterpart, signs lost.

Where an operand is seen to be a text or another sequence, numbers' operators can only crash, and
nothing is changed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from redhanded_worker.operators._shared import last_name
from redhanded_worker.operators.base import Edit, Example, Operator, Source

_Swaps = Mapping[type[ast.operator], tuple[str, type[ast.operator]]]

_ARITHMETIC: _Swaps = {
    ast.Add: ("-", ast.Sub),
    ast.Sub: ("+", ast.Add),
    ast.Mult: ("/", ast.Div),
    ast.Div: ("*", ast.Mult),
    ast.FloorDiv: ("/", ast.Div),
    ast.Mod: ("*", ast.Mult),
    ast.Pow: ("*", ast.Mult),
}
_BITWISE: _Swaps = {
    ast.LShift: (">>", ast.RShift),
    ast.RShift: ("<<", ast.LShift),
    ast.BitAnd: ("|", ast.BitOr),
    ast.BitOr: ("&", ast.BitAnd),
    ast.BitXor: ("&", ast.BitAnd),
}
_BINDING: Mapping[type[ast.operator], int] = {
    ast.BitOr: 1, ast.BitXor: 2, ast.BitAnd: 3, ast.LShift: 4, ast.RShift: 4, ast.Add: 5,
    ast.Sub: 5, ast.Mult: 6, ast.Div: 6, ast.FloorDiv: 6, ast.Mod: 6, ast.MatMult: 6, ast.Pow: 8,
}  # fmt: skip

_SEQUENCES = (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp, ast.Dict, ast.DictComp)
_SETS = (ast.Set, ast.SetComp)
_MAKE_SEQUENCES = frozenset({
    "str", "repr", "bytes", "chr", "hex", "list", "tuple", "sorted", "join", "format", "lower",
    "upper", "strip", "lstrip", "rstrip", "replace", "decode", "encode", "ljust", "rjust",
})  # fmt: skip


class ArithmeticOperator(Operator):
    """``a + b`` is ``a - b``."""

    name = "arithmetic-operator"
    family = "arithmetic"
    description = "An arithmetic operator is replaced by its counterpart: + by -, * by /, // by /."
    shared_with = ("mutmut", "cosmic-ray", "mutpy", "PIT", "Stryker", "cargo-mutants")
    examples = (
        Example("y = a + b * c\n", "y = a - b * c\n"),
        Example("y = a + b * c\n", "y = a + b / c\n"),
        Example("y = (a)//(b)  # //\n", "y = (a)/(b)  # //\n"),
        Example("y = (a  # -\n     - 1)\n", "y = (a  # -\n     + 1)\n"),
        Example("y = -a ** b\n", "y = -(a * b)\n"),
        Example("y = f(x ** 2)\n", "y = f(x * 2)\n"),
    )
    node_types = (ast.BinOp,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the operator of numbers."""
        assert isinstance(node, ast.BinOp)
        if _is_sequence(node) or _is_added_to_sequence(node, source):
            return
        if not isinstance(node.op, ast.Sub) or not _has_set(node):
            yield from _swapped(node, _ARITHMETIC, source)


class BitwiseOperator(Operator):
    """``a & b`` is ``a | b``."""

    name = "bitwise-operator"
    family = "arithmetic"
    description = "A bitwise operator is replaced by its counterpart: & by |, << by >>, ^ by &."
    shared_with = ("mutmut", "cosmic-ray", "mutpy", "PIT", "cargo-mutants")
    examples = (
        Example("y = a & b\n", "y = a | b\n"),
        Example("y = a | b ^ c\n", "y = a & (b ^ c)\n"),
        Example("y = a ^ b & c\n", "y = a ^ (b | c)\n"),
        Example("y = 1 << n\n", "y = 1 >> n\n"),
    )
    node_types = (ast.BinOp,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the operator, unless the two sides are dictionaries or types."""
        assert isinstance(node, ast.BinOp)
        if not any(_is_type_or_mapping(side) for side in (node.left, node.right)):
            yield from _swapped(node, _BITWISE, source)


class UnarySign(Operator):
    """``-x`` is ``x``."""

    name = "unary-sign"
    family = "arithmetic"
    description = "A sign is lost: -x and ~x become x, +x becomes -x."
    shared_with = ("cosmic-ray", "mutpy", "PIT", "Stryker", "cargo-mutants")
    examples = (
        Example("y = -x\n", "y = x\n"),
        Example("y = a - -(b + c)\n", "y = a - (b + c)\n"),
        Example("return_ = +x, ~x\n", "return_ = -x, ~x\n"),
        Example("return_ = +x, ~x\n", "return_ = +x, x\n"),
    )
    node_types = (ast.UnaryOp,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Drop the sign, or turn a plus, which does nothing, round."""
        assert isinstance(node, ast.UnaryOp)
        start, _ = source.span(node)
        parent = source.parent(node)
        if isinstance(parent, ast.UnaryOp) and type(parent.op) is type(node.op):
            # Of two like signs it makes no difference which one goes.
            return
        if isinstance(node.op, ast.UAdd):
            yield source.replace(start, start + 1, "-")
        elif isinstance(node.op, (ast.USub, ast.Invert)) and not _is_zero(node.operand):
            operand, _ = source.outer_span(node.operand)
            yield source.replace(start, operand, "")


class AugmentedOperator(Operator):
    """``x += y`` is ``x -= y``."""

    name = "augmented-operator"
    family = "arithmetic"
    description = (
        "The operator of an augmented assignment is replaced by its counterpart: += by -=."
    )
    shared_with = ("mutmut", "mutpy", "cargo-mutants", "Stryker")
    examples = (
        Example("x += 1\n", "x -= 1\n"),
        Example("d[k]//=(y)\n", "d[k]/=(y)\n"),
        Example("x |= a | b\n", "x &= a | b\n"),
    )
    node_types = (ast.AugAssign,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the operator, unless a sequence is what is added."""
        assert isinstance(node, ast.AugAssign)
        numeric = not _is_sequence(node.value) and not _is_set(node.value)
        swap = (_ARITHMETIC if numeric else {}).get(type(node.op))
        if swap is None and not isinstance(node.value, (ast.Dict, ast.DictComp)):
            swap = _BITWISE.get(type(node.op))
        if swap is not None:
            yield Edit(*source.infix(node.target, node.value), f"{swap[0]}=")


class AugmentedToPlain(Operator):
    """``text += "x"`` forgets what was there."""

    name = "augmented-to-plain"
    family = "arithmetic"
    description = "A sequence that is to be appended takes the place of what was there: += is =."
    shared_with = ("mutmut",)
    examples = (
        Example("s += 'x'\n", "s = 'x'\n"),
        Example("d[k] += [\n    f(k)\n]\n", "d[k] = [\n    f(k)\n]\n"),
    )
    node_types = (ast.AugAssign,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the operator where it can't become a minus."""
        assert isinstance(node, ast.AugAssign)
        if isinstance(node.op, ast.Add) and _is_sequence(node.value):
            yield Edit(*source.infix(node.target, node.value), "=")


def _swapped(node: ast.BinOp, swaps: _Swaps, source: Source) -> Iterator[Edit]:
    """Replace the operator, with parentheses where the new one would take other operands."""
    swap = swaps.get(type(node.op))
    if swap is None:
        return
    text, other = swap
    new, old = _BINDING[other], _BINDING[type(node.op)]
    start, end = source.infix(node.left, node.right)
    left_loose = new > old and _is_looser(node.left, new, source)
    right_loose = new > old and _is_looser(node.right, new + 1, source)
    whole_loose = new < old and _binds_tighter(node, new, source)
    if not (left_loose or right_loose or whole_loose):
        yield Edit(start, end, text)
        return
    first, last = source.span(node)
    left, right = source.text[first:start], source.text[end:last]
    if left_loose:
        stop = source.span(node.left)[1] - first
        left = f"({left[:stop]}){left[stop:]}"
    if right_loose:
        begin = source.span(node.right)[0] - end
        right = f"{right[:begin]}({right[begin:]})"
    changed = f"{left}{text}{right}"
    yield Edit(first, last, f"({changed})" if whole_loose else changed)


def _is_looser(operand: ast.expr, binding: int, source: Source) -> bool:
    """Whether the operand would come apart beside an operator that binds like this."""
    if not isinstance(operand, ast.BinOp) or source.outer_span(operand) != source.span(operand):
        return False
    return _BINDING[type(operand.op)] < binding


def _binds_tighter(node: ast.BinOp, binding: int, source: Source) -> bool:
    """Whether what is around the node would take one of its operands from it."""
    if source.outer_span(node) != source.span(node):
        return False
    parent = source.parent(node)
    if isinstance(parent, ast.UnaryOp):
        return not isinstance(parent.op, ast.Not)
    if not isinstance(parent, ast.BinOp):
        return False
    around = _BINDING[type(parent.op)]
    return around > binding or (around == binding and parent.right is node)


def _is_sequence(node: ast.expr) -> bool:
    """Whether the value is seen to be a text, a list or the like."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (str, bytes))
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, (ast.Add, ast.Mult, ast.Div)):
            return _is_sequence(node.left) or _is_sequence(node.right)
        return isinstance(node.op, ast.Mod) and _is_sequence(node.left)
    if isinstance(node, ast.Call):
        return last_name(node.func) in _MAKE_SEQUENCES or _is_method_of_text(node.func)
    return isinstance(node, _SEQUENCES)


def _is_method_of_text(function: ast.expr) -> bool:
    """``", ".join``, ``"{}".format``: the name behind a literal."""
    return (
        isinstance(function, ast.Attribute)
        and function.attr in _MAKE_SEQUENCES
        and _is_sequence(function.value)
    )


def _is_added_to_sequence(node: ast.BinOp, source: Source) -> bool:
    """``a + b`` in ``a + b + "c"``."""
    inner: ast.AST = node
    while isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Add):
        outer = source.parent(inner)
        if isinstance(outer, ast.BinOp) and isinstance(outer.op, ast.Add) and _is_sequence(outer):
            return True
        inner = outer if outer is not None else source.tree
    return False


def _is_set(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return last_name(node.func) in ("set", "frozenset", "keys")
    return isinstance(node, _SETS)


def _has_set(node: ast.BinOp) -> bool:
    return _is_set(node.left) or _is_set(node.right)


def _is_type_or_mapping(side: ast.expr) -> bool:
    """``None``, ``int`` or a dictionary, which know ``|`` and nothing like it."""
    if isinstance(side, ast.Constant):
        return side.value is None
    if isinstance(side, ast.Name):
        return side.id in ("str", "bytes", "int", "float", "bool", "list", "dict", "tuple", "set")
    return isinstance(side, (ast.Dict, ast.DictComp))


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


OPERATORS: tuple[Operator, ...] = (
    ArithmeticOperator(),
    BitwiseOperator(),
    UnarySign(),
    AugmentedOperator(),
    AugmentedToPlain(),
)
