"""Default values of parameters.

Numbers, truth values and texts are mutated as the literals that they are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from redhanded_worker.operators.base import Edit, Example, Operator, Source


class DefaultToNone(Operator):
    """``def f(x=y)`` has ``x=None``."""

    name = "default-to-none"
    family = "defaults"
    description = "The default of a parameter becomes None, unless it is a literal constant."
    shared_with = ()
    examples = (
        Example("def f(a, b=C): pass\n", "def f(a, b=None): pass\n"),
        Example("f = lambda a=(), *, k=1: a\n", "f = lambda a=None, *, k=1: a\n"),
        Example("def f(*, k: T = (\n    g())): pass\n", "def f(*, k: T = (\n    None)): pass\n"),
    )
    node_types = (ast.arguments,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace each default."""
        for value in _defaults(node):
            inner = value.operand if isinstance(value, ast.UnaryOp) else value
            if not isinstance(inner, ast.Constant):
                yield source.edit(value, "None")


class NoneDefaultToValue(Operator):
    """``def f(x=None)`` has ``x=1``."""

    name = "none-default-to-value"
    family = "defaults"
    description = "The default None of a parameter becomes a value that is true: 1."
    shared_with = ()
    examples = (
        Example("def f(a, b=None): pass\n", "def f(a, b=1): pass\n"),
        Example("def f(*, k: int = None): pass\n", "def f(*, k: int = 1): pass\n"),
    )
    node_types = (ast.arguments,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace each None; what is false would often do as well, as in ``x = x or []``."""
        for value in _defaults(node):
            if isinstance(value, ast.Constant) and value.value is None:
                yield source.edit(value, "1")


def _defaults(node: ast.AST) -> list[ast.expr]:
    assert isinstance(node, ast.arguments)
    return [each for each in (*node.defaults, *node.kw_defaults) if each is not None]


OPERATORS: tuple[Operator, ...] = (DefaultToNone(), NoneDefaultToValue())
