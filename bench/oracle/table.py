"""Comparisons as one Markdown table: every file that is given is a row."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench.oracle.compare import FORMAT
from bench.oracle.errors import RefusedError

_COLUMNS: Final = (
    "subject", "side", "Python", "pytest", "mutants", "tests", "excluded tests", "cells", "agreed",
    "settled", "disagreed", "unsettled", "not run", "incomplete", "hangs", "statuses",
    "oracle, s",
)  # fmt: skip
_LEFT: Final = 4


def render(paths: Iterable[Path]) -> str:
    """The table over ``comparison.json`` files, or the folders that they lie in.

    Raises:
        RefusedError: A file is no comparison.
    """
    records = [_read(path) for path in paths]
    records.sort(key=lambda record: (record["subject"], _version(record["python"]), record["side"]))
    rows = [_row(record) for record in records]
    rules = ["---" if at < _LEFT else "---:" for at in range(len(_COLUMNS))]
    lines = [list(_COLUMNS), rules, *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdigit())


def _read(path: Path) -> Mapping[str, Any]:
    file = path / "comparison.json" if path.is_dir() else path
    try:
        record: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RefusedError(f"{file}: expected a comparison, found: {error}") from None
    if record.get("format") != FORMAT:
        raise RefusedError(f"{file}: expected {FORMAT}, found {record.get('format')}")
    return record


def _row(record: Mapping[str, Any]) -> Sequence[str]:
    cells, statuses, tests, mutants = (
        record[name] for name in ("cells", "statuses", "tests", "mutants")
    )
    sampled = f"{mutants['compared']} of {mutants['available']}"
    if mutants["compared"] < mutants["available"]:
        sampled += f" (seed {mutants['seed']})"
    return [
        f"{record['subject']} {record['version']}",
        str(record["side"]),
        str(record["python"]),
        str(record["pytest"]),
        sampled,
        str(tests["compared"]),
        _counted(_reasons(tests["excluded"])),
        str(cells["all"]),
        str(cells["agreed"]),
        str(cells["settled"]),
        str(cells["disagreed"]),
        str(cells["unsettled"]),
        str(cells["not_run"]),
        _counted(record["incomplete"]),
        str(record["timeouts"]),
        f"{statuses['agreed'] + statuses['settled']} of {statuses['compared']}",
        f"{record['oracle_seconds']:.0f}",
    ]


def _reasons(excluded: Mapping[str, str]) -> Mapping[str, int]:
    reasons = [why.split(":")[0] for why in excluded.values()]
    return {why: reasons.count(why) for why in sorted(set(reasons))}


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {why}" for why, count in sorted(counts.items())) or "0"
