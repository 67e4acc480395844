"""Faults planted in what the engine wrote: the comparison has to find each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bench.oracle.__main__ import main
from bench.oracle.compare import agrees, compare
from bench.oracle.errors import RefusedError
from bench.oracle.run import StoredRun
from bench.oracle.settlement import Settler
from bench.oracle.table import render
from redhanded.evidence.stored import read_mutants, read_rows
from redhanded.model.result import MutantResult, TestResult
from tests.oracle import parcels
from tests.oracle.made import TESTS, Made, made
from tests.oracle.parcels import PARCELS, SEQUENCE, UNITS

LEAK = PARCELS + "test_shelf_is_empty"
SECOND = SEQUENCE + "test_second"


Compare = Callable[[Made], dict[str, Any]]


@pytest.fixture
def compared(oracle: StoredRun, settler: Settler, tmp_path: Path) -> Compare:
    def do(run: Made) -> dict[str, Any]:
        engine = run.write(tmp_path / "engine")
        return compare(oracle.path, engine, tmp_path / "out", settler=settler)

    return do


def _differing(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "out" / "cells.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _disagreeing(folder: Path) -> set[tuple[str, str]]:
    return {(c["mutant"], c["test"]) for c in _differing(folder) if c["result"] == "disagreed"}


def test_what_is_made_by_hand_is_what_redhanded_writes(tmp_path: Path) -> None:
    run = made()
    folder = run.write(tmp_path / "engine")
    rows, torn = read_rows(folder / "rows.jsonl")
    assert (len(rows), torn) == (1 + len(run.trials), False)
    assert len(read_mutants(folder / "mutants.jsonl")) == len(parcels.MUTANTS)
    for told in run.result["mutants"]:
        assert msgspec.convert(told, MutantResult).id == told["id"]
    for told in run.result["tests"]:
        assert msgspec.convert(told, TestResult).id == told["id"]


def test_a_run_that_is_right_agrees_in_every_cell(compared: Compare, tmp_path: Path) -> None:
    record = compared(made())
    mutants = len(parcels.MUTANTS)
    cells = mutants * len(parcels.COMPARED)
    assert record["cells"] == {
        "all": cells, "agreed": cells - 1 - mutants, "settled": 1 + mutants,
        "disagreed": 0, "unsettled": 0, "not_run": 0,
    }  # fmt: skip
    assert record["incomplete"] == {
        "unviable": 2 * (len(parcels.COMPARED) - 1),
        "vanished": 1,
        "no judge: order_dependent": mutants,
    }
    assert record["statuses"]["agreed"] == len(parcels.MUTANTS) - 1
    assert record["statuses"]["settled"] == 1
    assert (record["timeouts"], record["died"]) == (1, 2)
    assert record["tests"]["skipped"] == [PARCELS + "test_skipped"]
    assert agrees(record)
    found = _differing(tmp_path)
    assert {cell["test"] for cell in found} == {LEAK, SECOND}
    [settled] = [cell for cell in found if cell["test"] == LEAK]
    assert (settled["mutant"], settled["test"], settled["result"]) == (
        "looks only", LEAK, "settled",
    )  # fmt: skip
    assert (settled["oracle"]["word"], settled["settlement"]["word"]) == ("fail", "pass")


def _flip_a_kill(run: Made) -> None:
    run.facts("weighs less", PARCELS + "test_weigh")["verdict"] = "passed"
    run.told("m-weighs less")["killers"].remove(PARCELS + "test_weigh")


def _flip_a_pass(run: Made) -> None:
    run.facts("looks only", PARCELS + "test_put_and_take")["verdict"] = "failed"
    run.told("m-looks only")["killers"].append(PARCELS + "test_put_and_take")


def _flip_in_the_row_only(run: Made) -> None:
    run.facts("weighs less", UNITS + "test_subtests")["verdict"] = "passed"


def _claim_a_kill_in_the_result_only(run: Made) -> None:
    run.told("m-not seen")["killers"].append(PARCELS + "test_weigh")


def _skip_for_pass(run: Made) -> None:
    run.facts("weighs less", UNITS + "test_subtest_skipped")["verdict"] = "skipped"


def _believe_the_leak(run: Made) -> None:
    trial = run.trials["looks only"]
    index = TESTS.index(LEAK)
    trial["selected"].append(index)
    trial["facts"].append({"test": index, "verdict": "failed", "entered": True})
    run.told("m-looks only")["killers"].append(LEAK)


def _lose_a_cell(run: Made) -> None:
    run.facts("weighs less", PARCELS + "test_weigh")["verdict"] = "lost"
    run.told("m-weighs less")["killers"].remove(PARCELS + "test_weigh")


def _lose_a_witness(run: Made) -> None:
    run.facts("weighs less", PARCELS + "test_weigh")["entered"] = False
    run.told("m-weighs less")["killers"].remove(PARCELS + "test_weigh")


def _drop_the_facts(run: Made) -> None:
    facts = run.trials["waits for ever"]["facts"]
    facts.clear()
    run.told("m-waits for ever")["hangers"].clear()


def _select_too_few(run: Made) -> None:
    trial = run.trials["interrupts"]
    trial["selected"].clear()
    trial["facts"].clear()
    run.told("m-interrupts")["crashers"].clear()


def _vanish_wrongly(run: Made) -> None:
    facts = run.facts("one number less", PARCELS + "test_numbers[1]")
    facts |= {"verdict": "lost", "detail": "vanished"}


def _confirm_otherwise(run: Made) -> None:
    index = TESTS.index(PARCELS + "test_weigh")
    run.trials["weighs less"]["confirm"] = [
        {"test": index, "verdict": "passed", "entered": True, "alone": True}
    ]


@pytest.mark.parametrize(
    ("plant", "mutant", "test", "reason"),
    [
        (_flip_a_kill, "weighs less", PARCELS + "test_weigh", "engine pass, alone fail"),
        (_flip_a_pass, "looks only", PARCELS + "test_put_and_take", "engine fail, alone pass"),
        (_flip_in_the_row_only, "weighs less", UNITS + "test_subtests",
         "engine nothing (named in the result, pass in its row), alone fail"),
        (_claim_a_kill_in_the_result_only, "not seen", PARCELS + "test_weigh",
         "engine nothing (named in the result, not selected in its row), alone pass"),
        (_skip_for_pass, "weighs less", UNITS + "test_subtest_skipped", "engine skip, alone pass"),
        (_lose_a_cell, "weighs less", PARCELS + "test_weigh", "engine nothing (lost), alone fail"),
        (_lose_a_witness, "weighs less", PARCELS + "test_weigh",
         "engine nothing (no_witness), alone fail"),
        (_drop_the_facts, "waits for ever", PARCELS + "test_wait",
         "engine nothing (lost), alone fail"),
        (_select_too_few, "interrupts", PARCELS + "test_label_may_skip",
         "engine nothing (not selected), alone fail"),
        (_vanish_wrongly, "one number less", PARCELS + "test_numbers[1]",
         "engine nothing (vanished), alone pass"),
        (_confirm_otherwise, "weighs less", PARCELS + "test_weigh",
         "engine nothing (named in the result, pass in its row), alone fail"),
    ],
)  # fmt: skip
def test_a_fault_in_one_cell_is_found(
    compared: Compare,
    tmp_path: Path,
    plant: Callable[[Made], None],
    mutant: str,
    test: str,
    reason: str,
) -> None:
    run = made()
    plant(run)
    record = compared(run)
    assert not agrees(record)
    assert _disagreeing(tmp_path) == {(mutant, test)}
    [cell] = [one for one in _differing(tmp_path) if one["result"] == "disagreed"]
    assert cell["reason"] == reason
    assert cell["settlement"]["word"] == parcels.ALONE[mutant].get(test, parcels.usual(test))


def test_a_dropped_test_is_found(compared: Compare, tmp_path: Path) -> None:
    run = made()
    # The last one: no index of another test moves.
    gone = run.session["tests"].pop()["id"]
    index = len(run.session["tests"])
    for trial in run.trials.values():
        trial["selected"] = [at for at in trial["selected"] if at != index]
        trial["facts"] = [facts for facts in trial["facts"] if facts["test"] != index]
    run.told("m-weighs less")["killers"].remove(gone)
    record = compared(run)
    assert record["tests"]["only_oracle"] == [gone]
    assert _disagreeing(tmp_path) == {(name, gone) for name in parcels.MUTANTS}
    assert not agrees(record)


def test_an_invented_test_is_found(compared: Compare, tmp_path: Path) -> None:
    run = made()
    run.session["tests"].append({"id": "tests/test_more.py::test_more", "change": None})
    record = compared(run)
    assert record["tests"]["only_engine"] == ["tests/test_more.py::test_more"]
    assert not agrees(record)


def test_a_test_that_is_wrongly_no_judge_is_found(compared: Compare, tmp_path: Path) -> None:
    run = made()
    barred = next(told for told in run.result["tests"] if told["id"].endswith("test_wait"))
    barred["control"] = "order_dependent"
    record = compared(run)
    assert _disagreeing(tmp_path) == {(name, barred["id"]) for name in parcels.MUTANTS}
    assert record["incomplete"]["no judge: order_dependent"] == 2 * len(parcels.MUTANTS)
    assert not agrees(record)


def test_a_dropped_mutant_is_found(compared: Compare, tmp_path: Path) -> None:
    run = made()
    run.mutants = [mutant for mutant in run.mutants if mutant["id"] != "m-lower"]
    record = compared(run)
    assert len(record["mutants"]["only_oracle"]) == 1
    assert _disagreeing(tmp_path) == {("lower", test) for test in parcels.COMPARED}
    assert not agrees(record)


def test_a_row_that_was_never_written_is_found(compared: Compare, tmp_path: Path) -> None:
    run = made()
    del run.trials["lower"]
    record = compared(run)
    assert record["incomplete"]["no row"] == len(parcels.COMPARED) - 1
    assert {mutant for mutant, _ in _disagreeing(tmp_path)} == {"lower"}
    assert not agrees(record)


@pytest.mark.parametrize(
    ("mutant", "status"),
    [
        ("weighs less", "survived"),
        ("weighs less", "no_coverage"),
        ("weighs less", "incomplete"),
        ("not seen", "killed"),
        ("lower", "crashed"),
        ("waits for ever", None),
    ],
)
def test_a_wrong_status_is_found(
    compared: Compare, tmp_path: Path, mutant: str, status: str | None
) -> None:
    run = made()
    run.told(f"m-{mutant}")["status"]["reference"] = status
    record = compared(run)
    assert [one["mutant"] for one in record["statuses"]["differing"]] == [mutant]
    assert not agrees(record)


@pytest.mark.parametrize("status", ["equivalent", "unviable"])
def test_a_mutant_that_is_wrongly_not_run_is_found(
    compared: Compare, tmp_path: Path, status: str
) -> None:
    run = made()
    run.told("m-weighs less")["status"]["reference"] = status
    record = compared(run)
    assert ("weighs less", PARCELS + "test_weigh") in _disagreeing(tmp_path)
    assert not agrees(record)


def test_cells_that_were_not_asked_for_are_counted_apart(compared: Compare, tmp_path: Path) -> None:
    run = made()
    trial = run.trials["weighs less"]
    first = trial["facts"][0]["test"]
    trial |= {"facts": trial["facts"][:1], "complete": False}
    run.told("m-weighs less")["killers"] = [TESTS[first]]
    record = compared(run)
    assert record["cells"]["not_run"] == len(trial["selected"]) - 1
    assert record["cells"]["disagreed"] == 0
    assert agrees(record)


def test_what_can_not_be_settled_is_no_agreement(oracle: StoredRun, tmp_path: Path) -> None:
    engine = made().write(tmp_path / "engine")
    record = compare(oracle.path, engine, tmp_path / "out", limit=0)
    assert record["cells"]["disagreed"] == 1 + len(parcels.MUTANTS)
    assert {cell["reason"] for cell in _differing(tmp_path)} == {
        "not settled: too many cells differ"
    }
    assert not agrees(record)


def test_a_failure_that_both_owe_to_an_earlier_test_is_found_by_rechecking(
    oracle: StoredRun, settler: Settler, tmp_path: Path
) -> None:
    run = made()
    _believe_the_leak(run)
    run.told("m-looks only")["status"]["reference"] = "killed"
    engine = run.write(tmp_path / "engine")
    blind = compare(oracle.path, engine, tmp_path / "out", settler=settler)
    assert blind["cells"]["disagreed"] == 0
    record = compare(oracle.path, engine, tmp_path / "out", settler=settler, recheck=99)
    both = sum(list(words.values()).count("fail") for words in parcels.IN_SUITE.values())
    assert (record["rechecked"], record["cells"]["disagreed"]) == (both, 1)
    assert _disagreeing(tmp_path) == {("looks only", LEAK)}
    assert [one["mutant"] for one in record["statuses"]["differing"]] == ["looks only"]
    assert not agrees(record)


def test_a_verdict_of_a_test_that_can_not_run_alone_is_no_agreement(
    compared: Compare, tmp_path: Path
) -> None:
    run = made()
    told = next(told for told in run.result["tests"] if told["id"] == SECOND)
    told["control"] = "green"
    facts = run.facts("one number less", SECOND)
    facts["verdict"] = "failed"
    run.told("m-one number less")["killers"] = [SECOND]
    record = compared(run)
    assert (record["cells"]["unsettled"], record["cells"]["disagreed"]) == (1, 0)
    assert not agrees(record)
    [cell] = [one for one in _differing(tmp_path) if one["result"] == "unsettled"]
    assert (cell["test"], cell["reason"]) == (SECOND, "alone on the unmutated tree it does: fail")


def test_an_unfinished_run_is_refused(oracle: StoredRun, tmp_path: Path) -> None:
    engine = made().write(tmp_path / "engine")
    (engine / "result.json").unlink()
    with pytest.raises(RefusedError, match="a finished run of redhanded"):
        compare(oracle.path, engine, tmp_path / "out")


def test_runs_over_two_texts_are_not_compared(oracle: StoredRun, tmp_path: Path) -> None:
    engine = made().write(tmp_path / "engine")
    kept = engine / "sources" / parcels.FILE
    kept.parent.mkdir(parents=True)
    kept.write_text("LIMIT = 4\n", encoding="utf-8")
    with pytest.raises(RefusedError, match="the same parcel/__init__"):
        compare(oracle.path, engine, tmp_path / "out")


def test_the_command_line(
    oracle: StoredRun, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = made()
    engine = run.write(tmp_path / "engine")
    asked = ["compare", str(oracle.path), str(engine), "--times", "1", "--out"]
    assert main([*asked, str(tmp_path / "right")]) == 0
    _lose_a_cell(run)
    worse = run.write(tmp_path / "worse")
    assert main([*asked[:2], str(worse), *asked[3:], str(tmp_path / "wrong")]) == 1
    assert main(["compare", str(tmp_path), str(engine), "--out", str(tmp_path / "no")]) == 2
    said = capsys.readouterr()
    assert "expected a run of the oracle" in said.err
    assert json.loads(said.out.splitlines()[0])["disagreed"] == 0
    assert main(["table", str(tmp_path / "wrong"), str(tmp_path / "right")]) == 0
    table = capsys.readouterr().out.splitlines()
    assert len(table) == 4
    assert table[2].startswith("| parcels 1 | reference |")
    assert {row.split(" | ")[10] for row in table[2:]} == {"0", "1"}


def test_a_table_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "comparison.json").write_text("{}", encoding="utf-8")
    with pytest.raises(RefusedError, match="found None"):
        render([tmp_path])
