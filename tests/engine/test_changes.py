"""Grading tiny changes: cohorts, statuses, the delta, and what is said beside it."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import pytest

from redhanded.code.options import RunOptions
from redhanded.code.run import run
from redhanded.errors import UnavailableError
from redhanded.model.result import MutantResult, Result
from redhanded.model.sink import MemorySink
from tests.engine.changes import ChangeCase, Mutation, load_all
from tests.repos import Repo

CASES = load_all()


def measure(case: ChangeCase, folder: Path) -> Result:
    """Grade a change."""
    mutants = case.mutants_file(folder / "mutants.jsonl")
    options = RunOptions(
        command="delta",
        repository=case.repository(folder / "repository"),
        base="HEAD^",
        head="HEAD",
        python=sys.executable,
        matrix=True,
        jobs=1,
        operators=None if mutants is None else (),
        mutants_file=mutants,
    )
    return run(options, MemorySink())


def find(result: Result, wanted: Mutation) -> MutantResult:
    """A mutant's result."""
    (found,) = [
        each
        for each in result.mutants
        if each.file == wanted.file
        and (each.start.line, each.start.column) == wanted.start
        and each.replacement == wanted.replacement
    ]
    return found


def short(tests: tuple[str, ...]) -> set[str]:
    """Names of tests without their files."""
    return {test.rpartition("::")[2] for test in tests}


def about_tests(case: ChangeCase, result: Result) -> list[str]:
    """What isn't as expected in the tests."""
    found = {(test.id, test.change): test for test in result.tests}
    told = [
        f"{test}: expected {touched}, found {sorted(str(c) for t, c in found if t == test)}"
        for test, touched in case.tests.items()
        if (test, touched) not in found
    ]
    for test, _ in found.items():
        each = found[test]
        wanted = case.controls.get(each.id)
        if wanted is not None and each.control != wanted:
            told.append(f"{each.id}: expected a control that is {wanted}, found {each.control}")
        if short((each.id,)) & set(case.cant_judge) and each.can_judge is not False:
            told.append(f"{each.id}: can_judge is {each.can_judge}")
    return told


def about_mutants(case: ChangeCase, result: Result) -> list[str]:
    """What isn't as expected in the mutants."""
    told = []
    for wanted in case.mutants:
        mutant = find(result, wanted)
        name = f"{wanted.file}: {mutant.original} → {mutant.replacement}"
        if mutant.status.reference != wanted.reference:
            told.append(f"{name}: reference: {wanted.reference} != {mutant.status.reference}")
        if wanted.candidate is not None and mutant.status.candidate != wanted.candidate:
            told.append(f"{name}: candidate: {wanted.candidate} != {mutant.status.candidate}")
        if wanted.killers is not None and short(mutant.killers) != set(wanted.killers):
            told.append(f"{name}: killers: {wanted.killers} != {mutant.killers}")
    if case.planned is not None:
        lines: dict[str, set[int]] = {}
        for mutant in result.mutants:
            lines.setdefault(mutant.file, set()).add(mutant.start.line)
        wanted_lines = {file: set(given) for file, given in case.planned["lines"].items()}
        if lines != wanted_lines:
            told.append(f"mutants on {lines}, expected on {wanted_lines}")
        statuses = {str(mutant.status.reference) for mutant in result.mutants}
        if not statuses <= set(case.planned["reference"]):
            told.append(f"statuses: {statuses}")
    return told


def about_the_delta(case: ChangeCase, result: Result) -> list[str]:
    """What isn't as expected in the delta."""
    delta, grade = result.delta, case.grade
    assert delta is not None
    told = []
    if grade is not None:
        value = None if delta.value is None else Fraction(delta.value).limit_denominator(1000)
        if value != grade.value:
            told.append(f"delta: expected {grade.value}, found {value}: {delta.reading}")
        if delta.open + delta.contested != grade.open_or_contested:
            told.append(f"open + contested: {delta.open} + {delta.contested}")
        told += [
            f"{name}: expected {count}, found {getattr(delta, name)}"
            for name, count in grade.counts.items()
            if getattr(delta, name) != count
        ]
        if grade.without_crash_only not in (None, delta.without_crash_only):
            told.append(f"without crash-only mutants: {delta.without_crash_only}")
    if case.real_defect is not None:
        caught = None if delta.real_defect is None else delta.real_defect.caught
        if caught is not case.real_defect:
            told.append(f"real defect: expected {case.real_defect}, found {caught}")
    return told


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_change_is_graded_as_expected(case: ChangeCase, tmp_path: Path) -> None:
    result = measure(case, tmp_path)
    told = [
        *about_tests(case, result),
        *about_mutants(case, result),
        *about_the_delta(case, result),
    ]
    assert not told, "\n".join([case.purpose, *told])
    assert result.exit_code == 0
    assert result.plan.scope.kind == case.scope
    assert result.plan.scope.comparable is (case.scope != "self-selected")
    assert result.plan.ignored_pragmas == case.ignored_pragmas
    assert result.reference.label == case.label


@pytest.mark.parametrize("source", ["", "WIDTH = 2\n"], ids=["same-source", "other-source"])
def test_an_old_suite_that_never_could_be_collected_is_no_reference(
    source: str, tmp_path: Path
) -> None:
    repo = Repo(tmp_path / "repository")
    test = "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n"
    repo.commit(
        {
            "calc.py": "def add(a, b):\n    return a + b\n",
            "test_add.py": test,
            "test_odd.py": "import no_such_module\n",
        }
    )
    calc = f"{source}def add(a, b):\n    return b + a\n" if source else None
    repo.commit({"test_new.py": test, **({"calc.py": calc} if calc else {})})
    options = RunOptions(
        command="delta", repository=repo.root, base="HEAD^", head="HEAD", python=sys.executable,
        jobs=1,
    )  # fmt: skip
    with pytest.raises(UnavailableError, match=r"on base's own source, found .*test_odd\.py"):
        run(options, MemorySink())


def test_there_are_changes() -> None:
    assert len(CASES) >= 14
