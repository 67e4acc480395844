"""The two trees of a change, made the obvious way.

The *candidate* tree is the commit as it is. The *reference* tree holds the commit's files, except
that every path of the tests is what it was in the parent: a file that the commit changed, moved
away or deleted is put back, a file that it added is removed. Paths of the tests are

* whatever lies below a folder called ``test`` or ``tests``,
* ``conftest.py``, ``test_*.py`` and ``*_test.py``, wherever they lie,
* the files that pytest is configured by: ``pytest.ini``, ``pytest.toml`` (both also with a leading
  dot), ``pyproject.toml``, ``setup.cfg`` and ``tox.ini``.

So the old tests run on the new source, and nothing of the new tests is there. To both trees the
files are added that the project's build makes.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, Literal

from bench.changes import clones
from bench.changes.subjects import Change

Side = Literal["reference", "candidate"]
SIDES: Final[tuple[Side, ...]] = ("reference", "candidate")

_FOLDERS: Final = frozenset({"test", "tests"})
_TESTS: Final = ("conftest.py", "test_*.py", "*_test.py")
_SETTINGS: Final = frozenset({
    "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "pyproject.toml", "setup.cfg",
    "tox.ini",
})  # fmt: skip


def of_the_tests(path: str) -> bool:
    """Does a path belong to the tests?"""
    *folders, name = path.split("/")
    if any(folder.lower() in _FOLDERS for folder in folders):
        return True
    return name in _SETTINGS or any(fnmatchcase(name, pattern) for pattern in _TESTS)


def make(where: Path, change: Change, side: Side, place: Path) -> None:
    """Make one tree.

    Args:
        where: The folder of clones.
        change: Of which change.
        side: Which tree.
        place: A new folder, or one that is thrown away.
    """
    clones.checkout(where, change, place)
    if side == "reference":
        _put_tests_back(place, clones.parent(place, change.commit), change.commit)
    clones.add_made(change.suite, place)


def _put_tests_back(place: Path, base: str, head: str) -> None:
    for state, path in changed(place, base, head):
        if not of_the_tests(path):
            continue
        if state == "A":
            (place / path).unlink()
        else:
            clones.git(place, "checkout", base, "--", path)


def changed(place: Path, base: str, head: str) -> Iterator[tuple[str, str]]:
    """Paths that differ, each with ``A`` (added), ``D`` (deleted), ``M`` or ``T``."""
    told = clones.git(place, "diff", "--no-renames", "--name-status", "-z", base, head)
    fields = iter(told.split("\0"))
    for state in fields:
        if state:
            yield state, next(fields)
