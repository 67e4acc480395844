"""From calls to outcomes, exhaustively."""

from __future__ import annotations

from itertools import product

import pytest

from redhanded.model.graded import Answer, Lack, OutputOutcome, Planted
from redhanded.model.grading import acceptance, decided, green, judge, settled, stateful
from tests.outputs.grading_helpers import asking, calls, scored

O = OutputOutcome  # noqa: E741
PLANTED: tuple[Planted, ...] = ("defect", "floor", "equivalent")


@pytest.mark.parametrize(
    ("control", "lack"),
    [
        ("", Lack.ABORTED),
        ("a", None),
        ("s", None),
        ("r", Lack.RED_CONTROL),
        ("n", Lack.RED_CONTROL),
        ("rn", Lack.RED_CONTROL),
        ("e", Lack.CONTROL_ERROR),
        ("ee", Lack.CONTROL_ERROR),
        ("ar", Lack.UNSTABLE_CONTROL),
        ("ae", Lack.UNSTABLE_CONTROL),
        ("re", Lack.UNSTABLE_CONTROL),
        ("as", Lack.UNSTABLE_CONTROL),
        ("aaaaaaaaar", Lack.UNSTABLE_CONTROL),
    ],
)
def test_a_control_is_green_only_where_every_call_accepts(control: str, lack: Lack | None) -> None:
    assert green(calls(control)) is lack
    for planted in PLANTED:
        found = judge(asking(planted, control, "r"))
        assert found.lack is lack
        assert (found.outcome is O.INCOMPLETE) is (lack is not None)


def test_a_control_that_is_no_evidence_is_no_control() -> None:
    unseen = calls("a", lack=Lack.NOT_ENTERED)
    assert green(unseen) is Lack.NOT_ENTERED
    assert judge(asking("defect", unseen, "r")).lack is Lack.NOT_ENTERED


def test_a_control_that_raised_is_told_as_that_whether_or_not_it_was_entered() -> None:
    assert green(calls("e", lack=Lack.NOT_ENTERED)) is Lack.CONTROL_ERROR


ONE_CALL: dict[tuple[Planted, str], OutputOutcome] = {
    ("defect", "a"): O.MISSED,
    ("defect", "n"): O.MISSED,
    ("defect", "r"): O.CAUGHT,
    ("defect", "e"): O.ERROR,
    ("defect", "s"): O.ERROR,
    ("floor", "a"): O.MISSED,
    ("floor", "n"): O.MISSED,
    ("floor", "r"): O.CAUGHT,
    ("floor", "e"): O.ERROR,
    ("floor", "s"): O.ERROR,
    ("equivalent", "a"): O.HELD,
    ("equivalent", "n"): O.FLAGGED,
    ("equivalent", "r"): O.FLAGGED,
    ("equivalent", "e"): O.ERROR,
    ("equivalent", "s"): O.ERROR,
}


def test_the_table_of_one_call_is_complete() -> None:
    assert set(ONE_CALL) == set(product(PLANTED, "anres"))


@pytest.mark.parametrize(("key", "outcome"), ONE_CALL.items())
def test_one_call_after_a_green_control(key: tuple[Planted, str], outcome: OutputOutcome) -> None:
    planted, answer = key
    found = judge(asking(planted, "a", answer))
    assert found.outcome is outcome
    assert found.lack is None
    assert found.no_sham is (planted == "defect" and outcome is O.CAUGHT)
    assert found.accepted == (1 if answer == "a" else 0)


@pytest.mark.parametrize(
    ("sham", "outcome"),
    [
        ("a", O.CAUGHT),
        ("r", O.CONFOUNDED),
        ("n", O.CONFOUNDED),
        ("e", O.CONFOUNDED),
        ("s", O.CONFOUNDED),
        ("ar", O.FLAKY),
        ("", O.INCOMPLETE),
    ],
)
def test_a_rejection_is_credited_only_where_its_sham_is_accepted(
    sham: str, outcome: OutputOutcome
) -> None:
    found = judge(asking("defect", "a", "r", sham))
    assert found.outcome is outcome
    assert not found.no_sham
    assert (found.lack is Lack.ABORTED) is (sham == "")


@pytest.mark.parametrize("answer", ["a", "n", "e"])
def test_a_sham_matters_to_rejections_alone(answer: str) -> None:
    assert judge(asking("defect", "a", answer, "r")) == judge(asking("defect", "a", answer, "a"))


@pytest.mark.parametrize("lack", list(Lack))
def test_a_call_that_is_no_evidence_makes_the_row_incomplete(lack: Lack) -> None:
    for answer in "anre":
        found = judge(asking("defect", "a", calls(answer, lack=lack)))
        assert (found.outcome, found.lack) == (O.INCOMPLETE, lack)
    unseen_sham = judge(asking("defect", "a", "r", calls("a", lack=lack)))
    assert (unseen_sham.outcome, unseen_sham.lack) == (O.INCOMPLETE, lack)


def test_one_repeat_without_evidence_is_enough() -> None:
    decisions = [*calls("rr"), *calls("r", lack=Lack.CACHED)]
    assert judge(asking("defect", "a", decisions)).lack is Lack.CACHED


