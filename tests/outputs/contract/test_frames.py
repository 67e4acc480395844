import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from redhanded.outputs.contract import frames

PARTS = ["Paris", "New", "York", "C++", "5", "-3.5", "$29.00", "answer", "The", "is", "it", "sure"]
WORDS = st.lists(st.sampled_from(PARTS), min_size=1, max_size=3).map(" ".join)
SLOTS = WORDS | st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=12)
ALL = [
    *frames.AFFIRMATIONS,
    *(frame for pair in frames.PAIRS for frame in (pair.wrong, pair.sham) if frame),
]


@pytest.mark.parametrize("frame", ALL, ids=lambda frame: f"{frame.says}-{frame.name}")
@example("Paris", "Lyon", "Rome")
@settings(deadline=None)
@given(SLOTS, SLOTS, SLOTS)
def test_what_is_filled_is_read_back(frame: frames.Frame, x: str, y: str, z: str) -> None:
    slots = {"x": x, "y": y, "z": z}
    assume(all(frames.fits(slots[name]) for name in slots if f"{{{name}}}" in frame.text))
    reading = frames.read(frame.fill(x, y, z))
    assert reading is not None
    # No other frame may be seen in it that says something else of the answer.
    assert reading.says == frame.says
    assert reading.x == x


@pytest.mark.parametrize(
    "slot",
    [
        "",
        " Paris",
        "Paris ",
        "Paris\nLyon",
        "Paris. It is",
        "Paris, Lyon",
        "Paris?",
        "not Paris",
        "either",
        "isn't Paris",
        "isn\u2019t Paris",
        "yes",
        "No",
        "wrong",
        "anything but Paris",
        "{x}",
        "<b>",
        "x" * 81,
    ],
)
def test_what_might_turn_a_frame_round_does_not_fit(slot: str) -> None:
    assert not frames.fits(slot)


@pytest.mark.parametrize("slot", ["Paris", "C++", "-5", "$29.00", "1,234", "New York", "1/2", "A"])
def test_bare_answers_fit(slot: str) -> None:
    assert frames.fits(slot)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Paris",
        "The answer is not Paris.",
        "The answer is Paris, or maybe Lyon.",
        "The answer is Paris. It is not Lyon.",
        "I doubt that the answer is Paris.",
    ],
)
def test_other_texts_are_no_frames(text: str) -> None:
    assert frames.read(text) is None


def test_slots_in_order() -> None:
    for pair in frames.HEDGES:
        reading = frames.read(pair.wrong.fill("X1", "Y1", "Z1"))
        assert reading is not None
        text = pair.wrong.fill("X1", "Y1", "Z1")
        assert list(reading.in_order) == sorted(reading.in_order, key=text.index)


def test_a_pair_differs_in_meaning_and_names_the_same() -> None:
    for pair in frames.PAIRS:
        assert pair.sham is not None
        assert len({pair.wrong.says, pair.sham.says} & {"affirms", "corrects"}) >= 1
        for slot in ("{x}", "{y}", "{z}"):
            assert (slot in pair.wrong.text) == (slot in pair.sham.text)
        assert pair.wrong.text.count("\n") == pair.sham.text.count("\n")
