"""The changes: which commits, and how their suites are run."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.oracle.errors import RefusedError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

COMMITS: Final = Path(__file__).parents[1] / "subjects" / "commits.toml"
SETTINGS: Final = Path(__file__).with_name("settings.toml")
SHORT: Final = 12


@dataclass(frozen=True)
class Suite:
    """How a repository's tests are run."""

    repository: str
    """OWNER/NAME."""
    roots: tuple[str, ...]
    args: tuple[str, ...]
    """pytest's arguments."""
    made: Mapping[str, str]
    """Files that the project's build makes."""

    @property
    def name(self) -> str:
        """The repository's name without its owner."""
        return self.repository.partition("/")[2]


@dataclass(frozen=True)
class Change:
    """One commit, compared with its parent."""

    suite: Suite
    commit: str
    kind: str
    """Why it was chosen: the key it stands under in ``commits.toml``."""

    @property
    def short(self) -> str:
        """The commit's first digits."""
        return self.commit[:SHORT]

    @property
    def label(self) -> str:
        """For messages and names of folders."""
        return f"{self.suite.name}-{self.short}"


@dataclass(frozen=True)
class Limits:
    """What holds for all changes."""

    cap: int
    jobs: int
    plain: int
    once: float
    sample: int
    seed: int
    slow: float
    settle: int


def read_changes(commits: Path = COMMITS, settings: Path = SETTINGS) -> list[Change]:
    """All changes, in the order in which they are listed."""
    told = _read(settings)
    changes = []
    for entry in _read(commits)["repository"]:
        suite = _suite(entry["name"], told)
        for kind, listed in entry.items():
            if kind != "name":
                changes += [Change(suite, commit, kind) for commit in listed]
    return changes


def read_limits(settings: Path = SETTINGS) -> Limits:
    """The limits that hold for all changes."""
    told = _read(settings)
    return Limits(**{name: told[name] for name in Limits.__dataclass_fields__})


def choose(changes: Sequence[Change], wanted: Sequence[str]) -> list[Change]:
    """The changes that are asked for, in the order of asking; all where nothing is.

    Args:
        changes: To choose from.
        wanted: Names of repositories, or the first digits of commits.

    Raises:
        RefusedError: Nothing answers to a name.
    """
    if not wanted:
        return list(changes)
    chosen: list[Change] = []
    for name in wanted:
        found = [one for one in changes if one.suite.name == name or one.commit.startswith(name)]
        if not found:
            raise RefusedError(f"expected a repository or a commit of {COMMITS.name}, found {name}")
        chosen += [one for one in found if one not in chosen]
    return chosen


def _suite(repository: str, told: Mapping[str, Any]) -> Suite:
    name = repository.partition("/")[2]
    if name not in told:
        raise RefusedError(f"expected a table [{name}] in {SETTINGS.name}, found none")
    mine = told[name]
    return Suite(repository, tuple(mine["roots"]), tuple(mine["args"]), dict(mine.get("made", {})))


def _read(path: Path) -> dict[str, Any]:
    told: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return told
