"""Scratch trees: a revision's files, and what a build left beside them.

The checkout is never written to. Each side of a run gets a tree of its own, and each job slot a
copy of it, since tests may write where they run.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from redhanded.code.change import Change, End
from redhanded.code.git import SUBMODULE, SYMLINK
from redhanded.model.rows import Side

_ENDS: Mapping[Side, tuple[End, End]] = {
    "candidate": ("head", "head"),
    "reference": ("head", "base"),
    "base": ("base", "base"),
    "defect": ("base", "head"),
}
"""Where the source comes from, and where tests and configuration do."""

_NEVER = frozenset(
    {".git", ".hg", ".tox", ".nox", ".venv", "venv", "env", ".env", "node_modules", "__pycache__",
     ".redhanded", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".eggs",
     "htmlcov", ".idea", ".vscode", "site-packages", ".import_linter_cache"}
)  # fmt: skip
_MOST_BYTES = 64 << 20
"""A single ignored file larger than this is no build output that tests import."""


def files_of(change: Change, side: Side) -> dict[str, tuple[End, str]]:
    """Which file of a side's tree comes from which end.

    Returns:
        End and blob or commit id by path.
    """
    source_end, test_end = _ENDS[side]
    found: dict[str, tuple[End, str]] = {}
    for end, entries in (("base", change.base_files), ("head", change.head_files)):
        for path, entry in entries.items():
            wanted = test_end if change.category(path) in ("test", "config") else source_end
            if wanted == end:
                found[path] = (wanted, entry.oid)
    return found


def create(change: Change, side: Side, destination: Path) -> None:
    """Write a side's tree.

    Args:
        change: What is compared.
        side: Which tree.
        destination: A folder that doesn't exist yet.
    """
    destination.mkdir(parents=True)
    chosen = files_of(change, side)
    by_oid: dict[str, list[str]] = {}
    modes = {}
    for path, (end, oid) in chosen.items():
        entry = (change.base_files if end == "base" else change.head_files)[path]
        modes[path] = entry.mode
        if entry.mode != SUBMODULE:
            by_oid.setdefault(oid, []).append(path)
    for oid, content in change.repository.blobs(by_oid):
        for path in by_oid[oid]:
            _write(destination / path, content, modes[path])
    tracked = set(change.base_files) | set(change.head_files)
    _copy_ignored(change, tracked, destination)


def _write(target: Path, content: bytes, mode: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if mode == SYMLINK:
        target.symlink_to(os.fsdecode(content))
        return
    target.write_bytes(content)
    if mode == "100755":
        target.chmod(0o755)


def _copy_ignored(change: Change, tracked: Collection[str], destination: Path) -> None:
    """Copy what a build left: generated modules and extensions, but no tests or settings."""
    root = change.root
    for name in change.repository.ignored():
        for path in _below(root / name.rstrip("/")):
            relative = path.relative_to(root).as_posix()
            target = destination / relative
            if relative in tracked or target.exists() or not _is_build_output(change, relative):
                continue
            if path.stat().st_size > _MOST_BYTES:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)


def _below(path: Path) -> Iterable[Path]:
    if path.name in _NEVER or (path / "pyvenv.cfg").exists():
        return
    if path.is_file():
        yield path
        return
    if path.is_symlink() or not path.is_dir():
        return
    for child in sorted(path.iterdir()):
        yield from _below(child)


def _is_build_output(change: Change, path: str) -> bool:
    if path.endswith((".pyc", ".pyo")):
        return False
    return change.category(path) not in ("test", "config")


def copy(tree: Path, destination: Path) -> None:
    """A second tree for another job slot: real copies, since tests may write."""
    shutil.copytree(tree, destination, symlinks=True)


def source_roots(tree: Path, files: Iterable[str]) -> tuple[Path, ...]:
    """Folders that have to be on the import path for these files, the tree's root last.

    A file's root is the folder above its outermost package; below a folder named ``src``, where
    packages may lack an ``__init__.py``, it is that folder.

    Args:
        tree: A scratch tree.
        files: Source files, relative to it.
    """
    roots: dict[Path, None] = {}
    for file in sorted(files):
        folders = file.split("/")[:-1]
        if "src" in folders:
            depth = folders.index("src") + 1
        else:
            depth = len(folders)
            while depth and (tree.joinpath(*folders[:depth]) / "__init__.py").exists():
                depth -= 1
            if depth and depth == len(folders) and folders[0] not in ("lib", "python"):
                depth = 0  # a folder without __init__.py: a namespace package from the root
        roots[tree.joinpath(*folders[:depth])] = None
    roots.pop(tree, None)
    return (*roots, tree)
