"""Number literals in a text, under a declared locale."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final

from redhanded.outputs.contract.units import CURRENCIES, known

LOCALES: Final[dict[str, tuple[str, str]]] = {
    "en": (",", "."),
    "de": (".", ","),
    "fr": ("\u202f\u00a0 ", ","),
    "ch": ("'\u2019", "."),
    "plain": ("", "."),
}
"""By locale: the characters that may group digits, and the decimal mark."""

MAGNITUDES: Final = {
    "k": 10**3,
    "K": 10**3,
    "thousand": 10**3,
    "M": 10**6,
    "mn": 10**6,
    "million": 10**6,
    "B": 10**9,
    "bn": 10**9,
    "billion": 10**9,
    "T": 10**12,
    "trillion": 10**12,
}
"""What multiplies the numeral before it."""

MINUS: Final = "-\u2212"
_SIGNS: Final = r"+\-\u2212"
"""For a class of characters in a pattern."""
HUGE: Final = 400
"""Exponents beyond this are no answer, and costly."""

_NUMBER_WORDS: Final = """
two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
hundred hundreds thousand thousands million millions billion billions trillion dozen dozens
half halves thirds quarters twice thrice double triple infinity infinite nan inf pi
"""
_SPELLED: Final = frozenset(_NUMBER_WORDS.split())
_MAYBE_SPELLED: Final = frozenset(
    ["zero", "one", "once", "single", "third", "quarter", "couple", "pair", "nil", "nought", "none"]
)
"""Numbers, but common in sentences that are about something else too."""
_TURNING_WORDS: Final = """
not nor never neither cannot wrong incorrect false untrue instead rather except unless or either
maybe perhaps possibly probably likely might could may but however actually wait correction mistake
unsure uncertain guess if approximately approx roughly
"""
_TURNING: Final = frozenset(_TURNING_WORDS.split())
"""What turns a sentence round, or hedges it, wherever it stands."""
_NEAR_WORDS: Final = """
no about around nearly almost circa ca between less more fewer least most than up over under above
below exceeding minimum maximum minus negative plus times divided multiplied squared cubed factorial
root log power percentage until before after
"""
_TURNING_NEAR: Final = frozenset(_NEAR_WORDS.split()) | _MAYBE_SPELLED
"""What reckons with a number or bounds it, where it stands right beside it."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_BESIDE: Final = re.compile(r"(?:[ \u00a0\u202f]|\\)?([^\W\d_]+|[%‰€$£¥]|°[CF]?|℃|℉)")
_DIGIT: Final = re.compile(r"[0-9]")
NEIGHBOURS: Final = 16
"""As far as that, what stands beside a literal may be part of it."""
_ROMAN: Final = re.compile(r"\b[IVXLCDM]{2,}\b")


@dataclass(frozen=True)
class Literal:
    """A number as it is written in a text."""

    start: int
    end: int
    """Of the numeral with its sign; without currency, magnitude and unit."""
    first: int
    last: int
    """With currency, magnitude and unit."""
    text: str
    value: Fraction
    """With the magnitude that follows it."""
    significant: int
    """How many of its digits are significant; zeros at the end of a whole number count."""
    clean: bool
    """It stands alone: no part of a word, date, range, fraction or formula."""
    unit: str | None = None
    """The unit, or currency, right beside it; None where no known one is."""
    magnitude: str = ""


@cache
def _numeral(locale: str) -> re.Pattern[str]:
    groups, mark = LOCALES[locale]
    grouped = rf"\d{{1,3}}(?:[{re.escape(groups)}]\d{{3}})+(?!\d)|" if groups else ""
    return re.compile(
        rf"(?P<sign>[{_SIGNS}]?)(?P<whole>{grouped}\d+)?(?P<rest>{re.escape(mark)}\d+)?"
        r"(?P<power>[eE][+-]?\d+)?",
        re.A,
    )


def scan(text: str, locale: str = "en", units: tuple[str, ...] = ()) -> list[Literal] | None:
    """All literals of a text, from left to right; None where digits are in no literal.

    Args:
        text: Where to look.
        locale: Of :data:`LOCALES`.
        units: Names of units to know beside those that are.
    """
    found: list[Literal] = []
    position = 0
    while (digit := _DIGIT.search(text, position)) is not None:
        literal = _at(text, digit.start(), locale, units)
        if literal is None:
            return None
        found.append(literal)
        position = literal.end
    return found


