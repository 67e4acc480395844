"""The tiny projects say what they mean: files, tests and statuses agree among themselves."""

from __future__ import annotations

import ast
import tokenize
from typing import TYPE_CHECKING

import pytest

from tests.engine.cases import Case, load, load_all

if TYPE_CHECKING:
    from pathlib import Path

CASES = load_all()
NEVER_RUN = {"unviable", "equivalent", "duplicate"}
PRECEDENCE = (
    ("caught", "killed"),
    ("incomplete", "incomplete"),
    ("crashed", "crashed"),
    ("hung", "hung"),
    ("passed", "survived"),
    ("skipped", "survived"),
)


def test_there_are_projects() -> None:
    assert len(CASES) >= 50


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_statuses_follow_from_the_cells(case: Case) -> None:
    for mutant in case.mutants:
        if mutant.statuses is None or mutant.statuses <= NEVER_RUN:
            assert not mutant.cells, mutant.name
            continue
        lowest = {status_of(mutant.cells.values(), best) for best in (True, False)}
        barred = any(control not in ("green", "skipped") for control in case.tests.values())
        if lowest == {"no_coverage"} and barred:
            lowest.add("incomplete")
        assert mutant.statuses & lowest, f"{mutant.name}: {mutant.statuses} is not {lowest}"


def status_of(cells: object, best: bool) -> str:
    """The status by the cells, where each is the first or the last of what is allowed."""
    found = set()
    for cell in cells:  # type: ignore[attr-defined]
        ordered = [outcome for outcome, _ in PRECEDENCE if outcome in cell.outcomes]
        if "not_entered" in cell.outcomes and not best:
            continue
        found.add(ordered[0 if best else -1])
    return next((status for outcome, status in PRECEDENCE if outcome in found), "no_coverage")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_mutants_parse_unless_they_are_said_to_be_unviable(case: Case) -> None:
    for mutant in case.mutants:
        with tokenize.open(case.folder / mutant.file) as file:
            lines = file.read().split("\n")
        first, last = mutant.start, mutant.end
        head = "\n".join([*lines[: first[0] - 1], lines[first[0] - 1][: first[1]]])
        tail = "\n".join([lines[last[0] - 1][last[1] :], *lines[last[0] :]])
        try:
            ast.parse(head + mutant.replacement + tail)
        except SyntaxError:
            assert mutant.statuses == frozenset({"unviable"}), mutant.name


def test_a_project_of_every_control() -> None:
    controls = {control for case in CASES for control in case.tests.values()}
    assert controls == {"green", "red", "skipped", "flaky", "order_dependent", "placebo_red"}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ('caught = ["test_two"]', "names 0 tests"),
        ('caught = ["test_one"]\npassed = ["test_one"]', "listed twice"),
        ('noticed = ["test_one"]', "no such outcome"),
        ('original = "a"', "stands 3 times"),
        ('nth = 9\noriginal = "a"', "no occurrence 9"),
    ],
)
def test_wrong_expectations_are_refused(tmp_path: Path, wrong: str, message: str) -> None:
    (tmp_path / "mod.py").write_text("def add(a, b): return a + b\n")
    original = "" if "original" in wrong else 'original = "+"\n'
    (tmp_path / "expected.toml").write_text(
        'purpose = "p"\n[tests]\ngreen = ["test_mod.py::test_one"]\n'
        f'[[mutant]]\nname = "n"\nfile = "mod.py"\n{original}replacement = "-"\n{wrong}\n'
    )
    with pytest.raises(ValueError, match=message):
        load(tmp_path)
