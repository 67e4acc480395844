"""The witness that a grader's own process gives: is it of this call, and what does it say?"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

from redhanded.model.graded import Entry, Lack
from redhanded.outputs.adapters.base import NoEvidenceError


def entries_of(
    response: Mapping[str, Any], request: Mapping[str, Any], key: str | None
) -> tuple[Entry, ...]:
    """The entries that a response testifies to.

    Args:
        response: What the process answered.
        request: What it was asked: number and nonce have to come back.
        key: The key that our helper vouches with; None where the process speaks for itself.

    Raises:
        NoEvidenceError: There is no witness, or not one of this call.
    """
    _same_call(response, request, "the response")
    witness = response.get("witness")
    if not isinstance(witness, Mapping):
        raise _lacking("the response has no witness")
    if key is not None:
        witness = _vouched(witness, key)
        _same_call(witness, request, "the helper's witness")
    entered = witness.get("entered")
    if not isinstance(entered, list):
        raise _lacking("the witness has no list 'entered'")
    if not entered:
        raise NoEvidenceError(Lack.NOT_ENTERED, "the witness says that nothing was entered")
    found = tuple(_entry(one) for one in entered)
    if not any(one.role == "grader" for one in found):
        raise NoEvidenceError(Lack.NOT_ENTERED, "the witness names no grader that was entered")
    answered = response.get("error") is None
    for name in witness.get("watching") or ():
        own = [one for one in found if one.role == "upstream" and one.target == name]
        if not own and answered:
            raise NoEvidenceError(Lack.UPSTREAM_NOT_ENTERED, f"{name} was not entered")
        if own and answered and all(one.raised is not None for one in own):
            why = f"{name} raised ({own[0].raised}), yet a verdict came"
            raise NoEvidenceError(Lack.UPSTREAM_IGNORED, why)
    return found


def _same_call(said: Mapping[str, Any], request: Mapping[str, Any], what: str) -> None:
    for name in ("id", "nonce"):
        if said.get(name) != request[name]:
            raise _lacking(
                f"{what} isn't of this call: expected {name} {request[name]!r}, "
                f"found {said.get(name)!r}"
            )


def _vouched(witness: Mapping[str, Any], key: str) -> dict[str, Any]:
    payload, mac = witness.get("payload"), witness.get("mac")
    if not isinstance(payload, str) or not isinstance(mac, str):
        raise _lacking("the witness isn't the helper's")
    expected = hmac.new(key.encode(), payload.encode(), hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected, mac):
        raise _lacking("the witness isn't the helper's: its code doesn't fit")
    said = json.loads(payload)
    if not isinstance(said, dict):
        raise _lacking("the helper's witness is no object")
    return said


def _entry(one: Any) -> Entry:
    if isinstance(one, str):
        return Entry(target=one, role="grader")
    if not isinstance(one, Mapping) or not isinstance(one.get("target"), str):
        raise _lacking(f"an entry of the witness names no target: {one!r}")
    return Entry(
        target=one["target"],
        role="upstream" if one.get("role") == "upstream" else "grader",
        returned=one.get("returned"),
        raised=None if one.get("raised") is None else str(one["raised"]),
        outermost=bool(one.get("outermost", True)),
    )


def _lacking(message: str) -> NoEvidenceError:
    return NoEvidenceError(Lack.SELF_REPORT_MISSING, message)
