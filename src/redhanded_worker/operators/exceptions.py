"""Exceptions: handlers that catch too much or nothing, and the wrong exception raised.

Not here, because hardly any test is meant to notice: the cause of ``raise ... from``. A handler
body replaced by ``raise`` is the handler that matches nothing, but for what it does before.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from redhanded_worker.operators._shared import (
    dotted,
    is_stub_raise,
    last_name,
    token_after,
    token_before,
)
from redhanded_worker.operators.base import Edit, Example, Operator, Source

_WIDEST = frozenset({"Exception", "BaseException", "ExceptionGroup", "BaseExceptionGroup"})

# Raised where RuntimeError is what is expected, so that a test can tell.
_RUNTIME_ERRORS = frozenset({"RuntimeError", "NotImplementedError", "RecursionError"})


class HandlerWidened(Operator):
    """``except E`` catches everything."""

    name = "handler-widened"
    family = "exceptions"
    description = "A handler catches any Exception instead of the ones that it names."
    shared_with = ()
    examples = (
        Example("try: f()\nexcept KeyError: g()\n", "try: f()\nexcept Exception: g()\n"),
        Example(
            "try:\n    f()\nexcept (\n    A, B\n) as e:\n    g(e)\n",
            "try:\n    f()\nexcept Exception as e:\n    g(e)\n",
        ),
    )
    node_types = (ast.ExceptHandler,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the type, unless it is as wide already."""
        assert isinstance(node, ast.ExceptHandler)
        if node.type is None or last_name(node.type) in _WIDEST or _changes_nothing(node, source):
            return
        yield source.edit(node.type, "Exception")


class HandlerUnmatched(Operator):
    """``except E`` catches nothing."""

    name = "handler-unmatched"
    family = "exceptions"
    description = "A handler matches nothing: its type becomes the empty tuple."
    shared_with = ("cosmic-ray",)
    examples = (
        Example("try: f()\nexcept KeyError: g()\n", "try: f()\nexcept (): g()\n"),
        Example(
            "try:\n    f()\nexcept OSError as e:\n    g(e)\n",
            "try:\n    f()\nexcept () as e:\n    g(e)\n",
        ),
        Example("try: f()\nexcept:  # any\n    g()\n", "try: f()\nexcept ():  # any\n    g()\n"),
    )
    node_types = (ast.ExceptHandler,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the type; a tuple loses its members one by one instead."""
        assert isinstance(node, ast.ExceptHandler)
        if _changes_nothing(node, source):
            return
        if node.type is None:
            start, _ = source.span(node)
            yield Edit(start + len("except"), start + len("except"), " ()")
        elif not isinstance(node.type, ast.Tuple):
            yield source.edit(node.type, "()")


class HandlerTypeDropped(Operator):
    """``except (A, B)`` doesn't catch ``A``."""

    name = "handler-type-dropped"
    family = "exceptions"
    description = "A handler of several exceptions doesn't catch one of them."
    shared_with = ("cosmic-ray",)
    examples = (
        Example("try: f()\nexcept (A, B): g()\n", "try: f()\nexcept (B): g()\n"),
        Example("try: f()\nexcept (A, (B), C): g()\n", "try: f()\nexcept (A, C): g()\n"),
        Example(
            "try: f()\nexcept (\n    A,  # one\n    m.B,  # two\n): g()\n",
            "try: f()\nexcept (\n    A,  # one\n      # two\n): g()\n",
        ),
    )
    node_types = (ast.ExceptHandler,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Remove each member of a tuple of at least two."""
        assert isinstance(node, ast.ExceptHandler)
        if not isinstance(node.type, ast.Tuple) or _changes_nothing(node, source):
            return
        types = node.type.elts
        if len(types) < 2:
            return
        for index, member in enumerate(types):
            start, end = source.outer_span(member)
            if index < len(types) - 1:
                following, _ = source.outer_span(types[index + 1])
                yield Edit(start, following, "")
            else:
                comma = token_after(source, end, ",", source.span(node.type)[1])
                if comma is not None:
                    yield Edit(start, comma + 1, "")
                else:
                    limit = source.span(types[index - 1])[1]
                    yield Edit(token_before(source, start, ",", limit) or start, end, "")


class RaisedType(Operator):
    """``raise E`` raises something else."""

    name = "raised-type"
    family = "exceptions"
    description = (
        "Another exception is raised: RuntimeError, or ValueError in place of a RuntimeError."
    )
    shared_with = ()
    examples = (
        Example(
            "def f(x):\n    raise ValueError(x)\n", "def f(x):\n    raise RuntimeError(x)\n"
        ),
        Example(
            "def f(x):\n    raise errors.Bad(x, code=1) from x\n",
            "def f(x):\n    raise RuntimeError() from x\n",
        ),
        Example("def f():\n    if g(): raise KeyError\n    raise\n",
                "def f():\n    if g(): raise RuntimeError\n    raise\n"),
        Example("def f(x):\n    raise RuntimeError(x)\n", "def f(x):\n    raise ValueError(x)\n"),
    )  # fmt: skip
    node_types = (ast.Raise,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the class that is raised or called, where a class is what it looks like."""
        assert isinstance(node, ast.Raise)
        raised = node.exc
        kind = raised.func if isinstance(raised, ast.Call) else raised
        name = last_name(kind)
        if kind is None or name is None or not name[:1].isupper() or dotted(kind) is None:
            return
        if is_stub_raise(node, source):
            return
        other = "ValueError" if name in _RUNTIME_ERRORS else "RuntimeError"
        if isinstance(raised, ast.Call) and raised.keywords:
            # The other class takes no keyword arguments.
            yield source.edit(raised, f"{other}()")
        else:
            yield source.edit(kind, other)


def _changes_nothing(handler: ast.ExceptHandler, source: Source) -> bool:
    """Whether it makes no difference what the handler matches.

    It only raises again what it caught, or it waits for an import to fail that doesn't.
    """
    body = handler.body
    if len(body) == 1 and isinstance(body[0], ast.Raise) and body[0].exc is None:
        return True
    statement = source.parent(handler)
    guarded = getattr(statement, "body", [])
    return all(isinstance(each, (ast.Import, ast.ImportFrom)) for each in guarded)


OPERATORS = (HandlerWidened(), HandlerUnmatched(), HandlerTypeDropped(), RaisedType())
