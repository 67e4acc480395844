"""What graders return, and how it reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from redhanded.model.graded import Answer
from redhanded.outputs.adapters.base import Verdict
from redhanded.outputs.adapters.prepared import short
from redhanded.outputs.adapters.reading import read


@dataclass
class Scored:
    score: float | bool | None
    reason: str = ""


@dataclass
class Passed:
    passed: bool
    score: float = 0.25


@dataclass
class Valued:
    value: Any


def one(raw: Any, pass_at: float | None = None) -> Verdict:
    found = read(raw, pass_at)
    assert list(found) == [""]
    return found[""]


@pytest.mark.parametrize(
    ("raw", "pass_at", "answer"),
    [
        (True, None, Answer.ACCEPT),
        (False, None, Answer.REJECT),
        (False, 0.0, Answer.REJECT),
        (0.7, 0.7, Answer.ACCEPT),
        (0.69, 0.7, Answer.REJECT),
        (1, 1.0, Answer.ACCEPT),
        (1, None, Answer.SCORED),
        (0.7, None, Answer.SCORED),
        (float("nan"), None, Answer.ERROR),
        (float("nan"), 0.5, Answer.ERROR),
        (None, 0.5, Answer.ABSTAIN),
        ({}, None, Answer.ABSTAIN),
        ([], None, Answer.ABSTAIN),
        ("yes", None, Answer.ERROR),
        (b"yes", None, Answer.ERROR),
        (object(), None, Answer.ERROR),
        (Scored(True), None, Answer.ACCEPT),
        (Scored(None), None, Answer.ABSTAIN),
        (Scored(0.5), 0.4, Answer.ACCEPT),
        (Scored(float("nan")), 0.4, Answer.ERROR),
        (Passed(passed=False, score=1.0), 0.5, Answer.REJECT),
        (Valued(value=True), None, Answer.ACCEPT),
        (Valued(value="C"), None, Answer.ERROR),
        ({"passed": True, "reason": "fine"}, None, Answer.ACCEPT),
        ({"key": "x", "score": False, "comment": None}, None, Answer.REJECT),
        ({"label": "good"}, None, Answer.ERROR),
        ([1, 2], None, Answer.ERROR),
    ],
)
def test_one_return(raw: Any, pass_at: float | None, answer: Answer) -> None:
    assert one(raw, pass_at).answer is answer


def test_a_wrong_type_is_named_with_what_was_expected() -> None:
    why = one("yes").why
    assert "str ('yes')" in why
    assert "expected a bool, a number" in why


def test_an_address_is_kept_out_of_messages() -> None:
    assert " at 0x" not in one(object()).why


def test_each_key_is_a_judge_and_text_a_comment() -> None:
    found = read({"correct": True, "style": 0.4, "why": "so"}, 0.5)
    assert {key: verdict.answer for key, verdict in found.items()} == {
        "correct": Answer.ACCEPT,
        "style": Answer.REJECT,
    }


def test_a_key_whose_value_says_nothing_is_an_error_of_that_key() -> None:
    found = read({"correct": True, "odd": object()})
    assert found["correct"].answer is Answer.ACCEPT
    assert found["odd"].answer is Answer.ERROR


def test_a_list_holds_results_by_their_keys() -> None:
    found = read([{"key": "a", "score": True}, {"key": "b", "score": None}])
    assert {key: verdict.answer for key, verdict in found.items()} == {
        "a": Answer.ACCEPT,
        "b": Answer.ABSTAIN,
    }


def test_two_results_of_one_key_say_nothing() -> None:
    assert one([{"key": "a", "score": True}, {"key": "a", "score": False}]).answer is Answer.ERROR


def test_the_score_beside_a_verdict_is_kept() -> None:
    assert one(Passed(passed=True, score=0.25)).score == 0.25


def test_the_reason_is_kept() -> None:
    assert one(Scored(score=True, reason="equal")).why == "equal"


def test_a_set_is_named_in_one_order() -> None:
    assert short({"b", "a", "c"}) == short(frozenset("cab")) == "{'a', 'b', 'c'}"
    assert short(set()) == "set()"
