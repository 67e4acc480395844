"""Rows of trials become cells."""

from __future__ import annotations

from typing import Any

import pytest

from redhanded.model.cells import Cell, cells_of_trial, unviable
from redhanded.model.facts import Facts
from redhanded.model.outcome import Outcome, Reason
from redhanded.model.rows import TrialRow
from tests.model.making import cell, facts, failed, failure

TESTS = ("t0", "t1", "t2")
CONTROLS = {index: facts("passed", test=index) for index in range(3)}
CATCH = (failure("assertion", "rt"),)
CRASH = (failure("other", "rts"),)


def caught(test: int, **more: Any) -> Facts:
    return facts("failed", test=test, failures=CATCH, **more)


def row(*seen: Facts, selected: tuple[int, ...] = (0, 1, 2), **more: Any) -> TrialRow:
    return TrialRow(
        mutant="m",
        side="candidate",
        selected=selected,
        facts=seen,
        path=more.pop("path", "swap"),
        complete=more.pop("complete", True),
        **more,
    )


def told(cells: tuple[Cell, ...]) -> list[Outcome | Reason]:
    assert [one.test for one in cells] == sorted(one.test for one in cells)
    assert all((one.reason is None) == (one.outcome is not Outcome.INCOMPLETE) for one in cells)
    return [one.reason or one.outcome for one in cells]


def test_each_trial_is_judged_by_its_own_control() -> None:
    controls = {0: CONTROLS[0], 1: facts("failed", test=1)}
    seen = row(caught(2), caught(1), caught(0))
    assert told(cells_of_trial(seen, TESTS, controls)) == [
        Outcome.CAUGHT,
        Reason.RED_CONTROL,
        Reason.NO_CONTROL,
    ]


def test_tests_that_the_controls_exclude_are_no_judges() -> None:
    seen = row(caught(0), selected=(0, 1))
    cells = cells_of_trial(seen, TESTS, CONTROLS, {0: Reason.FLAKY, 1: Reason.ORDER_DEPENDENT})
    assert cells == (cell("m", "t0", Reason.FLAKY), cell("m", "t1", Reason.ORDER_DEPENDENT))
    assert not any(one.unanswered for one in cells)


def test_a_row_that_stopped_at_a_kill_asked_nobody_else() -> None:
    cells = cells_of_trial(row(caught(1), complete=False), TESTS, CONTROLS)
    assert told(cells) == [Outcome.CAUGHT]
    assert cells[0].test == "t1"


def test_a_row_that_stopped_before_a_kill_was_aborted() -> None:
    cells = cells_of_trial(row(facts("passed"), complete=False), TESTS, CONTROLS)
    assert told(cells) == [Outcome.PASSED, Reason.ABORTED, Reason.ABORTED]
    assert [one.unanswered for one in cells] == [False, True, True]


@pytest.mark.parametrize(
    ("path", "reason"),
    [("swap", Reason.LOST), ("import", Reason.VANISHED), ("process", Reason.VANISHED)],
)
def test_a_selected_test_without_facts_is_incomplete(path: str, reason: Reason) -> None:
    cells = cells_of_trial(row(caught(0), selected=(0, 2), path=path), TESTS, CONTROLS)
    assert told(cells) == [Outcome.CAUGHT, reason]
    assert cells[1] == cell("m", "t2", reason)


def test_a_mutant_that_could_not_be_planted_leaves_every_test_incomplete() -> None:
    seen = row(selected=(0, 1), complete=False, error="no such function")
    assert told(cells_of_trial(seen, TESTS, CONTROLS)) == [Reason.NOT_PLANTED] * 2


@pytest.mark.parametrize(
    ("error", "expected"),
    [(None, None), ("not planted: no such line", None), ("unviable: NameError: x", "NameError: x")],
)
def test_a_trial_may_show_that_a_mutant_is_unviable(
    error: str | None, expected: str | None
) -> None:
    assert unviable(row(error=error)) == expected


@pytest.mark.parametrize(
    ("first", "again", "expected"),
    [
        (caught(0), (), Outcome.CAUGHT),
        (caught(0), (caught(0, alone=True),), Outcome.CAUGHT),
        (caught(0, alone=True), (caught(0, alone=True),), Outcome.CAUGHT),
        # State that another test left decided the first run.
        (caught(0), (facts("passed", alone=True),), Outcome.PASSED),
        (caught(0), (facts("failed", failures=CRASH, alone=True),), Outcome.CRASHED),
        (caught(0), (facts("passed", entered=False, alone=True),), Outcome.NOT_ENTERED),
        (facts("clock"), (facts("passed", alone=True),), Outcome.PASSED),
        # Nothing but the dice did.
        (caught(0, alone=True), (facts("passed", alone=True),), Reason.UNCONFIRMED),
        (caught(0), (caught(0, alone=True), facts("passed", alone=True)), Reason.UNCONFIRMED),
        (caught(0), (facts("lost", alone=True),), Reason.LOST),
    ],
)
def test_a_test_run_again_alone_decides(
    first: Facts, again: tuple[Facts, ...], expected: Outcome | Reason
) -> None:
    cells = cells_of_trial(row(first, selected=(0,), confirm=again), TESTS, CONTROLS)
    assert told(cells) == [expected]


def test_only_the_test_that_was_run_again_is_settled_by_it() -> None:
    again = (facts("passed", test=1, alone=True),)
    seen = row(caught(0), caught(1), selected=(0, 1), confirm=again)
    assert told(cells_of_trial(seen, TESTS, CONTROLS)) == [Outcome.CAUGHT, Outcome.PASSED]


def test_a_kill_that_didnt_hold_alone_leaves_the_rest_unasked() -> None:
    seen = row(caught(0), selected=(0, 1), complete=False, confirm=(facts("passed", alone=True),))
    assert told(cells_of_trial(seen, TESTS, CONTROLS)) == [Outcome.PASSED, Reason.ABORTED]


def test_the_helper_that_makes_failing_facts_enters_the_mutant() -> None:
    assert failed(*CATCH).entered
