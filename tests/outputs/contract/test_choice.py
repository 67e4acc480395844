import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redhanded.errors import UsageError
from redhanded.model.output import Output
from redhanded.outputs.contract import frames
from redhanded.outputs.contract.base import Contract, Ruling
from redhanded.outputs.contract.choice import choice, one_of

CITIES = {"A": "Lyon", "B": "Paris", "C": "Rome", "D": "Oslo"}
CONTRACT = choice("B", options=CITIES)


def ruled(contract: Contract, text: str) -> Ruling:
    return contract.rule(Output(text=text)).ruling


@settings(deadline=None)
@given(st.sampled_from("ABCD"), st.sampled_from("ABCD"))
def test_a_pick_is_read_in_all_its_forms(right: str, picked: str) -> None:
    contract = choice(right, options=CITIES)
    expected = Ruling.RIGHT if right == picked else Ruling.WRONG
    for text in (
        picked,
        f"({picked})",
        f"**{picked}**",
        f"{picked}.",
        f"{picked}) {CITIES[picked]}",
        f"{picked}: {CITIES[picked]}",
        CITIES[picked],
        f"ANSWER: {picked}",
        f"Answer: {picked}",
        f"The answer is {picked}.",
        f"Let me think about it.\nANSWER: {picked}",
        f"{contract.listing}\n\nANSWER: {picked}",
    ):
        assert ruled(contract, text) is expected, text


@pytest.mark.parametrize(
    "text", ["", "zxqfp wgbrtl mnkvd", "?!..,", "\n", CONTRACT.listing, "ANSWER: A, B, C, D"]
)
def test_no_pick_is_wrong(text: str) -> None:
    assert ruled(CONTRACT, text) is Ruling.WRONG


@pytest.mark.parametrize(
    "text", ["I like B", "ANSWER: A\nANSWER: B", "B) Rome", "a city in France", "E", "A and B", "5"]
)
def test_what_may_be_read_otherwise_is_unknown(text: str) -> None:
    assert ruled(CONTRACT, text) is Ruling.UNKNOWN


def test_frames() -> None:
    for pair in (*frames.DENIALS, *frames.RETRACTIONS):
        assert ruled(CONTRACT, pair.wrong.fill("B")) is Ruling.WRONG, pair.name
        assert pair.sham is not None
        assert ruled(CONTRACT, pair.sham.fill("B")) is Ruling.RIGHT, pair.name
    for pair in frames.CORRECTIONS:
        assert ruled(CONTRACT, pair.wrong.fill("A", "B")) is Ruling.WRONG
        assert ruled(CONTRACT, pair.wrong.fill("B", "A")) is Ruling.RIGHT
    for pair in frames.HEDGES:
        assert ruled(CONTRACT, pair.wrong.fill("B", "A", "C")) is Ruling.WRONG
        assert pair.sham is not None
        assert ruled(CONTRACT, pair.sham.fill("B", "A", "C")) is Ruling.RIGHT


def test_one_of_reads_the_whole_text() -> None:
    contract = one_of("red", "green", ignore=("case", "whitespace"))
    assert ruled(contract, " Red ") is Ruling.RIGHT
    assert ruled(contract, "blue") is Ruling.WRONG
    assert ruled(contract, "") is Ruling.WRONG
    assert ruled(contract, "red and green") is Ruling.UNKNOWN
    assert ruled(contract, "I say red") is Ruling.UNKNOWN
    assert ruled(contract, "The answer is definitely not red.") is Ruling.WRONG
    assert ruled(contract, "The answer is definitely not blue.") is Ruling.WRONG
    # An answer that may be red or green is right either way, whoever is asked.
    assert ruled(one_of("red", "green", "blue"), "It could be red, green or blue.") is (
        Ruling.UNKNOWN
    )
    assert ruled(contract, "It could be red, green or blue.") is Ruling.WRONG


def test_code_gives_back_the_contract() -> None:
    from redhanded.outputs.contract import choice as module

    for code in (
        "rh.choice('B', options={'A': 'x', 'B': 'y'})",
        "rh.one_of('red', 'green', ignore=('case',))",
    ):
        assert eval(code, {"rh": module}).code() == code


def test_mistakes_are_told() -> None:
    with pytest.raises(UsageError, match="among them"):
        choice("E", options=CITIES)
    with pytest.raises(UsageError, match="one letter"):
        choice("AB", options={"AB": "x", "C": "y"})
    with pytest.raises(UsageError, match="differ"):
        choice("A", options={"A": "x", "B": "X."})
    with pytest.raises(UsageError, match="found none"):
        one_of()
