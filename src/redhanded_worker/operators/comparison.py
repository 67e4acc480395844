"""Comparisons: boundaries moved, meanings negated, each operator of a chain by itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import ClassVar

from redhanded_worker.operators.base import Edit, Example, Operator, Source


class _Comparison(Operator):
    """Replaces comparison operators by a table."""

    family = "comparison"
    node_types = (ast.Compare,)
    table: ClassVar[Mapping[type[ast.cmpop], str]]

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace each operator of the chain that is in the table."""
        assert isinstance(node, ast.Compare)
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            other = self.table.get(type(operator))
            if other is not None:
                yield source.replace(*source.infix(left, right), other)
            left = right


class ComparisonBoundary(_Comparison):
    """``a < b`` is ``a <= b``."""

    name = "comparison-boundary"
    description = "The boundary of a comparison moves: < and <= by each other, > and >= likewise."
    shared_with = ("cosmic-ray", "mutatest", "mutmut", "mutpy", "poodle", "PIT", "Stryker")
    examples = (
        Example("y = a < b\n", "y = a <= b\n"),
        Example("y = 0 <= (a)>f(x >= 1)\n", "y = 0 < (a)>f(x >= 1)\n"),
        Example("y = 0 <= (a)>f(x >= 1)\n", "y = 0 <= (a)>=f(x >= 1)\n"),
    )
    table = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}


class ComparisonNegated(_Comparison):
    """``a < b`` is ``a >= b``."""

    name = "comparison-negated"
    description = "A comparison is negated: == and != by each other, < and >=, > and <=."
    shared_with = (
        "cosmic-ray", "mutatest", "mutmut", "mutpy", "poodle", "PIT", "Stryker", "cargo-mutants",
    )  # fmt: skip
    examples = (
        Example("y = a == b\n", "y = a != b\n"),
        Example("y = 0 < a <= b\n", "y = 0 >= a <= b\n"),
        Example("y = 0 < a <= b\n", "y = 0 < a > b\n"),
        Example("y = (a  # ==\n     !=b)\n", "y = (a  # ==\n     ==b)\n"),
    )
    table = {
        ast.Eq: "!=",
        ast.NotEq: "==",
        ast.Lt: ">=",
        ast.LtE: ">",
        ast.Gt: "<=",
        ast.GtE: "<",
    }


class MembershipNegated(_Comparison):
    """``a in b`` is ``a not in b``."""

    name = "membership-negated"
    description = "A membership test is negated: in and not in by each other."
    shared_with = ("cosmic-ray", "mutatest", "mutmut", "mutpy", "poodle")
    examples = (
        Example("y = a in b\n", "y = a not in b\n"),
        Example("y = (a)not  in(b)\n", "y = (a)in(b)\n"),
        Example("y = [x for x in xs if x in ys]\n", "y = [x for x in xs if x not in ys]\n"),
    )
    table = {ast.In: "not in", ast.NotIn: "in"}


class IdentityNegated(_Comparison):
    """``a is b`` is ``a is not b``."""

    name = "identity-negated"
    description = "An identity test is negated: is and is not by each other."
    shared_with = ("cosmic-ray", "mutatest", "mutmut", "poodle")
    examples = (
        Example("y = a is None\n", "y = a is not None\n"),
        Example("y = (a)is  not(b)\n", "y = (a)is(b)\n"),
    )
    table = {ast.Is: "is not", ast.IsNot: "is"}


OPERATORS = (
    ComparisonBoundary(),
    ComparisonNegated(),
    MembershipNegated(),
    IdentityNegated(),
)
