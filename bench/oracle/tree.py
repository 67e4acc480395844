"""Private copies of a tree."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from bench.oracle.errors import RefusedError

_LEFT_OUT: Final = (
    ".git", ".hg", ".venv", "venv", ".tox", ".nox", "node_modules", ".redhanded",
    "__pycache__", "*.pyc", ".pytest_cache", ".hypothesis", ".mypy_cache", ".ruff_cache",
)  # fmt: skip
"""Not copied. Compiled files above all: Python would read stale ones."""


def copy(tree: Path, place: Path, planted: Mapping[str, bytes]) -> None:
    """Make ``place`` a fresh copy of ``tree`` with some files' contents replaced."""
    if place.exists():
        remove(place)
    shutil.copytree(tree, place, symlinks=True, ignore=shutil.ignore_patterns(*_LEFT_OUT))
    for name, data in planted.items():
        path = place / name
        # A link could lead out of the copy, to the file that everybody else uses.
        if path.is_symlink() or not path.resolve().is_relative_to(place.resolve()):
            raise RefusedError(f"expected {name} to be a file of the tree, found a link")
        path.write_bytes(data)


def remove(place: Path) -> None:
    """Delete a folder, one that tests have made unreadable included."""
    for folder, names, _ in os.walk(place):
        for name in names:
            path = Path(folder, name)
            if not path.is_symlink():
                path.chmod(0o700)
    shutil.rmtree(place)


def digest(tree: Path) -> str:
    """A digest over what a copy holds."""
    kept = shutil.ignore_patterns(*_LEFT_OUT)
    whole = hashlib.sha256()
    for folder, folders, names in os.walk(tree):
        out = kept(folder, [*folders, *names])
        folders[:] = sorted(name for name in folders if name not in out)
        for name in sorted(name for name in names if name not in out):
            path = Path(folder, name)
            whole.update(path.relative_to(tree).as_posix().encode() + b"\0")
            whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def source_roots(tree: Path, files: Iterable[str]) -> list[str]:
    """The folders, relative to the tree, that the packages of the given files are imported from."""
    roots = set()
    for file in files:
        folder = (tree / file).parent
        while (folder / "__init__.py").is_file() and folder != tree:
            folder = folder.parent
        roots.add(folder.relative_to(tree).as_posix())
    return sorted(roots)
