"""A run that was interrupted goes on where it stopped, and nowhere else."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from redhanded.code.options import RunOptions
from redhanded.code.run import run
from redhanded.errors import InterruptedRunError, UsageError
from redhanded.evidence.directory import RunDirectory
from redhanded.evidence.stored import read_run
from redhanded.model.result import Result
from redhanded.model.rows import ControlRow, Row, TrialRow
from redhanded.model.sink import MemorySink
from tests.repos import Repo

SOURCE = """
def add(a, b):
    return a + b


def twice(value):
    return value * 2
"""
TESTS = """
from calc import add, twice

state = []


def test_set():
    state.append(1)
    assert twice(2) == 4


def test_leans_on_the_one_before():
    assert add(1, 2) == 3
    assert state


def test_alone():
    state.append(2)
    assert add(2, 2) == 4
"""


class Interrupted(RunDirectory):
    """Stops like Ctrl-C once it has kept a trial."""

    def add(self, row: Row) -> None:
        super().add(row)
        if isinstance(row, TrialRow):
            raise KeyboardInterrupt


def options(root: Path, kept: Path) -> RunOptions:
    return RunOptions(
        command="tests", repository=root, python=sys.executable, jobs=1, kept=kept,
        operators=("arithmetic",), matrix=True,
    )  # fmt: skip


def judged(result: Result) -> dict[str, str | None]:
    return {mutant.id: mutant.status.reference for mutant in result.mutants}


def test_a_resumed_run_comes_to_the_same_end(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repository")
    repo.commit({"calc.py": SOURCE})
    repo.write({"test_calc.py": TESTS})
    kept = repo.root / "kept"
    whole = run(options(repo.root, kept), MemorySink())

    interrupted = Interrupted.create(repo.root, "tests", out=kept)
    with interrupted as directory, pytest.raises(InterruptedRunError):
        run(options(repo.root, kept), directory)
    before = read_run(kept)
    assert before.tried == 1

    # Its own folder lies in the working tree and has changed since; nothing else has.
    with RunDirectory.resume(kept) as directory:
        again = run(options(repo.root, kept), directory)
    rows = read_run(kept).rows
    assert rows[: len(before.rows)] == before.rows
    assert judged(again) == judged(whole)
    # Found by the trial that was finished before the interrupt, which is not run again.
    assert [test.control for test in again.tests] == ["green", "order_dependent", "green"]
    assert [(test.id, test.control) for test in again.tests] == [
        (test.id, test.control) for test in whole.tests
    ]
    told = Counter(
        (row.side, row.name, row.target, tuple(facts.test for facts in row.facts))
        for row in rows
        if isinstance(row, ControlRow)
    )
    assert ("reference", "control", None, (0, 1, 2)) in told
    assert set(told.values()) == {1}
    trials = Counter(row.mutant for row in rows if isinstance(row, TrialRow))
    assert len(trials) == 2
    assert set(trials.values()) == {1}


def test_a_working_tree_that_changed_is_another_run(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repository")
    repo.commit({"calc.py": SOURCE})
    repo.write({"test_calc.py": TESTS})
    kept = tmp_path / "kept"
    interrupted = Interrupted.create(repo.root, "tests", out=kept)
    with interrupted as directory, pytest.raises(InterruptedRunError):
        run(options(repo.root, kept), directory)

    # The same mutants, and tests of the same names.
    repo.write({"test_calc.py": TESTS.replace("== 4", "")})
    refused = pytest.raises(UsageError, match="head's files, untracked ones included")
    with RunDirectory.resume(kept) as directory, refused:
        run(options(repo.root, kept), directory)
