"""What a reader found of each hole: it holds, or it is false, and why.

``verdicts.toml`` has one table for each mechanism, with the holes that it is behind::

    [[verdict]]
    holds = true
    why = "The scorer looks for the text anywhere, so that a sentence that denies it passes."
    holes = ["includes-word/negated-answer/before 0a1b2c"]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.graders import records

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE: Final = "verdicts.toml"


@dataclass(frozen=True)
class Verdict:
    """A reader's finding on one hole."""

    hole: str
    holds: bool
    why: str


def read(name: str, results: Path = records.RESULTS) -> dict[str, Verdict]:
    """The verdicts on a run's holes, by the hole's key.

    Raises:
        RecordError: A hole has two verdicts, or a verdict gives no reason.
    """
    path = results / name / FILE
    found: dict[str, Verdict] = {}
    if not path.is_file():
        return found
    for table in tomllib.loads(path.read_text(encoding="utf-8")).get("verdict", []):
        for one in _of(table):
            if one.hole in found:
                raise records.RecordError(f"{name}: two verdicts on {one.hole}")
            found[one.hole] = one
    return found


def _of(table: Mapping[str, Any]) -> Iterator[Verdict]:
    why = table.get("why", "").strip()
    if not why.endswith(".") or not isinstance(table.get("holds"), bool):
        raise records.RecordError(f"expected holds= and a sentence in why=, found {table}")
    for hole in table["holes"]:
        yield Verdict(hole, table["holds"], why)


def compared(name: str, results: Path = records.RESULTS) -> tuple[list[str], list[str]]:
    """Holes without a verdict, and verdicts without a hole."""
    holes = [one["id"] for one in records.read(name, results)["holes"]]
    given = read(name, results)
    return [one for one in holes if one not in given], [x for x in given if x not in set(holes)]


def unread(name: str) -> int:
    """Print both.

    Returns:
        1 where there are some.
    """
    missing, left = compared(name)
    for sign, those in (("no verdict", missing), ("no hole", left)):
        for one in those:
            print(f"{sign}: {one}")
    return int(bool(missing or left))
