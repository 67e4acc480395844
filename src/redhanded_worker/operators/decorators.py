"""Decorators that aren't there.

Left alone are decorators without which the name is another kind of thing, so that every use of
it crashes (``property`` and its like, ``staticmethod``, ``contextmanager``, ``dataclass``,
``singledispatch``), and those that only type checkers or abstract classes look at.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from redhanded_worker.operators._shared import last_name, token_before
from redhanded_worker.operators.base import Edit, Example, Operator, Source

_OTHER_KIND = frozenset({
    "property", "cached_property", "staticmethod", "classmethod", "setter", "getter", "deleter",
    "contextmanager", "asynccontextmanager", "dataclass", "dataclass_transform", "define",
    "frozen", "mutable", "attrs", "attributes", "singledispatch", "singledispatchmethod",
    "fixture", "coroutine",
})  # fmt: skip
_CHECKED = frozenset({
    "overload", "override", "final", "abstractmethod", "abstractproperty", "abstractclassmethod",
    "abstractstaticmethod", "no_type_check", "runtime_checkable", "type_check_only",
})  # fmt: skip


class DecoratorRemoved(Operator):
    """``@d`` is not applied."""

    name = "decorator-removed"
    family = "decorators"
    description = "A decorator is removed, unless its absence can only crash or only be typed."
    shared_with = ("cosmic-ray", "mutpy", "poodle")
    examples = (
        Example("@a\n@b(\n    1)\ndef f(): pass\n", "\n@b(\n    1)\ndef f(): pass\n"),
        Example("@a\n@b(\n    1)\ndef f(): pass\n", "@a\n\ndef f(): pass\n"),
        Example(
            "class C:\n    @ (cache)  # once\n    async def f(self): pass\n",
            "class C:\n      # once\n    async def f(self): pass\n",
        ),
        Example("@total_ordering\nclass C: pass\n", "\nclass C: pass\n"),
    )
    node_types = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Blank out each decorator; its line stays, so that no other line moves."""
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        parent = source.parent(node)
        limit = 0 if isinstance(parent, (ast.Module, type(None))) else source.span(parent)[0]
        for decorator in node.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if last_name(called) in _OTHER_KIND | _CHECKED:
                continue
            start, end = source.outer_span(decorator)
            at = token_before(source, start, "@", limit)
            if at is not None:
                yield Edit(at, end, "")


OPERATORS = (DecoratorRemoved(),)
