"""What the names of a module stand for, as far as its own text tells."""

from __future__ import annotations

import ast
from weakref import WeakKeyDictionary

from redhanded_worker.operators.base import Source


class Names:
    """The names that a module binds, imports and defines methods under."""

    def __init__(self, tree: ast.AST) -> None:
        self.bound: set[str] = set()
        """All names that are bound anywhere in the module: they hide builtins."""
        self.methods: set[str] = set()
        """Names of the methods that its classes define."""
        self._imported: dict[str, str] = {}
        for node in ast.walk(tree):
            self._see(node)

    def _see(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            self.bound.add(node.id)
        elif isinstance(node, ast.arg):
            self.bound.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self.bound.add(node.name)
            if isinstance(node, ast.ClassDef):
                self._see_methods(node)
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            self.bound.add(node.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                self._import(alias.asname or top, alias.name if alias.asname else top)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                origin = "." * node.level + (node.module or "")
                self._import(alias.asname or alias.name, f"{origin}.{alias.name}")

    def _see_methods(self, node: ast.ClassDef) -> None:
        for each in node.body:
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.methods.add(each.name)
            elif isinstance(each, ast.Assign):
                self.methods.update(t.id for t in each.targets if isinstance(t, ast.Name))

    def _import(self, name: str, origin: str) -> None:
        self.bound.add(name)
        self._imported[name] = origin

    def qualified(self, node: ast.expr) -> str | None:
        """The dotted origin of an imported name or of an attribute of one; else None."""
        if isinstance(node, ast.Name):
            return self._imported.get(node.id)
        if isinstance(node, ast.Attribute):
            owner = self.qualified(node.value)
            return f"{owner}.{node.attr}" if owner else None
        return None

    def imported_as(self, origin: str) -> str | None:
        """The name that something is imported under; None where it isn't."""
        return next((name for name, from_ in self._imported.items() if from_ == origin), None)


_CACHE: WeakKeyDictionary[Source, Names] = WeakKeyDictionary()


def names_of(source: Source) -> Names:
    """The names of the module; looked up once."""
    if source not in _CACHE:
        _CACHE[source] = Names(source.tree)
    return _CACHE[source]
