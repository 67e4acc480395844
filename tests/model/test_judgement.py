"""Every row of the outcome table, from raw facts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redhanded.model.facts import Facts, Failure, Verdict
from redhanded.model.judgement import Judgement, can_judge, explain, judge
from redhanded.model.outcome import NO_JUDGE, Outcome, Reason
from tests.model.making import GREEN, facts, failed, failure, judged, swallowed
from tests.model.strategies import any_facts, any_failure

CAUGHT, CRASHED = Outcome.CAUGHT, Outcome.CRASHED

LEAVES = [
    # An assertion-family failure raised in test code.
    ("assert in the test", failure("assertion", "rt"), CAUGHT),
    ("assert in a helper of the suite", failure("assertion", "rtt"), CAUGHT),
    ("assert in a callback that the subject calls", failure("assertion", "rtst"), CAUGHT),
    ("assertion helper of unittest", failure("assertion", "rtr"), CAUGHT),
    ("assertion helper of a library", failure("assertion", "rto"), CAUGHT),
    ("library helper in a callback", failure("assertion", "rtsto"), CAUGHT),
    ("pytest.fail", failure("fail", "rtr"), CAUGHT),
    ("pytest.fail in a callback", failure("fail", "rtstr"), CAUGHT),
    ("did not raise", failure("fail", "rtrr"), CAUGHT),
    ("Hypothesis counterexample", failure("assertion", "rrtrort"), CAUGHT),
    ("the test is below a wrapper of the subject", failure("assertion", "rst"), CAUGHT),
    ("doctest mismatch", failure("doctest", "rt"), CAUGHT),
    ("doctest mismatch in the subject's docstring", failure("doctest", "rs"), CAUGHT),
    ("doctest mismatch without frames", failure("doctest"), CAUGHT),
    ("strict xpass", failure("xpass"), CAUGHT),
    ("unittest's unexpected success", failure("fail", "rr"), CAUGHT),
    ("failed by the runner, no exception", failure("fail"), CAUGHT),
    ("assert in setup", failure("assertion", "rt", when="setup"), CAUGHT),
    ("assert in teardown", failure("assertion", "rt", when="teardown"), CAUGHT),
    ("assert while the suite is imported", failure("assertion", "rt", when="collect"), CAUGHT),
    # An exception that contradicts an open expectation.
    ("wrong exception in raises", failure("other", "rts", contradicts=True), CAUGHT),
    ("subject's assert in raises", failure("assertion", "rts", contradicts=True), CAUGHT),
    ("exit in raises", failure("exit", "rts", contradicts=True), CAUGHT),
    ("canary in raises", failure("other", "rts", contradicts=True, canary=True), CAUGHT),
    # The test's own use of a wrong value.
    ("subscript of None in the test", failure("other", "rt"), CAUGHT),
    ("library called with a wrong value", failure("other", "rto"), CAUGHT),
    ("runner called with a wrong value", failure("other", "rtr"), CAUGHT),
    ("the test exits", failure("exit", "rt"), CAUGHT),
    # An exception that left the code under test.
    ("error in the subject", failure("other", "rts"), CRASHED),
    ("error in a library below the subject", failure("other", "rtso"), CRASHED),
    ("error in a callback", failure("other", "rtst"), CRASHED),
    ("error in the test below a wrapper of the subject", failure("other", "rst"), CRASHED),
    ("the subject exits", failure("exit", "rts"), CRASHED),
    ("assert in the subject", failure("assertion", "rts"), CRASHED),
    ("library's assert below the subject", failure("assertion", "rtso"), CRASHED),
    ("assert in the subject below a callback", failure("assertion", "rtsts"), CRASHED),
    ("pytest.fail by the subject", failure("fail", "rtsr"), CRASHED),
    ("error in setup", failure("other", "rts", when="setup"), CRASHED),
    ("error in teardown", failure("other", "rts", when="teardown"), CRASHED),
    ("import error in the subject", failure("other", "rts", when="collect"), CRASHED),
    ("the canary's own exception", failure("other", "rts", canary=True), CRASHED),
    # Nobody of ours raised it.
    ("the runner's own error", failure("other", "rr"), CRASHED),
    ("an assert of a plugin on its own", failure("assertion", "ro"), CRASHED),
    # Nothing can be told.
    ("assertion without frames", failure("assertion"), Reason.UNEXPLAINED),
    ("error without frames", failure("other"), Reason.UNEXPLAINED),
    ("Hypothesis says flaky", failure("flaky", "rt"), Reason.FLAKY),
    ("flaky inside raises", failure("flaky", "rt", contradicts=True), Reason.FLAKY),
    ("only a skip", failure("skip", "rt"), Reason.UNEXPLAINED),
]


def outcome(judgement: Judgement) -> Outcome | Reason:
    return judgement.reason or judgement.outcome


@pytest.mark.parametrize(
    ("leaf", "expected"), [row[1:] for row in LEAVES], ids=[row[0] for row in LEAVES]
)
def test_a_failure_is_judged_by_family_and_frames(
    leaf: Failure, expected: Outcome | Reason
) -> None:
    judgement = judge(failed(leaf), GREEN)
    assert outcome(judgement) == expected
    assert judgement.failure == (None if leaf.family == "skip" else 0)


ASSERT, ERROR = failure("assertion", "rt"), failure("other", "rts")
FLAKY, UNTOLD = failure("flaky", "rt"), failure("other")


@pytest.mark.parametrize(
    ("leaves", "expected", "index"),
    [
        ((ERROR, ASSERT), CAUGHT, 1),
        ((ASSERT, ERROR), CAUGHT, 0),
        ((ERROR, ERROR), CRASHED, 0),
        ((failure("skip", "rt"), ERROR), CRASHED, 1),
        ((failure("other", "rts"), failure("assertion", "rt", when="teardown")), CAUGHT, 1),
        ((FLAKY, ASSERT), CAUGHT, 1),
        ((ERROR, FLAKY), Reason.FLAKY, 1),
        ((UNTOLD, FLAKY), Reason.FLAKY, 1),
        ((ERROR, UNTOLD), Reason.UNEXPLAINED, 1),
        ((), Reason.UNEXPLAINED, None),
    ],
)
def test_several_failures_are_caught_if_any_leaf_is(
    leaves: tuple[Failure, ...], expected: Outcome | Reason, index: int | None
) -> None:
    judgement = judge(failed(*leaves), GREEN)
    assert (outcome(judgement), judgement.failure) == (expected, index)


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ("passed", Outcome.PASSED),
        ("skipped", Outcome.SKIPPED),
        ("xfailed", Outcome.SKIPPED),
        ("died", Outcome.CRASHED),
        ("budget", Outcome.HUNG),
        ("clock", Outcome.HUNG),
        ("memory", Outcome.HUNG),
        ("lost", Reason.LOST),
    ],
)
def test_a_verdict_without_an_exception(verdict: Verdict, expected: Outcome | Reason) -> None:
    assert outcome(judge(facts(verdict), GREEN)) == expected


@pytest.mark.parametrize(
    ("detail", "reason"),
    [
        ("vanished", Reason.VANISHED),
        ("unconfirmed", Reason.UNCONFIRMED),
        ("hook_failed", Reason.HOOK_FAILED),
        ("child_process", Reason.CHILD_PROCESS),
        ("the process is gone", Reason.LOST),
        ("flaky", Reason.LOST),
    ],
)
def test_lost_facts_may_say_why(detail: str, reason: Reason) -> None:
    judgement = judge(facts("lost", detail=detail), GREEN)
    assert judgement == Judgement(Outcome.INCOMPLETE, reason)


def test_a_pass_without_an_entry_is_no_evidence() -> None:
    assert judge(facts("passed", entered=False), GREEN) == Judgement(Outcome.NOT_ENTERED)


@pytest.mark.parametrize("verdict", ["failed", "skipped", "xfailed", "died", "budget", "clock"])
def test_a_changed_verdict_without_an_entry_has_no_witness(verdict: Verdict) -> None:
    decision = facts(verdict, entered=False, failures=(ASSERT,))
    assert judge(decision, GREEN) == Judgement(Outcome.INCOMPLETE, Reason.NO_WITNESS)


@pytest.mark.parametrize(
    ("control", "reason"),
    [
        (None, Reason.NO_CONTROL),
        ("lost", Reason.NO_CONTROL),
        ("failed", Reason.RED_CONTROL),
        ("died", Reason.RED_CONTROL),
        ("clock", Reason.RED_CONTROL),
        ("budget", Reason.RED_CONTROL),
        ("memory", Reason.RED_CONTROL),
        ("skipped", Reason.SKIPPED_CONTROL),
    ],
)
def test_without_a_passing_control_nothing_counts(control: Verdict | None, reason: Reason) -> None:
    seen = None if control is None else facts(control)
    judgement = judge(failed(ASSERT), seen)
    assert (judgement.outcome, judgement.reason) == (Outcome.INCOMPLETE, reason)
    assert judgement.no_judge == (reason is not Reason.NO_CONTROL)


@pytest.mark.parametrize("reason", list(Reason))
@pytest.mark.parametrize("control", [GREEN, None, facts("failed")])
def test_a_reason_known_from_the_controls_comes_first(
    reason: Reason, control: Facts | None
) -> None:
    judgement = judge(failed(ASSERT), control, usable=reason)
    assert judgement == judged(reason)


def test_flaky_under_the_mutant_only_doesnt_exclude_the_test() -> None:
    assert not judge(failed(FLAKY), GREEN).no_judge


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        (facts("xfailed"), Outcome.PASSED),
        (facts("xfailed", entered=False), Outcome.NOT_ENTERED),
        (facts("passed"), Outcome.PASSED),
        (failed(failure("xpass")), Outcome.CAUGHT),
        (failed(failure("fail", "rr")), Outcome.CAUGHT),
        (failed(ERROR), Outcome.CRASHED),
        (facts("skipped"), Outcome.SKIPPED),
    ],
)
def test_a_control_that_fails_as_declared_is_green(decision: Facts, expected: Outcome) -> None:
    assert outcome(judge(decision, facts("xfailed"))) == expected


class TestSwallowed:
    """An exception from the code under test that test code caught, going on."""

    @pytest.mark.parametrize(
        "leaf", [failure("assertion", "rt"), failure("other", "rt"), failure("fail", "rtr")]
    )
    def test_a_failure_after_it_is_a_crash(self, leaf: Failure) -> None:
        decision = failed(leaf, swallowed=(swallowed(),))
        assert judge(decision, GREEN) == Judgement(CRASHED, failure=0)

    def test_what_the_control_swallows_too_changes_nothing(self) -> None:
        control = facts("passed", swallowed=(swallowed(),))
        decision = failed(ASSERT, swallowed=(swallowed(), swallowed()))
        assert judge(decision, control).outcome is CAUGHT

    @pytest.mark.parametrize("other", [swallowed("builtins.TypeError"), swallowed(line=9)])
    def test_another_type_or_place_is_another_exception(self, other: object) -> None:
        control = facts("passed", swallowed=(swallowed(),))
        assert judge(failed(ASSERT, swallowed=(other,)), control).outcome is CRASHED

    def test_it_fails_no_test_by_itself(self) -> None:
        decision = facts("passed", swallowed=(swallowed(),))
        assert judge(decision, GREEN).outcome is Outcome.PASSED

    def test_it_makes_nothing_known_of_what_is_unknown(self) -> None:
        decision = failed(FLAKY, swallowed=(swallowed(),))
        assert judge(decision, GREEN).reason is Reason.FLAKY


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        ([], None),
        ([Outcome.NOT_ENTERED, Reason.LOST], None),
        ([Outcome.NOT_ENTERED, Outcome.CRASHED], False),
        ([Outcome.PASSED, Outcome.HUNG], False),
        ([Outcome.SKIPPED], False),
        ([Outcome.CRASHED, Outcome.CAUGHT], True),
    ],
)
def test_a_test_can_judge_if_it_ever_caught_a_canary(
    seen: list[Outcome | Reason], expected: bool | None
) -> None:
    assert can_judge(judged(one) for one in seen) is expected


def test_every_judgement_has_a_phrase_of_its_own() -> None:
    every = [*(set(Outcome) - {Outcome.INCOMPLETE}), *Reason]
    phrases = {explain(judged(one)) for one in every}
    assert len(phrases) == len(every)
    assert all(phrase and phrase[0].islower() for phrase in phrases)


@given(any_facts(), st.none() | any_facts(), st.none() | st.sampled_from(Reason))
def test_no_outcome_without_a_witness(
    decision: Facts, control: Facts | None, usable: Reason | None
) -> None:
    judgement = judge(decision, control, usable=usable)
    incomplete = judgement.outcome is Outcome.INCOMPLETE
    assert incomplete == (judgement.reason is not None)
    assert not judgement.no_judge or judgement.reason in NO_JUDGE
    if not incomplete:
        assert usable is None
        assert control is not None
        assert control.verdict in ("passed", "xfailed")
        assert decision.entered or judgement.outcome is Outcome.NOT_ENTERED
    if judgement.outcome is CAUGHT:
        assert decision.verdict == "failed"
        assert judgement.failure is not None


@given(st.lists(any_failure(), max_size=3), any_failure())
def test_one_more_failure_never_takes_a_catch_away(few: list[Failure], more: Failure) -> None:
    before = judge(failed(*few), GREEN).outcome
    after = judge(failed(*few, more), GREEN).outcome
    assert after is CAUGHT or before is not CAUGHT


@given(any_failure())
def test_a_failure_that_holds_no_frame_of_the_suite_is_caught_by_no_error(one: Failure) -> None:
    judgement = judge(failed(one), GREEN)
    suite = any(frame.owner == "test" for frame in one.frames)
    if judgement.outcome is CAUGHT and not suite:
        assert one.contradicts or one.family in ("doctest", "xpass", "fail")
