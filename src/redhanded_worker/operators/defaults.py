"""Defaults of parameters.

Numbers, booleans, strings and displays are mutated as the literals that they are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from redhanded_worker.operators.base import Edit, Example, Operator, Source

_LITERALS = (ast.Constant, ast.UnaryOp, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.JoinedStr)


class DefaultNoneReplaced(Operator):
    """``def f(x=None)`` is ``def f(x=True)``."""

    name = "default-none-replaced"
    family = "defaults"
    description = "A parameter that is None by default is True by default."
    shared_with = ("mutatest",)
    examples = (
        Example("def f(x=None): pass\n", "def f(x=True): pass\n"),
        Example("f = lambda x, *, y=None, k=(None): x\n", "f = lambda x, *, y=True, k=(None): x\n"),
        Example("f = lambda x, *, y=None, k=(None): x\n", "f = lambda x, *, y=None, k=(True): x\n"),
    )
    node_types = (ast.arguments,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace each such default."""
        for default in _defaults(node):
            if isinstance(default, ast.Constant) and default.value is None:
                yield source.edit(default, "True")


class DefaultToNone(Operator):
    """``def f(x=y)`` is ``def f(x=None)``."""

    name = "default-to-none"
    family = "defaults"
    description = "A default that is no literal becomes None."
    shared_with = ()
    examples = (
        Example("def f(x=y): pass\n", "def f(x=None): pass\n"),
        Example(
            "async def f(a, x=(y), *, k: int = g(\n    1)): pass\n",
            "async def f(a, x=(y), *, k: int = None): pass\n",
        ),
    )
    node_types = (ast.arguments,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace each such default."""
        for default in _defaults(node):
            if not isinstance(default, _LITERALS):
                yield source.edit(default, "None")


def _defaults(node: ast.AST) -> Iterator[ast.expr]:
    assert isinstance(node, ast.arguments)
    yield from node.defaults
    yield from (default for default in node.kw_defaults if default is not None)


OPERATORS = (DefaultNoneReplaced(), DefaultToNone())
