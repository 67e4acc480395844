"""Units whose sizes are known, so that 42 km and 42000 m are told to be the same."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

_TABLE: Final[dict[str, dict[str, str]]] = {
    "length": {
        "1/1000": "mm millimeter millimeters millimetre millimetres",
        "1/100": "cm centimeter centimeters centimetre centimetres",
        "1": "m meter meters metre metres",
        "1000": "km kilometer kilometers kilometre kilometres",
        "0.0254": "inch inches",
        "0.3048": "ft foot feet",
        "1609.344": "mi mile miles",
    },
    "mass": {
        "1/1000000": "mg milligram milligrams",
        "1/1000": "g gram grams",
        "1": "kg kilogram kilograms",
        "1000": "tonne tonnes",
        "0.45359237": "lb lbs pound pounds",
    },
    "time": {
        "1/1000": "ms millisecond milliseconds",
        "1": "s sec secs second seconds",
        "60": "min mins minute minutes",
        "3600": "h hr hrs hour hours",
        "86400": "day days",
        "604800": "week weeks",
    },
    "volume": {
        "1/1000": "ml milliliter milliliters millilitre",
        "1": "l liter liters litre litres",
    },
    "size": {"1": "byte bytes", "1000": "kB", "1000000": "MB", "1000000000": "GB"},
    "ratio": {"1/100": "% percent", "1/1000": "‰"},
    "dollar": {"1": "$ USD dollar dollars"},
    "euro": {"1": "€ EUR euro euros"},
    "sterling": {"1": "£ GBP"},
    "yen": {"1": "¥ JPY yen"},
    "celsius": {"1": "°C ℃ celsius"},
    "fahrenheit": {"1": "°F ℉ fahrenheit"},
    "angle": {"1": "° degree degrees"},
}

OTHERS: Final = {
    "km": "m",
    "m": "km",
    "cm": "m",
    "mm": "cm",
    "kg": "g",
    "g": "kg",
    "mg": "g",
    "s": "ms",
    "ms": "s",
    "min": "s",
    "h": "min",
    "l": "ml",
    "ml": "l",
    "MB": "GB",
    "GB": "MB",
    "$": "€",
    "€": "$",
    "£": "$",
    "¥": "$",
    "%": "‰",
    "°C": "°F",
    "°F": "°C",
}
"""A unit that makes the same numeral another quantity, at any value but zero."""

CURRENCIES: Final = "$€£¥"


@dataclass(frozen=True)
class Unit:
    """A unit's dimension, and its size in that dimension's own unit."""

    dimension: str
    size: Fraction


_TEMPERATURE: Final = ("celsius", "fahrenheit")


def _known() -> dict[str, Unit]:
    found: dict[str, Unit] = {}
    for dimension, sizes in _TABLE.items():
        for size, names in sizes.items():
            for name in names.split():
                found[name] = Unit(dimension, Fraction(size))
    return found


KNOWN: Final = _known()


def known(name: str) -> Unit | None:
    """A unit by name; long names in any case, short ones as they are written."""
    if name in KNOWN:
        return KNOWN[name]
    return KNOWN.get(name.casefold()) if len(name) > 3 else None


def convert(value: Fraction, found: str, expected: str) -> Fraction | bool | None:
    """A quantity in the unit expected.

    Returns:
        Its value; False where no quantity of one is one of the other, None where we can't tell.
    """
    if found == expected:
        return value
    one, other = known(found), known(expected)
    if one is None or other is None:
        return None
    if one.dimension == other.dimension:
        return value * one.size / other.size
    if (one.dimension, other.dimension) == _TEMPERATURE:
        return value * Fraction(9, 5) + 32
    if (other.dimension, one.dimension) == _TEMPERATURE:
        return (value - 32) * Fraction(5, 9)
    # An angle's sign may be a temperature's with the letter left out.
    if "angle" in (one.dimension, other.dimension):
        return None
    return False
