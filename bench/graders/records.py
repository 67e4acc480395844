"""A run as it is kept: holes whole, everything else counted."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from bench.graders.subjects import HERE
from redhanded.model.graded import OutputOutcome, Row, Score
from redhanded.model.graders import GradersResult, Hole
from redhanded.outputs.case import Case

FORMAT: Final = "redhanded/bench-graders/1"
RESULTS: Final = HERE / "results"
RUN: Final = "run.json"

Record = Mapping[str, Any]


class RecordError(Exception):
    """A file isn't what it should be."""


def record(
    name: str,
    suite: str,
    versions: Mapping[str, str],
    cases: Sequence[Case],
    result: GradersResult,
) -> dict[str, Any]:
    """What is kept of a run: the same for the same run, whatever the day and the machine."""
    return {
        "format": FORMAT,
        "name": name,
        "suite": suite,
        "versions": {**versions, "redhanded": result.redhanded, "python": result.python},
        "complete": result.complete,
        "exit_code": result.exit_code,
        "cases": {one.id: _case(one, result) for one in cases},
        "graders": [_grader(one, result) for one in result.inventory.graders],
        "totals": {
            "rows": dict(sorted(result.tally.items())),
            "not_applicable": dict(sorted(result.not_applicable.items())),
            "incomplete": dict(sorted(result.lacks.items())),
        },
        "separations": [_plain(one) for one in result.separations],
        "ledger": _plain(result.ledger),
        "canaries": [_plain(one) for one in result.canaries],
        "untested": [_plain(one) for one in result.inventory.untested],
        "warnings": list(result.warnings),
        "holes": [_hole(one) for one in result.holes],
    }


def _case(case: Case, result: GradersResult) -> dict[str, Any]:
    given = {
        "right": case.right.code(),
        "input": case.input,
        "target": None if case.target is None else _shown(case.target),
        "pass_at": case.pass_at,
        "claims": None if case.claims is None else sorted(case.claims),
        "derived": case.derived or None,
        "reference": _plain(case.good),
    }
    return {key: value for key, value in given.items() if value is not None}


def _shown(target: Any) -> Any:
    """A target as data; what is none, by its type."""
    try:
        return _finite(msgspec.to_builtins(target, enc_hook=_named))
    except (TypeError, ValueError):
        return f"<{type(target).__name__}>"


def _named(value: Any) -> Any:
    dump = getattr(value, "model_dump", None)
    if dump is not None:
        return dump(exclude_none=True)
    return f"<{type(value).__name__}>"


def _grader(info: Any, result: GradersResult) -> dict[str, Any]:
    rows = [row for row in result.rows if belongs(row.grader, info.name)]
    scores = [
        one for one in result.scores if one.defect_class is None and belongs(one.grader, info.name)
    ]
    kinds = Counter(str(one.kind) for one in result.holes if belongs(one.grader, info.name))
    lacks = Counter(str(row.lack) for row in rows if row.lack is not None)
    return {
        "name": info.name,
        "cases": info.cases,
        "state": info.state,
        "witness": str(info.witness),
        "watched": list(info.watched),
        "claim": None if info.claim is None else list(info.claim),
        "claim_where": info.claim_where,
        "detection": _counted(one.detection for one in scores),
        "detection_no_sham": sum(one.detection_no_sham for one in scores),
        "preservation": _counted(one.preservation for one in scores),
        "floor": _counted(one.floor for one in scores),
        "holes": dict(sorted(kinds.items())),
        "incomplete": dict(sorted(lacks.items())),
        "outcomes": outcomes(rows),
        "undecided": classes(rows),
    }


def belongs(judge: str | None, name: str) -> bool:
    """Is it the grader, or one of its verdicts by name?"""
    return judge is not None and (judge == name or judge.startswith(f"{name}["))


def _counted(scores: Iterable[Score]) -> list[int]:
    """k and n, over all verdicts that a grader gives."""
    found = list(scores)
    return [sum(one.k for one in found), sum(one.n for one in found)]


def outcomes(rows: Iterable[Row]) -> dict[str, int]:
    """Rows by outcome."""
    return dict(sorted(Counter(str(row.outcome) for row in rows).items()))


def classes(rows: Iterable[Row]) -> list[str]:
    """Rows that earn nothing and are no hole: confounded, flaky."""
    wanted = (OutputOutcome.CONFOUNDED, OutputOutcome.FLAKY)
    return sorted(f"{row.id}: {row.outcome}" for row in rows if row.outcome in wanted)


def _hole(hole: Hole) -> dict[str, Any]:
    found = {
        "id": "",
        "case": hole.case,
        "grader": hole.grader,
        "kind": str(hole.kind),
        "class": hole.defect_class,
        "operator": hole.operator,
        "variant": hole.variant,
        "planted": hole.planted,
        "basis": None if hole.basis is None else str(hole.basis),
        "claim_source": str(hole.claim_source),
        "bar": hole.bar,
        "why": hole.why or None,
        "note": hole.note or None,
        "output": None if hole.output is None else _plain(hole.output),
    }
    found["id"] = key(found)
    return {name: value for name, value in found.items() if value is not None}


def key(hole: Mapping[str, Any]) -> str:
    """What a verdict names a hole by: another output under the same name is to be read anew."""
    whole = json.dumps(hole.get("output"), sort_keys=True, ensure_ascii=False)
    digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    place = "/".join(
        str(hole.get(name)) for name in ("case", "operator", "variant") if hole.get(name)
    )
    sham = " (sham)" if hole.get("planted") == "sham" else ""
    judge = hole["grader"].rpartition("[")
    named = f" {judge[1]}{judge[2]}" if judge[2].endswith("]") and judge[1] else ""
    return f"{place}{sham}{named} {digest}"


def _plain(value: Any) -> Any:
    """As JSON; a number that JSON has no word for as ``{"float": "nan"}``."""
    return _finite(msgspec.to_builtins(value, enc_hook=repr))


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    return [_finite(one) for one in value] if isinstance(value, (list, tuple)) else value


def write(folder: Path, kept: Record) -> Path:
    """Keep a run."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / RUN
    text = json.dumps(kept, indent=1, ensure_ascii=True)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def read(name: str, results: Path = RESULTS) -> Record:
    """A run that is kept.

    Raises:
        RecordError: There is none, or it is of another format.
    """
    path = results / name / RUN
    try:
        found: Record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RecordError(f"{path.name} of {name}: expected a run, found: {error}") from None
    if found.get("format") != FORMAT:
        raise RecordError(f"{path.name} of {name}: expected {FORMAT}, found {found.get('format')}")
    return found


def names(results: Path = RESULTS) -> list[str]:
    """The runs that are kept."""
    return sorted(path.parent.name for path in results.glob(f"*/{RUN}"))
