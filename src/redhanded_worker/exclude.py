"""What isn't meant to be mutated."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from typing import Final

from redhanded_worker.operators.base import Source

LOGGING: Final = "logging"
REPR: Final = "repr"
KINDS: Final = (LOGGING, REPR)
"""Kinds of places that can be left alone on request."""

_LOG_METHODS = frozenset(
    {"debug", "info", "warning", "warn", "error", "critical", "exception", "log", "fatal"}
)
_LOGGERS = frozenset({"log", "logger", "logging", "_log", "_logger", "LOG", "LOGGER"})
_ANNOTATIONS = frozenset({"annotation", "returns", "type_params", "bound", "default_value"})


class Excluded:
    """The places of one source that are left alone, as ids of nodes and spans of offsets."""

    def __init__(self, source: Source, families_off: Iterable[str] = ()) -> None:
        """Find them.

        Args:
            source: The text.
            families_off: Some of :data:`KINDS`.
        """
        self._source = source
        self._off = frozenset(families_off)
        self._ids: set[int] = set()
        self._spans: list[tuple[int, int]] = []
        for node in source.walk():
            self._look(node)

    def __contains__(self, node: ast.AST) -> bool:
        return id(node) in self._ids

    def touches(self, start: int, end: int) -> bool:
        """Does an edit of these offsets change what is left alone?"""
        return any(
            start < last and first < end or (start == end and first < start < last)
            for first, last in self._spans
        )

    def _leave(self, node: ast.AST) -> None:
        if hasattr(node, "lineno"):
            self._spans.append(self._source.span(node))
        for inner in ast.walk(node):
            self._ids.add(id(inner))

    def _look(self, node: ast.AST) -> None:
        for name, value in ast.iter_fields(node):
            if name in _ANNOTATIONS and value is not None:
                for each in value if isinstance(value, list) else [value]:
                    self._leave(each)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                if isinstance(first.value.value, str):
                    self._leave(first)
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and _names_all(node):
            self._leave(node)
        elif isinstance(node, ast.ImportFrom) and node.module == "__future__":
            self._leave(node)
        elif isinstance(node, ast.If) and _is_type_checking(node.test):
            self._leave(node.test)
            for statement in node.body:
                self._leave(statement)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            self._leave(node)  # a bare constant does nothing; `...` is a body
        elif isinstance(node, ast.JoinedStr) and sys.version_info < (3, 12):
            for value in node.values:
                for inner in ast.walk(value):
                    self._ids.add(id(inner))
        elif isinstance(node, ast.FunctionDef) and _is_overload(node):
            self._leave(node)
        if LOGGING in self._off and isinstance(node, ast.Expr) and _is_log_call(node.value):
            self._leave(node)
        if REPR in self._off and isinstance(node, ast.FunctionDef) and node.name == "__repr__":
            self._leave(node)


def _names_all(node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets)


def _is_type_checking(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
    return name == "TYPE_CHECKING"


def _is_overload(node: ast.FunctionDef) -> bool:
    for decorator in node.decorator_list:
        name = decorator.attr if isinstance(decorator, ast.Attribute) else ""
        if name == "overload" or getattr(decorator, "id", "") == "overload":
            return True
    return False


def _is_log_call(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr not in _LOG_METHODS:
        return False
    receiver = node.func.value
    name = receiver.attr if isinstance(receiver, ast.Attribute) else getattr(receiver, "id", "")
    return name in _LOGGERS
