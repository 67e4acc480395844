"""What a change's tests add, case by case."""

from __future__ import annotations

import pytest

from redhanded.model.cover import Cover
from redhanded.model.delta import Delta, delta
from redhanded.model.matrix import KillMatrix
from redhanded.model.outcome import Outcome, Reason, Status
from redhanded.model.reading import NOTHING_LEFT, Counts, cause_of_null, reading_of
from redhanded.model.result import RealDefect
from tests.model.making import cell, mutant
from tests.model.worked import worked_example

O, R = Outcome, Reason  # noqa: E741

# One mutant for each thing that can happen, as (old tests' outcomes, new test's outcome).
CASES: dict[str, tuple[tuple[Outcome | Reason, ...], Outcome | Reason]] = {
    "gained-survivor": ((O.PASSED, O.PASSED), O.CAUGHT),
    "gained-uncovered": ((O.NOT_ENTERED,), O.CAUGHT),
    "still-open": ((O.PASSED,), O.PASSED),
    "still-uncovered": ((), O.NOT_ENTERED),
    "free-crash": ((O.PASSED,), O.CRASHED),
    "free-hang": ((O.SKIPPED,), O.HUNG),
    "open-incomplete": ((O.PASSED,), R.LOST),
    "open-red": ((O.PASSED,), R.RED_CONTROL),
    "kept": ((O.CAUGHT, O.PASSED), O.CAUGHT),
    "lost-survivor": ((O.CAUGHT,), O.PASSED),
    "lost-uncovered": ((O.PASSED, O.CAUGHT), O.NOT_ENTERED),
    "demoted-crash": ((O.CAUGHT,), O.CRASHED),
    "demoted-hang": ((O.CAUGHT,), O.HUNG),
    "unresolved": ((O.CAUGHT,), R.NO_WITNESS),
    "crashed": ((O.CRASHED,), O.CAUGHT),
    "hung": ((O.HUNG,), O.CAUGHT),
    "untold": ((R.RED_CONTROL,), O.CAUGHT),
    "contested-unanswered": ((O.PASSED, R.LOST), O.PASSED),
    "regained-unanswered": ((R.LOST,), O.CAUGHT),
    "contested-red": ((O.PASSED,), O.PASSED),
    "regained-red": ((), O.CAUGHT),
    "red-but-killed": ((O.CAUGHT,), O.CAUGHT),
}
CONTESTED = {"contested-red", "regained-red", "red-but-killed"}


def compared(cases: dict[str, tuple[tuple[Outcome | Reason, ...], Outcome | Reason]]) -> Delta:
    mutants = [mutant(name) for name in cases]
    old = [
        cell(name, f"old{index}", what)
        for name, (olds, _) in cases.items()
        for index, what in enumerate(olds)
    ]
    new = [cell(name, "new", what) for name, (_, what) in cases.items()]
    return delta(
        KillMatrix.of(mutants, ["old0", "old1"], old),
        KillMatrix.of(mutants, ["new"], new),
        contested=CONTESTED,
    )


def named(*prefixes: str) -> tuple[str, ...]:
    return tuple(name for name in CASES if name.startswith(prefixes))


def test_each_mutant_goes_where_its_name_says() -> None:
    found = compared(CASES)
    assert found.open == named("gained", "still", "free", "open")
    assert found.gained == named("gained")
    assert found.free == named("free")
    assert found.lost == named("lost")
    assert found.demoted == named("demoted")
    assert found.unresolved == named("unresolved")
    assert found.contested == named("contested", "regained")
    assert found.regained == named("regained")
    assert found.value == 2 / (8 + 4)
    assert found.without_crash_only == 2 / (8 + 4 - 2)
    assert found.formula == "gained / (open + contested) = 2 / 12"
    assert found.gained_by == {"new": ("gained-survivor", "gained-uncovered")}
    assert found.minimal_gain == Cover(("new",), exact=True)
    assert found.unavailable is None


def test_a_result_shows_the_counts() -> None:
    defect = RealDefect(caught=True, failing=("new",), note="")
    shown = compared(CASES).result(defect)
    assert (shown.open, shown.contested, shown.gained, shown.free) == (8, 4, 2, 2)
    assert (shown.lost, shown.demoted, shown.unresolved, shown.regained) == (2, 2, 1, 2)
    assert (shown.value, shown.without_crash_only) == (2 / 12, 2 / 10)
    assert shown.formula == "gained / (open + contested) = 2 / 12"
    assert (shown.minimal_gain, shown.minimal_gain_exact) == (("new",), True)
    # The two gained ones have one killer set; each of the six that nobody kills is for itself.
    assert (shown.dominators_open, shown.dominators_gained) == (7, 1)
    assert shown.real_defect == defect
    assert shown.reading == compared(CASES).reading
    assert shown.unavailable is None


