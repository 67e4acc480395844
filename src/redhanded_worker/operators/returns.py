"""Returned values that are lost or turned into their opposite."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from redhanded_worker.operators._shared import last_name
from redhanded_worker.operators.base import Edit, Example, Operator, Source

_CHECKS = frozenset({
    "isinstance", "issubclass", "callable", "hasattr", "bool", "startswith", "endswith",
    "isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower", "isidentifier", "isclose",
    "isnan", "isinf", "exists", "isfile", "isdir", "is_file", "is_dir", "is_relative_to",
    "issubset", "issuperset", "isdisjoint",
})  # fmt: skip


class ReturnNone(Operator):
    """``return x`` returns nothing."""

    name = "return-none"
    family = "returns"
    description = "A function returns None in place of a value."
    shared_with = ("PIT",)
    examples = (
        Example("def f(x):\n    return x + 1\n", "def f(x):\n    return None\n"),
        Example("def f(x):\n    return(\n        x)\n", "def f(x):\n    return(\n        None)\n"),
        Example("def f(x):\n    return x, 1  # both\n", "def f(x):\n    return None  # both\n"),
    )
    node_types = (ast.Return,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the value, unless it means about the same."""
        assert isinstance(node, ast.Return)
        if node.value is not None and not _is_like_none(node.value):
            yield source.edit(node.value, "None")


class LambdaNone(Operator):
    """``lambda: x`` returns nothing."""

    name = "lambda-none"
    family = "returns"
    description = "A lambda returns None in place of its value."
    shared_with = ("mutmut",)
    examples = (
        Example("f = lambda x: x + 1\n", "f = lambda x: None\n"),
        Example("xs.sort(key=lambda x: (x[0], -x[1]))\n", "xs.sort(key=lambda x: None)\n"),
    )
    node_types = (ast.Lambda,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the body, unless it means about the same."""
        assert isinstance(node, ast.Lambda)
        if not _is_like_none(node.body):
            yield source.edit(node.body, "None")


class ReturnedCheckNegated(Operator):
    """``return isinstance(x, C)`` is the opposite."""

    name = "returned-check-negated"
    family = "returns"
    description = "The result of a yes-or-no call, such as isinstance or startswith, is negated."
    shared_with = ()
    examples = (
        Example(
            "def f(x):\n    return isinstance(x, int)\n",
            "def f(x):\n    return not isinstance(x, int)\n",
        ),
        Example(
            "def f(s):\n    return(s.startswith('a'))\n",
            "def f(s):\n    return(not s.startswith('a'))\n",
        ),
    )
    node_types = (ast.Return,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Put a ``not`` before the call."""
        assert isinstance(node, ast.Return)
        if isinstance(node.value, ast.Call) and last_name(node.value.func) in _CHECKS:
            start, _ = source.span(node.value)
            yield Edit(start, start, "not ")


def _is_like_none(value: ast.expr) -> bool:
    """``None``, ``NotImplemented``, and what is mutated to as little as a literal."""
    if isinstance(value, (ast.List, ast.Set)):
        return bool(value.elts)
    if isinstance(value, ast.Dict):
        return bool(value.values)
    if isinstance(value, ast.Name):
        return value.id == "NotImplemented"
    return isinstance(value, ast.Constant) and isinstance(value.value, (bool, type(None)))


OPERATORS: tuple[Operator, ...] = (ReturnNone(), LambdaNone(), ReturnedCheckNegated())
