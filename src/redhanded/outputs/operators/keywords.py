"""The words of the answer, in no answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from redhanded.outputs.case import Case
from redhanded.outputs.contract import frames
from redhanded.outputs.operators.base import Decline, Provenance, Variant
from redhanded.outputs.operators.build import NOT_BARE, Planter, answer_of, bare, framed


def _keyword(case: Case) -> Iterable[Variant] | Decline:
    answer = answer_of(case)
    if isinstance(answer, Decline):
        return answer
    if not bare(answer):
        return NOT_BARE
    return framed(case, answer, frames.MENTIONS, "the answer's words are there, but no answer")


OPERATORS: Final = (
    Planter(
        "keyword-without-answer",
        "defect",
        "keyword",
        "The answer's words among garbage, or in a sentence that answers nothing",
        (
            Provenance(
                "Models did well on argument comprehension by the presence of single cue words, "
                "and fell to chance once these were balanced.",
                "arXiv 1907.07355",
            ),
            Provenance(
                "A canned answer that ends in an answer-like word passed as one: 'None of the "
                "above' was read as a pick of options A and B.",
                "UKGovernmentBEIS/inspect_ai#2216",
            ),
        ),
        _keyword,
    ),
)
