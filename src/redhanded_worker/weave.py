"""Weaves calls into syntax trees: the marker of a mutant, placebos and canaries.

A call is woven in as a call of a unique string constant; after compilation the constant is
replaced by the callable itself. So nothing is looked up in the subject's namespaces, no frame,
local or closure changes, and line numbers stay.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from types import CodeType
from typing import Any, Final

ENTER: Final = "\x00redhanded:enter"
"""Stands for a callable without arguments that returns something false."""
RAISE: Final = "\x00redhanded:raise"
"""Stands for a callable that raises the canary's exception."""
VALUE: Final = "\x00redhanded:value"
"""Stands for the sentinel that a canary returns."""

_Path = list[tuple[ast.AST, str, "int | None"]]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def bind(code: CodeType, values: Mapping[str, object]) -> CodeType:
    """Replace woven constants by what they stand for, in ``code`` and all code nested in it."""
    consts: list[object] = []
    changed = False
    for const in code.co_consts:
        new: object = const
        if isinstance(const, str):
            new = values.get(const, const) if const[:1] == "\x00" else const
        elif isinstance(const, CodeType):
            new = bind(const, values)
        changed = changed or new is not const
        consts.append(new)
    return code.replace(co_consts=tuple(consts)) if changed else code


def call(token: str) -> ast.Call:
    """A call of what ``token`` stands for."""
    return ast.Call(func=ast.Constant(value=token), args=[], keywords=[])


def _position(node: ast.AST) -> tuple[tuple[int, int], tuple[int, int]] | None:
    line = getattr(node, "lineno", None)
    end = getattr(node, "end_lineno", None)
    if line is None or end is None:
        return None
    first = (line, getattr(node, "col_offset", 0))
    for decorator in getattr(node, "decorator_list", ()):
        first = min(first, (decorator.lineno, decorator.col_offset - 1))
    return first, (end, getattr(node, "end_col_offset", 0))


