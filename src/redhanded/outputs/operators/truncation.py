"""An output that was cut off before, or within, its answer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from redhanded.outputs.case import Case
from redhanded.outputs.contract.text import near
from redhanded.outputs.operators.base import Decline, Provenance, Variant
from redhanded.outputs.operators.build import Answer, Planter, answer_of, rewritten

NO_PREFIX: Final = Decline("nothing_before_the_answer", "give a reference that leads up to it")
_LEADS_UP: Final = re.compile(
    r"^[^.?!:;,\n]{0,80}\b(?:is|are|was|were|be|been|by|of|to|in|at|the|an?|called|named)$"
    r"|^(?:final )?(?:answer|output|response|result|solution|reply)\s*:$",
    re.I,
)
"""What says nothing yet: a sentence that stops short, or a label."""


def half(answer: Answer) -> str | None:
    """The first half of an answer, cut within a word or a number; None where it is too short."""
    text = answer.text if answer.literal is None else answer.literal.text
    cut = len(text) // 2
    while cut > 1 and not (text[cut - 1].isalnum() and text[cut : cut + 1].isalnum()):
        cut -= 1
    kept = text[:cut]
    long_enough = len(text) >= (2 if answer.literal is not None else 6)
    return kept if long_enough and any(char.isalnum() for char in kept) else None


def _truncated(case: Case) -> Iterable[Variant] | Decline:
    answer = answer_of(case)
    if isinstance(answer, Decline):
        return answer
    if answer.start < 0:
        return Decline("answer_not_in_reference", "give a reference that holds its answer once")
    before = answer.good[: answer.start].rstrip()
    if not before.strip():
        return NO_PREFIX
    aliases = [str(one) for one in getattr(answer.contract, "aliases", ())]
    if any(near(one) in near(before) for one in (answer.text, *aliases) if near(one)):
        return Decline("answer_given_before", "give a reference that holds its answer once")
    if answer.meant and not _LEADS_UP.search(before):
        return Decline("may_be_answered_before", "give a reference that leads up to its answer")
    found = [
        Variant(
            "before_answer",
            rewritten(case.good, before),
            constructed=answer.meant,
            why="it ends before the answer",
        )
    ]
    # Of what is meant, a part may be a short form: photo, Chris, Beth.
    kept = None if answer.meant else half(answer)
    if kept is not None:
        start = answer.literal.start if answer.literal else answer.start
        found.append(
            Variant(
                "within_answer",
                rewritten(case.good, answer.good[:start] + kept),
                constructed=answer.meant,
                why="it ends within the answer",
            )
        )
    return found


OPERATORS: Final = (
    Planter(
        "truncated-output",
        "defect",
        "truncation",
        "The output ends before, or within, its answer",
        (
            Provenance(
                "A fifth to a third of a reasoning model's responses hit the token cap before "
                "their answer, and no run said so.",
                "allenai/olmo-eval#399",
            ),
            Provenance(
                "Answers cut off by a small token budget were graded like complete ones.",
                "HazyResearch/legalbench#55",
            ),
        ),
        _truncated,
    ),
)
