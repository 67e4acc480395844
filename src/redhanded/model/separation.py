"""Graders that give a score and no bar: is there any bar that would tell right from wrong?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from redhanded.model.graded import Answer, Call, OutputOutcome
from redhanded.model.grading import Asking, Judged

NOTHING_TO_COMPARE: Final = "no wrong output was scored: there is nothing to be told apart from"


class Separation(msgspec.Struct, frozen=True):
    """One judge without a bar, over one case."""

    case: str
    grader: str
    reference: float
    """The lowest score of the reference."""
    highest_wrong: float | None
    """The highest score of a defect; None where none was scored."""
    lowest_right: float
    """The lowest score of a right output: the reference, equivalents, shams."""

    @property
    def separated(self) -> bool:
        """Is every right output strictly above every defect?"""
        return self.highest_wrong is not None and self.highest_wrong < self.lowest_right

    @property
    def interval(self) -> tuple[float, float] | None:
        """Bars above the first and up to the second tell them apart; None where none does."""
        if self.highest_wrong is None or not self.separated:
            return None
        return self.highest_wrong, self.lowest_right


_SCORED = (OutputOutcome.SEPARATED, OutputOutcome.NOT_SEPARATED, OutputOutcome.CONFOUNDED)


def separate(askings: Mapping[str, Asking], judged: Mapping[str, Judged]) -> dict[str, Judged]:
    """Bring the equivalents of a case in: the same rows, judged against each other.

    A defect has to score strictly below every right output. Where it scores as high as the
    reference, the defect is at fault. Where it is below the reference and as high as an
    equivalent, no bar fits both either, and both rows are ``not_separated``; the equivalent's
    is then the wrong verdict (:func:`at_fault`).
    """
    scored = {key: one for key, one in judged.items() if one.outcome in _SCORED}
    rights = {key: _low(askings[key].decisions) for key in scored if _right(askings[key])}
    wrongs = {key: _high(askings[key].decisions) for key in scored if not _right(askings[key])}
    found = dict(judged)
    for key in rights:
        if not wrongs:
            found[key] = msgspec.structs.replace(
                judged[key], outcome=OutputOutcome.NOT_APPLICABLE, note=NOTHING_TO_COMPARE
            )
        elif any(score >= rights[key] for score in wrongs.values()):
            found[key] = _not_separated(judged[key], "a wrong output scored as high")
    for key, score in wrongs.items():
        if judged[key].outcome is OutputOutcome.SEPARATED and any(
            score >= right for right in rights.values()
        ):
            found[key] = _not_separated(judged[key], "scored as high as an equivalent")
    return found


def at_fault(key: str, askings: Mapping[str, Asking], judged: Mapping[str, Judged]) -> bool:
    """Is a row that isn't separated itself the wrong verdict?

    A defect is where it scores as high as the reference. An equivalent is where it scores no
    higher than a defect that scores below the reference.
    """
    if judged[key].outcome is not OutputOutcome.NOT_SEPARATED:
        return False
    reference = _low(askings[key].controls)
    if not _right(askings[key]):
        return _high(askings[key].decisions) >= reference
    low = _low(askings[key].decisions)
    return any(
        low <= _high(other.decisions) < reference
        for name, other in askings.items()
        if not _right(other) and judged[name].outcome in _SCORED
    )


def measure(
    case: str, grader: str, askings: Mapping[str, Asking], judged: Mapping[str, Judged]
) -> Separation | None:
    """The separation of one judge over one case; None where nothing was scored."""
    scored = [askings[key] for key, one in judged.items() if one.outcome in _SCORED]
    # Where there is a bar its verdicts decide, though a score stands beside them.
    scored = [one for one in scored if one.decisions and one.decisions[0].answer is Answer.SCORED]
    if not scored:
        return None
    reference = _low(scored[0].controls)
    rights = [reference]
    rights += [_low(one.decisions) for one in scored if _right(one)]
    rights += [_low(one.shams) for one in scored if one.shams]
    wrongs = [_high(one.decisions) for one in scored if not _right(one)]
    return Separation(case, grader, reference, max(wrongs, default=None), min(rights))


def _right(asking: Asking) -> bool:
    return asking.planted == "equivalent"


def _not_separated(judged: Judged, note: str) -> Judged:
    return msgspec.structs.replace(judged, outcome=OutputOutcome.NOT_SEPARATED, note=note)


def _low(calls: Sequence[Call]) -> float:
    return min((call.score for call in calls if call.score is not None), default=float("-inf"))


def _high(calls: Sequence[Call]) -> float:
    return max((call.score for call in calls if call.score is not None), default=float("-inf"))
