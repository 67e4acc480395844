"""Right outputs in other words: what a grader must not reject."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Final

from redhanded.outputs.case import Case
from redhanded.outputs.contract import frames
from redhanded.outputs.contract.base import find, leaves
from redhanded.outputs.contract.choice import OneOf
from redhanded.outputs.contract.math import Math
from redhanded.outputs.contract.number import Number
from redhanded.outputs.contract.replies import DISCLAIMER
from redhanded.outputs.contract.text import text_of
from redhanded.outputs.operators import spellings
from redhanded.outputs.operators.base import Decline, Provenance, Variant
from redhanded.outputs.operators.build import (
    DATA,
    Answer,
    Planter,
    answer_of,
    labelled,
    rewritten,
)

FORM_MAY_BE_DUE: Final = Decline(
    "form_may_be_due", "give a reference without a label, where its answer needs none"
)
_NO_NOUN: Final = """
the a an this that these those my your his her its our their it he she they we you i there here
in on at by to of for from with and or but yes no not is are was were
"""


def _varied(case: Case, what: str, texts: Mapping[str, str | None]) -> list[Variant]:
    """The reference in other spellings of the same."""
    return [
        Variant(name, rewritten(case.good, text), why=what)
        for name, text in texts.items()
        if text is not None and text != case.good.text
    ]


def _declared(case: Case, variation: str) -> bool:
    """Did the user say so in words, so that unusual spellings are meant too?"""
    return any(variation in getattr(leaf, "ignore", ()) for leaf in leaves(case.right))


def _free(case: Case, variation: str) -> str | Decline:
    """The reference's text, where the contract leaves this free."""
    good = text_of(case.good)
    if good is None or not good.strip():
        return DATA
    if variation not in case.right.varies:
        unlock = f'declare that it may vary, such as ignore=("{variation}",)'
        return Decline(f"{variation}_not_free", unlock)
    return good


def _whitespace(case: Case) -> Iterable[Variant] | Decline:
    good = _free(case, "whitespace")
    if isinstance(good, Decline):
        return good
    return _varied(
        case,
        "white space around an answer doesn't change it",
        {
            "trailing_newline": f"{good}\n",
            "around": f"  {good.strip()} ",
            "leading_newlines": f"\n\n{good}",
        },
    )


def _case(case: Case) -> Iterable[Variant] | Decline:
    good = _free(case, "case")
    if isinstance(good, Decline):
        return good
    texts = {"upper": good.upper(), "lower": good.lower()}
    if _declared(case, "case"):
        texts["swapped"] = good.swapcase()
    same: dict[str, str | None] = {
        name: text
        for name, text in texts.items()
        if len(text) == len(good) and text.casefold() == good.casefold()
    }
    return _varied(case, "upper and lower case don't matter here", same) or Decline(
        "no_letters_with_case", "give an answer with letters that have both cases"
    )


def _unicode(case: Case) -> Iterable[Variant] | Decline:
    good = _free(case, "unicode")
    if isinstance(good, Decline):
        return good
    texts: dict[str, str | None] = {
        form.lower(): unicodedata.normalize(form, good) for form in ("NFC", "NFD")
    }
    declared = _declared(case, "unicode")
    if declared and good.isascii() and " " in good.strip():
        texts["no_break_space"] = good.replace(" ", "\u00a0")
    if declared and good.isascii() and any(char.isalnum() for char in good):
        wide = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
        texts["full_width"] = good.translate({**wide, 0x20: 0x3000})
    return _varied(case, "the same characters in another Unicode form", texts) or Decline(
        "no_other_form", 'give an answer with accents, or declare ignore=("unicode",)'
    )


def _fence(case: Case) -> Iterable[Variant] | Decline:
    good = _free(case, "fence")
    if isinstance(good, Decline):
        return good
    if "```" in good:
        return Decline("fenced_already", "give a reference without a fence")
    return _varied(
        case,
        "a fence around an answer doesn't change it",
        {"plain": f"```\n{good}\n```", "labelled": f"```text\n{good}\n```"},
    )


def _article(case: Case) -> Iterable[Variant] | Decline:
    good = _free(case, "article")
    if isinstance(good, Decline):
        return good
    words = good.split()
    first = words[0]
    noun = first.isalpha() and first.casefold() not in _NO_NOUN.split()
    answer = answer_of(case)
    whole = isinstance(answer, Answer) and answer.whole
    if not _declared(case, "article"):
        # Unless somebody says so, nobody puts an article before a name.
        noun = noun and first.islower()
    if not noun or not whole or len(words) > 4 or good.rstrip()[-1] in ".!?":
        return Decline("article_would_not_fit", "give a reference that is a bare noun")
    return _varied(case, "an article before a noun doesn't change it", {"the": f"The {good}"})


def _disclaimer(case: Case) -> Iterable[Variant] | Decline:
    good = _free(case, "disclaimer")
    if isinstance(good, Decline):
        return good
    if find(case.right, "refusal") or find(case.right, "abstention"):
        return Decline("disclaimer_may_count", "declare a contract of what the answer is")
    return _varied(
        case, "a closing disclaimer takes nothing back", {"closing": f"{good}\n\n{DISCLAIMER}"}
    )


def _number_format(case: Case) -> Iterable[Variant] | Decline:
    good = _free(case, "number_format")
    if isinstance(good, Decline):
        return good
    if find(case.right, "math"):
        return _math_format(case)
    answer = answer_of(case)
    if isinstance(answer, Decline):
        return answer
    literal, contract = answer.literal, answer.contract
    if literal is None or not isinstance(contract, Number) or not literal.clean:
        return Decline("no_number", "give a reference with one plain number")
    found = spellings.of_number(literal, contract, alone=not good[literal.last :].strip(" .\n"))
    texts: dict[str, str | None] = {
        name: good[: literal.start] + numeral + good[literal.end :]
        for name, numeral in found.items()
        if numeral is not None and numeral != literal.text
    }
    return _varied(case, "the same number, written otherwise", texts) or Decline(
        "no_other_format", "give a number of a thousand or more"
    )


