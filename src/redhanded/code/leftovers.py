"""What a build left in the checkout and git ignores: generated modules, extensions, metadata.

A scratch tree needs them, since nothing is built there. Environments, caches and the output
folders of build tools are left behind, and so is everything ignored that would decide what is
collected or how: Python files that are tests or configuration, settings, doctest files. Data files
that lie among tests are kept.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from redhanded.code.change import TEST_SIDE, Change

MOST_BYTES = 256 << 20
"""Most that is copied into one tree, smallest files first."""

_NEVER = frozenset(
    {"__pycache__", "__pypackages__", "env", "htmlcov", "node_modules", "site-packages", "venv"}
)
_MARKS = ("pyvenv.cfg", "conda-meta", "CACHEDIR.TAG", ".git")
"""What a folder holds that is an environment, a cache, or another repository."""
_BUILDS = ("build", "dist")
_PROJECTS = ("pyproject.toml", "setup.py", "setup.cfg")


def copy_leftovers(change: Change, destination: Path, taken: Collection[str]) -> tuple[str, ...]:
    """Copy build outputs of the checkout into a scratch tree.

    Args:
        change: Whose checkout.
        destination: The tree, its tracked files written.
        taken: Paths that either end tracks: no build output, whatever lies there.

    Returns:
        What a reader of the result should know.
    """
    sizes = {
        path: (change.root / path).stat().st_size
        for path in _leftovers(change)
        if path not in taken
    }
    total = 0
    left_out, copied = [], []
    for path in sorted(sizes, key=lambda each: (sizes[each], each)):
        total += sizes[path]
        if total > MOST_BYTES:
            left_out.append(path)
        elif _copy(change.root / path, destination / path, destination):
            copied.append(path)
    return tuple(_notes(change, copied, left_out))


def _leftovers(change: Change) -> Iterator[str]:
    for name in change.repository.ignored():
        for path in _files(change.root / name.rstrip("/"), change.root):
            relative = path.relative_to(change.root).as_posix()
            if _is_output(change, relative):
                yield relative


def _files(path: Path, root: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    elif path.is_dir() and not path.is_symlink() and not _is_left_behind(path, root):
        for child in path.iterdir():
            yield from _files(child, root)


def _is_left_behind(folder: Path, root: Path) -> bool:
    if folder.name in _NEVER or folder.name.startswith("."):
        return True
    if any((folder / mark).exists() for mark in _MARKS):
        return True
    above = folder.parent
    is_project = above == root or any((above / name).exists() for name in _PROJECTS)
    return folder.name in _BUILDS and is_project


def _is_output(change: Change, path: str) -> bool:
    name = path.rpartition("/")[2]
    if name.endswith((".pyc", ".pyo")):
        return False
    category = change.category(path)
    if category == "test" and not name.endswith(".py"):
        globs = change.classifier.settings.doctest_globs
        return not any(fnmatchcase(name, glob) for glob in globs)
    return category not in TEST_SIDE


def _copy(source: Path, target: Path, destination: Path) -> bool:
    """Copy one file, unless what the tree tracks stands in its way."""
    nearest = target.parent
    while not nearest.exists():
        nearest = nearest.parent
    # Not through a link, which may lead out of the tree.
    if nearest.resolve() != destination.resolve() / nearest.relative_to(destination):
        return False
    if target.exists() or not nearest.is_dir():
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)
    return True


def _notes(change: Change, copied: list[str], left_out: list[str]) -> Iterator[str]:
    if left_out:
        yield (
            f"ignored files of the checkout are more than {MOST_BYTES >> 20} MiB; not copied for "
            f"the tests: {', '.join(sorted(left_out)[:5])}{', ...' if left_out[5:] else ''}"
        )
    built = [path for path in copied if path.endswith((".so", ".pyd"))]
    if built and change.head.commit not in (None, change.repository.head()):
        yield (
            f"built extensions of the checkout are used with {change.head.label}, which is not "
            f"checked out: {', '.join(built[:5])}{', ...' if built[5:] else ''}"
        )
