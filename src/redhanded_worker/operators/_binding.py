"""Is a name surely bound before a statement runs?

What matters is which way of undoing an assignment makes a defect and not only a crash: without
its first assignment a name is unbound, without a later one it keeps an older value.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from redhanded_worker.operators.base import Source

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef, ast.Lambda, ast.Module)
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def bound_before(statement: ast.stmt, name: str, source: Source) -> bool:
    """Whether ``name`` has a value in its scope whenever ``statement`` is reached."""
    node: ast.AST = statement
    while True:
        parent = source.parent(node)
        if parent is None:
            return False
        if any(_binds(earlier, name) for earlier in _earlier(node, parent)):
            return True
        if isinstance(parent, _FUNCTIONS):
            return name in _parameters(parent.args) or name in _borrowed(parent)
        if isinstance(parent, _SCOPES):
            return False
        if name in _header(node, parent):
            return True
        node = parent


def names_in(target: ast.AST) -> set[str]:
    """The plain names that an assignment target binds."""
    return {
        node.id
        for node in ast.walk(target)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _earlier(node: ast.AST, parent: ast.AST) -> Sequence[ast.stmt]:
    """The statements before ``node`` in its own block."""
    for block in _blocks(parent):
        for index, statement in enumerate(block):
            if statement is node:
                return block[:index]
    return ()


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list):
            yield block


def _header(node: ast.AST, parent: ast.AST) -> set[str]:
    """The names that ``parent`` binds before it runs the block that ``node`` is in."""
    if isinstance(parent, (ast.For, ast.AsyncFor)):
        return names_in(parent.target) if node in parent.body else set()
    if isinstance(parent, (ast.With, ast.AsyncWith)):
        return _with_names(parent)
    if isinstance(parent, ast.ExceptHandler):
        return {parent.name} if parent.name else set()
    if isinstance(parent, ast.match_case):
        names = {getattr(part, "name", None) for part in ast.walk(parent.pattern)}
        return {name for name in names if name}
    return set()


def _with_names(node: ast.With | ast.AsyncWith) -> set[str]:
    names: set[str] = set()
    for item in node.items:
        if item.optional_vars is not None:
            names |= names_in(item.optional_vars)
    return names


def _parameters(arguments: ast.arguments) -> set[str]:
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    named += [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
    return {each.arg for each in named}


def _borrowed(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Names declared global or nonlocal: another scope gives them their first value."""
    names: set[str] = set()
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            names.update(node.names)
        if not isinstance(node, _SCOPES):
            waiting.extend(ast.iter_child_nodes(node))
    return names


def _binds(statement: ast.stmt, name: str) -> bool:
    """Whether ``name`` surely has a value once ``statement`` is done."""
    if isinstance(statement, ast.Assign):
        return any(name in names_in(target) for target in statement.targets)
    if isinstance(statement, ast.AnnAssign):
        return statement.value is not None and name in names_in(statement.target)
    if isinstance(statement, ast.AugAssign):
        return name in names_in(statement.target)
    if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
        return statement.name == name
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return any((a.asname or a.name.split(".")[0]) == name for a in statement.names)
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return name in _with_names(statement) or _block_binds(statement.body, name)
    if isinstance(statement, ast.If):
        return _block_binds(statement.body, name) and _block_binds(statement.orelse, name)
    if isinstance(statement, ast.Try):
        return _try_binds(statement, name)
    return False


def _try_binds(statement: ast.Try, name: str) -> bool:
    if _block_binds(statement.finalbody, name):
        return True
    done = _block_binds([*statement.body, *statement.orelse], name)
    return done and all(_block_binds(handler.body, name) for handler in statement.handlers)


def _block_binds(block: Iterable[ast.stmt], name: str) -> bool:
    """Whether whoever comes out at the end of the block has the name."""
    return any(isinstance(each, _LEAVING) or _binds(each, name) for each in block)
