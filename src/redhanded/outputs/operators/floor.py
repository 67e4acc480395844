"""Nothing at all, and garbage: the least that any grader has to reject."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from redhanded.outputs.case import Case
from redhanded.outputs.contract.frames import GARBAGE
from redhanded.outputs.operators.base import Decline, Provenance, Variant
from redhanded.outputs.operators.build import Planter, rewritten

NO_GARBAGE: Final = Decline("number_as_data", "give the reference's number as text")
BLANKS: Final = {"empty": "", "spaces": "   ", "newlines": "\n\n"}
NOISE: Final = {
    "letters": f"{GARBAGE[0]} {GARBAGE[1]}",
    "punctuation": ".,;: ?! ... -- !!",
    "one_letter_run": "q" * 40,
}


def _floor(case: Case, texts: dict[str, str], why: str) -> Iterable[Variant] | Decline:
    if not case.right.parts & {"text", "value"}:
        return Decline("not_about_the_answer", "add a clause about the answer's text")
    found = [Variant(name, rewritten(case.good, text), why=why) for name, text in texts.items()]
    if isinstance(case.good.value, (int, float)):
        # Text that is no number doesn't come as data; nothing at all does.
        nothing = msgspec.structs.replace(case.good, value=None)
        return [Variant("empty", nothing, why=why)] if "empty" in texts else NO_GARBAGE
    if case.good.has_value and not isinstance(case.good.value, str):
        found = [
            Variant(
                name,
                msgspec.structs.replace(rewritten(case.good, text), value=text or None),
                why=why,
            )
            for name, text in texts.items()
        ]
    return found


def _blank(case: Case) -> Iterable[Variant] | Decline:
    return _floor(case, BLANKS, "it says nothing")


def _garbage(case: Case) -> Iterable[Variant] | Decline:
    return _floor(case, NOISE, "it is no words")


OPERATORS: Final = (
    Planter(
        "blank-output",
        "floor",
        "blank",
        "Nothing, or white space alone, instead of the answer",
        (
            Provenance(
                "An extractor looked for the prediction in the options instead of the reverse, so "
                "that every empty prediction counted as option A.",
                "open-compass/VLMEvalKit#1701",
            ),
            Provenance(
                "String scorers guarded against the empty prediction only, and took white space "
                "for an answer.",
                "confident-ai/deepeval#3186",
            ),
        ),
        _blank,
    ),
    Planter(
        "garbage-output",
        "floor",
        "garbage",
        "Letters or punctuation that mean nothing, instead of the answer",
        (
            Provenance(
                "Articles were stripped from the gold answer A, which left nothing to look for: "
                "any prediction scored full marks.",
                "OpenBMB/UltraRAG#509",
            ),
            Provenance(
                "A model that gives one and the same output to every task won against all on "
                "popular automatic benchmarks.",
                "arXiv 2410.07137",
            ),
        ),
        _garbage,
    ),
)
