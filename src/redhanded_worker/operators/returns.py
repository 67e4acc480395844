"""Results: what a function returns or yields is not there.

Constants are mutated as the literals that they are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from redhanded_worker.operators.base import Edit, Example, Operator, Source


class ReturnNone(Operator):
    """``return x`` is ``return None``."""

    name = "return-none"
    family = "returns"
    description = "A function returns None."
    shared_with = ("poodle", "PIT")
    examples = (
        Example("def f(x): return x\n", "def f(x): return None\n"),
        Example("def f(x): return(x)\n", "def f(x): return(None)\n"),
        Example("def f(x): return(x), *x\n", "def f(x): return None\n"),
        Example(
            "def f(x):\n    return (  # all\n        x + 1\n    )\n",
            "def f(x):\n    return (  # all\n        None\n    )\n",
        ),
    )
    node_types = (ast.Return,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the value."""
        assert isinstance(node, ast.Return)
        if node.value is not None and not _is_constant(node.value):
            yield source.edit(node.value, "None")


class LambdaNone(Operator):
    """``lambda x: y`` is ``lambda x: None``."""

    name = "lambda-none"
    family = "returns"
    description = "A lambda returns None."
    shared_with = ("mutmut", "poodle")
    examples = (
        Example("f = lambda x: x + 1\n", "f = lambda x: None\n"),
        Example("f = [lambda:(x), lambda: 0]\n", "f = [lambda:(None), lambda: 0]\n"),
    )
    node_types = (ast.Lambda,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the body."""
        assert isinstance(node, ast.Lambda)
        if not _is_constant(node.body):
            yield source.edit(node.body, "None")


class YieldNone(Operator):
    """``yield x`` is ``yield None``."""

    name = "yield-none"
    family = "returns"
    description = "A generator yields None."
    shared_with = ()
    examples = (
        Example("def f(x): yield x\n", "def f(x): yield None\n"),
        Example("def f(x): y = yield(x),\n", "def f(x): y = yield None\n"),
    )
    node_types = (ast.Yield,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the value."""
        assert isinstance(node, ast.Yield)
        if node.value is not None and not _is_constant(node.value):
            yield source.edit(node.value, "None")


def _is_constant(value: ast.expr) -> bool:
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, (ast.USub, ast.UAdd)):
        value = value.operand
    return isinstance(value, ast.Constant)


OPERATORS = (ReturnNone(), LambdaNone(), YieldNone())