def test_a_row_that_was_never_asked_is_aborted() -> None:
    assert judge(asking("defect", "a", "")).lack is Lack.ABORTED


@pytest.mark.parametrize(
    ("repeats", "outcome", "accepted"),
    [
        ("rrr", O.CAUGHT, 0),
        ("aaa", O.MISSED, 3),
        ("ar", O.FLAKY, 1),
        ("aar", O.FLAKY, 2),
        ("aaaar", O.FLAKY, 4),
        ("rrrrrrrrra", O.CAUGHT, 1),
        ("aaaaaaaaar", O.MISSED, 9),
        ("aaaaaaaarr", O.FLAKY, 8),
        ("re", O.FLAKY, 0),
        ("rn", O.FLAKY, 0),
        ("ee", O.ERROR, 0),
    ],
)
def test_repeats_decide_where_all_agree_or_the_interval_leaves_one_half_out(
    repeats: str, outcome: OutputOutcome, accepted: int
) -> None:
    found = judge(asking("defect", "a", repeats))
    assert (found.outcome, found.accepted) == (outcome, accepted)
    assert found.repeats == len(repeats)


def test_settled_agrees_with_every_way_the_rest_could_come_out() -> None:
    for repeats in (1, 2, 3, 5, 9, 10):
        for asked in range(repeats + 1):
            for accepted in range(asked + 1):
                so_far = [Answer.ACCEPT] * accepted + [Answer.REJECT] * (asked - accepted)
                ways = {
                    decided(calls("a" * (accepted + more) + "r" * (repeats - accepted - more)))
                    for more in range(repeats - asked + 1)
                }
                assert settled(so_far, repeats) is (len(ways) == 1 and asked > 0)


def test_settled_goes_on_while_errors_could_be_all_there_is() -> None:
    assert not settled([Answer.ERROR], 3)
    assert settled([Answer.ERROR, Answer.REJECT], 3)
    assert settled([Answer.ERROR] * 3, 3)


@pytest.mark.parametrize(
    ("control", "after", "red"),
    [
        ("a", "a", False),
        ("a", "r", True),
        ("a", "n", True),
        ("a", "e", True),
        ("a", "ar", True),
        ("a", "", False),
        ("r", "r", False),
        ("s", "e", True),
    ],
)
def test_stateful_is_a_second_control_that_is_red(control: str, after: str, red: bool) -> None:
    assert stateful(calls(control), calls(after)) is red


def test_a_second_control_from_a_cache_says_nothing() -> None:
    assert not stateful(calls("a"), calls("r", lack=Lack.CACHED))


def test_a_lower_score_afterwards_is_stateful_and_a_varying_one_is_not() -> None:
    assert stateful(scored(0.8), scored(0.3))
    assert not stateful(scored(0.8), scored(0.9))
    assert not stateful(scored(0.8, 0.6), scored(0.7))


@pytest.mark.parametrize(
    ("planted", "decision", "outcome"),
    [
        ("defect", "r", O.INCOMPLETE),
        ("floor", "r", O.INCOMPLETE),
        ("equivalent", "r", O.INCOMPLETE),
        ("defect", "a", O.MISSED),
        ("equivalent", "a", O.HELD),
        ("defect", "e", O.ERROR),
    ],
)
def test_rejections_of_a_grader_that_then_rejects_the_reference_earn_nothing(
    planted: Planted, decision: str, outcome: OutputOutcome
) -> None:
    found = judge(asking(planted, "a", decision, after="r"))
    assert found.outcome is outcome
    assert found.lack is (Lack.UNSTABLE_CONTROL if outcome is O.INCOMPLETE else None)


@pytest.mark.parametrize(
    ("decision", "sham", "outcome"),
    [
        (0.5, None, O.SEPARATED),
        (0.9, None, O.NOT_SEPARATED),
        (1.0, None, O.NOT_SEPARATED),
        (0.5, 0.8, O.SEPARATED),
        (0.5, 0.5, O.CONFOUNDED),
        (0.5, 0.2, O.CONFOUNDED),
        (0.9, 0.2, O.NOT_SEPARATED),
    ],
)
def test_a_score_without_a_bar_is_compared_with_reference_and_sham(
    decision: float, sham: float | None, outcome: OutputOutcome
) -> None:
    found = judge(
        asking("defect", scored(0.9), scored(decision), None if sham is None else scored(sham))
    )
    assert found.outcome is outcome
    assert found.accepted is None
    assert found.no_sham is (outcome is O.SEPARATED and sham is None)


def test_the_closest_repeats_of_a_score_are_compared() -> None:
    assert judge(asking("defect", scored(0.9, 0.5), scored(0.1, 0.5))).outcome is O.NOT_SEPARATED


@pytest.mark.parametrize("answer", ["a", "r"])
def test_a_verdict_where_the_reference_got_a_score_is_a_wrong_type(answer: str) -> None:
    found = judge(asking("defect", scored(0.9), answer))
    assert found.outcome is O.ERROR
    assert "score" in found.note


def test_an_abstention_says_so() -> None:
    assert judge(asking("defect", "a", "n")).note == "abstained"


def test_acceptance_of_no_calls_is_unavailable() -> None:
    assert acceptance([]) is None
    assert acceptance(calls("aar")) == pytest.approx(2 / 3)
