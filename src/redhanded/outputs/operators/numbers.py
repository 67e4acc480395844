"""Numbers that are nearly right, or hold the right one's digits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final

import msgspec

from redhanded.model.output import Output
from redhanded.outputs.case import Case
from redhanded.outputs.contract import frames, literals, surd
from redhanded.outputs.contract.base import find
from redhanded.outputs.contract.math import Math
from redhanded.outputs.contract.number import Number, rounded, step_of
from redhanded.outputs.contract.units import OTHERS
from redhanded.outputs.operators import placing
from redhanded.outputs.operators.base import Decline, Provenance, Variant
from redhanded.outputs.operators.build import (
    Answer,
    Planter,
    answer_of,
    bare,
    framed,
    rewritten,
    unit_in_last_place,
)


def _data(case: Case) -> int | float | None:
    """The reference's number, where it is given as data."""
    value = case.good.value if case.good.has_value else None
    return None if isinstance(value, bool) or not isinstance(value, (int, float)) else value


def _valued(case: Case, value: float) -> Output:
    return msgspec.structs.replace(case.good, value=value)


def _near_miss(case: Case) -> Iterable[Variant] | Decline:
    data = _data(case)
    if data is not None:
        return [
            Variant("one_more", _valued(case, data + 1), why="it is one more"),
            Variant("one_less", _valued(case, data - 1), why="it is one less"),
        ]
    placed = placing.placed(case)
    if isinstance(placed, Decline):
        return _math_miss(case) or placed
    value, last = placed.literal.value, unit_in_last_place(placed.literal)
    found = [
        *placed.variant("last_digit_up", placed.written(value + last), "its last digit is off"),
        *placed.variant("last_digit_down", placed.written(value - last), "its last digit is off"),
    ]
    digits = placed.literal.text
    pairs = [at for at in range(len(digits) - 1) if digits[at : at + 2].isdigit()]
    swapped = next((at for at in reversed(pairs) if digits[at] != digits[at + 1]), None)
    if swapped:
        turned = digits[:swapped] + digits[swapped + 1] + digits[swapped] + digits[swapped + 2 :]
        found += placed.variant("digits_swapped", turned, "two of its digits are swapped")
    return found


def _math_miss(case: Case) -> list[Variant]:
    """Other values for an exact one, in the place of the reference's."""
    answer = answer_of(case)
    contract = find(case.right, "math")
    if isinstance(answer, Decline) or not isinstance(contract, Math) or answer.start < 0:
        return []
    value = contract.value
    plain = surd.plain(value) if value is not None else None
    others = [("one_more", f"{answer.text}+1"), ("twice", f"2*({answer.text})")]
    if plain is not None:
        others = [("one_more", str(plain + 1)), ("twice", str(plain * 2))]
        if abs(plain) not in (0, 1):
            others.append(("upside_down", str(1 / plain)))
    return [
        Variant(name, rewritten(case.good, str(answer.put(text))), why="it is another value")
        for name, text in others
    ]


def _tolerance(case: Case) -> Iterable[Variant] | Decline:
    contract = find(case.right, "number")
    if not isinstance(contract, Number):
        return placing.NO_NUMBER
    if not contract.allowed and contract.digits is None:
        return Decline("no_tolerance", "declare tolerance=, relative= or digits=")
    if _data(case) is not None:
        return [
            Variant(name, _valued(case, float(value)), why=why)
            for name, value, why in _outside(contract, 12)
        ]
    placed = placing.placed(case)
    if isinstance(placed, Decline):
        return placed
    # What is declared in another unit than the reference's has its edge elsewhere.
    if placed.literal.unit not in (None, contract.unit) and contract.unit is not None:
        return Decline("other_unit", "give a reference in the declared unit")
    return [
        variant
        for name, value, why in _outside(contract, 12)
        for variant in placed.variant(name, placed.written(value), why)
    ]


