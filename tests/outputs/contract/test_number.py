from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from redhanded.errors import UsageError
from redhanded.model.output import Output
from redhanded.outputs.contract import frames
from redhanded.outputs.contract.base import Contract, Finding, Ruling
from redhanded.outputs.contract.number import Which, number, rounded

HUNDREDTHS = st.integers(-10_000_000, 10_000_000)
POSITIVE = st.integers(1, 10_000_000)


def decimal(hundredths: int) -> str:
    sign, size = ("-" if hundredths < 0 else ""), abs(hundredths)
    return f"{sign}{size // 100}.{size % 100:02}"


def found(contract: Contract, text: str) -> Finding:
    return contract.rule(Output(text=text))


def ruled(contract: Contract, text: str) -> Ruling:
    return found(contract, text).ruling


@settings(deadline=None)
@given(HUNDREDTHS, st.integers(1, 1000))
def test_the_tolerance_is_the_bar(value: int, tolerance: int) -> None:
    contract = number(decimal(value), tolerance=decimal(tolerance))
    for edge in (value - tolerance, value, value + tolerance):
        assert ruled(contract, decimal(edge)) is Ruling.RIGHT
    for outside in (value - tolerance - 1, value + tolerance + 1):
        miss = found(contract, f"It is {decimal(outside)}.")
        assert miss.ruling is Ruling.WRONG
        if abs(value) > 2 * tolerance + 2 and tolerance >= 1:
            assert miss.bar == "tolerance"
    assert found(contract, decimal(value + 2 * tolerance + 1)).bar is None


@settings(deadline=None)
@given(POSITIVE, st.integers(1, 50))
def test_a_relative_tolerance_is_a_share(value: int, percent: int) -> None:
    contract = number(value, relative=Fraction(percent, 100))
    edge = Fraction(value * percent, 100)
    assert contract.allowed == edge
    assert ruled(contract, str(value + int(edge))) is Ruling.RIGHT
    assert ruled(contract, str(value + int(edge) + 1)) is Ruling.WRONG


@settings(deadline=None)
@given(POSITIVE)
def test_a_flipped_sign_is_wrong_and_no_matter_of_tolerance(value: int) -> None:
    contract = number(decimal(value), tolerance="0.001")
    miss = found(contract, decimal(-value))
    assert (miss.ruling, miss.bar) == (Ruling.WRONG, None)


@settings(deadline=None)
@given(st.integers(-(10**12), 10**12))
def test_what_varies_keeps_it_right(value: int) -> None:
    contract = number(value)
    for text in (f"{value:,}", f" {value}\n", f"{value}.0", f"The total is {value:,}."):
        assert ruled(contract, text) is Ruling.RIGHT
    assert ruled(number(value, locale="de"), f"{value:,}".replace(",", ".")) is Ruling.RIGHT
    assert ruled(number(value, locale="fr"), f"{value:,}".replace(",", " ")) is Ruling.RIGHT


@settings(deadline=None)
@given(HUNDREDTHS, HUNDREDTHS)
def test_several_numbers_are_unknown(value: int, other: int) -> None:
    assert ruled(number(decimal(value)), f"{decimal(other)} {decimal(value)}") is Ruling.UNKNOWN


@settings(deadline=None)
@given(HUNDREDTHS)
def test_frames_turn_the_meaning(value: int) -> None:
    contract, text = number(decimal(value)), decimal(value)
    for pair in (*frames.DENIALS, *frames.BOUNDS, *frames.RETRACTIONS):
        assert ruled(contract, pair.wrong.fill(text)) is Ruling.WRONG, pair.name
        assert pair.sham is not None
        assert ruled(contract, pair.sham.fill(text)) is Ruling.RIGHT, pair.name


@pytest.mark.parametrize(
    "text",
    [
        "He needs to pay $42 in all.",
        "That comes to 42 points.",
        "The one thing that he buys costs him 42.",
        "I think about it, and the total is 42.",
        "A total of 42 apples.",
        "x = 42",
        "(42)",
        "**42**",
        "#### 42",
    ],
)
def test_common_words_leave_a_number_what_it_is(text: str) -> None:
    assert ruled(number(42), text) is Ruling.RIGHT
    assert ruled(number(41), text) is Ruling.WRONG


