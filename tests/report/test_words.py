"""Numbers in words."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from redhanded.model.result import Revision
from redhanded.report import view, words
from tests import samples


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "unavailable"),
        (0.0, "0.000"),
        (1.0, "1.000"),
        (237 / 293, "0.809"),
        (1 / 4000, "<0.001"),
        (3999 / 4000, ">0.999"),
    ],
)
def test_ratio(value: float | None, told: str) -> None:
    assert words.ratio(value) == told


@given(st.integers(1, 10**6), st.integers(0, 10**6))
def test_a_ratio_is_never_all_or_nothing_by_rounding(whole: int, part: int) -> None:
    told = words.ratio(min(part, whole) / whole)
    assert (told == "0.000") == (part == 0)
    assert (told == "1.000") == (part >= whole)


def test_formulas_carry_their_counts() -> None:
    delta = samples.delta_result(open=56, contested=0, gained=20)
    assert words.counted("gained / (open + contested) = 20 / 56", delta) == (
        "20 gained / (56 open + 0 contested)"
    )
    reference = samples.cohort(killed=237, tried=293)
    assert words.counted("killed / tried", reference) == "237 killed / 293 tried"
    assert words.counted("killed / tried = 237 / 293", reference) == "237 killed / 293 tried"
    assert words.counted("killed / other = 1 / 2", reference) == "killed / other = 1 / 2"
    assert words.without_crash_only(delta) == "20 gained / (56 open + 0 contested - 1 free)"
    fixed = samples.delta_result(formula="gained / (open + contested + inapplicable) = 3 / 12")
    assert words.counted(fixed.formula, fixed) == fixed.formula
    assert words.without_crash_only(fixed) == ("gained / (open + contested + inapplicable - free)")


def test_revisions() -> None:
    commit = "5d6e7f8a9b0c1d2e3f4a5d6e7f8a9b0c1d2e3f4a"
    assert words.revision(Revision(commit, "topic")) == "topic (5d6e7f8a)"
    assert words.revision(Revision(commit, commit)) == "5d6e7f8a"
    assert words.revision(Revision(None, "working tree")) == "working tree"
    dirty = words.revision(Revision(commit, "working tree", dirty=True))
    assert dirty == "working tree (5d6e7f8a), uncommitted changes included"


def test_main_reasons_are_told_even_where_there_are_none() -> None:
    told = words.excluded(samples.result(excluded={"hung": 2, "wrong_copy": 3}))
    assert told == (
        "crashed 0 · hung 2 · contested 0 · unviable 0 · equivalent 0 · duplicate 0 · "
        "incomplete 0 · wrong copy 3"
    )


def test_verdicts_of_new_tests() -> None:
    new = view.new_tests(samples.result())
    assert [(view.short_test(test.id), words.verdict(test)) for test in new] == [
        ("test_automatic_discount", "gains"),
        ("TestBounds::test_rejects[101]", "gains"),
        ("test_sum_again", "nothing"),
        ("test_broken", "red"),
        ("test_source_has_docstring", "placebo_red"),
        ("test_smoke", "cannot"),
    ]
    assert words.verdict_counts(new) == (
        "2 gain, 1 gains nothing, 1 born red, 1 looks at the code (placebo red), 1 can't judge"
    )


def test_a_test_that_was_not_measured_gains_neither_something_nor_nothing() -> None:
    test = msgspec.structs.replace(samples.result().tests[4], gained=None)
    assert words.verdict(test) == "unknown"


def test_self_selected_scope_is_told() -> None:
    plan = samples.result().plan
    chosen = msgspec.structs.replace(
        plan,
        scope=msgspec.structs.replace(plan.scope, kind="self-selected", comparable=False),
        sampled_from=900,
    )
    told = words.scope(chosen)
    assert "self-selected, chosen by the candidate: not comparable" in told
    assert "a sample of 16 of 900 mutants" in told


def test_a_reason_that_the_verdict_says_already_is_not_said_again() -> None:
    test = samples.result().tests[8]
    assert words.why(test) == "AssertionError: assert 3 == 4"
    for control, reason in (("placebo_red", "placebo_red"), ("red", "red_control")):
        again = msgspec.structs.replace(test, control=control, reason=reason)
        assert words.why(again) is None
    assert words.why(msgspec.structs.replace(samples.result().tests[4], reason="x")) is None


def test_pragmas_are_told_once() -> None:
    (told,) = view.pragmas(samples.result())
    assert told.startswith("src/shop/cart.py:23: this pragma")
    warned = samples.result(warnings=("not honoured: src/shop/cart.py:23",))
    assert view.pragmas(warned) == []


def test_first_kills() -> None:
    kills = view.first_kills(samples.suite_result())
    assert list(kills.items()) == [(samples.OLD, 2), (samples.OLD_LABEL, 1), (samples.GONE, 1)]


def test_moves_are_read_off_the_statuses() -> None:
    moves = view.moves(samples.result())
    assert [m.start.line for m in moves.gained] == [6, 6, 9]
    assert [m.start.line for m in moves.lost] == [17]
    assert [m.start.line for m in moves.demoted] == [18]
    assert [m.start.line for m in moves.contested] == [12]
    assert [m.original for m in moves.free] == ["and"]


def test_survivors_are_the_candidates() -> None:
    found = view.survivors(samples.result())
    assert [m.start.line for m in found.survived] == [6, 17]
    assert [m.start.line for m in found.string_only] == [7]
    assert [m.start.line for m in found.no_coverage] == [23, 25]


def test_cases_that_say_the_same_are_one_row() -> None:
    red = samples.result().tests[4]
    numbers = [2, 0, 0, 0, 2]
    tests = [
        msgspec.structs.replace(red, id=f"tests/a.py::test_x[{n}]", gained=gained)
        for n, gained in enumerate(numbers)
    ]
    other = msgspec.structs.replace(tests[1], id="tests/a.py::test_y")
    rows = view.cases([*tests, other], show_all=False)
    assert [view.case_name(test.id, number) for test, number in rows] == [
        "tests/a.py::test_x[0]",
        "tests/a.py::test_x (3 cases)",
        "tests/a.py::test_x[4]",
        "tests/a.py::test_y",
    ]
    assert [number for _, number in view.cases(tests, show_all=True)] == [1] * 5
    names = [test.id for test in tests]
    assert view.functions([*names, other.id], show_all=False) == [
        "tests/a.py::test_x (5 cases)",
        "tests/a.py::test_y",
    ]
    assert view.functions(names, show_all=True) == names
    assert view.functions(names[:3], show_all=False) == names[:3]


def test_line_ranges() -> None:
    assert view.ranges([1, 2, 3, 7, 9, 10]) == "1-3, 7, 9-10"


def test_one_more_is_shown_rather_than_counted() -> None:
    assert view.first("abcd", 3, show_all=False) == view.Shown(tuple("abcd"), 0)
    assert view.first("abcde", 3, show_all=False) == view.Shown(tuple("abc"), 2)
    assert view.first("abcde", 3, show_all=True) == view.Shown(tuple("abcde"), 0)
