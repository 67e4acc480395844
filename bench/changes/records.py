"""The files that results are kept in: canonical JSON, one file a change.

What is there: ``repository``, ``commit``, ``parent``, ``kind``; ``versions``; ``command``;
``ended`` (``measured``, ``refused`` or ``timeout``), ``exit_code`` and ``reason``; ``plain``, what
the suite does at the commit by itself; ``headline``, the counts; ``mutants``, each with its status
under both cohorts and who killed it; ``oracle``, see :mod:`bench.changes.slow`; and apart from all
that ``seconds``, which were measured once, in one sitting, on one machine.

No path of the machine is kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench.changes.subjects import Change
from bench.oracle.errors import RefusedError

FORMAT: Final = "redhanded/change/1"
RESULTS: Final = Path(__file__).with_name("results")

Record = dict[str, Any]

_COHORT: Final = (
    "tests", "judges", "tried", "killed", "survived", "string_only", "no_coverage", "crashed",
    "hung", "incomplete", "contested",
)  # fmt: skip
_DELTA: Final = (
    "open", "contested", "gained", "free", "lost", "demoted", "unresolved", "regained", "value",
    "without_crash_only", "minimal_gain", "unavailable",
)  # fmt: skip


def path_of(results: Path, change: Change) -> Path:
    """Where a change's result is kept."""
    return results / change.suite.name / f"{change.short}.json"


def write(results: Path, change: Change, record: Record) -> None:
    """Keep a result."""
    path = path_of(results, change)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(record, sort_keys=True, indent=1, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")


def read(results: Path, change: Change) -> Record | None:
    """A result; None where the change has not been run.

    Raises:
        RefusedError: The file is something else, or of another change.
    """
    path = path_of(results, change)
    if not path.is_file():
        return None
    record: Record = json.loads(path.read_text(encoding="utf-8"))
    if record.get("format") != FORMAT or record.get("commit") != change.commit:
        raise RefusedError(
            f"{path}: expected {FORMAT} of {change.commit}, found {record.get('format')} of "
            f"{record.get('commit')}"
        )
    return record


def headline(result: Mapping[str, Any]) -> Record:
    """The counts, out of what ``--json`` prints."""
    plan, delta, candidate = result["plan"], result["delta"], result["candidate"]
    counts: Record = {
        "mutants": plan["mutants"],
        "scope": plan["scope"]["kind"],
        "digest": plan["digest"],
        "reference": _picked(result["reference"], _COHORT),
        "candidate": None if candidate is None else _picked(candidate, _COHORT),
        "delta": None if delta is None else _picked(delta, _DELTA),
        "excluded": result["excluded"],
        "real_defect": None,
        "red_controls": [one for one in result["controls"] if not one["passed"]],
        "warnings": result["warnings"],
        "no_judges": {
            f"{test['cohort']} {test['id']}": test["control"]
            for test in result["tests"]
            if test["control"] not in ("green", "skipped")
        },
    }
    if delta is not None and delta["real_defect"] is not None:
        counts["real_defect"] = delta["real_defect"]["caught"]
    return counts


def mutants(result: Mapping[str, Any]) -> list[Record]:
    """Each mutant: where it is, what both cohorts make of it, and who killed it."""
    return [
        {
            "id": one["id"],
            "file": one["file"],
            "start": [one["start"]["line"], one["start"]["column"]],
            "end": [one["end"]["line"], one["end"]["column"]],
            "replacement": one["replacement"],
            "operator": one["operator"],
            "status": one["status"],
            "gained": one["gained"],
            "killers": one["killers"],
            "confirmed": one["confirmed"],
            "crashers": len(one["crashers"]),
            "hangers": len(one["hangers"]),
            "reason": one["reason"],
        }
        for one in result["mutants"]
    ]


def without_paths(value: Any, folders: Mapping[Path, str]) -> Any:
    """The same with folders of this machine called by another name."""
    if isinstance(value, str):
        for folder, name in folders.items():
            value = value.replace(str(folder), name)
        return value
    if isinstance(value, Mapping):
        return {
            without_paths(key, folders): without_paths(one, folders) for key, one in value.items()
        }
    if isinstance(value, Sequence):
        return [without_paths(one, folders) for one in value]
    return value


def _picked(value: Mapping[str, Any], names: Sequence[str]) -> Record:
    return {name: value[name] for name in names}