def test_a_number_said_not_to_be_it_is_wrong() -> None:
    assert ruled(number(42), "The total is not 42.") is Ruling.WRONG
    assert ruled(number(42), "The total is not 41.") is Ruling.UNKNOWN
    assert ruled(number(42), "Maybe the total is not 42.") is Ruling.UNKNOWN
    assert ruled(number(42), "The total is indeed 42.") is Ruling.RIGHT


@settings(deadline=None)
@given(HUNDREDTHS, HUNDREDTHS, HUNDREDTHS)
def test_corrections_and_hedges(value: int, other: int, third: int) -> None:
    assume(len({value, other, third}) == 3)
    contract = number(decimal(value))
    right, *wrong = map(decimal, (value, other, third))
    for pair in frames.CORRECTIONS:
        assert ruled(contract, pair.wrong.fill(wrong[0], right)) is Ruling.WRONG
        assert ruled(contract, pair.wrong.fill(right, wrong[0])) is Ruling.RIGHT
    for pair in frames.HEDGES:
        assert ruled(contract, pair.wrong.fill(right, *wrong)) is Ruling.WRONG
        assert pair.sham is not None
        assert ruled(contract, pair.sham.fill(right, *wrong)) is Ruling.RIGHT


@pytest.mark.parametrize(
    "text",
    [
        "about 42",
        "not 42",
        "It isn't 42",
        "~42",
        "<42",
        ">= 42",
        "42 or 43",
        "42?",
        "42!",
        "-42 + 84",
        "42/1",
        "42-43",
        "42:00",
        "minus 42",
        "42 squared",
        "at least 42",
        "42 dozen",
        "up to 42",
        "fewer than 42",
        "one 42",
        "42 if it rains",
        "H42",
        "42abc",
        "v4.2.1",
        "42%",
        "forty-two",
        "XLII",
        "٤٢",
        "42½",
        "4 2",
        "5 k",
    ],
)
def test_what_may_be_read_otherwise_is_unknown(text: str) -> None:
    assert ruled(number(42), text) is Ruling.UNKNOWN


@pytest.mark.parametrize("text", ["", "  \n", "zxqfp wgbrtl", "!?.,;"])
def test_no_number_is_wrong(text: str) -> None:
    expected = Ruling.UNKNOWN if "zz" in text else Ruling.WRONG
    assert ruled(number(42), text) is expected


@pytest.mark.parametrize(
    ("text", "ruling"),
    [
        ("42 km", Ruling.RIGHT),
        ("42000 m", Ruling.RIGHT),
        ("42 kilometres", Ruling.RIGHT),
        ("42 m", Ruling.WRONG),
        ("42 kg", Ruling.WRONG),
        ("42", Ruling.UNKNOWN),
        ("42 leagues", Ruling.UNKNOWN),
    ],
)
def test_units(text: str, ruling: Ruling) -> None:
    assert ruled(number(42, unit="km"), text) is ruling


def test_currencies_and_temperatures() -> None:
    assert ruled(number(42, unit="$"), "$42.00") is Ruling.RIGHT
    assert ruled(number(42, unit="$"), "€42.00") is Ruling.WRONG
    assert ruled(number(100, unit="°C"), "212 °F") is Ruling.RIGHT
    assert ruled(number(-40, unit="°C"), "-40 °F") is Ruling.RIGHT
    assert ruled(number(21, unit="°C"), "21°F") is Ruling.WRONG
    assert ruled(number(60, unit="%"), "60 percent") is Ruling.RIGHT
    assert ruled(number(5, unit="parsec"), "5 parsec") is Ruling.RIGHT


def test_locale_decides_what_a_mark_means() -> None:
    assert ruled(number("1.234"), "1.234") is Ruling.RIGHT
    assert ruled(number(1234, locale="de"), "1.234") is Ruling.RIGHT
    assert ruled(number(1234, locale="de"), "1.234,0") is Ruling.RIGHT
    assert ruled(number(1234), "1,23") is Ruling.UNKNOWN


