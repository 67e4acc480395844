from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from redhanded.errors import UsageError
from redhanded.model.output import Output
from redhanded.outputs.contract import frames, surd
from redhanded.outputs.contract.base import Contract, Ruling
from redhanded.outputs.contract.math import math, worth

FRACTIONS = st.fractions(min_value=-1000, max_value=1000, max_denominator=200)


def ruled(contract: Contract, text: str) -> Ruling:
    return contract.rule(Output(text=text)).ruling


@settings(deadline=None)
@given(FRACTIONS, FRACTIONS)
def test_fractions_are_what_they_are_worth(value: Fraction, other: Fraction) -> None:
    contract = math(str(value))
    sign, top = ("-" if value < 0 else ""), abs(value.numerator)
    latex = rf"{sign}\frac{{{top * 3}}}{{{value.denominator * 3}}}"
    for text in (latex, f"${latex}$", rf"So it is \boxed{{{latex}}}", f"The answer is {value}."):
        assert ruled(contract, text) is Ruling.RIGHT, text
    assume(value != other)
    assert ruled(contract, str(other)) is Ruling.WRONG


@settings(deadline=None)
@given(st.integers(0, 5000), st.integers(1, 50))
def test_roots_are_taken_out(inside: int, outside: int) -> None:
    squared = worth(rf"\sqrt{{{inside * outside * outside}}}")
    assert squared == worth(rf"{outside}\sqrt{{{inside}}}")
    assert squared is not None
    assert surd.plain(surd.multiply(squared, squared)) == inside * outside**2


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2^{10}", 1024),
        ("-2^2", -4),
        ("(-2)^2", 4),
        ("2^-1", Fraction(1, 2)),
        (r"3 \cdot 4", 12),
        (r"\frac12", Fraction(1, 2)),
        ("1,234", 1234),
        (r"\sqrt{4}", 2),
        ("√9", 3),
        (r"\dfrac{1}{2}+\tfrac{1}{4}", Fraction(3, 4)),
        ("6/2/3", 1),
        ("0.125", Fraction(1, 8)),
        ("1 - -1", 2),
        ("x", None),
        ("1 1/2", None),
        ("2(3)", None),
        ("1/0", None),
        (r"\pi", None),
        (r"\sqrt{-1}", None),
        ("2^3^2", None),
        ("2^{1/2}", None),
        ("9" * 300, None),
        ("(" * 60 + "1" + ")" * 60, None),
        ("2^{64}^{64}", None),
        ("(1", None),
        ("5!", None),
        ("50\\%", None),
    ],
)
def test_expressions(text: str, value: Fraction | int | None) -> None:
    found = worth(text)
    assert (None if found is None else surd.plain(found)) == value


def test_a_rounded_root_is_neither() -> None:
    contract = math(r"2\sqrt{3}")
    assert ruled(contract, r"\sqrt{12}") is Ruling.RIGHT
    assert ruled(contract, r"\frac{6}{\sqrt{3}}") is Ruling.RIGHT
    assert ruled(contract, "3.46") is Ruling.UNKNOWN
    assert ruled(contract, "3.4641") is Ruling.UNKNOWN
    assert ruled(contract, "3.48") is Ruling.WRONG
    assert ruled(contract, r"3\sqrt{2}") is Ruling.WRONG
    assert ruled(math("1/3"), "0.33") is Ruling.UNKNOWN
    assert ruled(math("0.33"), "1/3") is Ruling.UNKNOWN


@pytest.mark.parametrize("text", ["", " \n", "zxqfp wgbrtl", "!?.,"])
def test_no_value_is_wrong(text: str) -> None:
    assert ruled(math("1/2"), text) is Ruling.WRONG


@pytest.mark.parametrize(
    "text",
    ["half", "x/2", r"\boxed{1} or \boxed{1/2}", "1/2 or 1/3", r"\boxed{", "not 1/2", r"\pi"],
)
def test_what_may_be_read_otherwise_is_unknown(text: str) -> None:
    assert ruled(math("1/2"), text) is Ruling.UNKNOWN


def test_what_is_not_decided_is_compared_as_text() -> None:
    contract = math("x^2 + 1")
    assert ruled(contract, "$x^2+1$") is Ruling.RIGHT
    assert ruled(contract, "1 + x^2") is Ruling.UNKNOWN
    assert ruled(contract, "") is Ruling.WRONG


def test_frames() -> None:
    contract = math("1/2")
    for pair in (*frames.DENIALS, *frames.RETRACTIONS):
        assert ruled(contract, pair.wrong.fill("1/2")) is Ruling.WRONG, pair.name
        assert pair.sham is not None
        assert ruled(contract, pair.sham.fill("0.5")) is Ruling.RIGHT, pair.name
    assert ruled(contract, frames.CORRECTIONS[0].wrong.fill("1/3", "1/2")) is Ruling.WRONG


def test_mistakes_are_told() -> None:
    with pytest.raises(UsageError, match="expression"):
        math(" ")
    assert math("1/2").code() == "rh.math('1/2')"