def _children(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield value, name, None
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield item, name, index


def _deepest(node: ast.AST, start: tuple[int, int], end: tuple[int, int]) -> _Path | None:
    """Path below ``node`` to the deepest positioned node that covers the range.

    An empty range belongs to the node that it ends or lies in, not to one that begins there.
    """
    for child, name, index in _children(node):
        where = _position(child)
        if where is None:
            below = _deepest(child, start, end)
            if below is not None:
                return [(child, name, index), *below]
            continue
        first, last = where
        begins = first < start or (first == start and start != end)
        if (begins or first == start) and last >= end and (start != end or first <= start):
            below = _deepest(child, start, end)
            if below is not None:
                return [(child, name, index), *below]
            if begins or not isinstance(child, ast.stmt):
                return [(child, name, index)]
    return None


def _wrappable(parent: ast.AST, name: str, node: ast.AST) -> bool:
    """Can ``node`` become ``marker() or node`` here without another meaning?"""
    if not isinstance(node, ast.expr) or isinstance(node, (ast.Starred, ast.Slice)):
        return False
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return False
    if isinstance(parent, (ast.JoinedStr, ast.pattern)) or name in ("annotation", "returns"):
        return False
    if name in ("format_spec", "target", "optional_vars", "bound", "type_params", "default_value"):
        return False
    if isinstance(node, ast.Tuple) and any(
        isinstance(e, (ast.Slice, ast.Starred)) for e in node.elts
    ):
        return name != "slice"
    return True


def _statement_lists(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        value = getattr(node, name, None)
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            yield value


def _insert(body: list[ast.stmt], index: int, near: ast.stmt) -> None:
    marker = ast.Expr(value=call(ENTER))
    where = _position(near)
    assert where is not None
    for node in ast.walk(marker):
        if isinstance(node, (ast.expr, ast.stmt)):
            node.lineno, node.col_offset = near.lineno, near.col_offset
            node.end_lineno, node.end_col_offset = near.lineno, near.col_offset
    body.insert(index, marker)


def _after_prologue(body: list[ast.stmt]) -> int:
    """Index of the first statement that is neither a docstring nor a ``__future__`` import."""
    index = 0
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        index = int(isinstance(body[0].value.value, str))
    while index < len(body):
        node = body[index]
        if not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            break
        index += 1
    return index


def _header_end(node: ast.AST) -> tuple[int, int]:
    """Where the last expression before a compound statement's first body ends."""
    where = _position(node)
    end = where[0] if where is not None else (1, 0)
    for child, name, _ in _children(node):
        if name in ("body", "orelse", "finalbody", "handlers", "cases"):
            continue
        for inner in ast.walk(child):
            place = _position(inner)
            if place is not None:
                end = max(end, place[1])
    return end


def _insert_inside(node: ast.AST, start: tuple[int, int]) -> bool:
    """Mark the first statement that ends after ``start`` in the body that holds ``start``."""
    for at_list, body in enumerate(_statement_lists(node)):
        first, last = _position(body[0]), _position(body[-1])
        assert first is not None
        assert last is not None
        begin = first[0]
        if at_list == 0 and not isinstance(node, ast.Module) and begin > start:
            header = _header_end(node)
            # What was deleted stood between the header's line and the first statement left.
            begin = start if start[0] > header[0] else begin
        if begin <= start <= last[1]:
            for index, statement in enumerate(body):
                where = _position(statement)
                assert where is not None
                if where[1] > start:
                    top = isinstance(node, ast.Module)
                    at = max(index, _after_prologue(body)) if top else index
                    _insert(body, at, body[min(at, len(body) - 1)])
                    return True
    return False


def mark(tree: ast.Module, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Weave the marker into ``tree``: called when the place from ``start`` to ``end`` is reached.

    Where the place lies in an expression, the smallest one that covers it becomes
    ``marker() or expression``; else a marker is put before the statement.

    Args:
        tree: Mutated syntax tree; changed in place.
        start: Line from 1 and column in UTF-8 bytes from 0, as in ``ast``.
        end: Exclusive, likewise.
    """
    path = _deepest(tree, start, end) or []
    nodes: list[ast.AST] = [tree, *(step[0] for step in path)]
    for depth in range(len(path) - 1, -1, -1):
        node, name, index = path[depth]
        parent = nodes[depth]
        if _wrappable(parent, name, node):
            assert isinstance(node, ast.expr)
            wrapped = ast.BoolOp(op=ast.Or(), values=[call(ENTER), node])
            for new in (wrapped, wrapped.values[0], wrapped.values[0].func):  # type: ignore[attr-defined]
                ast.copy_location(new, node)
            if index is None:
                setattr(parent, name, wrapped)
            else:
                getattr(parent, name)[index] = wrapped
            return
        if _insert_inside(node, start):
            return
        if isinstance(node, ast.stmt) and index is not None:
            _insert(getattr(parent, name), index, node)
            return
    if not _insert_inside(tree, start):
        at = _after_prologue(tree.body)
        near = (
            tree.body[min(at, len(tree.body) - 1)]
            if tree.body
            else ast.Pass(lineno=1, col_offset=0)
        )
        _insert(tree.body, at, near)


def keep_names(tree: ast.Module, name: str, line: int, names: list[str]) -> None:
    """Let a function go on naming free variables that its mutated body no longer names.

    The compiler drops the dead reference itself, but the name stays a free variable.

    Args:
        tree: Changed in place.
        name: The function's name, as its code object has it.
        line: Its first line, decorators included.
        names: The free variables.
    """
    dead: list[ast.expr] = [ast.Name(id=each, ctx=ast.Load()) for each in names]
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS) and node.name == name:
            if line == min([node.lineno, *(d.lineno for d in node.decorator_list)]):
                body: list[ast.stmt] = [ast.Expr(value=each) for each in dead]
                node.body.append(ast.If(test=ast.Constant(value=False), body=body, orelse=[]))
        elif isinstance(node, ast.Lambda) and name == "<lambda>" and node.lineno == line:
            node.body = ast.IfExp(
                test=ast.Constant(value=True),
                body=node.body,
                orelse=ast.Tuple(elts=dead, ctx=ast.Load()),
            )


class _Own(ast.NodeVisitor):
    """Does a function's own body hold a ``yield``?"""

    def __init__(self) -> None:
        self.found = False

    def visit_Yield(self, node: ast.AST) -> None:
        self.found = True

    visit_YieldFrom = visit_Yield  # noqa: N815

    def visit_FunctionDef(self, node: ast.AST) -> None:
        """Not its own."""

    visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = visit_FunctionDef  # noqa: N815


def _is_generator(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    own = _Own()
    for statement in node.body:
        own.visit(statement)
    return own.found


def _split_docstring(body: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        if isinstance(body[0].value.value, str):
            return body[:1], body[1:]
    return [], body


class Placebo(ast.NodeTransformer):
    """Every function begins with a call that does nothing."""

    def _function(self, node: Any) -> Any:
        self.generic_visit(node)
        head, rest = _split_docstring(node.body)
        node.body = [*head, ast.Expr(value=call(ENTER)), *rest]
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function  # noqa: N815


class Canary(ast.NodeTransformer):
    """No function does its work: each raises, or returns or yields a sentinel.

    The old body stays under a condition that is false at run time, so that closures, generators
    and nested functions keep their shapes and the code can be swapped into live functions.
    """

    def __init__(self, kind: str) -> None:
        """Choose what functions do instead.

        Args:
            kind: ``raise`` or ``value``.
        """
        self.kind = kind

    def _instead(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
        if self.kind == "raise":
            return ast.Expr(value=call(RAISE))
        if _is_generator(node):
            return ast.Expr(value=ast.Yield(value=ast.Constant(value=VALUE)))
        if node.name == "__init__":
            return ast.Return(value=None)
        return ast.Return(value=ast.Constant(value=VALUE))

    def _function(self, node: Any) -> Any:
        if node.name == "__del__":
            return node
        instead = self._instead(node)
        self.generic_visit(node)
        head, rest = _split_docstring(node.body)
        body = rest or [ast.Pass()]
        node.body = [*head, ast.If(test=call(ENTER), body=body, orelse=[]), instead]
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        """A lambda likewise, as a conditional expression."""
        self.generic_visit(node)
        other: ast.expr = call(RAISE) if self.kind == "raise" else ast.Constant(value=VALUE)
        node.body = ast.IfExp(test=call(ENTER), body=node.body, orelse=other)
        return node
