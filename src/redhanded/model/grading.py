"""From the recorded calls of one grader to what it did to each planted output.

Everything here is a pure function of calls, so that whoever has the calls can recompute every
outcome. A call that is no evidence (its ``lack``) makes the row incomplete before any verdict is
looked at; so does a control that isn't green.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from redhanded.model.graded import Answer, Call, Lack, OutputOutcome, Planted
from redhanded.model.score import ratio
from redhanded.model.wilson import interval


class Judged(msgspec.Struct, frozen=True):
    """What one grader did to one planted output."""

    outcome: OutputOutcome
    lack: Lack | None = None
    no_sham: bool = False
    accepted: int | None = None
    """Of ``repeats`` decisions; None without a bar."""
    repeats: int = 1
    note: str = ""


class Asking(msgspec.Struct, frozen=True):
    """All calls that bear on one planted output, of one judge."""

    planted: Planted
    controls: Sequence[Call]
    decisions: Sequence[Call]
    shams: Sequence[Call] = ()
    has_sham: bool = False
    """The output has a truthful twin; it is asked about after a rejection."""
    after: Sequence[Call] = ()
    """The second control."""


def green(controls: Sequence[Call]) -> Lack | None:
    """Why a control is no control; None where the grader accepts, or scores, the reference.

    An answer that isn't there counts before the witness of it: a grader that raised on the
    reference is told so, whether or not it was entered first.
    """
    if not controls:
        return Lack.ABORTED
    answers = {call.answer for call in controls}
    if answers == {Answer.ERROR}:
        return Lack.CONTROL_ERROR
    lack = lacking(controls)
    if lack is not None:
        return lack
    if answers in ({Answer.ACCEPT}, {Answer.SCORED}):
        return None
    return Lack.RED_CONTROL if answers <= {Answer.REJECT, Answer.ABSTAIN} else Lack.UNSTABLE_CONTROL


def lacking(calls: Sequence[Call]) -> Lack | None:
    """The first reason why calls are no evidence; None where all are."""
    return next((call.lack for call in calls if call.lack is not None), None)


def stateful(controls: Sequence[Call], after: Sequence[Call]) -> bool:
    """Did the grader accept the reference first, and not after the decisions?

    A second control that is no evidence, as one answered from a cache, says nothing.
    """
    if green(controls) is not None or not after or lacking(after) is not None:
        return False
    if controls[0].answer is Answer.ACCEPT:
        return any(call.answer is not Answer.ACCEPT for call in after)
    if any(call.answer is not Answer.SCORED for call in after):
        return True
    return max(_scores(after)) < min(_scores(controls))


def settled(answers: Sequence[Answer], repeats: int) -> bool:
    """Can nothing that is still to be asked, of ``repeats``, change what is decided?"""
    left = repeats - len(answers)
    if left <= 0:
        return True
    if not answers:
        return False
    if any(answer not in (Answer.ACCEPT, Answer.REJECT) for answer in answers):
        return len(set(answers)) > 1
    accepted = answers.count(Answer.ACCEPT)
    outcomes = {_decided(accepted + more, repeats) for more in range(left + 1)}
    return len(outcomes) == 1


def _decided(accepted: int, asked: int) -> Answer | None:
    """What most repeats said, where that is beyond doubt: all, or an interval beside one half."""
    if accepted in (0, asked):
        return Answer.ACCEPT if accepted else Answer.REJECT
    low, high = interval(accepted, asked)
    if low > 0.5:
        return Answer.ACCEPT
    return Answer.REJECT if high < 0.5 else None


def decided(calls: Sequence[Call]) -> Answer | None:
    """The answer that repeats of one call come to; None where they don't agree enough."""
    counts = Counter(call.answer for call in calls)
    if len(counts) == 1:
        return next(iter(counts))
    if set(counts) == {Answer.ACCEPT, Answer.REJECT}:
        return _decided(counts[Answer.ACCEPT], len(calls))
    return None


