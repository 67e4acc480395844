"""Comparisons: boundaries moved, and each comparison turned into its opposite."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from redhanded_worker.operators._places import beside_surroundings
from redhanded_worker.operators.base import Edit, Example, Operator, Source

_Swaps = Mapping[type[ast.cmpop], str]

_BOUNDARY: _Swaps = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}
_ORDER: _Swaps = {ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<"}
_EQUALITY: _Swaps = {ast.Eq: "!=", ast.NotEq: "=="}
_IDENTITY: _Swaps = {ast.Is: "is not", ast.IsNot: "is"}
_MEMBERSHIP: _Swaps = {ast.In: "not in", ast.NotIn: "in"}


class ComparisonBoundary(Operator):
    """``a < b`` is ``a <= b``."""

    name = "comparison-boundary"
    family = "comparison"
    description = "A comparison includes its boundary, or doesn't any more: < and <=, > and >=."
    shared_with = ("mutmut", "cosmic-ray", "mutpy", "PIT", "Stryker")
    examples = (
        Example("y = a < b\n", "y = a <= b\n"),
        Example("y = 0 <= a < b\n", "y = 0 < a < b\n"),
        Example("y = 0 <= a < b\n", "y = 0 <= a <= b\n"),
        Example("y = ((a)  # >\n     >(b))\n", "y = ((a)  # >\n     >=(b))\n"),
    )
    node_types = (ast.Compare,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace each operator of the chain."""
        assert isinstance(node, ast.Compare)
        yield from _swapped(node, _BOUNDARY, source)


class OrderNegated(Operator):
    """``a < b`` is ``a >= b``."""

    name = "order-negated"
    family = "comparison"
    description = "An order is turned into its opposite: < into >=, > into <=."
    shared_with = ("cosmic-ray", "mutpy", "PIT", "Stryker")
    examples = (
        Example("y = a < b\n", "y = a >= b\n"),
        Example("y = 0 <= a < b\n", "y = 0 > a < b\n"),
    )
    node_types = (ast.Compare,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace each operator of the chain."""
        assert isinstance(node, ast.Compare)
        yield from _negated(node, _ORDER, source)


class EqualityNegated(Operator):
    """``a == b`` is ``a != b``."""

    name = "equality-negated"
    family = "comparison"
    description = "An equality is turned into its opposite: == into !=, and != into ==."
    shared_with = ("mutmut", "cosmic-ray", "mutpy", "PIT", "Stryker", "cargo-mutants")
    examples = (
        Example("y = a == b\n", "y = a != b\n"),
        Example("y = (a)!=\\\n    b\n", "y = (a)==\\\n    b\n"),
    )
    node_types = (ast.Compare,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace each operator of the chain."""
        assert isinstance(node, ast.Compare)
        yield from _negated(node, _EQUALITY, source)


class IdentityNegated(Operator):
    """``a is b`` is ``a is not b``."""

    name = "identity-negated"
    family = "comparison"
    description = "An identity is turned into its opposite: is into is not, and back."
    shared_with = ("mutmut", "cosmic-ray", "mutpy")
    examples = (
        Example("y = a is None\n", "y = a is not None\n"),
        Example("y = (a)is  not(b)\n", "y = (a)is(b)\n"),
    )
    node_types = (ast.Compare,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace each operator of the chain."""
        assert isinstance(node, ast.Compare)
        yield from _negated(node, _IDENTITY, source)


class MembershipNegated(Operator):
    """``a in b`` is ``a not in b``."""

    name = "membership-negated"
    family = "comparison"
    description = "A membership is turned into its opposite: in into not in, and back."
    shared_with = ("mutmut", "cosmic-ray", "mutpy")
    examples = (
        Example("y = a in b\n", "y = a not in b\n"),
        Example("y = [a not in(b) for a in c]\n", "y = [a in(b) for a in c]\n"),
    )
    node_types = (ast.Compare,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace each operator of the chain."""
        assert isinstance(node, ast.Compare)
        yield from _negated(node, _MEMBERSHIP, source)


def _negated(node: ast.Compare, swaps: _Swaps, source: Source) -> Iterator[Edit]:
    """Negate, unless that is what leaving out the ``not`` before it does."""
    parent = source.parent(node)
    if len(node.ops) == 1 and isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
        return
    yield from _swapped(node, swaps, source)


def _swapped(node: ast.Compare, swaps: _Swaps, source: Source) -> Iterator[Edit]:
    operands = [node.left, *node.comparators]
    for index, operator in enumerate(node.ops):
        other = swaps.get(type(operator))
        if other is not None and not beside_surroundings(node, source):
            yield source.replace(*source.infix(operands[index], operands[index + 1]), other)


OPERATORS: tuple[Operator, ...] = (
    ComparisonBoundary(),
    OrderNegated(),
    EqualityNegated(),
    IdentityNegated(),
    MembershipNegated(),
)
