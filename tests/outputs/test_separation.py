"""Scores without a bar, over all outputs of a case."""

from __future__ import annotations

from redhanded.model.graded import OutputOutcome, Planted
from redhanded.model.grading import Asking, Judged, judge
from redhanded.model.separation import at_fault, measure, separate
from tests.outputs.grading_helpers import asking, calls, scored

O = OutputOutcome  # noqa: E741


def case(
    reference: float, **outputs: tuple[Planted, float] | tuple[Planted, float, float]
) -> tuple[dict[str, Asking], dict[str, Judged]]:
    askings = {
        name: asking(
            one[0],
            scored(reference),
            scored(one[1]),
            scored(one[2]) if len(one) == 3 else None,
        )
        for name, one in outputs.items()
    }
    return askings, separate(askings, {name: judge(one) for name, one in askings.items()})


def test_every_right_output_above_every_defect_is_separated() -> None:
    askings, judged = case(
        0.9, d=("defect", 0.3), f=("floor", 0.0), e=("equivalent", 0.8), s=("defect", 0.4, 0.7)
    )
    assert {one.outcome for one in judged.values()} == {O.SEPARATED}
    found = measure("c", "g", askings, judged)
    assert found is not None
    assert found.separated
    assert found.interval == (0.4, 0.7)


def test_a_defect_as_high_as_the_reference_is_at_fault_itself() -> None:
    askings, judged = case(0.9, d=("defect", 0.9), e=("equivalent", 0.95))
    assert judged["d"].outcome is O.NOT_SEPARATED
    assert judged["e"].outcome is O.SEPARATED
    assert at_fault("d", askings, judged)
    found = measure("c", "g", askings, judged)
    assert found is not None
    assert not found.separated
    assert found.interval is None


def test_an_equivalent_as_low_as_a_defect_below_the_reference_is_at_fault() -> None:
    askings, judged = case(0.9, d=("defect", 0.5), e=("equivalent", 0.5))
    assert judged["d"].outcome is O.NOT_SEPARATED
    assert judged["e"].outcome is O.NOT_SEPARATED
    assert not at_fault("d", askings, judged)
    assert at_fault("e", askings, judged)


def test_an_equivalent_below_a_defect_that_beats_the_reference_is_not_to_blame() -> None:
    askings, judged = case(0.9, d=("defect", 1.0), e=("equivalent", 0.9))
    assert judged["e"].outcome is O.NOT_SEPARATED
    assert at_fault("d", askings, judged)
    assert not at_fault("e", askings, judged)


def test_a_low_sham_costs_its_own_defect_and_the_interval() -> None:
    askings, judged = case(0.9, d=("defect", 0.1, 0.1), other=("defect", 0.2))
    assert judged["d"].outcome is O.CONFOUNDED
    assert judged["other"].outcome is O.SEPARATED
    found = measure("c", "g", askings, judged)
    assert found is not None
    assert not found.separated


def test_equivalents_without_a_defect_to_compare_with_are_unmeasured() -> None:
    askings, judged = case(0.9, e=("equivalent", 0.1))
    assert judged["e"].outcome is O.NOT_APPLICABLE
    assert not at_fault("e", askings, judged)


def test_a_case_with_a_bar_has_no_separation() -> None:
    askings = {"d": asking("defect", "a", "r")}
    assert measure("c", "g", askings, {"d": judge(askings["d"])}) is None


def test_a_bar_with_scores_beside_it_has_no_separation() -> None:
    """Also where a sham was rejected, and the scores that came with the verdicts are known."""
    one, zero = calls("a", scores=(1.0,)), calls("r", scores=(0.0,))
    askings = {"d": asking("defect", one, zero, zero)}
    judged = {"d": judge(askings["d"])}
    assert judged["d"].outcome is O.CONFOUNDED
    assert measure("c", "g", askings, judged) is None