def test_the_worked_example_gains_nothing() -> None:
    reference = worked_example()
    adds_nothing = [cell(f"m{index}", "new", O.PASSED) for index in range(342)]
    found = delta(reference, worked_example(*adds_nothing))
    assert found.value == 0.0
    assert found.formula == "gained / (open + contested) = 0 / 56"
    assert found.reading == (
        "the existing tests already kill 237, 56 were open, these tests kill none of them"
    )
    assert found.minimal_gain == Cover((), exact=True)
    assert (found.dominators_open, found.dominators_gained) == (56, 0)


def test_killing_again_what_is_killed_gains_nothing() -> None:
    kills_all_that_is_killed = [cell(f"m{index}", "new", O.CAUGHT) for index in range(237)]
    assert delta(worked_example(), worked_example(*kills_all_that_is_killed)).value == 0.0


def test_without_old_tests_everything_is_open() -> None:
    mutants = [mutant("a"), mutant("b")]
    none = KillMatrix.of(mutants, [], [])
    new = KillMatrix.of(mutants, ["new"], [cell("a", "new", O.CAUGHT)])
    found = delta(none, new)
    assert found.open == ("a", "b")
    assert found.value == 0.5
    assert found.reading == "there were no tests before, 2 were open, these tests kill 1 of them"


def one(old: Outcome | Reason | None, *, viability: str = "viable") -> Delta:
    mutants = [mutant("m", viability=viability)]
    cells = [] if old is None else [cell("m", "old", old)]
    new = KillMatrix.of(mutants, ["new"], [cell("m", "new", O.CAUGHT)])
    return delta(KillMatrix.of(mutants, ["old"], cells), new)


@pytest.mark.parametrize(
    ("found", "cause"),
    [
        (one(O.CAUGHT), NOTHING_LEFT),
        (one(O.CRASHED), "nothing to measure: no mutant could be tried (1 crashed)"),
        (one(R.FLAKY), "nothing to measure: no mutant could be tried (1 incomplete)"),
        (
            one(None, viability="equivalent"),
            "nothing to measure: no mutant could be tried (1 equivalent)",
        ),
        (
            delta(KillMatrix.of([], ["t"], []), KillMatrix.of([], ["t"], [])),
            "nothing to measure: there is no mutant in scope",
        ),
    ],
)
def test_an_empty_population_has_no_delta(found: Delta, cause: str) -> None:
    assert (found.value, found.without_crash_only) == (None, None)
    assert found.unavailable == found.reading == cause
    assert found.formula == "gained / (open + contested) = 0 / 0: unavailable"


def test_a_cause_on_the_references_side_leaves_nothing_measured() -> None:
    mutants = [mutant("m")]
    old = KillMatrix.of(mutants, [], [])
    new = KillMatrix.of(mutants, ["new"], [cell("m", "new", O.CAUGHT)])
    cause = "the old suite can't be collected"
    found = delta(old, new, contested={"m"}, inapplicable=3, unavailable=cause)
    assert (found.open, found.gained, found.regained, found.gained_by) == ((), (), (), {})
    assert (found.value, found.unavailable) == (None, cause)
    assert found.reading.startswith(cause)
    assert (found.dominators_open, found.dominators_gained) == (None, None)


def test_only_free_mutants_leave_nothing_beside_them() -> None:
    mutants = [mutant("m")]
    old = KillMatrix.of(mutants, ["old"], [cell("m", "old", O.PASSED)])
    new = KillMatrix.of(mutants, ["new"], [cell("m", "new", O.CRASHED)])
    found = delta(old, new)
    assert (found.value, found.without_crash_only) == (0.0, None)
    loose = delta(old, new, policy="any-failure")
    assert (loose.value, loose.free, loose.gained_by) == (1.0, (), {"new": ("m",)})


@pytest.mark.parametrize("what", [R.RED_CONTROL, R.FLAKY, R.PLACEBO_RED, R.SKIPPED_CONTROL])
def test_new_tests_that_are_no_judges_gain_nothing(what: Reason) -> None:
    mutants = [mutant("m")]
    old = KillMatrix.of(mutants, ["old"], [cell("m", "old", O.PASSED)])
    new = KillMatrix.of(mutants, ["new"], [cell("m", "new", what)])
    assert delta(old, new).value == 0.0
    assert delta(old, KillMatrix.of(mutants, [], [])).value == 0.0


def test_mutants_that_were_edited_away_stay_in_the_denominator() -> None:
    mutants = [mutant("m")]
    old = KillMatrix.of(mutants, ["old"], [])
    new = KillMatrix.of(mutants, ["new"], [cell("m", "new", O.CAUGHT)])
    found = delta(old, new, inapplicable=3)
    assert found.value == 0.25
    assert found.formula == "gained / (open + contested + inapplicable) = 1 / 4"
    assert found.reading.endswith("3 of the fixed set no longer fit the source")
    assert delta(KillMatrix.of([], [], []), KillMatrix.of([], [], []), inapplicable=1).value == 0.0


