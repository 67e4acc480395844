"""Counts and ratios over one mutant set."""

from __future__ import annotations

import pytest
from hypothesis import given

from redhanded.model.matrix import KillMatrix
from redhanded.model.outcome import OPEN, Outcome, Reason, Status
from redhanded.model.score import excluded, fraction, ratio, score, tally
from tests.model.making import cell, mutant
from tests.model.strategies import World, worlds
from tests.model.worked import worked_example

KINDS = (
    "killed", "survived", "string_only", "no_coverage", "crashed", "hung", "incomplete",
    "contested", "unviable", "equivalent", "duplicate",
)  # fmt: skip


def test_the_worked_example() -> None:
    reference = worked_example()
    found = score(reference, contested=())
    counts = found.tally
    assert (counts.tried, counts.killed, counts.survived) == (293, 237, 48)
    assert (counts.string_only, counts.crashed, counts.no_coverage) == (8, 49, 0)
    assert round(found.value or 0, 3) == 0.809
    assert found.formula == "killed / tried = 237 / 293"
    assert round(found.any_failure or 0, 3) == 0.836
    assert found.any_failure_formula == (
        "(killed + crashed + hung) / (tried + crashed + hung) = 286 / 342"
    )


def test_the_worked_example_by_other_tools_rule() -> None:
    found = score(worked_example(), contested=(), policy="any-failure")
    assert found.value == found.any_failure == 286 / 342
    assert found.formula == found.any_failure_formula
    assert (found.tally.killed, found.tally.crashed) == (286, 0)


def test_a_result_shows_the_counts() -> None:
    shown = score(worked_example()).result(tests=3, judges=2, label="reference: empty")
    assert (shown.tests, shown.judges, shown.label) == (3, 2, "reference: empty")
    assert (shown.tried, shown.killed, shown.survived, shown.string_only) == (293, 237, 48, 8)
    assert (shown.no_coverage, shown.crashed, shown.hung) == (0, 49, 0)
    assert (shown.incomplete, shown.contested) == (0, 0)
    assert (shown.score, shown.score_any_failure) == (237 / 293, 286 / 342)
    assert shown.formula == "killed / tried = 237 / 293"


def test_an_empty_population_has_no_score() -> None:
    found = score(KillMatrix.of([mutant("m")], ["t"], [cell("m", "t", Outcome.CRASHED)]))
    assert found.value is None
    assert found.formula == "killed / tried = 0 / 0: unavailable"
    assert found.any_failure == 1.0
    assert ratio(0, 0) is None
    assert ratio(0, 3) == 0.0
    assert fraction("a / b", 0, 3) == "a / b = 0 / 3"


def test_only_survivors_are_string_only() -> None:
    mutants = [mutant(name, string_only=True) for name in ("a", "b", "c")]
    statuses = {"a": Status.KILLED, "b": Status.SURVIVED, "c": Status.NO_COVERAGE}
    counts = tally(mutants, statuses)
    assert (counts.killed, counts.survived, counts.string_only, counts.no_coverage) == (1, 0, 1, 1)


def test_the_candidate_is_scored_over_what_the_reference_tried() -> None:
    mutants = [mutant(name) for name in "abcd"]
    old = KillMatrix.of(
        mutants,
        ["old"],
        [
            cell("a", "old", Outcome.CAUGHT),
            cell("b", "old", Outcome.PASSED),
            cell("c", "old", Outcome.CRASHED),
        ],
    )
    new = KillMatrix.of(
        mutants,
        ["new"],
        [
            cell("a", "new", Outcome.CAUGHT),
            cell("b", "new", Outcome.HUNG),
            cell("c", "new", Outcome.CAUGHT),
            cell("d", "new", Reason.LOST),
        ],
    )
    reference = score(old, contested=())
    assert reference.tried == {"a", "b", "d"}
    found = score(new, reference=reference)
    assert found.tried == reference.tried
    assert found.value == 1 / 3
    assert found.formula == "killed / tried = 1 / 3"
    counts = found.tally
    assert (counts.tried, counts.killed, counts.hung, counts.incomplete) == (3, 1, 1, 1)
    assert (counts.crashed, counts.survived, counts.no_coverage) == (0, 0, 0)
    assert found.any_failure_tried == {"a", "b", "c", "d"}
    assert found.any_failure == 3 / 4


def test_what_is_outside_is_counted_by_why() -> None:
    mutants = [mutant("x", viability="duplicate"), *(mutant(name) for name in "abcde")]
    cells = [
        cell("a", "t", Outcome.CRASHED),
        cell("b", "t", Reason.LOST),
        cell("c", "t", Reason.FLAKY),
        cell("d", "t", Outcome.CAUGHT),
    ]
    matrix = KillMatrix.of(mutants, ["t"], cells)
    assert excluded(matrix, matrix.statuses()) == {
        "crashed": 1, "duplicate": 1, "flaky": 1, "lost": 1
    }  # fmt: skip
    disputed = matrix.statuses(contested={"e"})
    assert excluded(matrix, disputed) == {
        "contested": 2, "crashed": 1, "duplicate": 1, "flaky": 1
    }  # fmt: skip


@given(worlds())
def test_every_mutant_is_counted_once(world: World) -> None:
    for found in (
        score(world.reference, contested=world.contested),
        score(world.candidate),
        score(world.candidate, policy="any-failure"),
    ):
        counts = found.tally
        assert sum(getattr(counts, kind) for kind in KINDS) == len(world.mutants)
        alive = counts.survived + counts.string_only + counts.no_coverage
        assert counts.tried == counts.killed + alive == len(found.tried)
        assert alive == sum(status in OPEN for status in found.statuses.values())
        outside = excluded(world.candidate, found.statuses)
        assert sum(outside.values()) == len(world.mutants) - counts.tried
        assert (found.value is None) == (counts.tried == 0)


@given(worlds())
def test_both_cohorts_are_scored_over_one_set(world: World) -> None:
    reference = score(world.reference, contested=world.contested)
    found = score(world.candidate, reference=reference)
    assert found.tally.tried == reference.tally.tried
    assert sum(getattr(found.tally, kind) for kind in KINDS) == reference.tally.tried
    assert (found.value is None) == (reference.value is None)


@given(worlds())
def test_other_tools_rule_moves_crashes_and_hangs_to_the_kills(world: World) -> None:
    judged = world.candidate.statuses()
    loose = world.candidate.statuses(policy="any-failure")
    for name, status in judged.items():
        if status in (Status.KILLED, Status.CRASHED, Status.HUNG):
            assert loose[name] is Status.KILLED
        else:
            assert loose[name] in (status, Status.KILLED)
            if loose[name] is Status.KILLED:
                # Someone broke on it, and somebody else didn't answer.
                assert status is Status.INCOMPLETE
    found = score(world.candidate)
    assert found.any_failure_tried >= found.tried
    if found.value is not None:
        assert found.any_failure is not None
        assert found.any_failure >= found.value


@pytest.mark.parametrize("policy", ["judged", "any-failure"])
def test_without_tests_nothing_is_covered(policy: str) -> None:
    matrix = KillMatrix.of([mutant("m")], [], [])
    found = score(matrix, contested=(), policy=policy)  # type: ignore[arg-type]
    assert found.value == 0.0
    assert found.tally.no_coverage == 1