def test_magnitudes() -> None:
    assert ruled(number(5_000_000), "$5 million") is Ruling.RIGHT
    assert ruled(number(5000), "5k") is Ruling.RIGHT
    assert ruled(number(5), "5k") is Ruling.WRONG
    assert ruled(number("1e20"), "100,000,000,000,000,000,000") is Ruling.RIGHT


@settings(deadline=None)
@given(st.integers(100, 99_999))
def test_digits(value: int) -> None:
    contract = number(value, digits=3)
    assert ruled(contract, str(int(rounded(Fraction(value), 3)))) is Ruling.RIGHT
    assert ruled(contract, str(value * 2)) is Ruling.WRONG
    assert rounded(Fraction(314159, 100000), 3) == Fraction(314, 100)


def test_which_reads_the_last_line() -> None:
    contract = number(5, which="last")
    assert ruled(contract, "2 apples.\n3 more.\nANSWER: 5") is Ruling.RIGHT
    assert ruled(contract, "2 + 3 = 5") is Ruling.RIGHT
    assert ruled(contract, "5 apples.\nANSWER: 6") is Ruling.WRONG
    assert ruled(contract, "2 apples.\nnot 5") is Ruling.UNKNOWN
    assert ruled(number(5, which="first"), "5\n6") is Ruling.RIGHT


@pytest.mark.parametrize(
    ("which", "rulings"),
    [
        ("only", [Ruling.RIGHT, Ruling.WRONG, Ruling.WRONG, Ruling.WRONG]),
        ("last", [Ruling.RIGHT, Ruling.WRONG, Ruling.UNKNOWN, Ruling.WRONG]),
        ("first", [Ruling.UNKNOWN, Ruling.UNKNOWN, Ruling.WRONG, Ruling.UNKNOWN]),
    ],
)
def test_which_counts_in_frames_too(which: Which, rulings: list[Ruling]) -> None:
    texts = (
        "The answer is 54. Correction: it is 42.",
        "The answer is 42. Correction: it is 54.",
        "The answer is either 54, 66 or 42.",
        "It could be 42, 54 or 66.",
    )
    assert [ruled(number(42, which=which), text) for text in texts] == rulings


@pytest.mark.parametrize(
    ("value", "ruling"),
    [
        (42, Ruling.RIGHT),
        (42.0, Ruling.RIGHT),
        (41, Ruling.WRONG),
        (float("nan"), Ruling.WRONG),
        (float("inf"), Ruling.WRONG),
        (None, Ruling.WRONG),
        ([42], Ruling.WRONG),
        (True, Ruling.UNKNOWN),
        ("42", Ruling.RIGHT),
    ],
)
def test_data(value: object, ruling: Ruling) -> None:
    assert number(42).rule(Output(value=value)).ruling is ruling


def test_a_float_means_what_it_is_printed_as() -> None:
    assert ruled(number(0.1), "0.1") is Ruling.RIGHT
    assert number(0.1).rule(Output(value=0.1)).ruling is Ruling.RIGHT


@pytest.mark.parametrize(
    "code",
    [
        "rh.number(42)",
        "rh.number(-0.5, tolerance=0.1)",
        "rh.number('1/3', relative='1/7', digits=2)",
        "rh.number(42, unit='km', locale='de', which='last')",
    ],
)
def test_code_gives_back_the_contract(code: str) -> None:
    from redhanded.outputs.contract import number as module

    assert eval(code, {"rh": module}).code() == code


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: number("many"),
        lambda: number(True),
        lambda: number(float("nan")),
        lambda: number(1, tolerance=-1),
        lambda: number(1, locale="klingon"),
        lambda: number(1, digits=0),
        lambda: number(1, which="some"),  # type: ignore[arg-type]
    ],
)
def test_mistakes_are_told(wrong: object) -> None:
    with pytest.raises(UsageError):
        wrong()  # type: ignore[operator]