def test_each_test_is_credited_with_what_it_gains() -> None:
    mutants = [mutant(name) for name in "abc"]
    cells = [
        cell("a", "n1", O.CAUGHT),
        cell("a", "n2", O.CAUGHT),
        cell("b", "n2", O.CAUGHT),
        cell("c", "n2", O.PASSED),
        cell("c", "n3", O.CAUGHT),
    ]
    old = KillMatrix.of(mutants, ["old"], [])
    found = delta(old, KillMatrix.of(mutants, ["n0", "n1", "n2", "n3"], cells))
    assert found.gained_by == {"n1": ("a",), "n2": ("a", "b"), "n3": ("c",)}
    assert found.minimal_gain.tests == ("n2", "n3")
    # Whoever kills b kills a.
    assert (found.dominators_open, found.dominators_gained) == (2, 2)


def test_dominators_need_every_new_test_asked() -> None:
    mutants = [mutant("a"), mutant("b")]
    old = KillMatrix.of(mutants, ["old"], [cell("b", "old", O.CAUGHT)])
    cells = [cell("a", "new", O.CAUGHT), cell("b", "new", O.CAUGHT)]
    asked = KillMatrix.of(mutants, ["new"], cells, unfinished={"b"})
    cut = KillMatrix.of(mutants, ["new"], cells, unfinished={"a"})
    assert delta(old, asked).dominators_open == 1
    assert delta(old, cut).dominators_open is None
    assert delta(old, cut).gained == ("a",)


def test_two_sets_of_mutants_can_not_be_compared() -> None:
    with pytest.raises(ValueError, match="one and the same set"):
        delta(KillMatrix.of([mutant("a")], [], []), KillMatrix.of([mutant("b")], [], []))


def test_deleting_a_sole_killer_loses_its_mutant() -> None:
    mutants = [mutant("a"), mutant("b")]
    cells = [
        cell("a", "t0", O.CAUGHT),
        cell("a", "t1", O.PASSED),
        cell("b", "t0", O.CAUGHT),
        cell("b", "t1", O.CAUGHT),
    ]
    old = KillMatrix.of(mutants, ["t0", "t1"], cells)
    new = KillMatrix.of(mutants, ["t1"], [one for one in cells if one.test == "t1"])
    found = delta(old, new)
    assert found.lost == ("a",)
    assert found.unavailable == NOTHING_LEFT
    assert found.reading == f"{NOTHING_LEFT}; 1 was killed before and no longer"


@pytest.mark.parametrize(
    ("numbers", "empty", "expected"),
    [
        ((2, 3, 0, 0, 3, 0, 0), False,
         "the existing tests already kill 2, 3 were open, these tests kill all of them"),
        ((2, 1, 0, 0, 1, 0, 0), False,
         "the existing tests already kill 2, 1 was open, these tests kill it"),
        ((2, 1, 0, 0, 0, 0, 0), False,
         "the existing tests already kill 2, 1 was open, these tests don't kill it"),
        ((0, 4, 0, 0, 2, 0, 0), True,
         "there were no tests before, 4 were open, these tests kill 2 of them"),
        ((2, 0, 2, 0, 0, 0, 1), False,
         "the existing tests already kill 2, none was open; of 2 more it can't be told whether "
         "the existing tests kill them, and these tests kill 1 of those"),
        ((2, 4, 1, 0, 0, 3, 0), False,
         "the existing tests already kill 2, 4 were open, these tests kill none of them; of 1 "
         "more it can't be told whether the existing tests kill it; 3 were killed before and no "
         "longer"),
        ((3, 2, 0, 1, 1, 0, 0), False,
         "the existing tests already kill 3, 2 were open, these tests kill 1 of them; 1 of the "
         "fixed set no longer fits the source"),
        ((0, 1, 0, 2, 1, 0, 0), False,
         "the existing tests already kill none, 1 was open, these tests kill it; 2 of the fixed "
         "set no longer fit the source"),
    ],
)  # fmt: skip
def test_a_delta_reads_as_a_sentence(numbers: tuple[int, ...], empty: bool, expected: str) -> None:
    fields = ("killed", "open", "contested", "inapplicable", "gained", "lost", "regained")
    counts = Counts(**dict(zip(fields, numbers, strict=True)))
    assert reading_of(counts, None, empty=empty) == expected


def test_the_causes_of_a_missing_delta_are_counted() -> None:
    statuses = [Status.HUNG, Status.CRASHED, Status.HUNG]
    assert cause_of_null(statuses).endswith("no mutant could be tried (1 crashed, 2 hung)")


def test_a_kill_and_nothing_open_is_no_failure_to_measure() -> None:
    assert NOTHING_LEFT.startswith("nothing was left to gain: ")
    assert cause_of_null([Status.KILLED, Status.CRASHED]) == NOTHING_LEFT
