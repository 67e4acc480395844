"""Reading what a grader returned: bool, number, mapping, object, nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from redhanded.model.graded import Answer
from redhanded.outputs.adapters.base import Verdict

EXPECTED: Final = (
    "expected a bool, a number, a mapping of these, None, or an object with .passed, .success, "
    ".score or .value"
)
FIELDS: Final = ("passed", "success", "score", "value")
"""Where an object keeps its verdict; the first that is there decides."""
COMPANIONS: Final = frozenset(
    {
        *FIELDS,
        *("key", "name", "comment", "comments", "reason", "reasons", "reasoning", "explanation"),
        *("detail", "details", "message", "metadata", "threshold", "label", "error", "answer"),
        *("source_run_id", "severity", "grader_id", "feedback"),
    }
)
"""Keys that go with one verdict: a mapping of these alone is one result, not several judges."""


def read(raw: Any, pass_at: float | None = None) -> dict[str, Verdict]:
    """Read a raw return.

    - a bool decides; a number is accepted from ``pass_at`` on, else only comparable;
    - NaN is an error; None and an empty mapping or list abstain;
    - a mapping with a verdict's own fields (``score``, ``reason``, ...) is one result; of any
      other mapping each key is a judge of its own, and text beside them is a comment;
    - a list holds results, each with its ``key`` or ``name``;
    - an object is read by its ``passed``, ``success``, ``score`` or ``value``;
    - anything else says nothing, and is an error.
    """
    if isinstance(raw, Mapping) and raw and not _one_result(raw):
        return _several(raw, pass_at)
    if isinstance(raw, Sequence) and not isinstance(raw, (str, bytes)) and len(raw) > 0:
        return _listed(raw, pass_at)
    return {"": one(raw, pass_at)}


def one(raw: Any, pass_at: float | None = None) -> Verdict:
    """Read one verdict."""
    raw = _plain(raw)
    if raw is None:
        return Verdict(Answer.ABSTAIN, why="returned None")
    if isinstance(raw, bool):
        return Verdict(Answer.ACCEPT if raw else Answer.REJECT)
    if isinstance(raw, (int, float)):
        return scored(float(raw), pass_at)
    if isinstance(raw, (Mapping, Sequence)) and not isinstance(raw, (str, bytes)) and not raw:
        return Verdict(Answer.ABSTAIN, why=f"returned an empty {type(raw).__name__}")
    if isinstance(raw, Mapping):
        return _fields(raw, [name for name in FIELDS if name in raw], raw.get, pass_at)
    if not isinstance(raw, (str, bytes, type)) and not isinstance(raw, Sequence):
        found = [name for name in FIELDS if hasattr(raw, name)]
        return _fields(raw, found, lambda name: getattr(raw, name, None), pass_at)
    return wrong_type(raw)


def scored(score: float, pass_at: float | None, why: str = "") -> Verdict:
    """Read a number."""
    if math.isnan(score):
        return Verdict(Answer.ERROR, score, "returned NaN: neither a pass nor a fail")
    if pass_at is None:
        return Verdict(Answer.SCORED, score, why)
    return Verdict(Answer.ACCEPT if score >= pass_at else Answer.REJECT, score, why)


def wrong_type(raw: Any) -> Verdict:
    """A return that says nothing."""
    text = repr(raw)
    shown = text if len(text) <= 80 and " at 0x" not in text else "..."
    return Verdict(Answer.ERROR, why=f"returned {type(raw).__name__} ({shown}): {EXPECTED}")


def _plain(raw: Any) -> Any:
    """A numpy scalar as the Python one that it is."""
    if type(raw).__module__ == "numpy" and getattr(raw, "shape", None) == ():
        return raw.item()
    return raw


def _one_result(raw: Mapping[Any, Any]) -> bool:
    keys = set(raw)
    return bool(keys & set(FIELDS)) and all(key in COMPANIONS for key in keys)


def _several(raw: Mapping[Any, Any], pass_at: float | None) -> dict[str, Verdict]:
    judges = {str(key): value for key, value in raw.items() if not isinstance(value, str)}
    if not judges:
        return {"": wrong_type(raw)}
    return {key: one(value, pass_at) for key, value in judges.items()}


def _listed(raw: Sequence[Any], pass_at: float | None) -> dict[str, Verdict]:
    found: dict[str, Verdict] = {}
    for item in raw:
        name = item.get("key") or item.get("name") if isinstance(item, Mapping) else None
        name = name or getattr(item, "name", None)
        if not isinstance(name, str) or name in found:
            return {"": wrong_type(raw)}
        found[name] = one(item, pass_at)
    return found


def _fields(raw: Any, found: list[str], get: Any, pass_at: float | None) -> Verdict:
    if not found:
        return wrong_type(raw)
    decided = one(get(found[0]), pass_at)
    score = _plain(get("score"))
    if decided.score is None and isinstance(score, (int, float)) and not isinstance(score, bool):
        decided = Verdict(decided.answer, float(score), decided.why)
    why = next((str(get(key)) for key in ("reason", "comment", "detail") if get(key)), "")
    return Verdict(decided.answer, decided.score, decided.why or why)
