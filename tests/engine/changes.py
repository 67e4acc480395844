"""The tiny changes below ``tests/changes``, and what a run has to find in them."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from tests.engine.cases import find_span, read_toml
from tests.repos import Repo

CHANGES: Final = Path(__file__).resolve().parent.parent / "changes"
COUNTS: Final = ("gained", "contested", "lost", "regained", "demoted", "unresolved", "free")
_TOUCHED: Final = ("added", "modified", "deleted", "unchanged")
_CONTROLS: Final = ("red", "order_dependent", "placebo_red", "absent")
_KEYS: Final = frozenset(
    {
        "purpose", "scope", "label", "real_defect", "ignored_pragmas", "cant_judge",
        "tests", "delta", "mutant", "planned",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Grade:
    """A delta: its counts, and its value with the denominator."""

    value: Fraction | None
    open_or_contested: int
    counts: dict[str, int]
    without_crash_only: Fraction | None
    """None: it isn't said."""


@dataclass(frozen=True)
class Mutation:
    """A mutant of head's source."""

    file: str
    start: tuple[int, int]
    end: tuple[int, int]
    replacement: str
    reference: str
    candidate: str | None
    killers: tuple[str, ...] | None


@dataclass(frozen=True)
class ChangeCase:
    """A tiny change and its expectations; None and empty ones are not said."""

    name: str
    folder: Path
    purpose: str
    scope: str
    label: str | None
    real_defect: bool | None
    ignored_pragmas: tuple[str, ...]
    cant_judge: tuple[str, ...]
    tests: dict[str, str]
    """How the change touches a test."""
    controls: dict[str, str]
    """Tests whose control isn't green."""
    grade: Grade | None
    mutants: tuple[Mutation, ...]
    planned: dict[str, Any] | None

    def repository(self, root: Path) -> Path:
        """Make a git repository of two commits."""
        repo = Repo(root)
        for revision in ("base", "head"):
            for path in root.iterdir():
                if path.name != ".git":
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
            ignored = shutil.ignore_patterns("__pycache__", ".pytest_cache")
            shutil.copytree(
                self.folder / revision,
                root,
                dirs_exist_ok=True,
                ignore=ignored,
                # Times of their own: git takes equal times and sizes for equal files.
                copy_function=shutil.copyfile,
            )
            repo.commit(message=revision)
        return root

    def mutants_file(self, path: Path) -> Path | None:
        """Write the mutants as JSON Lines; None where the run plans its own."""
        if self.planned is not None:
            return None
        lines = [
            json.dumps(
                {
                    "file": each.file,
                    "start": dict(zip(("line", "column"), each.start, strict=True)),
                    "end": dict(zip(("line", "column"), each.end, strict=True)),
                    "replacement": each.replacement,
                }
            )
            for each in self.mutants
        ]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path


def load(folder: Path) -> ChangeCase:
    """Read one change's expectations.

    Raises:
        ValueError: They don't fit the change's files, or hold what nobody asks for.
    """
    table = read_toml(folder / "expected.toml")
    unknown = set(table) - _KEYS
    if unknown or ("planned" in table) == ("mutant" in table):
        raise ValueError(f"{folder.name}: {unknown or 'expected one of planned and mutant'}")
    tests = {test: touched for touched in _TOUCHED for test in table["tests"].get(touched, ())}
    return ChangeCase(
        name=folder.name,
        folder=folder,
        purpose=table["purpose"],
        scope=table.get("scope", "mutants-file"),
        label=table.get("label"),
        real_defect=table.get("real_defect"),
        ignored_pragmas=tuple(table.get("ignored_pragmas", ())),
        cant_judge=tuple(table.get("cant_judge", ())),
        tests=tests,
        controls={test: kind for kind in _CONTROLS for test in table["tests"].get(kind, ())},
        grade=_grade(table["delta"]) if "delta" in table else None,
        mutants=tuple(_mutation(folder / "head", each) for each in table.get("mutant", ())),
        planned=table.get("planned"),
    )


def load_all() -> list[ChangeCase]:
    """All changes, by name."""
    return [load(path.parent) for path in sorted(CHANGES.glob("*/expected.toml"))]


def _grade(table: dict[str, Any]) -> Grade:
    given = table.pop("value")
    value = None if given == "unavailable" else Fraction(given)
    alone = table.pop("without_crash_only", None)
    counts = {name: table.pop(name, 0) for name in COUNTS}
    if table:
        raise ValueError(f"unknown counts: {table}")
    whole = 0 if value is None else int(given.partition("/")[2])
    return Grade(value, whole, counts, None if alone is None else Fraction(alone))


def _mutation(head: Path, table: dict[str, Any]) -> Mutation:
    start, end = find_span(head, table["file"], table["original"], table.get("nth"))
    killers = table.get("killers")
    return Mutation(
        file=table["file"],
        start=start,
        end=end,
        replacement=table["replacement"],
        reference=table["reference"],
        candidate=table.get("candidate"),
        killers=None if killers is None else tuple(killers),
    )
