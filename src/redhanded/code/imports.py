"""Which files of a tree import which others, read from their text."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

_DYNAMIC = (b"import_module", b"__import__", b"importorskip", b"runpy", b"pytest_plugins")


class Imports:
    """The import graph of a scratch tree, looked at where asked.

    An import anywhere in a file counts, inside functions too, and so do the conftests beside and
    above a test file. A file that imports by computed names, or doesn't parse, is taken to import
    everything: too many judges are asked rather than too few.
    """

    def __init__(self, tree: Path, roots: Sequence[Path]) -> None:
        """Take a tree.

        Args:
            tree: Its root.
            roots: Folders on the import path.
        """
        self._tree = tree
        self._roots = (*roots, tree)
        self._direct = cache(self._look)
        self._closures: dict[str, frozenset[str] | None] = {}

    def reaches(self, file: str, target: str) -> bool:
        """Does importing a test file import another file of the tree?

        Args:
            file: The test's, relative to the tree.
            target: Likewise.
        """
        if file not in self._closures:
            self._closures[file] = self._closure(file)
        closure = self._closures[file]
        return closure is None or target in closure

    def _closure(self, file: str) -> frozenset[str] | None:
        """All files that a test file imports; None where that can't be told."""
        seen: set[str] = set()
        queue = [file, *self._conftests(file)]
        while queue:
            name = queue.pop()
            if name in seen:
                continue
            seen.add(name)
            direct = self._direct(name)
            if direct is None:
                return None
            queue.extend(direct)
        return frozenset(seen)

    def _conftests(self, file: str) -> Iterator[str]:
        folder = os.path.dirname(file)
        while True:
            name = os.path.join(folder, "conftest.py")
            if (self._tree / name).exists():
                yield name
            if not folder:
                return
            folder = os.path.dirname(folder)

    def _look(self, file: str) -> tuple[str, ...] | None:
        try:
            text = (self._tree / file).read_bytes()
            tree = ast.parse(text)
        except (OSError, SyntaxError, ValueError):
            return None
        if any(word in text for word in _DYNAMIC):
            return None
        found: list[str] = []
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    found += self._files(alias.name.split("."), file, 0)
            elif isinstance(node, ast.ImportFrom):
                parts = node.module.split(".") if node.module else []
                for alias in node.names:
                    found += self._files([*parts, alias.name], file, node.level)
        return tuple(dict.fromkeys(found))

    def _files(self, parts: list[str], importer: str, level: int) -> list[str]:
        """Files that are loaded when a dotted name is imported: packages on the way too."""
        bases = list(self._roots)
        folder = self._tree / os.path.dirname(importer)
        if level:
            for _ in range(level - 1):
                folder = folder.parent
            bases = [folder]
        else:
            bases.append(folder)  # pytest puts a test file's own folder on the path
        found = []
        for base in bases:
            for depth in range(0 if level else 1, len(parts) + 1):
                stem = base.joinpath(*parts[:depth])
                for path in (stem / "__init__.py", stem.parent / (stem.name + ".py")):
                    if depth == 0 and path.name != "__init__.py":
                        continue
                    if path.is_file() and path.is_relative_to(self._tree):
                        found.append(path.relative_to(self._tree).as_posix())
        return found
