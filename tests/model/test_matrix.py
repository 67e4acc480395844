"""Cells become statuses, killers, and the order of mutants."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redhanded.model.matrix import KillMatrix, dominators, status
from redhanded.model.outcome import (
    NO_JUDGE,
    STATUS_PRECEDENCE,
    Outcome,
    Policy,
    Reason,
    Status,
)
from tests.model.making import cell, mutant
from tests.model.strategies import World, worlds

O, R = Outcome, Reason  # noqa: E741


def of(*outcomes: Outcome | Reason, policy: Policy = "judged", **more: bool | None) -> Status:
    cells = [cell("m", f"t{index}", what) for index, what in enumerate(outcomes)]
    return status(mutant("m"), cells, policy=policy, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ((), Status.NO_COVERAGE),
        ((O.NOT_ENTERED,), Status.NO_COVERAGE),
        ((O.PASSED,), Status.SURVIVED),
        ((O.PASSED, O.NOT_ENTERED), Status.SURVIVED),
        ((O.SKIPPED,), Status.SURVIVED),
        ((O.HUNG, O.PASSED), Status.HUNG),
        ((O.CRASHED, O.HUNG, O.PASSED), Status.CRASHED),
        ((O.CAUGHT, O.CRASHED, O.HUNG, O.PASSED, R.LOST), Status.KILLED),
        # A judge that should have answered didn't: it might have caught the mutant.
        ((O.PASSED, R.LOST), Status.INCOMPLETE),
        ((O.CRASHED, R.CHILD_PROCESS), Status.INCOMPLETE),
        ((R.NO_WITNESS,), Status.INCOMPLETE),
        # A test that is no judge says nothing for or against.
        ((O.PASSED, R.FLAKY), Status.SURVIVED),
        ((O.CRASHED, R.RED_CONTROL), Status.CRASHED),
        ((O.NOT_ENTERED, R.RED_CONTROL), Status.INCOMPLETE),
        ((R.PLACEBO_RED,), Status.INCOMPLETE),
    ],
)
def test_the_strongest_outcome_is_the_status(
    outcomes: tuple[Outcome | Reason, ...], expected: Status
) -> None:
    for order in itertools.permutations(outcomes):
        assert of(*order) is expected


@pytest.mark.parametrize(
    ("outcomes", "contested", "expected"),
    [
        ((O.PASSED,), False, Status.SURVIVED),
        ((), True, Status.CONTESTED),
        ((O.PASSED,), True, Status.CONTESTED),
        ((O.CRASHED,), True, Status.CONTESTED),
        ((O.CAUGHT,), True, Status.KILLED),
        ((O.PASSED, R.LOST), False, Status.CONTESTED),
        ((O.CAUGHT, R.LOST), False, Status.KILLED),
        ((R.RED_CONTROL,), False, Status.INCOMPLETE),
        ((R.RED_CONTROL, O.PASSED), False, Status.SURVIVED),
        ((R.RED_CONTROL,), True, Status.CONTESTED),
    ],
)
def test_what_the_reference_leaves_untold_is_contested(
    outcomes: tuple[Outcome | Reason, ...], contested: bool, expected: Status
) -> None:
    assert of(*outcomes, contested=contested) is expected


@pytest.mark.parametrize("outcome", [O.CRASHED, O.HUNG])
def test_any_failure_kills_under_other_tools_rule(outcome: Outcome) -> None:
    assert of(outcome, O.PASSED, R.LOST, policy="any-failure") is Status.KILLED
    assert of(O.PASSED, O.SKIPPED, policy="any-failure") is Status.SURVIVED


@pytest.mark.parametrize("viability", ["unviable", "equivalent", "duplicate"])
def test_a_mutant_that_isnt_run_has_no_other_status(viability: str) -> None:
    one = mutant("m", viability=viability)
    assert status(one, [], contested=True, complete=False) is Status(viability)


def test_tests_that_werent_asked_leave_a_survivor_untold() -> None:
    assert of(O.PASSED, complete=False) is Status.INCOMPLETE
    assert of(O.PASSED, complete=False, contested=False) is Status.CONTESTED
    assert of(O.CAUGHT, complete=False) is Status.KILLED


def test_the_precedence_names_every_status_once() -> None:
    assert sorted(STATUS_PRECEDENCE) == sorted(Status)


ANY = st.sampled_from([*[*O][:-1], *R])


@given(st.lists(ANY, max_size=4), ANY)
def test_one_more_cell_only_moves_a_status_up(
    few: list[Outcome | Reason], more: Outcome | Reason
) -> None:
    # An excluded test on its own is the exception: it turns "nobody enters it" into "nobody can
    # tell", and any judge's answer takes that back.
    judges = [one for one in few if one not in NO_JUDGE]
    rank = STATUS_PRECEDENCE.index
    assert rank(of(*judges, more)) <= rank(of(*judges))


def grid() -> KillMatrix:
    mutants = [mutant("a"), mutant("b"), mutant("c")]
    cells = [
        cell("b", "t2", O.PASSED),
        cell("a", "t1", O.CAUGHT),
        cell("a", "t0", O.CAUGHT),
        cell("b", "t0", O.CAUGHT),
        cell("b", "t1", O.CRASHED),
        cell("c", "t1", O.HUNG),
        cell("c", "t2", R.LOST),
        cell("c", "t0", O.NOT_ENTERED),
    ]
    return KillMatrix.of(mutants, ["t0", "t1", "t2"], cells)


def test_a_matrix_answers_by_mutant_and_by_test() -> None:
    matrix = grid()
    assert matrix.killers("a") == ("t0", "t1")
    assert matrix.killers("b") == ("t0",)
    assert matrix.killers("b", "any-failure") == ("t0", "t1")
    assert matrix.crashers("b") == ("t1",)
    assert matrix.hangers("c") == ("t1",)
    assert matrix.passers("b") == ("t2",)
    assert matrix.kills("t0") == ("a", "b")
    assert matrix.kills("t1", "any-failure") == ("a", "b", "c")
    assert matrix.entered("t0") == ("a", "b")
    assert matrix.entered("t2") == ("b",)
    assert [one.test for one in matrix.row("b")] == ["t0", "t1", "t2"]
    assert [one.mutant for one in matrix.column("t2")] == ["b", "c"]
    assert len(matrix.cells) == 8
    assert matrix.kill_sets(["a", "c"]) == {"a": {"t0", "t1"}, "c": set()}


def test_killed_alone_counts_what_no_other_test_kills() -> None:
    matrix = grid()
    assert [matrix.killed_alone(test) for test in matrix.tests] == [1, 0, 0]
    assert matrix.killed_alone("t0", "any-failure") == 0


def test_killed_alone_is_unknown_where_others_werent_asked() -> None:
    whole = grid()
    known = KillMatrix.of(whole.mutants, whole.tests, whole.cells, unfinished={"a", "c"})
    unknown = KillMatrix.of(whole.mutants, whole.tests, whole.cells, unfinished={"b"})
    assert known.killed_alone("t0") == 1
    assert unknown.killed_alone("t0") is None
    assert unknown.killed_alone("t1") == 0


def test_a_matrix_can_not_be_altered() -> None:
    with pytest.raises(AttributeError):
        grid().tests = ()  # type: ignore[misc]


def test_statuses_are_in_mutant_order() -> None:
    assert grid().statuses() == {
        "a": Status.KILLED,
        "b": Status.KILLED,
        "c": Status.INCOMPLETE,
    }
    assert list(grid().statuses()) == ["a", "b", "c"]
    assert grid().statuses(contested=())["c"] is Status.CONTESTED
    assert grid().statuses(policy="any-failure")["c"] is Status.KILLED


def test_a_matrix_knows_what_is_unfinished_and_what_is_contested() -> None:
    mutants = [mutant(name) for name in "abc"]
    cells = [cell(name, "t", O.PASSED) for name in "abc"]
    matrix = KillMatrix.of(mutants, ["t"], cells, unfinished={"a"})
    assert matrix.statuses() == {
        "a": Status.INCOMPLETE,
        "b": Status.SURVIVED,
        "c": Status.SURVIVED,
    }
    assert matrix.statuses(contested={"b"}) == {
        "a": Status.CONTESTED,
        "b": Status.CONTESTED,
        "c": Status.SURVIVED,
    }
    assert status(mutants[0], [cell("a", "t", O.CRASHED)]) is Status.CRASHED


def test_the_reason_names_a_missing_answer_before_a_test_that_is_no_judge() -> None:
    cells = [cell("m", "t0", R.FLAKY), cell("m", "t1", R.LOST), cell("m", "t2", R.NO_WITNESS)]
    tests = ["t0", "t1", "t2"]
    assert KillMatrix.of([mutant("m")], tests, cells).reason("m") is R.LOST
    only = KillMatrix.of([mutant("m")], tests, cells[:1])
    assert only.reason("m") is R.FLAKY
    late = [cell("m", "t0", O.PASSED), cell("m", "t1", R.FLAKY)]
    assert KillMatrix.of([mutant("m")], tests, late).reason("m") is R.FLAKY
    cut = KillMatrix.of([mutant("m")], tests, cells[:1], unfinished=["m"])
    assert cut.reason("m") is R.ABORTED
    assert KillMatrix.of([mutant("m")], tests, []).reason("m") is None


@pytest.mark.parametrize(
    ("mutants", "tests", "cells", "message"),
    [
        (["m"], ["t"], [("m", "u")], "^no such place in the matrix: u on m$"),
        (["m"], ["t"], [("n", "t")], "^no such place in the matrix: t on n$"),
        (["m"], ["t"], [("m", "t"), ("m", "t")], "^two cells in one place: t on m$"),
        (["m", "m"], ["t"], [], "^a kill matrix needs distinct mutants"),
        (["m"], ["t", "t"], [], "and distinct tests$"),
    ],
)
def test_a_matrix_refuses_what_doesnt_fit(
    mutants: list[str], tests: list[str], cells: list[tuple[str, str]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        KillMatrix.of(
            [mutant(one) for one in mutants], tests, [cell(*at, O.PASSED) for at in cells]
        )


@given(worlds(), st.randoms(use_true_random=False), st.sampled_from(["judged", "any-failure"]))
def test_the_order_of_cells_and_mutants_changes_no_status(
    world: World, random: object, policy: Policy
) -> None:
    matrix = world.candidate
    cells, mutants, tests = list(matrix.cells), list(matrix.mutants), list(matrix.tests)
    for items in (cells, mutants, tests):
        random.shuffle(items)  # type: ignore[attr-defined]
    other = KillMatrix.of(mutants, tests, cells)
    assert other.statuses(policy=policy) == matrix.statuses(policy=policy)
    assert {t: other.killed_alone(t) for t in tests} == {t: matrix.killed_alone(t) for t in tests}


@pytest.mark.parametrize(
    ("kills", "expected"),
    [
        ({}, ()),
        ({"a": ""}, ()),
        ({"a": "x", "b": "xy", "c": "y"}, ("a", "c")),
        ({"a": "xy", "b": "yx", "c": ""}, ("a",)),
        ({"a": "xyz", "b": "xy", "c": "yz"}, ("b", "c")),
    ],
)
def test_dominators_are_the_minimal_kill_sets(
    kills: dict[str, str], expected: tuple[str, ...]
) -> None:
    assert dominators({name: frozenset(tests) for name, tests in kills.items()}) == expected


@given(st.lists(st.frozensets(st.sampled_from("xyzw"))))
def test_whoever_kills_all_dominators_kills_all(sets: list[frozenset[str]]) -> None:
    kills = {f"m{index}": tests for index, tests in enumerate(sets)}
    top = dominators(kills)
    for size in range(5):
        for team in itertools.combinations("xyzw", size):
            killed = {name for name, tests in kills.items() if tests & set(team)}
            assert (set(top) <= killed) == all(
                name in killed for name, tests in kills.items() if tests
            )
    assert all(not kills[one] <= kills[other] for one, other in itertools.permutations(top, 2))
