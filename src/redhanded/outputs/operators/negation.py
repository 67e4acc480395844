"""The answer, said not to be it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from redhanded.outputs.case import Case
from redhanded.outputs.contract import frames
from redhanded.outputs.operators.base import Decline, Provenance, Variant
from redhanded.outputs.operators.build import (
    NOT_BARE,
    Answer,
    Planter,
    answer_of,
    bare,
    framed,
    rewritten,
)

_COPULA: Final = re.compile(r"\b(is|are|was|were)\s+(?:(?:the|an?)\s+)?$", re.I)


def _in_place(case: Case, answer: Answer) -> Iterable[Variant]:
    """The reference's own sentence with one word more, right before the answer."""
    if answer.start < 0 or not _plain(answer):
        return
    copula = _COPULA.search(answer.good[: answer.start])
    if copula is None:
        return
    place = copula.end(1)
    texts = [answer.good[:place] + word + answer.good[place:] for word in (" not", " indeed")]
    yield Variant(
        "in_place",
        rewritten(case.good, texts[0]),
        rewritten(case.good, texts[1]),
        constructed=answer.meant,
        why="it denies the answer",
    )


def _plain(answer: Answer) -> bool:
    """Is the reference one sentence that nothing but the word to come can turn round?"""
    rest = answer.good[: answer.start] + answer.good[answer.start + len(answer.text) :]
    body = rest.strip().rstrip(".").strip()
    return not re.search(r"[.?!:;,\n]", body) and frames.fits(body) if body else False


def _negated(case: Case) -> Iterable[Variant] | Decline:
    answer = answer_of(case)
    if isinstance(answer, Decline):
        return answer
    if not bare(answer):
        return NOT_BARE
    return [
        *_in_place(case, answer),
        *framed(case, answer, frames.DENIALS, "it denies the answer"),
    ]


OPERATORS: Final = (
    Planter(
        "negated-answer",
        "defect",
        "negation",
        "The answer, said not to be it, in frames that keep prefix, suffix, line or place",
        (
            Provenance(
                "Patterns for a claim that a record was saved also matched a model that said it "
                "couldn't confirm that.",
                "heypinchy/pinchy#731",
            ),
            Provenance(
                "An extractor took the option that the model had just ruled out for its answer.",
                "antirez/ds4#321",
            ),
        ),
        _negated,
    ),
)