def judge(asking: Asking) -> Judged:
    """What a grader did to one planted output."""
    lack = green(asking.controls) or _unfit(asking.decisions)
    if lack is not None:
        return Judged(OutputOutcome.INCOMPLETE, lack, repeats=max(1, len(asking.decisions)))
    answer = decided(asking.decisions)
    scored = asking.controls[0].answer is Answer.SCORED
    accepted = sum(call.answer is Answer.ACCEPT for call in asking.decisions)
    found = _outcome(asking, answer, scored=scored)
    return msgspec.structs.replace(
        found, accepted=None if scored else accepted, repeats=len(asking.decisions)
    )


def _unfit(decisions: Sequence[Call]) -> Lack | None:
    return lacking(decisions) if decisions else Lack.ABORTED


def _outcome(asking: Asking, answer: Answer | None, *, scored: bool) -> Judged:
    if answer is None:
        return Judged(OutputOutcome.FLAKY)
    if answer is Answer.ERROR:
        return Judged(OutputOutcome.ERROR, note=_error(asking.decisions))
    if answer is Answer.ABSTAIN:
        missed = asking.planted != "equivalent"
        outcome = OutputOutcome.MISSED if missed else OutputOutcome.FLAGGED
        return Judged(outcome, note="abstained")
    if scored is not (answer is Answer.SCORED):
        gave = "a score without a bar" if answer is Answer.SCORED else "a verdict"
        first = "a verdict" if answer is Answer.SCORED else "a score without a bar"
        return Judged(OutputOutcome.ERROR, note=f"gave {gave}, but on the reference {first}")
    if scored:
        return _scored(asking)
    if answer is Answer.ACCEPT:
        held = asking.planted == "equivalent"
        return Judged(OutputOutcome.HELD if held else OutputOutcome.MISSED)
    return _rejected(asking)


def _rejected(asking: Asking) -> Judged:
    """A rejection counts only where the grader would still accept the reference, and a sham."""
    if stateful(asking.controls, asking.after):
        return Judged(
            OutputOutcome.INCOMPLETE,
            Lack.UNSTABLE_CONTROL,
            note="rejected, but after the decisions the reference was rejected too",
        )
    if asking.planted == "equivalent":
        return Judged(OutputOutcome.FLAGGED)
    if not asking.has_sham:
        return Judged(OutputOutcome.CAUGHT, no_sham=asking.planted == "defect")
    lack = _unfit(asking.shams)
    if lack is not None:
        return Judged(OutputOutcome.INCOMPLETE, lack, note="the sham's call is no evidence")
    answer = decided(asking.shams)
    if answer is Answer.ACCEPT:
        return Judged(OutputOutcome.CAUGHT)
    if answer is None:
        return Judged(OutputOutcome.FLAKY, note="the verdict on the sham varies")
    note = f"on the sham: {_error(asking.shams)}" if answer is Answer.ERROR else ""
    return Judged(OutputOutcome.CONFOUNDED, note=note)


def _scored(asking: Asking) -> Judged:
    """Without a bar: against the reference and the sham; equivalents come in with the case.

    See :func:`redhanded.model.separation.separate`, which has all outputs of the case.
    """
    if asking.planted == "equivalent":
        return Judged(OutputOutcome.SEPARATED)
    score = max(_scores(asking.decisions))
    if score >= min(_scores(asking.controls)):
        return Judged(OutputOutcome.NOT_SEPARATED, note="scored as high as the reference")
    if not asking.has_sham:
        return Judged(OutputOutcome.SEPARATED, no_sham=asking.planted == "defect")
    lack = _unfit(asking.shams)
    if lack is not None:
        return Judged(OutputOutcome.INCOMPLETE, lack, note="the sham's call is no evidence")
    if decided(asking.shams) is not Answer.SCORED or score >= min(_scores(asking.shams)):
        return Judged(OutputOutcome.CONFOUNDED, note="the sham scored no higher")
    return Judged(OutputOutcome.SEPARATED)


def _scores(calls: Sequence[Call]) -> list[float]:
    """Scores of calls; one without any is below all."""
    found = [float("-inf") if call.score is None else call.score for call in calls]
    return found or [float("-inf")]


def _error(calls: Sequence[Call]) -> str:
    return next((call.error for call in calls if call.error), "")


def acceptance(calls: Sequence[Call]) -> float | None:
    """The share of calls that accepted; None where there are none."""
    return ratio(sum(call.answer is Answer.ACCEPT for call in calls), len(calls))
