"""Which folders have to be on the import path, so that the code under test is imported from them.

A file's root is the folder above its outermost package. Where that folder is itself inside others,
the outer ones may be namespace packages, which have no ``__init__.py``, or mere folders: ``src`` is
a mere folder, and elsewhere what the project's own files import decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+\(?([\w \t,]*)|import[ \t]+([\w \t,.]+))",
    re.MULTILINE,
)


def source_roots(tree: Path, files: Iterable[str]) -> tuple[Path, ...]:
    """Folders that have to be on the import path for these files, the tree's root last.

    Args:
        tree: A scratch tree.
        files: Source files, relative to it.
    """
    imports = _Imports(tree)
    by_folder: dict[Path, Path] = {}
    for file in sorted(files):
        path = Path(file)
        # All modules of a package have one root; a module outside of one is looked up by itself.
        key = path.parent if _is_package(tree, path.parent) else path
        if key not in by_folder:
            by_folder[key] = _root(tree, path, imports)
    roots = dict.fromkeys(tree / root for root in by_folder.values())
    roots.pop(tree, None)
    return (*roots, tree)


def _root(tree: Path, file: Path, imports: _Imports) -> Path:
    top = file.with_suffix("")
    while _is_package(tree, top.parent):
        top = top.parent
    above = top.parent.parts
    if "src" in above:
        return Path(*above[: len(above) - above[::-1].index("src")])
    for depth in range(len(above)):
        if ".".join(top.parts[depth:]) in imports.names:
            return Path(*above[:depth])
    is_package = _is_package(tree, top)
    return top.parent if is_package or top.name in imports.names else Path()


def _is_package(tree: Path, folder: Path) -> bool:
    return folder != Path() and (tree / folder / "__init__.py").exists()


class _Imports:
    """Names that the files of a tree import, looked for when first asked."""

    def __init__(self, tree: Path) -> None:
        self._tree = tree

    @cached_property
    def names(self) -> frozenset[str]:
        """Dotted names, and every name that they begin with."""
        found: set[str] = set()
        for path in self._tree.rglob("*.py"):
            if path.is_file():
                found.update(_imported(path.read_bytes()))
        parts = (name.split(".") for name in found)
        return frozenset(
            ".".join(each[:size]) for each in parts for size in range(1, len(each) + 1)
        )


def _imported(source: bytes) -> Iterator[str]:
    for match in _IMPORT.finditer(source):
        module, members, modules = (part.decode() if part else "" for part in match.groups())
        for each in modules.split(","):
            yield each.split(" as ")[0].strip()
        if module and not module.startswith("."):
            yield module
            for each in members.split(","):
                yield f"{module}.{each.split(' as ')[0].strip()}"
