"""What a run printed becomes counts, and these a file and a table."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.operators import measure, records, subjects, table
from bench.operators.catalogue import Operator
from bench.oracle import subjects as fetched
from bench.oracle.errors import RefusedError
from bench.oracle.tree import copy
from tests.oracle import parcels

CATALOGUE = [
    Operator("plus", "sums", "More.", ("others",)),
    Operator("minus", "sums", "Less.", ()),
    Operator("text", "texts", "Another.", ()),
]


def _mutant(operator: str, status: str, string_only: bool = False) -> dict[str, Any]:
    return {"operator": operator, "status": {"reference": status, "candidate": None},
            "string_only": string_only}  # fmt: skip


def _result(**changed: Any) -> dict[str, Any]:
    result: dict[str, Any] = {
        "mutants": [
            _mutant("plus", "killed"),
            _mutant("plus", "killed"),
            _mutant("plus", "survived"),
            _mutant("plus", "equivalent"),
            _mutant("text", "survived", string_only=True),
            _mutant("text", "no_coverage", string_only=True),
        ],
        "plan": {"mutants": 6, "digest": "d"},
        "reference": {"killed": 2, "survived": 1, "string_only": 1, "no_coverage": 1, "crashed": 0,
                      "hung": 0, "incomplete": 0, "judges": 3},
        "excluded": {"equivalent": 1},
        "complete": True,
        "python": "3.12.1",
        "pytest": "9",
        "redhanded": "1",
    }  # fmt: skip
    return {**result, **changed}


COUNTS = {
    "plus": {"killed": 2, "survived": 1, "equivalent": 1},
    "text": {"string_only": 1, "no_coverage": 1},
}


def test_mutants_are_counted_by_operator_and_status() -> None:
    assert records.count(_result()) == COUNTS


@pytest.mark.parametrize(
    "changed",
    [
        {"plan": {"mutants": 7}},
        {"excluded": {"equivalent": 2}},
        {"excluded": {}},
        {"reference": {**_result()["reference"], "crashed": 1}},
        {"reference": {**_result()["reference"], "survived": 2, "string_only": 0}},
        {"mutants": [*_result()["mutants"][1:], _mutant("plus", "contested")]},
    ],
)
def test_counts_that_are_not_those_of_the_run_are_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(RefusedError, match="expected"):
        records.count(_result(**changed))


def test_an_interrupted_run_is_refused() -> None:
    subject = subjects.read("3.12")[0]
    assert measure.record(subject, _result(), "c")["counts"] == COUNTS
    with pytest.raises(RefusedError, match="interrupted"):
        measure.record(subject, _result(complete=False), "c")


def test_a_subject_takes_the_place_of_what_was_kept_of_it(tmp_path: Path) -> None:
    order = ["a", "b"]
    for name, killed in (("b", 1), ("gone", 1), ("a", 1), ("b", 2)):
        record = {"name": name, "counts": {"plus": {"killed": killed}}}
        records.put(tmp_path, "3.12", record, order if name != "gone" else ["gone", *order])
    kept = records.read(tmp_path, "3.12")
    assert [(one["name"], one["counts"]["plus"]["killed"]) for one in kept] == [("a", 1), ("b", 2)]
    assert records.read(tmp_path, "3.10") == []


def test_versions_are_in_their_own_order(tmp_path: Path) -> None:
    for python in ("3.12", "3.9", "3.10"):
        records.put(tmp_path, python, {"name": "a", "counts": {}}, ["a"])
    assert records.versions(tmp_path) == ["3.9", "3.10", "3.12"]


@pytest.mark.parametrize(
    "text",
    [
        "nothing",
        json.dumps({"format": "another/1", "python": "3.12", "subjects": []}),
        json.dumps({"format": records.FORMAT, "python": "3.10", "subjects": []}),
        json.dumps({"format": records.FORMAT, "python": "3.12",
                    "subjects": [{"name": "a", "counts": {"plus": {"eaten": 1}}}]}),
    ],
)  # fmt: skip
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    records.path_of(tmp_path, "3.12").write_text(text, encoding="utf-8")
    with pytest.raises(RefusedError, match="expected"):
        records.read(tmp_path, "3.12")


def test_every_operator_has_a_row_and_every_count_is_in_the_table() -> None:
    kept = [{"counts": COUNTS}, {"counts": {"plus": {"killed": 1}, "older": {"hung": 4}}}]
    lines = table.results(kept, CATALOGUE).splitlines()
    told = {line.split(" | ")[0].strip("| "): line.split(" | ")[1:] for line in lines[2:]}
    cells = {name: [cell.strip(" |*") for cell in row] for name, row in told.items()}
    assert cells == {
        "`plus`": ["5", "3", "1", "0", "0", "0", "0", "0", "0", "1", "0"],
        "`minus`": ["0"] * 11,
        "**all sums**": ["5", "3", "1", "0", "0", "0", "0", "0", "0", "1", "0"],
        "`text`": ["2", "0", "0", "1", "1", "0", "0", "0", "0", "0", "0"],
        "`older`, no operator": ["4", "0", "0", "0", "0", "0", "4", "0", "0", "0", "0"],
        "**all**": ["11", "3", "1", "1", "1", "0", "4", "0", "0", "1", "0"],
    }


def test_the_catalogue_is_told_whole(known: list[Operator]) -> None:
    text = table.operators(known)
    assert text.count("\n") == len(known) + 2
    assert all(f"| `{one.name}` | {one.description} |" in text for one in known)


def test_no_name_is_unknown_to_choose() -> None:
    assert [one.name for one in subjects.choose("3.12", ["click-utils"])] == ["click-utils"]
    with pytest.raises(RefusedError, match="found nobody"):
        subjects.choose("3.12", ["nobody"])


def test_a_subject_is_run_whole_with_its_operators(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = fetched.Listed(
        name="parcels", distribution="parcels", version="1", roots=(".",), files=(parcels.FILE,),
        args=("tests/test_parcels.py",), cap=1, seed=0, requirements=(), requires_python=True,
    )  # fmt: skip
    copy(parcels.PROJECT, listed.tree(tmp_path), {})
    monkeypatch.setattr(fetched, "environment", lambda work, version: Path(sys.executable))
    place = measure.Place(tmp_path, tmp_path / "out", "3.12")
    subject = subjects.Subject(listed, ("arithmetic-operator", "return-none"))
    record = measure.measure(subject, place)
    assert record["counts"].keys() == {"arithmetic-operator", "return-none"}
    assert record["counts"]["arithmetic-operator"]["killed"] >= 1
    assert sum(sum(counts.values()) for counts in record["counts"].values()) > listed.cap
    assert str(tmp_path) not in json.dumps(record)
    assert record["operators"] == ["arithmetic-operator", "return-none"]
