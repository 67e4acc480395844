"""Exact numbers with square roots, and a reader of the expressions that mean them.

A number is a sum of rational multiples of square roots of different square-free integers. Such
sums are equal only when all their parts are, so equality is decided without any rounding.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

Surd = Mapping[int, Fraction]
"""By square-free integer: the factor of its root; the rational part is that of 1."""

LARGEST: Final = 10**12
"""Bigger integers under a root are not taken apart; bigger powers are not worked out."""
LONGEST: Final = 200
POWERS: Final = 64


class UndecidedError(Exception):
    """An expression that is beyond what is decided here."""


def rational(value: Fraction | int) -> Surd:
    """A rational number."""
    return {1: Fraction(value)} if value else {}


def add(one: Surd, other: Surd) -> Surd:
    """Their sum."""
    found = dict(one)
    for root, factor in other.items():
        found[root] = found.get(root, Fraction(0)) + factor
    return {root: factor for root, factor in found.items() if factor}


def multiply(one: Surd, other: Surd) -> Surd:
    """Their product."""
    found: Surd = {}
    for root, factor in one.items():
        for root2, factor2 in other.items():
            found = add(found, scale(sqrt_of(root * root2), factor * factor2))
    return found


def scale(one: Surd, factor: Fraction) -> Surd:
    """A rational multiple."""
    return {root: own * factor for root, own in one.items()} if factor else {}


def divide(one: Surd, other: Surd) -> Surd:
    """Their quotient, where the divisor is a single term."""
    if len(other) != 1:
        raise UndecidedError("division by a sum, or by zero")
    ((root, factor),) = other.items()
    return scale(multiply(one, {root: Fraction(1)}), 1 / (factor * root))


def power(one: Surd, other: Surd) -> Surd:
    """A power with a small whole exponent."""
    exponent = plain(other)
    if exponent is None or exponent.denominator != 1 or abs(exponent) > POWERS:
        raise UndecidedError("a power that isn't small and whole")
    if not one and exponent <= 0:
        raise UndecidedError("zero to the power of zero, or less")
    found = rational(1)
    for _ in range(abs(int(exponent))):
        found = multiply(found, one)
        if any(abs(factor.numerator) > LARGEST**8 for factor in found.values()):
            raise UndecidedError("a number too big")
    return divide(rational(1), found) if exponent < 0 else found


def sqrt_of(value: int) -> Surd:
    """The root of a whole number."""
    if value < 0 or value > LARGEST:
        raise UndecidedError("a root of less than zero, or of a number too big")
    if value == 0:
        return {}
    outside, inside, divisor = 1, value, 2
    while divisor * divisor <= inside:
        while inside % (divisor * divisor) == 0:
            inside //= divisor * divisor
            outside *= divisor
        divisor += 1
    return {inside: Fraction(outside)}


def root(one: Surd) -> Surd:
    """The square root of a rational number."""
    value = plain(one)
    if value is None:
        raise UndecidedError("a root of a root")
    return scale(sqrt_of(value.numerator * value.denominator), Fraction(1, value.denominator))


def plain(one: Surd) -> Fraction | None:
    """Its value where it is rational."""
    if not one:
        return Fraction(0)
    return one[1] if set(one) == {1} else None


def approximate(one: Surd) -> float:
    """Its value, near enough to compare with a decimal fraction; infinite where it is too big."""
    try:
        return float(sum(float(factor) * root**0.5 for root, factor in one.items()))
    except OverflowError:
        return float("inf")


_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?|\.\d+)|(?P<name>\\?[A-Za-z]+)|(?P<mark>[-+*/^(){}√]))"
)
_REWRITES: Final = (
    (re.compile(r"\\(?:left|right|,|;|!|:| )"), " "),
    (re.compile(r"\\[dt]frac"), r"\\frac"),
    (re.compile(r"\\frac\s*(\d)\s*(\d)"), r"\\frac{\1}{\2}"),
    (re.compile(r"\\sqrt\s*(\d)"), r"\\sqrt{\1}"),
    (re.compile(r"\\(?:cdot|times)|[·\u00d7]"), "*"),
    (re.compile(r"\\div|÷"), "/"),
    (re.compile("\u2212"), "-"),
    (re.compile(r"\*\*"), "^"),
)


def read(text: str) -> Surd:
    """What an expression of numbers is worth.

    Raises:
        UndecidedError: It is beyond what is decided here, or no expression.
    """
    if len(text) > LONGEST:
        raise UndecidedError("an expression too long")
    for pattern, instead in _REWRITES:
        text = pattern.sub(instead, text)
    reader = _Reader(text)
    value = reader.sum()
    if reader.kind:
        raise UndecidedError(f"{reader.token!r} where an expression ends")
    return value


class _Reader:
    """A recursive descent over the tokens of an expression."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        position = 0
        while position < len(text.rstrip()):
            found = _TOKEN.match(text, position)
            if found is None:
                raise UndecidedError(f"{text[position:][:10]!r} in an expression")
            self.tokens.append((str(found.lastgroup), found[0].strip()))
            position = found.end()
        self.place = 0
        self.depth = 0

    @property
    def kind(self) -> str:
        return self.tokens[self.place][0] if self.place < len(self.tokens) else ""

    @property
    def token(self) -> str:
        return self.tokens[self.place][1] if self.place < len(self.tokens) else ""

    def take(self, *marks: str) -> str:
        if self.token in marks:
            self.place += 1
            return marks[marks.index(self.tokens[self.place - 1][1])]
        return ""

    def sum(self) -> Surd:
        value = self.product()
        while mark := self.take("+", "-"):
            other = self.product()
            value = add(value, scale(other, Fraction(-1)) if mark == "-" else other)
        return value

    def product(self) -> Surd:
        value = self.signed()
        while True:
            if mark := self.take("*", "/"):
                other = self.signed()
                value = multiply(value, other) if mark == "*" else divide(value, other)
            elif self.token in ("\\sqrt", "sqrt", "√"):
                # A factor before a root needs no sign; before a fraction it might mean a sum.
                value = multiply(value, self.raised())
            else:
                return value

    def signed(self) -> Surd:
        if mark := self.take("+", "-"):
            if self.token in ("+", "-"):
                raise UndecidedError("two signs")
            return scale(self.raised(), Fraction(-1)) if mark == "-" else self.raised()
        return self.raised()

    def raised(self) -> Surd:
        value = self.atom()
        if not self.take("^"):
            return value
        exponent = self.braced() if self.token in ("{", "(") else self.atom_signed()
        if self.token == "^":
            raise UndecidedError("a power of a power")
        return power(value, exponent)

    def atom_signed(self) -> Surd:
        return scale(self.atom(), Fraction(-1)) if self.take("-") else self.atom()

    def braced(self) -> Surd:
        opened = self.take("{", "(")
        self.depth += 1
        if not opened or self.depth > 20:
            raise UndecidedError(f"{self.token!r} where a bracket should open")
        value = self.sum()
        if not self.take("}" if opened == "{" else ")"):
            raise UndecidedError(f"{self.token!r} where a bracket should close")
        self.depth -= 1
        return value

    def atom(self) -> Surd:
        if self.kind == "number":
            self.place += 1
            return rational(Fraction(self.tokens[self.place - 1][1]))
        if self.take("\\frac"):
            above = self.braced()
            return divide(above, self.braced())
        if self.take("\\sqrt", "sqrt", "√"):
            bracketed = self.token in ("{", "(")
            return root(self.braced() if bracketed else self.atom())
        return self.braced()
