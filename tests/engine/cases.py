"""The tiny projects below ``tests/projects``, and what an engine has to find in them."""

from __future__ import annotations

import json
import re
import shutil
import sys
import tokenize
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.repos import Repo

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECTS: Final = Path(__file__).resolve().parent.parent / "projects"
OUTCOMES: Final = frozenset(
    {"caught", "crashed", "hung", "passed", "skipped", "not_entered", "incomplete"}
)
CONTROLS: Final = frozenset({"green", "red", "skipped", "flaky", "order_dependent", "placebo_red"})
_ABOUT: Final = frozenset({"name", "file", "original", "replacement", "nth", "status"})
_NOT_COPIED: Final = ("expected.toml", "__pycache__", ".pytest_cache", ".hypothesis", "counter.txt")


@dataclass(frozen=True)
class Expected:
    """What one test is expected to do to one mutant."""

    outcomes: frozenset[str]
    reason: str | None = None
    """Where the outcome is ``incomplete``."""


@dataclass(frozen=True)
class Planted:
    """A mutant of a tiny project."""

    name: str
    file: str
    start: tuple[int, int]
    """Line from 1, column in characters from 0."""
    end: tuple[int, int]
    original: str
    replacement: str
    statuses: frozenset[str] | None
    """None: it doesn't matter."""
    cells: dict[str, Expected]
    """By test id; all other tests give no evidence."""

    def span(self) -> dict[str, object]:
        """As a line of a file of mutants."""
        return {
            "file": self.file,
            "start": {"line": self.start[0], "column": self.start[1]},
            "end": {"line": self.end[0], "column": self.end[1]},
            "original": self.original,
            "replacement": self.replacement,
        }


@dataclass(frozen=True)
class Case:
    """A tiny project and its expectations."""

    name: str
    folder: Path
    purpose: str
    exit_code: int
    says: str | None
    clock: float | None
    """Seconds in the place of the engine's usual floor, where a mutant is sure to wait them out."""
    tests: dict[str, str]
    """What the control of each collected test is."""
    cant_judge: frozenset[str]
    mutants: tuple[Planted, ...] = field(repr=False)

    def repository(self, root: Path) -> Path:
        """Make a git repository of one commit out of the project."""
        repo = Repo(root)
        shutil.copytree(
            self.folder, root, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*_NOT_COPIED)
        )
        repo.commit(message=self.purpose)
        return root

    def mutants_file(self, path: Path) -> Path:
        """Write the project's mutants as JSON Lines."""
        lines = [json.dumps(mutant.span()) + "\n" for mutant in self.mutants]
        path.write_text("".join(lines), encoding="utf-8")
        return path


def load(folder: Path) -> Case:
    """Read one project's expectations.

    Raises:
        ValueError: They contradict themselves or don't fit the project's files.
    """
    table = read_toml(folder / "expected.toml")
    tests: dict[str, str] = {}
    for control, ids in table.pop("tests").items():
        _require(control in CONTROLS, folder, f"no such control: {control}")
        for name in ids:
            _require(name not in tests, folder, f"listed twice: {name}")
            tests[name] = control
    case = Case(
        name=folder.name,
        folder=folder,
        purpose=table.pop("purpose"),
        exit_code=table.pop("exit_code", 0),
        says=table.pop("says", None),
        clock=table.pop("clock", None),
        tests=tests,
        cant_judge=frozenset(resolve(name, tests) for name in table.pop("cant_judge", ())),
        mutants=tuple(_planted(folder, each, tests) for each in table.pop("mutant")),
    )
    _require(not table, folder, f"unknown keys: {', '.join(table)}")
    return case


def load_all() -> list[Case]:
    """All projects, by name."""
    return [load(path.parent) for path in sorted(PROJECTS.glob("*/expected.toml"))]


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file."""
    with path.open("rb") as file:
        table: dict[str, Any] = tomllib.load(file)
    return table


def _require(holds: bool, folder: Path, message: str) -> None:
    if not holds:
        raise ValueError(f"{folder.name}/expected.toml: {message}")


def resolve(name: str, tests: Collection[str]) -> str:
    """A test's id from an ending of it.

    Raises:
        ValueError: No id ends like that, or several do.
    """
    found = [test for test in tests if test == name or test.endswith(f"::{name}")]
    if len(found) != 1:
        raise ValueError(f"{name!r} names {len(found)} tests of {sorted(tests)}")
    return found[0]


def find_span(
    folder: Path, file: str, original: str, nth: int | None = None
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where a piece of text stands in a file: start and end, as lines and columns.

    Raises:
        ValueError: It doesn't stand there once, or not as often as ``nth`` says.
    """
    with tokenize.open(folder / file) as stream:
        text = stream.read()
    places = [match.start() for match in re.finditer(re.escape(original), text)]
    if nth is None:
        message = f"{original!r} stands {len(places)} times in {file}"
        _require(len(places) == 1, folder, message)
    else:
        _require(nth <= len(places), folder, f"no occurrence {nth} of {original!r}")
    at = places[(nth or 1) - 1]
    return _position(text, at), _position(text, at + len(original))


def _planted(folder: Path, table: dict[str, Any], tests: dict[str, str]) -> Planted:
    start, end = find_span(folder, table["file"], table["original"], table.get("nth"))
    cells: dict[str, Expected] = {}
    for key, value in table.items():
        if key in _ABOUT:
            continue
        outcomes = frozenset(key.split("_or_"))
        _require(outcomes <= OUTCOMES, folder, f"no such outcome: {key}")
        for name in value:
            test = resolve(name, tests)
            _require(test not in cells, folder, f"{table['name']}: {name} is listed twice")
            _require(tests[test] == "green", folder, f"{table['name']}: {name} is no judge")
            reason = value[name] if isinstance(value, dict) else None
            cells[test] = Expected(outcomes, reason)
    status = table.get("status")
    return Planted(
        name=table["name"],
        file=table["file"],
        start=start,
        end=end,
        original=table["original"],
        replacement=table["replacement"],
        statuses=None if status is None else frozenset(status.split("_or_")),
        cells=cells,
    )


def _position(text: str, offset: int) -> tuple[int, int]:
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1)
