"""The decision table of holes, and the claim rule."""

from __future__ import annotations

from itertools import product

import pytest

from redhanded.model.graded import SERIOUS, ClaimSource, HoleKind, OutputOutcome, Planted
from redhanded.model.holes import SHARED, Claimed, claim, hole

O = OutputOutcome  # noqa: E741
H = HoleKind
PLANTED: tuple[Planted, ...] = ("defect", "floor", "equivalent")
NEVER = (O.CAUGHT, O.HELD, O.FLAKY, O.NOT_APPLICABLE, O.SEPARATED, O.INCOMPLETE)


def test_right_and_unmeasured_verdicts_are_no_holes() -> None:
    for outcome, planted, forged, bar, claimed in product(
        NEVER, PLANTED, (True, False), ("tolerance", None), (True, False)
    ):
        assert hole(outcome, planted, forged=forged, bar=bar, claimed=claimed) is None


@pytest.mark.parametrize("outcome", [O.MISSED, O.NOT_SEPARATED])
def test_of_an_accepted_output_the_first_that_matches_wins(outcome: OutputOutcome) -> None:
    for forged, bar, claimed in product((True, False), ("tolerance", None), (True, False)):
        kind = hole(outcome, "floor", forged=forged, bar=bar, claimed=claimed)
        assert kind is H.VACUOUS
        kind = hole(outcome, "defect", forged=forged, bar=bar, claimed=claimed)
        if forged:
            assert kind is H.FORGED
        elif bar:
            assert kind is H.LAX
        else:
            assert kind is (H.BLIND if claimed else H.COVERAGE_GAP)


def test_raising_is_a_crash_whatever_was_planted() -> None:
    for planted, forged, bar in product(PLANTED, (True, False), ("order", None)):
        assert hole(O.ERROR, planted, forged=forged, bar=bar, claimed=True) is H.CRASH


def test_rejected_right_outputs_are_brittle() -> None:
    assert hole(O.FLAGGED, "equivalent") is H.BRITTLE
    assert hole(O.CONFOUNDED, "defect") is H.BRITTLE
    assert hole(O.CONFOUNDED, "defect", sham_raised=True) is H.CRASH
    assert hole(O.NOT_SEPARATED, "equivalent") is H.BRITTLE


def test_a_row_that_is_not_the_wrong_verdict_has_no_hole() -> None:
    for planted in PLANTED:
        assert hole(O.NOT_SEPARATED, planted, claimed=True, at_fault=False) is None


def test_every_kind_but_stateful_comes_out_of_the_table() -> None:
    found = {
        hole(outcome, planted, forged=forged, bar=bar, claimed=claimed)
        for outcome, planted, forged, bar, claimed in product(
            O, PLANTED, (True, False), ("order", None), (True, False)
        )
    }
    assert found == set(H) - {H.STATEFUL} | {None}


def test_only_a_missing_check_doesn_t_fail_the_gate() -> None:
    assert set(H) - SERIOUS == {H.COVERAGE_GAP}


def claimed(
    *,
    derived: bool = False,
    claims: set[str] | None = None,
    documented: set[str] | None = None,
    shared: tuple[str, ...] = (),
    violated: tuple[str, ...] = ("number",),
    parts: tuple[str, ...] = ("text",),
) -> Claimed:
    return claim(
        derived=derived,
        claims=claims,
        documented=documented,
        shared=shared,
        violated=violated,
        parts=parts,
    )


def test_a_contract_by_hand_is_the_claim() -> None:
    assert claimed() == Claimed(ClaimSource.CONTRACT, claimed=True)
    assert claimed(documented={"other"}) == Claimed(ClaimSource.CONTRACT, claimed=True)
    assert claimed(violated=()) == Claimed(ClaimSource.CONTRACT, claimed=True)


@pytest.mark.parametrize(
    ("claims", "inside"),
    [({"number"}, True), ({"text"}, True), ({"json"}, False), (set(), False)],
)
def test_claims_narrow_it(claims: set[str], inside: bool) -> None:
    for derived in (True, False):
        found = claimed(derived=derived, claims=claims, documented={"number"})
        assert found.source is ClaimSource.CLAIMS
        assert found.claimed is inside
        assert bool(found.hint) is not inside


@pytest.mark.parametrize(
    ("documented", "inside"), [({"number"}, True), ({"text"}, True), ({"json"}, False)]
)
def test_else_the_framework_s_documentation_says(documented: set[str], inside: bool) -> None:
    found = claimed(derived=True, documented=documented)
    assert found.source is ClaimSource.FRAMEWORK
    assert found.claimed is inside


def test_else_nobody_does_and_a_miss_can_t_be_blind() -> None:
    found = claimed(derived=True)
    assert found.source is ClaimSource.NONE
    assert not found.claimed
    assert "claims=" in found.hint


def test_what_was_read_from_the_grader_can_t_support_blind() -> None:
    for derived, claims, documented in product(
        (True, False), (None, {"number", "text"}), (None, {"number", "text"})
    ):
        found = claimed(derived=derived, claims=claims, documented=documented, shared=("number",))
        assert not found.claimed
        assert found.hint
    assert claimed(shared=("number",)).hint == SHARED
    assert claimed(shared=("number",), violated=("number", "contains")).claimed


@pytest.mark.parametrize(
    ("said", "violated", "inside"),
    [
        ({"json"}, ("json.values",), True),
        ({"json.values"}, ("json.values",), True),
        ({"json.syntax"}, ("json.values",), False),
        ({"json.syntax"}, ("json",), False),
    ],
)
def test_a_dotted_kind_is_an_aspect(
    said: set[str], violated: tuple[str, ...], inside: bool
) -> None:
    found = claimed(derived=True, documented=said, violated=violated, parts=("value",))
    assert found.claimed is inside
