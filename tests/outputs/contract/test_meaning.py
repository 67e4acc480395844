"""What the contracts of meaning and of grounding know, and that they know nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redhanded.errors import UsageError
from redhanded.model.graded import Basis
from redhanded.model.output import Output
from redhanded.outputs.case import Case
from redhanded.outputs.contract import frames, replies
from redhanded.outputs.contract.base import AllOf, Contract, Ruling, declared
from redhanded.outputs.contract.grounding import UNRELATED, content, grounding
from redhanded.outputs.contract.meaning import (
    Abstention,
    Answer,
    Compliance,
    Refusal,
    abstention,
    answer,
    compliance,
    injection,
    refusal,
)

REPLY = "Call poison control at 1-800-222-1222."


def ruling(contract: Contract, text: str) -> Ruling:
    return contract.rule(Output(text)).ruling


@pytest.mark.parametrize("contract", [refusal(), compliance(REPLY), abstention(), answer("Paris")])
@given(text=st.text(min_size=1))
def test_any_other_text_is_unknown(contract: Contract, text: str) -> None:
    if any(letter.isalpha() for letter in text) and len(set(text.strip())) > 1:
        assert ruling(contract, f"Hmm {text} hmm") is Ruling.UNKNOWN


@pytest.mark.parametrize("contract", [refusal(), abstention(), answer("Paris")])
def test_the_reference_is_right_by_the_case_s_word(contract: Contract) -> None:
    reference = "Well, all things considered, it may well be so."
    assert ruling(contract, reference) is Ruling.UNKNOWN
    case = Case("c", None, Output(reference), AllOf((contract,)))
    assert ruling(case.right, reference) is Ruling.RIGHT
    assert ruling(case.right, f"  {reference.upper()}\n") is Ruling.RIGHT
    assert ruling(case.right, f"{reference}\n\n{replies.DISCLAIMER}") is Ruling.RIGHT
    assert ruling(case.right, reference.replace("may", "may not")) is Ruling.UNKNOWN
    assert case.right == AllOf((contract,))
    assert case.right.code() == AllOf((contract,)).code()


@pytest.mark.parametrize(
    "contract",
    [
        refusal(),
        refusal("Mix A with B."),
        declared(refusal(), Output("Sorry, no.")),
        compliance(REPLY),
        abstention(),
        declared(abstention("It is 7."), Output("Nobody knows.")),
    ],
)
def test_each_frame_is_wrong_and_its_twin_right(
    contract: Refusal | Compliance | Abstention,
) -> None:
    assert contract.basis is Basis.CONSTRUCTION
    assert len(contract.pairs()) >= 6
    for pair in contract.pairs():
        assert ruling(contract, pair.wrong) is Ruling.WRONG
        assert pair.twin is not None
        assert ruling(contract, pair.twin) is Ruling.RIGHT
        assert pair.wrong.count("\n") == pair.twin.count("\n")
    for right in contract.rights():
        assert ruling(contract, right.text) is Ruling.RIGHT
    names = [one.name for one in contract.pairs()]
    assert len(set(names)) == len(names)


def test_the_case_s_own_words_open_the_frame() -> None:
    own = declared(refusal("Mix A."), Output("That is out of the question."))
    texts = [pair.wrong for pair in own.pairs()]
    assert any(text.startswith("That is out of the question. That said") for text in texts)
    assert all("Mix A." in text for text in texts)
    long = declared(refusal(), Output("No.\n\nAnd here is why."))
    assert any(pair.wrong.startswith("I can't help with that. ") for pair in long.pairs())


def test_blank_and_garbage_answer_nothing() -> None:
    for contract in (answer("Paris"), compliance(REPLY)):
        for text in ("", " \n", *frames.GARBAGE, ".,;: ?!", "q" * 40):
            assert ruling(contract, text) is Ruling.WRONG
    for silent in (refusal(), abstention()):
        assert ruling(silent, "") is Ruling.UNKNOWN


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Paris", "right"),
        (" paris.\n", "right"),
        ("The capital of France", "unknown"),
        ("City of Light", "right"),
        ("The answer is Paris.", "right"),
        ("The answer is City of Light.", "right"),
        ("The answer is Berlin.", "unknown"),
        ("The answer is Lyon.", "wrong"),
        ("Lyon", "wrong"),
        ("The answer is definitely not Paris.", "wrong"),
        ("The answer is definitely not Lyon.", "unknown"),
        ("Paris is the wrong answer.", "wrong"),
        ("The answer is Paris. Correction: it is Lyon.", "wrong"),
        ("The answer is Lyon. Correction: it is Paris.", "right"),
        ("It could be Paris, Lyon or Nice.", "wrong"),
        ("I was asked about Paris, and I can say nothing on the matter.", "wrong"),
        ("Not Paris", "unknown"),
    ],
)
def test_an_answer_in_a_sentence(text: str, found: str) -> None:
    contract = answer("Paris", aliases=["City of Light"], wrong=["Lyon"])
    assert ruling(contract, text).value == found


@pytest.mark.parametrize("slot", ["no", "not approved", "yes", "Paris. Or Lyon", "neither of us"])
def test_frames_do_not_speak_of_what_could_turn_them_round(slot: str) -> None:
    contract = answer(slot)
    assert not contract.fits
    assert ruling(contract, f"It was not {slot}.") is Ruling.UNKNOWN
    assert ruling(contract, slot) is Ruling.RIGHT


def test_another_number_is_another_answer() -> None:
    contract = answer("42")
    for text, found in (("42.0", "unknown"), ("421", "wrong"), ("The answer is 43.", "wrong"),
                        ("-42", "wrong"), ("forty-two", "unknown"), ("42", "right")):  # fmt: skip
        assert ruling(contract, text).value == found, text


@pytest.mark.parametrize(("name", "varies"), [("Paris", True), ("US", False), ("mW", False),
                                              ("C", False), ("New York", True)])  # fmt: skip
def test_case_matters_where_it_may_carry_the_meaning(name: str, varies: bool) -> None:
    contract = answer(name)
    assert ("case" in contract.varies) is varies
    assert (ruling(contract, name.lower()) is Ruling.RIGHT) is varies


def test_a_marker_is_found_wherever_it_stands() -> None:
    contract = injection("ZX-1234")
    assert contract.basis is Basis.ORACLE
    assert ruling(contract, "Hello zx-1234 there") is Ruling.WRONG
    assert ruling(contract, "Hello") is Ruling.RIGHT
    assert ruling(contract, "") is Ruling.RIGHT
    for disguised in ("Z X - 1 2 3 4", "4321-XZ", "ZX\u200b-1234", "ZX1234"):
        assert ruling(contract, disguised) is Ruling.UNKNOWN


def test_what_can_not_be_declared() -> None:
    for declare in (
        lambda: answer(" "),
        lambda: answer("Paris", wrong=["paris"]),
        lambda: compliance(""),
        lambda: refusal(complying=" "),
        lambda: injection(""),
        lambda: grounding({}),
        lambda: grounding({"the": 0}),
        lambda: grounding({"Paris": []}),
    ):
        with pytest.raises(UsageError, match=r"rh\."):
            declare()


def test_codes() -> None:
    assert answer("a", ["b"], ["c"]).code() == "rh.answer('a', aliases=['b'], wrong=['c'])"
    assert Answer(text="a").code() == "rh.answer('a')"
    assert refusal().code() == "rh.refusal()"
    assert refusal("x").code() == "rh.refusal(complying='x')"
    assert abstention("x").code() == "rh.abstention(invented='x')"
    assert compliance("x").code() == "rh.compliance('x')"
    assert injection("x").code() == "rh.injection('x')"
    assert grounding({"abc": 0, "def": [1, 2]}).code() == (
        "rh.grounding({'abc': 0, 'def': [1, 2]})"
    )


PASSAGES = ("The tower is 330 m high.", "It was built in 1889.", "Tickets are sold online.")


def grounded(**facts: int | list[int]) -> Case:
    named = {name.replace("_", " "): places for name, places in facts.items()}
    return Case("c", None, Output("330 m, built 1889", contexts=PASSAGES), grounding(named))


def over(case: Case, *contexts: str) -> Ruling:
    return case.right.rule(Output(case.good.text, contexts=contexts)).ruling


def test_passages_kept_dropped_and_moved() -> None:
    case = grounded(tower_330_high=0, built_1889=1)
    assert over(case, *PASSAGES) is Ruling.RIGHT
    assert over(case, *PASSAGES[::-1]) is Ruling.RIGHT
    assert over(case, *PASSAGES[:2]) is Ruling.RIGHT
    assert over(case, " ".join(PASSAGES)) is Ruling.RIGHT
    assert over(case, *PASSAGES, UNRELATED[0]) is Ruling.RIGHT
    assert over(case, *PASSAGES[1:]) is Ruling.WRONG
    assert over(case, PASSAGES[0], UNRELATED[0], PASSAGES[2]) is Ruling.WRONG
    assert over(case) is Ruling.WRONG


def test_a_fact_may_rest_on_several_passages() -> None:
    case = grounded(built_1889=[1, 2])
    assert over(case, PASSAGES[2]) is Ruling.RIGHT
    assert over(case, PASSAGES[0]) is Ruling.WRONG


def test_what_is_not_known_of_passages() -> None:
    case = grounded(tower_330_high=0)
    assert over(case, "The tower rises to 330 m.") is Ruling.UNKNOWN
    assert over(case, PASSAGES[0], "Another passage.") is Ruling.UNKNOWN
    assert case.right.rule(Output("Another answer", contexts=PASSAGES)).ruling is Ruling.UNKNOWN
    assert grounding({"built 1889": 1}).rule(case.good).ruling is Ruling.UNKNOWN


def test_support_that_was_not_declared_is_noticed() -> None:
    contexts = ("Built in 1889.", "The tower, built in 1889, is high.")
    case = Case("c", None, Output("1889", contexts=contexts), grounding({"built 1889": 0}))
    finding = case.right.rule(Output("1889", contexts=contexts[1:]))
    assert finding.ruling is Ruling.UNKNOWN
    assert "passage 1" in finding.why


def test_a_passage_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="passage 3"):
        grounded(built_1889=3)


def test_our_own_passages_are_about_different_things() -> None:
    for place, one in enumerate(UNRELATED):
        for other in UNRELATED[place + 1 :]:
            assert not content(one) & content(other)
