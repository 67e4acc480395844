"""Faults planted in the engine itself: what it writes then has to disagree with the oracle."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.oracle.compare import agrees, compare
from bench.oracle.run import StoredRun
from bench.oracle.settlement import Settler
from tests.oracle import parcels
from tests.oracle.parcels import PARCELS, UNITS
from tests.repos import Repo

SRC = Path(__file__).resolve().parents[2] / "src"


def _measured(source: Path, oracle: StoredRun, folder: Path) -> Path:
    """Run a copy of redhanded on the tiny project."""
    repository = folder / "repository"
    repo = Repo(repository)
    shutil.copytree(parcels.PROJECT, repository, dirs_exist_ok=True)
    repo.commit(message="Parcels")
    command = [sys.executable, "-m", "redhanded", "tests", "--matrix", "--quiet", "--jobs", "1",
               "--python", sys.executable, "--mutants", str(oracle.path / "mutants.jsonl"),
               "--out", str(folder / "engine"), "--", *oracle.subject.args]  # fmt: skip
    ended = subprocess.run(
        command,
        cwd=repository,
        env={**os.environ, "PYTHONPATH": str(source), "PYTHONWARNINGS": "", "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return folder / "engine"


def _disagreeing(record: dict[str, Any], out: Path) -> set[tuple[str, str]]:
    lines = (out / "cells.jsonl").read_text(encoding="utf-8").splitlines()
    cells = [json.loads(line) for line in lines]
    found = {(c["mutant"], c["test"]) for c in cells if c["result"] == "disagreed"}
    assert len(found) == record["cells"]["disagreed"]
    return found


def test_the_engine_agrees_as_it_is(oracle: StoredRun, settler: Settler, tmp_path: Path) -> None:
    engine = _measured(SRC, oracle, tmp_path)
    record = compare(oracle.path, engine, tmp_path / "out", settler=settler, recheck=99)
    assert _disagreeing(record, tmp_path / "out") == set()
    assert agrees(record)


@pytest.mark.parametrize(
    ("file", "before", "after", "cell"),
    [
        pytest.param(
            "redhanded_worker/supervise.py",
            '"verdict": "died", "detail": f"exit',
            '"verdict": "passed", "detail": f"exit',
            ("leaves", PARCELS + "test_wait"),
            id="a process that ends has passed",
        ),
        pytest.param(
            "redhanded_worker/suite.py",
            '"verdict": "budget"',
            '"verdict": "passed"',
            ("waits for ever", PARCELS + "test_wait"),
            id="a test past its budget has passed",
        ),
        pytest.param(
            "redhanded_worker/live.py",
            "function.__code__ = swap.new\n                done",
            "done",
            ("weighs less", UNITS + "test_subtests"),
            id="nothing is planted",
        ),
        pytest.param(
            "redhanded_worker/plugin.py",
            'if any(outcome == "failed" for _, outcome, _ in outcomes)',
            'if all(outcome == "failed" for _, outcome, _ in outcomes)',
            ("weighs less", PARCELS + "test_weigh"),
            id="a test fails if all its phases do",
        ),
        pytest.param(
            "redhanded/code/side.py",
            "if seen.hits & wanted]",
            "if seen.hits & wanted][:1]",
            ("weighs less", PARCELS + "test_numbers[2]"),
            id="one test is selected for each mutant",
        ),
    ],
)
def test_a_fault_in_the_engine_is_found(
    oracle: StoredRun,
    settler: Settler,
    tmp_path: Path,
    file: str,
    before: str,
    after: str,
    cell: tuple[str, str],
) -> None:
    source = tmp_path / "src"
    shutil.copytree(SRC, source, ignore=shutil.ignore_patterns("__pycache__"))
    text = (source / file).read_text(encoding="utf-8")
    assert text.count(before) == 1, "the fault no longer fits the engine: plant another like it"
    (source / file).write_text(text.replace(before, after), encoding="utf-8")
    engine = _measured(source, oracle, tmp_path)
    record = compare(oracle.path, engine, tmp_path / "out", settler=settler)
    assert cell in _disagreeing(record, tmp_path / "out")
    assert not agrees(record)
