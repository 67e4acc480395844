"""The rows of a run with two sides, in the oracle's words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.oracle.engine import NOT_RUN, NOT_SELECTED, EngineRun, Verdict
from bench.oracle.errors import RefusedError

OLD = ("t::kept", "t::edited", "t::deleted")
NEW = ("t::added", "t::edited", "t::kept")


def _trial(
    side: str, selected: list[int], complete: bool = True, **verdicts: str
) -> dict[str, Any]:
    ids = OLD if side == "reference" else NEW
    facts = [
        {"test": ids.index(f"t::{name}"), "verdict": verdict, "entered": True}
        for name, verdict in verdicts.items()
    ]
    return {"row": "trial", "mutant": "m", "side": side, "selected": selected, "facts": facts,
            "path": "swap", "complete": complete}  # fmt: skip


def _run(folder: Path, *trials: dict[str, Any], killers: tuple[str, ...] = ()) -> Path:
    sessions = [
        {"row": "session", "side": side, "tests": [
            {"id": name, "change": "unchanged" if name == "t::kept" else "modified"}
            for name in ids]}
        for side, ids in (("reference", OLD), ("candidate", NEW))
    ]  # fmt: skip
    place = {"line": 1, "column": 0}
    mutant = {"id": "m", "file": "f.py", "start": place, "end": place, "replacement": "x"}
    told = {"id": "m", "killers": killers, "crashers": [], "hangers": [],
            "status": {"reference": "survived", "candidate": "killed"}}  # fmt: skip
    tests = [{"id": name, "cohort": "reference", "control": "green"} for name in OLD]
    tests += [
        {"id": "t::added", "cohort": "candidate", "control": "green"},
        {"id": "t::edited", "cohort": "candidate", "control": "flaky"},
    ]
    lines = (json.dumps(row) + "\n" for row in [*sessions, *trials])
    (folder / "rows.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "mutants.jsonl").write_text(json.dumps(mutant) + "\n", encoding="utf-8")
    result = {"tests": tests, "mutants": [told]}
    (folder / "result.json").write_text(json.dumps(result), encoding="utf-8")
    return folder


def test_cells_of_unchanged_tests_are_read_from_the_reference(tmp_path: Path) -> None:
    folder = _run(
        tmp_path,
        _trial("reference", [0, 1], kept="failed", edited="passed"),
        _trial("candidate", [0], added="passed"),
        killers=("t::kept",),
    )
    new = EngineRun(folder, "candidate")
    assert new.verdict("m", "t::kept").word == "fail"
    assert new.verdict("m", "t::added").word == "pass"
    assert new.verdict("m", "t::edited") == Verdict(None, NOT_SELECTED)


def test_an_edited_test_has_a_cell_for_each_side(tmp_path: Path) -> None:
    folder = _run(
        tmp_path,
        _trial("reference", [1], edited="passed"),
        _trial("candidate", [1], edited="failed"),
        killers=("t::edited",),
    )
    assert EngineRun(folder, "reference").verdict("m", "t::edited").word == "pass"
    assert EngineRun(folder, "candidate").verdict("m", "t::edited").word == "fail"


def test_each_side_has_judges_of_its_own(tmp_path: Path) -> None:
    folder = _run(tmp_path)
    assert EngineRun(folder, "reference").excluded() == {}
    assert EngineRun(folder, "candidate").excluded() == {"t::edited": "flaky"}


def test_what_comes_after_the_first_kill_was_not_run(tmp_path: Path) -> None:
    folder = _run(
        tmp_path,
        _trial("reference", [0, 1], complete=False, kept="failed"),
        killers=("t::kept",),
    )
    assert EngineRun(folder, "reference").verdict("m", "t::edited") == Verdict(None, NOT_RUN)
    assert EngineRun(folder, "reference").verdict("m", "t::deleted").reason == NOT_SELECTED


@pytest.mark.parametrize("side", [None, "base"])
def test_a_side_has_to_be_chosen(tmp_path: Path, side: str | None) -> None:
    with pytest.raises(RefusedError, match="one side of reference, candidate"):
        EngineRun(_run(tmp_path), side)
