"""The oracle's outcomes on a tiny project of which everything is known."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from bench.oracle import tree
from bench.oracle.__main__ import main
from bench.oracle.errors import RefusedError
from bench.oracle.process import Subject
from bench.oracle.run import OUTCOMES, Order, StoredRun, read_run, run
from bench.oracle.settlement import Settler
from tests.oracle import parcels


def test_unstable_red_and_skipped_tests_are_excluded_by_name(oracle: StoredRun) -> None:
    assert oracle.baseline.words == {
        test: "xfail" if test.endswith("xfailed") else "pass" for test in parcels.COMPARED
    }
    assert oracle.baseline.excluded == parcels.EXCLUDED


@pytest.mark.parametrize("name", parcels.MUTANTS)
def test_every_cell_is_as_known(oracle: StoredRun, name: str) -> None:
    found = {test: oracle.cell(name, test).word for test in parcels.COMPARED}
    known = {test: parcels.usual(test) for test in parcels.COMPARED} | parcels.IN_SUITE[name]
    assert found == known


def test_a_hang_and_a_death_are_told_from_failures(oracle: StoredRun) -> None:
    wait = parcels.PARCELS + "test_wait"
    label = parcels.PARCELS + "test_label_may_skip"
    assert oracle.cell("waits for ever", wait).ended == "timeout"
    assert oracle.cell("leaves", wait).ended == "died"
    assert oracle.cell("interrupts", label).ended == "died"
    assert oracle.cell("weighs less", parcels.PARCELS + "test_weigh").ended == ""
    assert oracle.outcomes["waits for ever"]["processes"] == 2
    assert oracle.outcomes["weighs less"]["processes"] == 1


def test_why_tests_are_missing_is_kept(oracle: StoredRun) -> None:
    assert "ZeroDivisionError" in oracle.cell("raises at import", parcels.COMPARED[0]).note
    assert oracle.cell("one number less", parcels.PARCELS + "test_numbers[2]").note == (
        "not collected"
    )


def test_a_finished_run_has_nothing_left_and_a_cut_one_goes_on(
    oracle: StoredRun, order: Order, tmp_path: Path
) -> None:
    assert run(order) == 0
    whole = (oracle.path / OUTCOMES).read_bytes()
    cut = dataclasses.replace(order, out=tmp_path / "cut")
    cut.out.mkdir()
    for name in ("run.json", "mutants.jsonl"):
        (cut.out / name).write_bytes((oracle.path / name).read_bytes())
    lines = whole.split(b"\n")
    (cut.out / OUTCOMES).write_bytes(b"\n".join(lines[:-2]) + b"\n" + lines[-2][:20])
    with pytest.raises(RefusedError, match="1 that were not run"):
        read_run(cut.out)
    assert run(cut) == 1
    again = read_run(cut.out).outcomes
    assert {name: line["cells"] for name, line in again.items()} == {
        name: line["cells"] for name, line in oracle.outcomes.items()
    }


def test_another_run_is_not_mixed_with_this_one(oracle: StoredRun, order: Order) -> None:
    with pytest.raises(RefusedError, match="another available, cap, mutants"):
        run(dataclasses.replace(order, cap=2, claims=False))


def test_the_tree_is_left_as_it_was(oracle: StoredRun) -> None:
    assert tree.digest(parcels.PROJECT) == oracle.head["tree_digest"]
    assert not list(parcels.PROJECT.rglob("*.pyc"))


def test_another_copy_that_shadows_the_scratch_copy_is_refused(
    order: Order, tmp_path: Path
) -> None:
    other = tmp_path / "tree"
    tree.copy(parcels.PROJECT, other, {})
    tree.copy(parcels.PROJECT / "parcel", other / "vendored" / "parcel", {})
    given = tmp_path / "given.jsonl"
    mutant = {**parcels.record("not seen"), "file": "vendored/" + parcels.FILE}
    given.write_text(json.dumps(mutant), encoding="utf-8")
    subject = Subject(other, order.subject.python, order.subject.args, ("vendored",))
    shadowed = dataclasses.replace(order, subject=subject, mutants=given, out=tmp_path / "out")
    with pytest.raises(RefusedError, match="another copy"):
        run(shadowed)


def test_a_suite_that_is_red_throughout_is_refused(order: Order, tmp_path: Path) -> None:
    subject = dataclasses.replace(order.subject, args=(*order.subject.args, "-k", "test_red"))
    with pytest.raises(RefusedError, match="at least one test that passes"):
        run(dataclasses.replace(order, subject=subject, out=tmp_path))


def test_the_command_line(order: Order, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = tmp_path / "given.jsonl"
    given.write_text(json.dumps(parcels.record("weighs less")) + "\n", encoding="utf-8")
    asked = ["--out", str(tmp_path / "out"), "--", *order.subject.args, "-k", "test_weigh"]
    assert main(["run", str(given), str(parcels.PROJECT), *asked]) == 0
    test = parcels.PARCELS + "test_weigh"
    oracle = read_run(tmp_path / "out")
    assert list(oracle.baseline.words) == [test]
    assert oracle.cell("weighs less", test).word == "fail"
    assert oracle.subject.roots == (".",)
    settle = ["settle", str(tmp_path / "out"), "--times", "1", "--mutant", "weighs less", "--test"]
    assert main([*settle, test]) == 0
    assert json.loads(capsys.readouterr().out)["word"] == "fail"
    assert main([*settle, "test_other"]) == 2
    assert main(["run", str(given), str(tmp_path / "gone"), *asked]) == 2
    assert "expected a folder, found none" in capsys.readouterr().err


def test_a_cell_is_settled_by_the_test_alone(oracle: StoredRun, tmp_path: Path) -> None:
    settler = Settler(oracle, tmp_path)
    empty = settler.settle("looks only", parcels.PARCELS + "test_shelf_is_empty")
    assert (empty.word, empty.mutated, empty.unmutated) == ("pass", ("pass",) * 2, ("pass",) * 2)
    caught = settler.settle("weighs less", parcels.UNITS + "test_subtests")
    assert (caught.word, caught.doubt) == ("fail", "")