def _at(text: str, digit: int, locale: str, units: tuple[str, ...]) -> Literal | None:
    """The literal whose first digit is at a place."""
    _, mark = LOCALES[locale]
    start = digit
    if start and text[start - 1] == mark and not text[max(0, start - 2) : start - 1].isdigit():
        start -= 1
    if start and text[start - 1] in "+" + MINUS:
        start -= 1
    match = _numeral(locale).match(text, start)
    if match is None or match.end() <= digit or len(match["power"] or "") > len(str(HUGE)) + 2:
        return None
    whole = re.sub(r"\D", "", match["whole"] or "")
    fraction = (match["rest"] or "")[1:]
    power = int((match["power"] or "e0")[1:])
    if abs(power) > HUGE or len(whole) + len(fraction) > HUGE:
        return None
    value = Fraction(int(whole + fraction or "0")) * Fraction(10) ** (power - len(fraction))
    if match["sign"] and match["sign"] in MINUS:
        value = -value
    after, magnitude, unit = _behind(text, match.end(), units)
    before, currency = _ahead(text, start)
    return Literal(
        start,
        match.end(),
        before,
        after,
        match[0],
        value * MAGNITUDES.get(magnitude, 1),
        len((whole + fraction).lstrip("0")) or 1,
        _clean(text, before, after),
        currency or unit,
        magnitude,
    )


def _behind(text: str, end: int, units: tuple[str, ...]) -> tuple[int, str, str | None]:
    """What follows a numeral: where it ends, its magnitude, and its unit."""
    magnitude, unit = "", None
    step = _BESIDE.match(text, end)
    if step and step[1] in MAGNITUDES and step[1] not in units:
        spaced = step[0] != step[1]
        if not (spaced and len(step[1]) == 1):
            magnitude, end = step[1], step.end()
            step = _BESIDE.match(text, end)
    for name in sorted(units, key=len, reverse=True):
        own = re.compile(rf"[ \u00a0\u202f]?{re.escape(name)}(?!\w)").match(text, end)
        if own:
            return own.end(), magnitude, name
    if step and known(step[1]) is not None:
        unit, end = step[1], step.end()
    return end, magnitude, unit


def _ahead(text: str, start: int) -> tuple[int, str | None]:
    """What stands before a numeral: where it starts, and its currency."""
    before = text[max(0, start - 3) : start]
    found = re.search(rf"\\?([{re.escape(CURRENCIES)}])\s?$", before)
    return (start - len(found[0]), found[1]) if found else (start, None)


def _clean(text: str, start: int, end: int) -> bool:
    """Does nothing beside a literal make it a part of something else?"""
    before, after = text[max(0, start - NEIGHBOURS) : start], text[end : end + NEIGHBOURS]
    for mark in ("**", "`"):
        if before.endswith(mark) and after.startswith(mark):
            before, after = before[: -len(mark)], after[len(mark) :]
    # An equals sign that space follows states a result.
    if re.search(
        rf"[\w.,'\u2019/:^=*+#@&|\\{_SIGNS}]$|[<>~≈±≤≥≠^*\u00d7÷/]\s*$|[<>!]=\s*$", before
    ):
        return False
    if re.search(rf"\d\s*[,;:]?\s*$|[\d)]\s+[{_SIGNS}]\s+$", before):
        return False
    if re.match(
        rf"[\w/:^*\u00d7÷±=<>@#&|\\(\[{_SIGNS}]|[.,'\u2019]\d|\.\.|!|\s*[/^*\u00d7÷±=<>~≈]", after
    ):
        return False
    # A lone letter, as in "5 k", may be a magnitude or anything.
    return re.match(rf"\s+[{_SIGNS}]\s*[\w(]|\s[kKMBTE]\b", after) is None


def plain_around(before: str, after: str) -> bool:
    """Do the words around a literal leave it what it is: no turn, no hedge, no other number?"""
    if "?" in before + after or _words(before, after) & _TURNING or _spells(before, after):
        return False
    beside = _WORD.findall(before)[-2:] + _WORD.findall(after)[:2]
    return not {word.casefold() for word in beside} & _TURNING_NEAR


def numberless(text: str) -> bool:
    """Is there certainly no number in a text, not even a word for one?"""
    if re.search(r"\d", text) is not None or _spells(text):
        return False
    return not _words(text) & _MAYBE_SPELLED


def _words(*texts: str) -> set[str]:
    found = [word for text in texts for word in _WORD.findall(text)]
    words = {word.casefold().replace("\u2019", "'") for word in found}
    return words | {"not" for word in words if word.endswith("n't")}


def _spells(*texts: str) -> bool:
    """May there be a number in other than ASCII digits?"""
    other = [char for text in texts for char in text if not char.isascii()]
    numeric = any(unicodedata.numeric(char, None) is not None for char in other)
    roman = any(_ROMAN.search(text) for text in texts)
    return numeric or roman or bool(_words(*texts) & _SPELLED)