def _outside(contract: Number, most: int) -> Iterator[tuple[str, Fraction, str]]:
    """Values just outside both sides of what is near enough, and further out."""
    value, allowed = contract.value, contract.allowed
    if contract.digits is not None:
        step = step_of(value, contract.digits)
        near = rounded(value, contract.digits)
        yield "above", near + step, "it is just above what rounds to the value"
        yield "below", near - step, "it is just below what rounds to the value"
        return
    places = 0
    while Fraction(1, 10**places) > allowed / 10 and places < most:
        places += 1
    scale = 10**places
    above = Fraction(math.floor((value + allowed) * scale) + 1, scale)
    below = Fraction(math.ceil((value - allowed) * scale) - 1, scale)
    yield "above", above, "it is just above the tolerance"
    yield "below", below, "it is just below the tolerance"
    yield "far_above", above + 3 * (above - value), "it is far above the tolerance"


def _magnitude(case: Case) -> Iterable[Variant] | Decline:
    data = _data(case)
    if data is not None:
        return [Variant("tenfold", _valued(case, data * 10), why="it is ten times as much")]
    placed = placing.placed(case)
    if isinstance(placed, Decline):
        return placed
    value = placed.literal.value
    return [
        *placed.variant("tenfold", placed.written(value * 10), "it is ten times as much"),
        *placed.variant("thousandfold", placed.written(value * 1000), "it is a thousand times it"),
        *placed.variant("tenth", placed.written(value / 10), "it is a tenth"),
    ]


def _sign(case: Case) -> Iterable[Variant] | Decline:
    data = _data(case)
    if data is not None:
        return [Variant("flipped", _valued(case, -data), why="its sign is the other")]
    answer = answer_of(case)
    if isinstance(answer, Answer) and isinstance(answer.contract, Math):
        text = answer.text
        bare_sum = text.lstrip("-").strip("0123456789./\\frac{}") == ""
        other = text[1:] if text.startswith("-") else f"-{text}" if bare_sum else f"-({text})"
        put = answer.put(other)
        why = "its sign is the other"
        return (
            [Variant("flipped", rewritten(case.good, put), why=why)] if put else placing.NO_NUMBER
        )
    placed = placing.placed(case)
    if isinstance(placed, Decline):
        return placed
    if placed.literal.value == 0:
        return placing.ZERO
    # "$-5" is written "-$5"; leave that to whoever writes it.
    numeral = placed.literal.text
    flipped = numeral[1:] if placed.literal.value < 0 else "-" + numeral.lstrip("+")
    return [*placed.variant("flipped", flipped, "its sign is the other")]


def _digit_run(case: Case) -> Iterable[Variant] | Decline:
    placed = placing.placed(case)
    if isinstance(placed, Decline):
        return placed
    numeral = placed.literal.text
    sign, digits = ("-", numeral[1:]) if numeral[0] in literals.MINUS else ("", numeral)
    _, mark = literals.LOCALES[placed.locale]
    if not digits.isdigit():
        return Decline("grouped_or_fraction", "give a whole number without groups of digits")
    why = "it is another number that holds the right one's digits"
    return [
        *placed.variant("digit_before", f"{sign}2{digits}", why),
        *placed.variant("one_before", f"{sign}1{digits}", why),
        *placed.variant("digit_after", f"{sign}{digits}3", why),
        *placed.variant("zero_after", f"{sign}{digits}0", why),
        *placed.variant("fraction_after", f"{sign}{digits}{mark}5", why),
        *placed.variant("fraction_of_another", f"{sign}3{mark}{digits}", why),
    ]


def _unit(case: Case) -> Iterable[Variant] | Decline:
    placed = placing.placed(case)
    if isinstance(placed, Decline):
        return placed
    literal, good = placed.literal, placed.answer.good
    if literal.unit is None or not isinstance(placed.answer.contract, Number):
        return Decline("no_unit", 'declare the unit, rh.number(..., unit="km"), and write it')
    other = OTHERS.get(literal.unit)
    if other is None:
        return Decline("unit_without_a_like", 'write the unit as a symbol, such as "km"')
    for start, end in ((literal.first, literal.start), (literal.end, literal.last)):
        if literal.unit in good[start:end]:
            text = good[:start] + good[start:end].replace(literal.unit, other) + good[end:]
            why = f"it is in {other}, not in {literal.unit}"
            return [Variant("other_unit", rewritten(case.good, text), why=why)]
    return Decline("no_unit", "write the unit right beside the number")


