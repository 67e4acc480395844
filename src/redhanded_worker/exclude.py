"""What isn't meant to be mutated."""

from __future__ import annotations

import ast
import bisect
from collections.abc import Iterator
from typing import Final

from redhanded_worker.operators._shared import TYPING_FACTORIES, is_typing_value, last_name
from redhanded_worker.operators.base import TRUE_POSITIONS, Source

LOGGING: Final = "logging"
REPR: Final = "repr"
KINDS: Final = (LOGGING, REPR)
"""Kinds of places that can be left alone on request."""

_NEVER: Final = "never"
_UNPLACED: Final = "unplaced"
"""Left alone, too, and known by the node alone: its position is wrong."""

_LOG_METHODS = frozenset(
    {"debug", "info", "warning", "warn", "error", "critical", "exception", "log", "fatal"}
)
_LOGGERS = frozenset({"log", "logger", "logging", "getLogger", "get_logger"})
_ANNOTATIONS = ("annotation", "returns", "type_params")
# Their arguments only name things; a field of a named tuple or typed dictionary does more.
_NAMING = TYPING_FACTORIES - {"NamedTuple", "TypedDict", "cast"}
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_CONDITIONALS = (ast.If, ast.IfExp)


class Excluded:
    """The places of one source that are left alone, always or on request."""

    def __init__(self, source: Source) -> None:
        """Find them.

        Args:
            source: The text.
        """
        self._source = source
        self._kinds: dict[int, str] = {}
        self._spans: list[tuple[int, int]] = []
        for node in source.walk():
            for kind, left in _left_alone(node):
                self._leave(left, kind)
        self._spans.sort()

    def __contains__(self, node: ast.AST) -> bool:
        """Is a node always left alone?"""
        return self._kinds.get(id(node)) in (_NEVER, _UNPLACED)

    def kind_of(self, node: ast.AST) -> str | None:
        """The kind of place that a node is in, if it is one of :data:`KINDS`."""
        kind = self._kinds.get(id(node))
        return kind if kind in KINDS else None

    def touches(self, start: int, end: int) -> bool:
        """Does an edit of these offsets change a part of what is always left alone?

        One that replaces something bigger as a whole may.
        """
        index = max(bisect.bisect_left(self._spans, (start, start)) - 1, 0)
        while index < len(self._spans) and self._spans[index][0] <= end:
            first, last = self._spans[index]
            overlaps = first < end and start < last
            if overlaps and not (start <= first and last <= end and end - start > last - first):
                return True
            index += 1
        return False

    def _leave(self, node: ast.AST, kind: str) -> None:
        if node in self:
            return
        if kind == _NEVER and hasattr(node, "lineno"):
            # What is inside comes later and is skipped: these spans never nest.
            self._spans.append(self._source.span(node))
        for inner in ast.walk(node):
            if kind not in KINDS or id(inner) not in self._kinds:
                self._kinds[id(inner)] = kind


def _left_alone(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """The nodes that are left alone with all they hold, where this one tells so."""
    for name in _ANNOTATIONS:
        value = getattr(node, name, None)
        for each in value if isinstance(value, list) else [value]:
            if each is not None:
                yield _NEVER, each
    if isinstance(node, _CONDITIONALS):
        yield from ((_NEVER, each) for each in _guarded(node))
    elif isinstance(node, _DEFINITIONS):
        if any(last_name(each) == "overload" for each in node.decorator_list):
            yield _NEVER, node
        elif node.name == "__repr__":
            yield REPR, node
    elif isinstance(node, ast.JoinedStr) and not TRUE_POSITIONS:
        yield from ((_UNPLACED, each) for each in node.values)
    elif isinstance(node, ast.Subscript) and is_typing_value(node):
        yield _NEVER, node.slice
    elif isinstance(node, ast.Call) and last_name(node.func) in _NAMING:
        yield _NEVER, node
    elif isinstance(node, ast.Call) and last_name(node.func) == "cast" and len(node.args) == 2:
        yield _NEVER, node.args[0]
    elif isinstance(node, ast.stmt):
        yield from _left_statement(node)


def _left_statement(node: ast.stmt) -> Iterator[tuple[str, ast.AST]]:
    if _is_declaration(node):
        yield _NEVER, node
    elif isinstance(node, ast.Expr):
        if isinstance(node.value, ast.Constant):
            yield _NEVER, node  # docstrings; any other bare constant does nothing
        elif isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
            if last_name(node.value.func.value) == "__all__":
                yield _NEVER, node
            elif _is_logging(node.value.func):
                yield LOGGING, node


def _is_declaration(node: ast.stmt) -> bool:
    """Whether the statement names exports or a type, or asks for a future feature."""
    if isinstance(node, ast.ImportFrom):
        return node.module == "__future__"
    if isinstance(node, ast.AnnAssign) and last_name(node.annotation) == "TypeAlias":
        return True
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return any(isinstance(each, ast.Name) and each.id == "__all__" for each in targets)
    return type(node).__name__ == "TypeAlias"


def _guarded(node: ast.If | ast.IfExp) -> Iterator[ast.AST]:
    """What is left alone where type checkers, or scripts, are told apart by a condition."""
    test = node.test
    turned = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    name = last_name(test.operand if isinstance(test, ast.UnaryOp) else test)
    if name == "TYPE_CHECKING":
        yield test
        branch = node.orelse if turned else node.body
        yield from branch if isinstance(branch, list) else [branch]
    elif _is_script_guard(test):
        yield test


def _is_script_guard(test: ast.expr) -> bool:
    """Whether this is ``__name__ == "__main__"``, which is never so under test."""
    return (
        isinstance(test, ast.Compare)
        and last_name(test.left) == "__name__"
        and isinstance(test.comparators[0], ast.Constant)
        and test.comparators[0].value == "__main__"
    )


def _is_logging(method: ast.Attribute) -> bool:
    receiver = method.value.func if isinstance(method.value, ast.Call) else method.value
    name = last_name(receiver) or ""
    if method.attr not in _LOG_METHODS:
        return False
    return name in _LOGGERS or name.lower().strip("_") in _LOGGERS
