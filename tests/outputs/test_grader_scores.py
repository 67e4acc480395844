"""Scores of graders, the ledger, and checks compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from redhanded.model.checks import group
from redhanded.model.graded import Call, HoleKind, Lack, OutputOutcome, Phase, Row
from redhanded.model.grader_scores import counted, older, scores
from redhanded.model.graders import RANK, Hole, Verdict, exit_code, tallies, worst_first
from redhanded.model.ledger import Bookkeeping, check
from redhanded.model.output import Output
from redhanded.model.wilson import interval
from tests.outputs.grading_helpers import calls, row

O = OutputOutcome  # noqa: E741


def test_an_empty_population_has_no_value() -> None:
    found = scores([row(O.NOT_APPLICABLE), row(O.INCOMPLETE)])
    assert len(found) == 1
    for score in (found[0].detection, found[0].preservation, found[0].floor, found[0].older):
        assert (score.k, score.n, score.value) == (0, 0, None)
        assert score.low is None


def test_a_unit_is_caught_when_every_variant_is() -> None:
    rows = [
        row(O.CAUGHT, variant="1"),
        row(O.CAUGHT, variant="2"),
        row(O.CAUGHT, variant="3", defect_class="sign"),
        row(O.MISSED, variant="4", defect_class="sign"),
        row(O.CAUGHT, variant="5", case="d"),
        row(O.INCOMPLETE, variant="6", case="d"),
    ]
    found = scores(rows)[0]
    assert (found.detection.k, found.detection.n) == (2, 3)


@pytest.mark.parametrize(
    ("outcome", "earned"),
    [
        (O.CAUGHT, True),
        (O.SEPARATED, True),
        (O.MISSED, False),
        (O.CONFOUNDED, False),
        (O.ERROR, False),
        (O.FLAKY, False),
        (O.NOT_SEPARATED, False),
    ],
)
def test_what_earns_credit(outcome: OutputOutcome, earned: bool) -> None:
    found = scores([row(outcome)])[0].detection
    assert (found.k, found.n) == (int(earned), 1)


def test_defects_equivalents_and_the_floor_are_three_numbers() -> None:
    found = scores(
        [
            row(O.CAUGHT),
            row(O.HELD, planted="equivalent", defect_class="case"),
            row(O.FLAGGED, planted="equivalent", defect_class="whitespace"),
            row(O.MISSED, planted="floor", defect_class="blank"),
        ]
    )[0]
    assert (found.detection.k, found.detection.n) == (1, 1)
    assert (found.preservation.k, found.preservation.n) == (1, 2)
    assert (found.floor.k, found.floor.n) == (0, 1)


def test_caught_without_a_sham_is_counted_apart() -> None:
    found = scores([row(O.CAUGHT, no_sham=True), row(O.CAUGHT, case="d")])[0]
    assert (found.detection.k, found.detection_no_sham) == (2, 1)


def test_an_interval_only_within_one_class_of_one_grader() -> None:
    found = scores([row(O.CAUGHT, case=case, grader=g) for case in "abc" for g in ("g", "h")])
    assert [(one.grader, one.defect_class) for one in found] == [
        (None, None), ("g", None), ("g", "negation"), ("h", None), ("h", "negation"),
    ]  # fmt: skip
    assert [one.detection.low is not None for one in found] == [False, False, True, False, True]
    assert found[2].detection.low == pytest.approx(0.4385, abs=1e-4)
    assert found[2].preservation.low is None


def test_two_verdicts_of_one_grader_are_two_units() -> None:
    found = scores([row(O.CAUGHT, grader="g[a]"), row(O.MISSED, grader="g[b]")])[0]
    assert (found.detection.k, found.detection.n) == (1, 2)


def test_the_older_number_counts_rows_and_confounded_ones_as_caught() -> None:
    rows = [row(one) for one in O]
    rows += [row(O.CAUGHT, planted="floor")]
    found = older(rows)
    kept = {O.CAUGHT, O.CONFOUNDED, O.HELD, O.SEPARATED}
    lost = {O.MISSED, O.FLAGGED, O.NOT_SEPARATED}
    assert (found.k, found.n) == (len(kept) + 1, len(kept) + 1 + len(lost))


def test_wilson() -> None:
    assert interval(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert interval(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    with pytest.raises(ValueError, match="no interval over 0"):
        interval(0, 0)
    assert counted(0, 0, sampled=True).low is None


def made(number: int, phase: Phase, about: str | None = None, **more: Any) -> Call:
    call = calls("a")[0]
    fields = {name: getattr(call, name) for name in call.__struct_fields__}
    return Call(**{**fields, "id": number, "phase": phase, "row": about, **more})


def balanced() -> tuple[list[Call], list[Row]]:
    name = row(O.CAUGHT).id
    return (
        [
            made(0, Phase.CONTROL),
            made(1, Phase.DECISION, name),
            made(2, Phase.SHAM, name),
            made(3, Phase.PROBE),
            made(4, Phase.CONTROL_AFTER),
        ],
        [row(O.CAUGHT, calls=(0, 1, 2, 4))],
    )


def kept(asked: int, entered: Sequence[Call], rows: Sequence[Row], stray: int = 0) -> Bookkeeping:
    books = Bookkeeping()
    books.stray(stray)
    books.enter(asked, entered, rows)
    return books


def test_a_ledger_that_balances() -> None:
    found = kept(5, *balanced()).ledger()
    assert found.balanced, found.problems
    assert (found.asked, found.calls) == (5, 5)
    assert (found.control, found.decision, found.sham, found.probe) == (2, 1, 1, 1)
    assert found.control + found.decision + found.sham + found.probe == found.calls


def test_a_call_that_was_made_and_not_recorded_is_missed() -> None:
    entered, rows = balanced()
    assert not kept(6, entered, rows).ledger().balanced
    assert not kept(1, [], []).ledger().balanced


def test_unattributed_calls_have_an_account_of_their_own() -> None:
    entered, _ = balanced()
    name = row(O.INCOMPLETE).id
    entered[1] = made(1, Phase.DECISION, name, lack=Lack.UNATTRIBUTED)
    del entered[2]
    rows = [row(O.INCOMPLETE, lack=Lack.UNATTRIBUTED, calls=(0, 1, 4))]
    found = kept(4, entered, rows, stray=1).ledger()
    assert found.balanced, found.problems
    assert (found.unattributed, found.decision, found.stray) == (1, 0, 1)


def test_a_stray_entry_has_to_fail_a_call() -> None:
    assert not kept(5, *balanced(), stray=1).ledger().balanced


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"calls": (0, 1, 2, 9)}, "not in the ledger"),
        ({"calls": (0, 1)}, "belongs to 0 rows"),
        ({"calls": (1, 2)}, "without a control and a decision"),
        ({"calls": (0,), "outcome": O.MISSED}, "without a control and a decision"),
        ({"grader": "h"}, "asked g about c"),
        ({"id": "c/other/v"}, "was made for"),
    ],
)
def test_a_row_and_its_calls_have_to_fit(change: dict[str, Any], problem: str) -> None:
    entered, rows = balanced()
    fields = {name: getattr(rows[0], name) for name in rows[0].__struct_fields__}
    found = check(entered, [Row(**{**fields, **change})])
    assert any(problem in one for one in found), found


def test_a_decision_belongs_to_one_row() -> None:
    entered, rows = balanced()
    assert any("belongs to 2 rows" in one for one in check(entered, [*rows, *rows]))


def two_checks() -> list[Row]:
    def old(outcome: OutputOutcome, **more: Any) -> Row:
        return row(outcome, case="old", grader="old", **more)

    def new(outcome: OutputOutcome, **more: Any) -> Row:
        return row(outcome, case="new", grader="new", **more)

    return [
        old(O.CAUGHT, variant="both", output="1"),
        new(O.CAUGHT, variant="both", output="1"),
        old(O.MISSED, variant="new", output="2"),
        new(O.CAUGHT, variant="new", output="2"),
        old(O.MISSED, variant="none", output="3"),
        new(O.MISSED, variant="none", output="3"),
        old(O.CONFOUNDED, variant="frame", output="4"),
        new(O.CONFOUNDED, variant="frame", output="4"),
        old(O.HELD, planted="equivalent", variant="eq", output="5"),
        new(O.HELD, planted="equivalent", variant="eq", output="5"),
    ]


OLD = {"old": True, "new": False}


def test_gained_is_what_no_old_check_rejects_and_a_new_one_does() -> None:
    found = group("g", two_checks(), OLD)
    assert found.gained == ("op/new",)
    assert (found.open, found.delta.k, found.delta.n) == (3, 1, 3)
    assert found.newly_flagged == ()
    assert [check.case for check in found.checks] == ["old", "new"]
    assert [check.case for check in found.defects[0].caught_by] == ["old", "new"]


def test_a_killer_that_flags_an_equivalent_gains_nothing() -> None:
    rows = two_checks()[:-1]
    rows.append(
        row(O.FLAGGED, planted="equivalent", variant="eq", output="5", case="new", grader="new")
    )
    found = group("g", rows, OLD)
    assert found.gained == ()
    assert found.open == 3
    assert [one.output for one in found.newly_flagged] == ["op/eq"]
    assert [check.grader for check in found.disqualified] == ["new"]


def test_what_an_old_check_flags_too_is_not_new() -> None:
    rows = two_checks()[:-2]
    for name in ("old", "new"):
        rows.append(
            row(O.FLAGGED, planted="equivalent", variant="eq", output="5", case=name, grader=name)
        )
    found = group("g", rows, OLD)
    assert found.newly_flagged == ()
    assert found.gained == ()


def test_no_old_checks_leave_everything_open() -> None:
    rows = [one for one in two_checks() if one.case == "new"]
    found = group("g", rows, OLD)
    assert found.open == 4
    assert found.gained == ("op/both", "op/new")


def test_nothing_open_has_no_delta() -> None:
    found = group("g", two_checks()[:2], OLD)
    assert (found.open, found.delta.value) == (0, None)


def test_outputs_that_differ_are_not_one() -> None:
    rows = [
        row(O.CAUGHT, variant="v", output="1", case="old", grader="old"),
        row(O.CAUGHT, variant="v", output="2", case="new", grader="new"),
    ]
    found = group("g", rows, OLD)
    assert [one.output for one in found.defects] == ["op/v", "op/v#2"]
    assert found.gained == ("op/v#2",)


def hole_of(kind: HoleKind) -> Hole:
    return Hole(case="c", grader="g", kind=kind, reference=Output(text="right"))


def test_holes_are_listed_worst_first_by_the_enumeration() -> None:
    assert list(RANK) == list(HoleKind)
    found = worst_first(hole_of(kind) for kind in reversed(HoleKind))
    assert [one.kind for one in found] == list(HoleKind)


def verdict(**more: Any) -> Verdict:
    fields: dict[str, Any] = {
        "holes": (),
        "measured": 3,
        "controls": 2,
        "red": 0,
        "balanced": True,
        "self_checks": True,
        "unwitnessed": 0,
    }
    return Verdict(**{**fields, **more})


@pytest.mark.parametrize("kind", list(HoleKind))
def test_every_hole_but_a_missing_check_fails(kind: HoleKind) -> None:
    assert exit_code(verdict(holes=(kind,))) == (0 if kind is HoleKind.COVERAGE_GAP else 1)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({}, 0),
        ({"measured": 0}, 3),
        ({"complete": False}, 3),
        ({"measured": 0, "red": 2}, 4),
        ({"red": 1}, 0),
        ({"measured": 0, "controls": 0}, 3),
        ({"balanced": False}, 5),
        ({"self_checks": False}, 5),
        ({"unwitnessed": 1}, 5),
        ({"unwitnessed": 1, "red": 2, "holes": (HoleKind.BLIND,)}, 5),
        ({"measured": 0, "holes": (HoleKind.STATEFUL,)}, 3),
    ],
)
def test_the_highest_exit_code_wins(change: dict[str, Any], code: int) -> None:
    assert exit_code(verdict(**change)) == code


def test_tallies_add_up_to_the_rows() -> None:
    rows = [
        row(O.NOT_APPLICABLE, code="no_number"),
        row(O.NOT_APPLICABLE, code="no_number"),
        row(O.INCOMPLETE, lack=Lack.RED_CONTROL),
        row(O.CAUGHT),
    ]
    outcomes, codes, lacks = tallies(rows)
    assert sum(outcomes.values()) == len(rows)
    assert codes == {"no_number": 2}
    assert lacks == {"red_control": 1}