def _math_format(case: Case) -> Iterable[Variant] | Decline:
    answer = answer_of(case)
    contract = find(case.right, "math")
    if isinstance(answer, Decline) or not isinstance(contract, Math) or contract.value is None:
        return Decline("not_decided", "declare rh.math(...) of rationals and square roots")
    value = contract.value.get(1, Fraction(0))
    if set(contract.value) - {1}:
        return Decline("no_other_format", "declare a rational value")
    sign, top, under = ("-" if value < 0 else ""), abs(value.numerator), value.denominator
    texts: dict[str, str | None] = {
        "latex_fraction": answer.put(rf"{sign}\frac{{{top}}}{{{under}}}") if under > 1 else None,
        "slash_fraction": answer.put(f"{sign}{top}/{under}") if under > 1 else None,
    }
    # A decimal fraction that ends is the very same value.
    texts["decimal"] = answer.put(spellings.decimal(value)) if spellings.finite(under) else None
    return _varied(case, "the same value, written otherwise", texts) or Decline(
        "no_other_format", "give a fraction"
    )


def _identical(case: Case) -> Iterable[Variant] | Decline:
    if text_of(case.good) is None:
        return DATA
    texts: dict[str, str | None] = {"target": spellings.plain_target(case.target)}
    answer = answer_of(case)
    if isinstance(answer, Answer):
        if labelled(answer):
            return FORM_MAY_BE_DUE
        contract = answer.contract
        if isinstance(contract, OneOf):
            for place, allowed in enumerate(contract.allowed):
                texts[f"allowed_{place}"] = allowed
        else:
            texts["answer"] = answer.text
    return _varied(case, "it is the reference's answer itself", texts) or Decline(
        "reference_is_the_target", "give a reference that says more than the target"
    )


def _sentence(case: Case) -> Iterable[Variant] | Decline:
    answer = answer_of(case)
    if isinstance(answer, Decline):
        return answer
    # A number or a letter may be due in a form of its own.
    if not answer.meant:
        return Decline("sentence_not_free", "declare rh.answer(...), which may stand in a sentence")
    if labelled(answer):
        return FORM_MAY_BE_DUE
    if not frames.fits(answer.text):
        return Decline("answer_not_bare", "give an answer of few words that is no sentence")
    texts: dict[str, str | None] = {
        frame.name: frame.fill(answer.text) for frame in frames.AFFIRMATIONS
    }
    return _varied(case, "a plain sentence that gives the answer", texts)


_HELM: Final = Provenance(
    "A correct final number scored nothing because of a comma after it.",
    "stanford-crfm/helm#4337",
)
_HARNESS: Final = Provenance(
    "A correct $29.00 didn't match the target 29.", "EleutherAI/lm-evaluation-harness#3214"
)


def _equivalent(
    name: str, variation: str, summary: str, build: Any, *provenance: Provenance
) -> Planter:
    return Planter(name, "equivalent", variation, summary, provenance, build)


OPERATORS: Final = (
    _equivalent(
        "white-space",
        "whitespace",
        "White space before and after the answer",
        _whitespace,
        Provenance(
            "An equality assertion compared with a line end that came from a CSV file.",
            "promptfoo/promptfoo#3458",
        ),
    ),
    _equivalent(
        "letter-case",
        "case",
        "The answer in upper and lower case",
        _case,
        Provenance(
            "Tests of structured output had to be relaxed: the right value came in another case.",
            "ogx-ai/ogx#3997",
        ),
    ),
    _equivalent(
        "unicode-form",
        "unicode",
        "The same characters in another Unicode form",
        _unicode,
        Provenance(
            "The same words, composed and decomposed, never matched: ten of ten were missed.",
            "vshulcz/deja-vu#1098",
        ),
    ),
    _equivalent(
        "fenced-answer",
        "fence",
        "The answer in a code fence",
        _fence,
        Provenance(
            "A metric called valid output invalid for the fence around it.",
            "confident-ai/deepeval#3166",
        ),
    ),
    _equivalent(
        "leading-article",
        "article",
        "An article before the answer",
        _article,
        Provenance(
            "An expression that was to ignore articles let some stand and cut others out of words.",
            "EleutherAI/lm-evaluation-harness#1303",
        ),
    ),
    _equivalent(
        "closing-disclaimer",
        "disclaimer",
        "A disclaimer after the answer",
        _disclaimer,
        Provenance(
            "A right explanation lost its marks for a sentence about what the tool doesn't do.",
            "SeraphimSerapis/tool-eval-bench#163",
        ),
    ),
    _equivalent(
        "number-format",
        "number-format",
        "The same number with or without groups and trailing zeros",
        _number_format,
        _HARNESS,
        _HELM,
    ),
    _equivalent(
        "identical-answer",
        "identical",
        "The target itself, and each text that is allowed",
        _identical,
        Provenance(
            "A gold answer of A scored nothing when a model gave just that.",
            "OpenBMB/UltraRAG#509",
        ),
    ),
    _equivalent(
        "plain-sentence",
        "sentence",
        "The answer in a plain sentence",
        _sentence,
        Provenance(
            "Right options were missed where the reply explained its pick.",
            "open-compass/VLMEvalKit#1552",
        ),
        _HELM,
    ),
)
