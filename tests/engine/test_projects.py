"""The engine on each tiny project: every control, every cell and every status as expected."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from redhanded.code import side
from redhanded.code.options import RunOptions
from redhanded.code.run import run
from redhanded.errors import RedhandedError
from redhanded.model.facts import Facts
from redhanded.model.result import MutantResult, Result
from redhanded.model.rows import ControlRow, SessionRow, TrialRow
from redhanded.model.sink import MemorySink
from tests.engine.cases import Case, Planted, load_all

CASES = load_all()
TRIED = {"killed", "survived", "no_coverage"}
SCORED = [case for case in CASES if case.exit_code == 0]
FRESH = ("spawns_child", "runs_at_import", "unittest_suite", "parametrized")
"""Projects that are run without forks of a collected suite, too: this takes longer."""
REFUSED = [case for case in CASES if case.exit_code != 0]


class Found:
    """What a run found, cell by cell."""

    def __init__(self, result: Result, sink: MemorySink) -> None:
        self.result = result
        (session,) = [row for row in sink.rows if isinstance(row, SessionRow)]
        self.ids = [test.id for test in session.tests]
        self.trials = {row.mutant: row for row in sink.rows if isinstance(row, TrialRow)}
        self.xfailed = {
            facts.test
            for row in sink.rows
            if isinstance(row, ControlRow) and row.name == "control"
            for facts in row.facts
            if facts.verdict == "xfailed"
        }

    def mutant(self, planted: Planted) -> MutantResult:
        """The run's word on a planted mutant."""
        found = [
            each
            for each in self.result.mutants
            if each.file == planted.file
            and (each.start.line, each.start.column) == planted.start
            and (each.end.line, each.end.column) == planted.end
            and each.replacement == planted.replacement
        ]
        assert len(found) == 1, planted.name
        return found[0]

    def cell(self, mutant: MutantResult, test: str) -> tuple[str, str | None]:
        """Outcome of a test on a mutant, and the reason where it is incomplete."""
        for outcome, tests in (
            ("caught", mutant.killers),
            ("crashed", mutant.crashers),
            ("hung", mutant.hangers),
        ):
            if test in tests:
                return outcome, None
        row, index = self.trials.get(mutant.id), self.ids.index(test)
        if row is None or index not in row.selected:
            return "absent", None
        if row.error is not None:
            unviable = row.error.startswith("unviable")
            return ("absent", None) if unviable else ("incomplete", row.error)
        for facts in (*reversed(row.confirm), *row.facts):
            if facts.test == index:
                return self._unnoticed(facts)
        return "absent", None

    def _unnoticed(self, facts: Facts) -> tuple[str, str | None]:
        if facts.verdict == "lost":
            return "incomplete", facts.detail
        if facts.verdict == "passed" or (facts.verdict == "xfailed" and facts.test in self.xfailed):
            return ("passed" if facts.entered else "not_entered"), None
        if facts.verdict in ("skipped", "xfailed"):
            return "skipped", None
        return "incomplete", facts.verdict


def measure(case: Case, folder: Path, isolate: str = "fork") -> tuple[Result, MemorySink]:
    """Run the engine on a project with its own mutants and nothing else."""
    sink = MemorySink()
    options = RunOptions(
        command="tests",
        repository=case.repository(folder / "repository"),
        python=sys.executable,
        matrix=True,
        jobs=1,
        operators=(),
        mutants_file=case.mutants_file(folder / "mutants.jsonl"),
        isolate="process" if isolate == "process" else "fork",
    )
    return run(options, sink), sink


def differences(case: Case, found: Found) -> list[str]:
    """Everything that isn't as expected."""
    told = []
    controls = {test.id: test.control for test in found.result.tests}
    told += [
        f"control of {test}: expected {control}, found {controls.get(test, 'nothing')}"
        for test, control in case.tests.items()
        if controls.get(test) != control
    ]
    told += [f"unexpected test: {test}" for test in controls if test not in case.tests]
    told += [
        f"{test.id}: can_judge is {test.can_judge}"
        for test in found.result.tests
        if test.id in case.cant_judge and test.can_judge is not False
    ]
    for planted in case.mutants:
        mutant = found.mutant(planted)
        if planted.statuses is not None and mutant.status.reference not in planted.statuses:
            wanted = " or ".join(sorted(planted.statuses))
            told.append(
                f"{planted.name}: expected {wanted}, found {mutant.status.reference}"
                f" ({mutant.reason})"
            )
        for test, control in case.tests.items():
            told += _difference(planted, test, control, found.cell(mutant, test))
    return told


def _difference(
    planted: Planted, test: str, control: str, cell: tuple[str, str | None]
) -> list[str]:
    outcome, reason = cell
    expected = planted.cells.get(test)
    if expected is None:
        evidence = outcome not in ("absent", "not_entered") and control == "green"
        return [f"{planted.name}: {test}: expected no evidence, found {cell}"] if evidence else []
    if "not_entered" in expected.outcomes and outcome == "absent":
        return []
    right = outcome in expected.outcomes
    if outcome == "incomplete" and expected.reason is not None:
        right = right and expected.reason in (reason or "")
    wanted = " or ".join(sorted(expected.outcomes))
    return [] if right else [f"{planted.name}: {test}: expected {wanted}, found {cell}"]


@pytest.mark.parametrize("case", SCORED, ids=lambda case: case.name)
def test_every_cell_is_as_expected(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if case.clock is not None:
        monkeypatch.setattr(side, "CLOCK", case.clock)
    result, sink = measure(case, tmp_path)
    assert result.complete
    statuses = [each.statuses for each in case.mutants if each.statuses is not None]
    if any(each & TRIED for each in statuses) or len(statuses) < len(case.mutants):
        assert result.exit_code == 0
    else:
        assert result.exit_code == 3
        assert any("no mutant could be tried" in told for told in result.warnings)
    told = differences(case, Found(result, sink))
    assert not told, "\n".join([case.purpose, *told])


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_what_cannot_be_measured_is_refused(case: Case, tmp_path: Path) -> None:
    try:
        result, _ = measure(case, tmp_path)
        code, told = result.exit_code, " ".join(result.warnings)
        assert result.reference.score is None
    except RedhandedError as refusal:
        code, told = refusal.exit_code, str(refusal)
    assert code == case.exit_code, told
    assert case.says is None or case.says in told


@pytest.mark.parametrize("name", FRESH)
def test_fresh_interpreters_give_the_same_verdicts(name: str, tmp_path: Path) -> None:
    (case,) = [each for each in SCORED if each.name == name]
    result, sink = measure(case, tmp_path, "process")
    told = differences(case, Found(result, sink))
    assert not told, "\n".join([case.purpose, *told])