def _percent(case: Case) -> Iterable[Variant] | Decline:
    placed = placing.placed(case)
    if isinstance(placed, Decline):
        return placed
    if placed.literal.unit != "%":
        return Decline("no_percentage", 'declare rh.number(..., unit="%"), and write the sign')
    value = placed.literal.value
    why = "a share was taken for a percentage, or the reverse"
    return [
        *placed.variant("share_as_percent", placed.written(value / 100), why),
        *placed.variant("percent_of_percent", placed.written(value * 100), why),
    ]


def _bound(case: Case) -> Iterable[Variant] | Decline:
    answer = answer_of(case)
    if isinstance(answer, Decline):
        return answer
    if not isinstance(answer.contract, Number):
        return placing.NO_NUMBER
    if not bare(answer):
        return placing.NOT_ALONE
    return framed(case, answer, frames.BOUNDS, "it says that the number is another")


_INSPECT: Final = Provenance(
    "A numeric match compared text: 25 ended with the target 5, and the sign of -5 was stripped "
    "with the punctuation.",
    "UKGovernmentBEIS/inspect_ai#3916",
)
_SMALL: Final = Provenance(
    "An absolute tolerance made any two small values equal, one of them 2.6 times the other.",
    "mitdbg/Kramabench#33",
)

OPERATORS: Final = (
    Planter(
        "near-miss-number",
        "defect",
        "near-miss",
        "A number whose last digit, or order of digits, is off",
        (
            Provenance(
                "Math expressions with very small values were called equal though one held a "
                "factor that the other didn't.",
                "huggingface/Math-Verify#14",
            ),
            _SMALL,
        ),
        _near_miss,
    ),
    Planter(
        "outside-tolerance",
        "defect",
        "tolerance",
        "A number just outside the declared tolerance, on both sides",
        (_SMALL,),
        _tolerance,
    ),
    Planter(
        "magnitude",
        "defect",
        "magnitude",
        "A number ten or a thousand times too big, or a tenth of it",
        (
            Provenance(
                "A reward file was read as passed wherever it began with 1: also 10 and 100.",
                "BaseIntelligence/bounty-challenge#173",
            ),
        ),
        _magnitude,
    ),
    Planter(
        "flipped-sign",
        "defect",
        "sign",
        "The number with the other sign",
        (
            _INSPECT,
            Provenance(
                "Preprocessing stripped the minus sign before a tolerance check.",
                "Submitty/Submitty#10702",
            ),
        ),
        _sign,
    ),
    Planter(
        "digit-run",
        "defect",
        "digit-run",
        "Another number that holds the right one's digits: 25, 15 or 5.5 for 5",
        (
            _INSPECT,
            Provenance(
                "711 was scored correct for 11 on an olympiad benchmark.",
                "aisa-group/PostTrainBench#44",
            ),
        ),
        _digit_run,
    ),
    Planter(
        "other-unit",
        "defect",
        "unit",
        "The same numeral in another unit or currency",
        (
            Provenance(
                "A grader of grounded values took a humidity in percent for a temperature in "
                "degrees, as both had the numeral.",
                "raullenchai/Rapid-MLX#3071",
            ),
        ),
        _unit,
    ),
    Planter(
        "percentage",
        "defect",
        "percent",
        "A share written as a percentage, or the reverse",
        (
            Provenance(
                "How a percent sign counts in a numeric match had to be argued out: 60% and 60 "
                "are not the same number.",
                "UKGovernmentBEIS/inspect_ai#838",
            ),
        ),
        _percent,
    ),
    Planter(
        "bound-for-number",
        "defect",
        "bound",
        "A bound where a number is asked: less than it, more than it",
        (
            Provenance(
                "Stripping marks at a number's edge would have graded a bound, such as <42, as "
                "the number.",
                "UKGovernmentBEIS/inspect_ai#4744",
            ),
        ),
        _bound,
    ),
)
