"""What several families need to know about a piece of source."""

from __future__ import annotations

import ast

from redhanded_worker.operators.base import Edit, Source

# They make types, or names for them; nothing of what runs depends on their arguments.
TYPING_FACTORIES = frozenset(
    {"TypeVar", "TypeVarTuple", "ParamSpec", "NewType", "NamedTuple", "TypedDict", "cast"}
)
_TYPING_FORMS = frozenset({
    "Union", "Optional", "Callable", "List", "Dict", "Set", "FrozenSet", "Tuple", "Type",
    "Iterable", "Iterator", "Sequence", "Mapping", "MutableMapping", "Generator", "Awaitable",
    "Coroutine", "AsyncIterator", "AsyncIterable", "Literal", "ClassVar", "Final", "Annotated",
})  # fmt: skip


def dotted(node: ast.AST | None) -> str | None:
    """``a.b.c`` for a name or attributes of one; else None."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = dotted(node.value)
        return None if owner is None else f"{owner}.{node.attr}"
    return None


def last_name(node: ast.AST | None) -> str | None:
    """``c`` for ``c`` and for ``a.b.c``; else None."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else None


def is_typing_value(value: ast.expr) -> bool:
    """Whether the value is a type variable, or a type spelt with typing's forms."""
    if isinstance(value, ast.Call):
        return last_name(value.func) in TYPING_FACTORIES
    return isinstance(value, ast.Subscript) and last_name(value.value) in _TYPING_FORMS


def is_stub_raise(node: ast.Raise, source: Source) -> bool:
    """Whether this is the ``raise NotImplementedError`` of a method that is to be overridden."""
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    function = source.parent(node)
    if last_name(raised) != "NotImplementedError":
        return False
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    return all(
        each is node or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        for each in function.body
    )


def attribute_name(node: ast.Attribute, source: Source) -> tuple[int, int]:
    """The span of the name behind the dot: the attribute's last token."""
    _, end = source.span(node)
    return end - len(node.attr), end


def outside_call(call: ast.Call, kept: ast.expr, source: Source) -> Edit:
    """The edit that leaves of ``kept.method()`` only ``kept``."""
    return Edit(source.outer_end(kept), source.span(call)[1], "")


def token_after(source: Source, offset: int, text: str, limit: int) -> int | None:
    """Where the next such token begins, from ``offset`` on and before ``limit``."""
    tokens = source.tokens_between(offset, limit)
    return next((token.start for token in tokens if token.text == text), None)


def token_before(source: Source, offset: int, text: str, limit: int) -> int | None:
    """Where the last such token begins, before ``offset`` and not before ``limit``."""
    tokens = reversed(source.tokens_between(limit, offset))
    return next((token.start for token in tokens if token.text == text), None)
