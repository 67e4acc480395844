"""The published runs of stock graders: every hole has been read."""

from __future__ import annotations

import pytest

from bench.graders import evalmut, records, verdicts
from bench.graders.subjects import SUBJECTS

NAMES = records.names()


def test_all_runs_are_kept() -> None:
    assert set(NAMES) >= set(SUBJECTS)


@pytest.mark.parametrize("name", NAMES)
def test_each_hole_has_a_verdict_and_each_verdict_a_hole(name: str) -> None:
    assert verdicts.compared(name) == ([], [])


@pytest.mark.parametrize("name", NAMES)
def test_no_hole_is_false(name: str) -> None:
    assert [one.hole for one in verdicts.read(name).values() if not one.holds] == []


@pytest.mark.parametrize("name", NAMES)
def test_runs_are_whole_and_witnessed(name: str) -> None:
    run = records.read(name)
    assert run["complete"]
    assert run["exit_code"] in (0, 1)
    assert run["ledger"]["problems"] == []
    assert [one for one in run["canaries"] if one["passed"] is False] == []
    assert len({one["id"] for one in run["holes"]}) == len(run["holes"])


@pytest.mark.parametrize("name", sorted(SUBJECTS))
def test_each_framework_has_five_scorers_or_more(name: str) -> None:
    assert len(records.read(name)["graders"]) >= 5


KNOWN = {
    "inspect-ai": [
        ("includes()", "The answer is definitely not Paris."),
        ("includes()", "25"),
        ("match(numeric=True)", "The total is 123457"),
        ("exact()", "-5"),
    ],
    "pydantic-evals": [("Contains('approved')", "The claim was not approved.")],
    "gradecore-0.10.2": [("number(42, tol=5)", "The total is 42.51")],
}


@pytest.mark.parametrize(
    ("name", "grader", "text"), [(name, *one) for name, found in KNOWN.items() for one in found]
)
def test_known_wrong_verdicts_on_texts_are_found(name: str, grader: str, text: str) -> None:
    assert text in [
        hole["output"].get("text")
        for hole in records.read(name)["holes"]
        if hole["grader"].endswith(f":{grader}") and hole["kind"] in ("blind", "lax")
    ]


@pytest.mark.parametrize(
    ("name", "case", "operator"),
    [
        ("autoevals", "valid-json-schema", "json-missing-key"),
        ("autoevals", "json-diff", "json-missing-key"),
        ("autoevals", "json-diff", "json-boolean-number"),
        ("deepeval", "tools", "trajectory-dropped-call"),
        ("deepeval", "tools", "trajectory-dangerous-call"),
        ("pydantic-evals", "equals-one", "json-boolean-number"),
        ("openevals", "trajectory-strict", "trajectory-wrong-answer"),
        ("openevals", "json-list-subset", "json-value-change"),
        ("gradecore-0.10.2", "must_refuse", "refuse-then-comply"),
    ],
)
def test_known_wrong_verdicts_are_found(name: str, case: str, operator: str) -> None:
    assert [
        hole
        for hole in records.read(name)["holes"]
        if (hole["case"], hole["operator"]) == (case, operator) and hole["kind"] in ("blind", "lax")
    ]


@pytest.mark.parametrize(
    ("case", "operator", "kind"),
    [
        ("contains", "negated-answer", "blind"),
        ("contains", "keyword-without-answer", "blind"),
        ("valid_json", "json-type-flip", "coverage_gap"),
        ("valid_json", "json-value-change", "coverage_gap"),
    ],
)
def test_the_holes_that_evalmut_found_are_found_in_its_suite(
    case: str, operator: str, kind: str
) -> None:
    run = records.read(evalmut.NAME)
    assert kind in {
        hole["kind"]
        for hole in run["holes"]
        if (hole["case"], hole["operator"]) == (case, operator)
    }


def test_each_row_of_evalmut_agrees_or_carries_a_reason() -> None:
    rows = evalmut.rows()
    assert {row.key for row in rows if not row.agrees} == set(evalmut.reasons())
    outcomes = [outcome for _, _, outcome in evalmut.theirs()["rows"]]
    told = {word: outcomes.count(word) for word in set(outcomes)}
    assert told == {"caught": 42, "missed": 4, "na": 223}
    assert len(rows) == told["caught"] + told["missed"]
