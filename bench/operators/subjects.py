"""What the operators are run on: the oracle's subjects, and a few more for the rare ones."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.oracle import subjects
from bench.oracle.errors import RefusedError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FURTHER: Final = Path(__file__).with_name("subjects.toml")


@dataclass(frozen=True)
class Subject:
    """One to run, on one version of Python."""

    listed: subjects.Listed
    operators: tuple[str, ...] | None
    """Those that are run on it; None: all."""

    @property
    def name(self) -> str:
        return self.listed.name


def rare() -> tuple[str, ...]:
    """The operators that the further subjects are for."""
    return tuple(tomllib.loads(FURTHER.read_text(encoding="utf-8"))["operators"])


def read(python: str) -> list[Subject]:
    """All subjects for a version of Python such as ``3.12``, in the order to run them."""
    return [
        *(Subject(one, None) for one in subjects.read_subjects(python)),
        *(Subject(one, rare()) for one in subjects.read_subjects(python, FURTHER)),
    ]


def choose(python: str, names: Sequence[str]) -> list[Subject]:
    """The subjects of these names; all where none is given.

    Raises:
        RefusedError: There is none of a name.
    """
    known = {subject.name: subject for subject in read(python)}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise RefusedError(f"expected one of {', '.join(known)}, found {unknown[0]}")
    return [known[name] for name in names or known]
