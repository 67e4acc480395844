"""Answers that don't commit, and answers taken back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from redhanded.outputs.case import Case
from redhanded.outputs.contract import frames
from redhanded.outputs.contract.base import find
from redhanded.outputs.contract.choice import Choice
from redhanded.outputs.contract.text import text_of
from redhanded.outputs.operators.base import Decline, Provenance, Variant
from redhanded.outputs.operators.build import (
    NO_OTHER,
    NOT_BARE,
    Answer,
    Planter,
    answer_of,
    bare,
    framed,
    rewritten,
    twins,
)


def _others(case: Case, wanted: int) -> tuple[Answer, tuple[str, ...]] | Decline:
    answer = answer_of(case)
    if isinstance(answer, Decline):
        return answer
    others = tuple(other for other in answer.others if frames.fits(other))[:wanted]
    if not bare(answer):
        return NOT_BARE
    return (answer, others) if len(others) == wanted else NO_OTHER


def _hedged(case: Case) -> Iterable[Variant] | Decline:
    found = _others(case, 2)
    if isinstance(found, Decline):
        return found
    answer, others = found
    return [
        Variant(
            pair.name,
            rewritten(case.good, pair.wrong.fill(answer.text, *others)),
            rewritten(case.good, pair.sham.fill(answer.text, *others))
            if pair.sham and twins(answer, pair)
            else None,
            constructed=answer.meant,
            why="it names several answers and chooses none",
        )
        for pair in frames.HEDGES
    ]


def _echoed(case: Case) -> Iterable[Variant] | Decline:
    choice = find(case.right, "choice")
    if not isinstance(choice, Choice):
        return Decline("needs_options", "declare rh.choice(letter, options={...})")
    good = text_of(case.good) or ""
    answer = answer_of(case)
    letters = ", ".join(letter for letter, _ in choice.options)
    why = "it repeats the options and picks none"
    sham = rewritten(case.good, f"{choice.listing}\n\n{good}") if _answer_line(good) else None
    found = [Variant("options", rewritten(case.good, choice.listing), sham, why=why)]
    if isinstance(answer, Answer) and answer.text == choice.letter:
        every = answer.put(letters)
        if every is not None:
            found.append(Variant("every_letter", rewritten(case.good, every), why=why))
    return found


def _answer_line(good: str) -> bool:
    """Does a reference end with a line for the answer, whatever stands before it?"""
    return re.match(r"\s*answer\s*:", good.rstrip().splitlines()[-1], re.I) is not None


def _corrected(case: Case) -> Iterable[Variant] | Decline:
    answer = answer_of(case)
    if isinstance(answer, Decline):
        return answer
    if not bare(answer):
        return NOT_BARE
    found = [*framed(case, answer, frames.RETRACTIONS, "it takes the answer back")]
    other = next((other for other in answer.others if frames.fits(other)), None)
    if other is not None:
        found += [
            Variant(
                pair.name,
                rewritten(case.good, pair.wrong.fill(other, answer.text)),
                rewritten(case.good, pair.wrong.fill(answer.text, other))
                if twins(answer, pair)
                else None,
                constructed=answer.meant,
                why="its last word is another answer",
            )
            for pair in frames.CORRECTIONS
        ]
    return found


OPERATORS: Final = (
    Planter(
        "hedged-list",
        "defect",
        "hedged-list",
        "Several answers, the right one among them, and no choice",
        (
            Provenance(
                "Any keyword of the ideal answer that appeared in the reply made it a match, so "
                "that answers with other values counted.",
                "openai/evals#791",
            ),
            Provenance(
                "A multiple-choice scorer accepted ANSWER: AB for option A.",
                "openai/evals#1767",
            ),
        ),
        _hedged,
    ),
    Planter(
        "echoed-options",
        "defect",
        "echoed-options",
        "The options repeated, and none picked",
        (
            Provenance(
                "A choice scorer extracted all letters at once from a reply that went through the "
                "options.",
                "UKGovernmentBEIS/inspect_ai#721",
            ),
        ),
        _echoed,
    ),
    Planter(
        "self-correction",
        "defect",
        "self-correction",
        "The answer, then taken back or replaced",
        (
            Provenance(
                "An extractor took the first 'Answer:' of a reply whose last one was another.",
                "openai/frontier-evals#125",
            ),
            Provenance(
                "The same in the grader of a published set of math problems.",
                "openai/simple-evals#115",
            ),
        ),
        _corrected,
    ),
)
