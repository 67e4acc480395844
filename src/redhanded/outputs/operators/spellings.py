"""Other ways to write the same number."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

from redhanded.outputs.contract import literals
from redhanded.outputs.contract.number import Number
from redhanded.outputs.operators.build import write


def of_number(literal: literals.Literal, contract: Number, *, alone: bool) -> dict[str, str | None]:
    """Other ways to write a literal that people use."""
    groups, mark = literals.LOCALES[contract.locale]
    found: dict[str, str | None] = {}
    grouped = any(char in literal.text for char in groups)
    whole = literal.text.split(mark)[0].lstrip("+" + literals.MINUS)
    if grouped:
        found["ungrouped"] = literal.text.translate({ord(char): None for char in groups})
    elif groups and whole.isdigit() and len(whole) > 3 and not whole.startswith("0"):
        # A whole number of four digits may be a year, which nobody groups.
        year = len(whole) == 4 and whole[0] in "12" and literal.text.isdigit() and not literal.unit
        if not year:
            head = literal.text[: literal.text.index(whole)]
            tail = literal.text[len(head) + len(whole) :]
            found["grouped"] = head + f"{int(whole):,}".replace(",", groups[0]) + tail
    if alone and contract.digits is None and not literal.magnitude:
        _, dot, rest = literal.text.rpartition(mark)
        places = len(rest) if dot and rest.isdigit() else 0
        found["trailing_zero"] = write(literal, literal.value, contract.locale, places + 1)
    return found


def finite(under: int) -> bool:
    """Does a fraction with this denominator end as a decimal fraction?"""
    for prime in (2, 5):
        while under % prime == 0:
            under //= prime
    return under == 1


def decimal(value: Fraction) -> str:
    """A value as a decimal fraction, where that ends."""
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    digits = str(abs(int(value * 10**places))).rjust(places + 1, "0")
    body = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{body}" if value < 0 else body


def plain_target(target: Any) -> str | None:
    """A target as a model would write it; None where it is no text and no number."""
    if isinstance(target, str):
        return target
    if isinstance(target, bool) or not isinstance(target, (int, float, Decimal)):
        return None
    text = str(target)
    # An exponent, or nan, is Python's way of writing it, not a model's.
    if isinstance(target, int) or re.fullmatch(r"-?\d+(?:\.\d+)?", text):
        return text
    number = Decimal(text)
    return format(number, "f") if number.is_finite() else None
