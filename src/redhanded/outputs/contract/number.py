"""The contract of a number: its value, how near is near enough, and its unit."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Final, Literal

from redhanded.errors import UsageError
from redhanded.model.graded import Basis
from redhanded.model.output import Output, Part
from redhanded.outputs.contract import frames
from redhanded.outputs.contract import literals as numerals
from redhanded.outputs.contract.base import Finding, Ruling
from redhanded.outputs.contract.text import call, shown
from redhanded.outputs.contract.units import convert, known

Which = Literal["only", "first", "last"]
Given = int | float | Decimal | Fraction | str

PERCENT: Final = "%"
_DENIED: Final = re.compile(r"\b(?:is|was|are|were)\s+not\s+$")
NEAR: Final = 2
"""A miss within this many tolerances violates the tolerance alone."""


@dataclass(frozen=True)
class Number:
    """A number; see :func:`number`."""

    given: str
    """As the user wrote it."""
    value: Fraction
    tolerance: Fraction = Fraction(0)
    relative: Fraction = Fraction(0)
    unit: str | None = None
    digits: int | None = None
    locale: str = "en"
    which: Which = "only"
    kind: str = field(default="number", init=False)
    basis: Basis = field(default=Basis.ORACLE, init=False)
    parts: frozenset[Part] = field(default=frozenset({"text", "value"}), init=False)

    @property
    def varies(self) -> frozenset[str]:
        """White space around it and how it is written; more text where the place is declared."""
        free = {"whitespace", "number_format"}
        return frozenset(free | {"disclaimer"} if self.which == "first" else free)

    @property
    def allowed(self) -> Fraction:
        """How far off is near enough."""
        return max(self.tolerance, self.relative * abs(self.value))

    def rule(self, output: Output) -> Finding:
        """Right where the one number of the answer is near enough, wrong where it isn't.

        A text with several numbers, with words that hedge, turn or reckon, or with a number that
        is part of something else, is unknown, unless it is a frame whose meaning is known.
        """
        if output.has_value and not isinstance(output.value, str):
            return self._rule_value(output.value)
        text = output.value if output.has_value else output.text
        if not text.strip():
            return Finding(Ruling.WRONG, f"expected {self.shown}; found nothing")
        reading = frames.read(text)
        if reading is not None:
            return self._rule_frame(reading, text)
        return self._rule_text(text)

    @property
    def shown(self) -> str:
        """The number for people."""
        return f"{self.given} {self.unit}" if self.unit else self.given

    def _rule_value(self, value: object) -> Finding:
        if value is None or isinstance(value, (dict, list)):
            return Finding(Ruling.WRONG, f"expected {self.shown}; found no number", "value")
        if isinstance(value, bool) or not isinstance(value, (int, float, Decimal, Fraction)):
            why = f"can't read {type(value).__name__} as a number"
            return Finding(Ruling.UNKNOWN, why, "value")
        if not math.isfinite(value):
            return Finding(Ruling.WRONG, f"expected {self.shown}; found {value}", "value")
        exact = Fraction(repr(value)) if isinstance(value, float) else Fraction(value)
        return self._near(exact, str(value), "value")

    def _rule_frame(self, reading: frames.Reading, text: str) -> Finding:
        if reading.says == "affirms":
            return self._rule_text(reading.x)
        unsure = Finding(Ruling.UNKNOWN, f"can't tell which number {shown(text)} gives")
        if self.which != "only" and reading.says in ("corrects", "hedges"):
            # The case says which number counts, whatever stands around it.
            counts = reading.in_order[-1 if self.which == "last" else 0]
            if reading.says == "corrects" and counts != reading.x:
                return unsure
            if reading.says == "hedges" and self._rule_text(counts).ruling is not Ruling.WRONG:
                return unsure
        if reading.says == "corrects":
            # The number corrected must be one too, else what it says of the answer is open.
            first = [self._rule_text(one) for one in reading.others]
            if all(one.ruling is not Ruling.UNKNOWN for one in first):
                return self._rule_text(reading.x)
            return Finding(Ruling.UNKNOWN, f"can't tell what {shown(text)} corrects")
        found = [self._rule_text(one) for one in (reading.x, *reading.others)]
        known_all = all(one.ruling is not Ruling.UNKNOWN for one in found)
        if reading.says == "hedges":
            # An answer that may be any of several is none, where one of them is wrong.
            if known_all and any(one.ruling is Ruling.WRONG for one in found):
                return Finding(Ruling.WRONG, f"expected {self.shown}; {shown(text)} chooses none")
        elif found[0].ruling is Ruling.RIGHT and self._no_statement(reading):
            return Finding(Ruling.WRONG, f"{shown(text)} doesn't say that it is {self.shown}")
        elif reading.says == "mentions" and found[0].ruling is Ruling.WRONG:
            return found[0]
        return unsure

    @staticmethod
    def _no_statement(reading: frames.Reading) -> bool:
        # A number among garbage may still be meant; one that nothing is said about isn't.
        return reading.says in ("denies", "retracts") or reading.frame.name == "asked_about"

    def _rule_text(self, text: str) -> Finding:
        found = numerals.scan(text, self.locale, (self.unit,) if self.unit else ())
        if found is None:
            return Finding(Ruling.UNKNOWN, f"can't read the number in {shown(text)}")
        if not found:
            if numerals.numberless(text):
                return Finding(Ruling.WRONG, f"expected {self.shown}; {shown(text)} has no number")
            return Finding(Ruling.UNKNOWN, f"{shown(text)} may spell a number")
        if len(found) > 1 and self.which == "only":
            why = f'{shown(text)} holds several numbers: declare which="last", or "first"'
            return Finding(Ruling.UNKNOWN, why)
        literal = found[-1] if self.which == "last" else found[0]
        unsure = Finding(Ruling.UNKNOWN, f"can't tell what {shown(text)} says of its number")
        around = self._around(text, found, literal)
        if not literal.clean or around is None:
            return unsure
        before, after = around
        denied = _DENIED.search(before) if len(found) == 1 else None
        if denied:
            before = f"{before[: denied.start()]} is "
        if not numerals.plain_around(before, after):
            return unsure
        ruled = self._rule_literal(literal, text)
        if not denied:
            return ruled
        if ruled.ruling is Ruling.RIGHT:
            return Finding(Ruling.WRONG, f"{shown(text)} says that it isn't {self.shown}")
        return unsure

    def _around(
        self, text: str, found: list[numerals.Literal], literal: numerals.Literal
    ) -> tuple[str, str] | None:
        """The words that may bear on a literal: its own line's, where others are let stand.

        None where another number on its line may bear on it too.
        """
        if len(found) == 1:
            return text[: literal.first], text[literal.last :]
        start = text.rfind("\n", 0, literal.first) + 1
        end = text.find("\n", literal.last)
        end = len(text) if end < 0 else end
        inside = [one for one in found if one.first >= start and one.last <= end]
        if inside != [literal]:
            result = re.search(r"=\s+[$€£¥]?$", text[start : literal.start])
            if not result or inside[-1] is not literal:
                return None
            # What an equals sign stands before is the result of the rest of its line.
            start = literal.first
        return text[start : literal.first], text[literal.last : end]

    def _rule_literal(self, literal: numerals.Literal, text: str) -> Finding:
        value = literal.value
        if self.unit is None:
            if literal.unit in (PERCENT, "percent", "‰"):
                why = f'{shown(text)} is a percentage: declare unit="%", if that is meant'
                return Finding(Ruling.UNKNOWN, why)
            return self._near(value, shown(text), "text")
        if literal.unit is None:
            # Nobody says whether the unit may be left out.
            apart = self._near(value, shown(text), "text")
            if apart.ruling is Ruling.WRONG and apart.bar is None and known(self.unit) is None:
                return apart
            return Finding(Ruling.UNKNOWN, f"{shown(text)} has no unit; expected {self.shown}")
        converted = convert(value, literal.unit, self.unit)
        if converted is None:
            return Finding(Ruling.UNKNOWN, f"can't convert {literal.unit} to {self.unit}")
        if converted is False:
            why = f"expected {self.shown}; {shown(text)} is in {literal.unit}"
            return Finding(Ruling.WRONG, why)
        return self._near(Fraction(converted), shown(text), "text")

    def _near(self, value: Fraction, found: str, part: Part) -> Finding:
        off = abs(value - self.value)
        if self.digits is not None:
            if off <= self.allowed or rounded(value, self.digits) == rounded(
                self.value, self.digits
            ):
                return Finding(Ruling.RIGHT, f"is {self.shown} to {self.digits} digits", part)
            step = step_of(self.value, self.digits)
            bar = "tolerance" if off <= NEAR * step and value * self.value > 0 else None
            why = f"expected {self.shown} to {self.digits} digits; found {found}"
            return Finding(Ruling.WRONG, why, part, bar)
        if off <= self.allowed:
            within = f" within {float(self.allowed):g}" if self.allowed else ""
            return Finding(Ruling.RIGHT, f"is {self.shown}{within}", part)
        bar = None
        if self.allowed and off <= NEAR * self.allowed and value * self.value >= 0:
            bar = "tolerance"
        within = f" within {float(self.allowed):g}" if self.allowed else ""
        return Finding(Ruling.WRONG, f"expected {self.shown}{within}; found {found}", part, bar)

    def code(self) -> str:
        """``rh.number(...)``."""
        return call(
            "number",
            self.given if _bare(self.given) else repr(self.given),
            f"tolerance={_code(self.tolerance)}" if self.tolerance else "",
            f"relative={_code(self.relative)}" if self.relative else "",
            f"unit={self.unit!r}" if self.unit else "",
            f"digits={self.digits}" if self.digits is not None else "",
            f"locale={self.locale!r}" if self.locale != "en" else "",
            f"which={self.which!r}" if self.which != "only" else "",
        )


def step_of(value: Fraction, digits: int) -> Fraction:
    """What the last of so many significant digits counts."""
    if value == 0:
        return Fraction(10) ** (1 - digits)
    power = 0
    size = abs(value)
    while size >= 10:
        size /= 10
        power += 1
    while size < 1:
        size *= 10
        power -= 1
    return Fraction(10) ** (power - digits + 1)


def rounded(value: Fraction, digits: int) -> Fraction:
    """A value rounded to so many significant digits, halves to even."""
    step = step_of(value, digits)
    return round(value / step) * step


def _bare(given: str) -> bool:
    """Is it a literal of Python that means the same there?"""
    for kind in (int, float):
        try:
            if repr(kind(given)) == given:
                return True
        except ValueError:
            continue
    return False


def _code(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    return repr(float(value)) if Fraction(repr(float(value))) == value else repr(str(value))


def _fraction(given: Given, what: str) -> Fraction:
    if isinstance(given, bool) or not isinstance(given, (int, float, Decimal, Fraction, str)):
        raise UsageError(f"number() needs a number as {what}; found {given!r}.")
    try:
        return Fraction(repr(given) if isinstance(given, float) else given)
    except (ValueError, OverflowError):
        raise UsageError(
            f"number() needs a finite number as {what}, such as 42 or '0.1'; found {given!r}."
        ) from None


def number(
    value: Given,
    *,
    tolerance: Given = 0,
    relative: Given = 0,
    unit: str | None = None,
    digits: int | None = None,
    locale: str = "en",
    which: Which = "only",
) -> Number:
    """The answer is a number.

    Args:
        value: The right one; a float means the decimal that it is printed as.
        tolerance: How far off is near enough.
        relative: The same as a share of the value; the wider of both counts.
        unit: Its unit, such as ``"km"``, ``"$"`` or ``"%"``; other units are converted.
        digits: Right where it is the same when both are rounded to so many significant digits.
        locale: How numbers are written: ``en`` (1,234.5), ``de`` (1.234,5), ``fr`` (1 234,5),
            ``ch`` (1'234.5), ``plain`` (1234.5).
        which: Which number of a text is the answer; ``only``: there is but one.
    """
    exact = _fraction(value, "the value")
    bars = (_fraction(tolerance, "tolerance"), _fraction(relative, "relative"))
    if min(bars) < 0:
        raise UsageError("number() needs a tolerance that isn't negative.")
    if locale not in numerals.LOCALES:
        raise UsageError(f"number() knows locales {', '.join(numerals.LOCALES)}; found {locale!r}.")
    if which not in ("only", "first", "last"):
        raise UsageError(f"which= is 'only', 'first' or 'last'; found {which!r}.")
    if digits is not None and digits < 1:
        raise UsageError(f"digits= needs to be 1 or more; found {digits}.")
    return Number(str(value), exact, *bars, unit, digits, locale, which)
