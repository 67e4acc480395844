"""Is a call evidence about the grader? From what was seen during it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from redhanded.model.graded import Answer, Lack
from redhanded.outputs.adapters.base import Verdict
from redhanded.outputs.witness.recorder import Opened, Seen
from redhanded.outputs.witness.target import Target, Unwatchable


@dataclass(frozen=True)
class Doubt:
    """Why a call is no evidence, in a word and in a sentence."""

    lack: Lack
    why: str


def doubt(
    seen: Seen,
    targets: Iterable[Target],
    unwatchable: Iterable[Unwatchable],
    *,
    answered: bool,
    repeat: int = 0,
) -> Doubt | None:
    """Why a call is no evidence, whatever it answered; None where it is.

    Args:
        seen: What was seen during the call.
        targets: What was watched.
        unwatchable: What could not be.
        answered: A verdict came back; else it raised, and need not have got to its upstream.
        repeat: Which repeat of the same question it was.
    """
    if seen.stray:
        return Doubt(
            Lack.UNATTRIBUTED, f"{seen.stray} entries during this call belong to no known call"
        )
    unseen = list(unwatchable)
    roles = {target.role for target in targets} | {one.role for one in unseen}
    found = _missing(seen, "grader", Lack.NOT_ENTERED, unseen)
    if found is None and answered and "upstream" in roles:
        found = _missing(seen, "upstream", Lack.UPSTREAM_NOT_ENTERED, unseen) or _swallowed(seen)
    missing = (Lack.NOT_ENTERED, Lack.UPSTREAM_NOT_ENTERED)
    if found is not None and found.lack in missing and repeat and answered and not unseen:
        return Doubt(Lack.CACHED, "answered without being entered, as the first call was")
    return found


def _missing(seen: Seen, role: str, lack: Lack, unseen: list[Unwatchable]) -> Doubt | None:
    if seen.outermost(role):
        return None
    others = seen.outermost(role, own=False)
    if others:
        return Doubt(Lack.OTHER_INSTANCE, f"{others[0].target.label}: another instance was entered")
    blind = next((one.why for one in unseen if one.role == role), None)
    return Doubt(lack, blind or f"the {role} was never entered in this call")


def _swallowed(seen: Seen) -> Doubt | None:
    """Every call of the library raised, and still there is a verdict: whose?"""
    asked = seen.outermost("upstream")
    if all(one.raised is not None or not one.done for one in asked):
        reason = asked[0].raised or "it didn't come back"
        return Doubt(
            Lack.UPSTREAM_IGNORED, f"{asked[0].target.label} raised ({reason}), yet a verdict came"
        )
    return None


def ignored(seen: Seen, verdicts: Mapping[str, Verdict]) -> dict[str, Doubt]:
    """The verdicts that aren't the upstream's, by key.

    Recomputed from what the library returned. Where a grader asks its library several times, one
    that agrees is enough: how a grader combines them is its own.
    """
    answers: list[Mapping[str, Verdict]] = []
    failed: str | None = None
    asked = [one for one in seen.outermost("upstream") if one.target.via is not None and one.done
             and one.raised is None]  # fmt: skip
    for one in asked:
        try:
            answers.append(_via(one))
        except Exception as error:
            failed = f"what {one.target.label} returned can't be read: {error}"
    if not asked:
        return {}
    found: dict[str, Doubt] = {}
    for key, verdict in verdicts.items():
        theirs = [one for one in (_of(answer, key, verdicts) for answer in answers) if one]
        if any(_agree(verdict, one) for one in theirs):
            continue
        said = ", ".join(str(one.answer) for one in theirs) or failed or "nothing about this"
        found[key] = Doubt(
            Lack.UPSTREAM_IGNORED,
            f"the verdict is {verdict.answer}, the library's {said}",
        )
    return found


def _via(opened: Opened) -> Mapping[str, Verdict]:
    via = opened.target.via
    return {} if via is None else via(opened.returned)


def _of(answer: Mapping[str, Verdict], key: str, verdicts: Mapping[str, Verdict]) -> Verdict | None:
    """The library's verdict of a key; where both give but one, their keys don't matter."""
    if key in answer:
        return answer[key]
    return next(iter(answer.values())) if len(answer) == 1 == len(verdicts) else None


def _agree(one: Verdict, other: Verdict) -> bool:
    if one.answer is not other.answer:
        return False
    if one.answer is not Answer.SCORED or one.score is None or other.score is None:
        return True
    return math.isclose(one.score, other.score, rel_tol=1e-9, abs_tol=1e-12)
