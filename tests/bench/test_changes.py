"""A tiny change, run by redhanded and judged the slow way; and what is said of both."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bench.changes import measure, records, slow, subjects, table
from bench.changes.measure import Place
from bench.changes.subjects import Change, Limits
from bench.oracle.errors import RefusedError
from tests.bench import repository

LIMITS = Limits(cap=240, jobs=1, plain=2, once=300.0, sample=100, seed=0, slow=60.0, settle=20)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Change, Place]:
    """Measured and judged."""
    folder = tmp_path_factory.mktemp("changes")
    change = repository.make(folder / "clones")
    place = Place(
        folder / "clones", folder / "work", Path(sys.executable),
        results=folder / "results", reports=folder / "reports",
    )  # fmt: skip
    measure.measure(change, place, LIMITS)
    slow.judge(change, place, LIMITS)
    return change, place


@pytest.fixture
def judged(first: tuple[Change, Place]) -> Iterator[tuple[Change, Place]]:
    """The same, to be tampered with."""
    change, place = first
    files = (place.run(change) / "result.json", records.path_of(place.results, change))
    before = [path.read_bytes() for path in files]
    yield first
    for path, data in zip(files, before, strict=True):
        path.write_bytes(data)


def read(change: Change, place: Place) -> records.Record:
    record = records.read(place.results, change)
    assert record is not None
    return record


def test_what_came_out_is_kept(first: tuple[Change, Place]) -> None:
    change, place = first
    record = read(change, place)
    assert (record["ended"], record["exit_code"], record["reason"]) == ("measured", 0, None)
    assert record["plain"] == {"exit_code": 0, "counts": "1 passed, 1 skipped"}
    assert record["headline"]["delta"]["gained"] > 0
    assert record["headline"]["mutants"] == len(record["mutants"])
    gained = [one for one in record["mutants"] if one["gained"]]
    assert {killer for one in gained for killer in one["killers"]} == {
        "tests/test_senior.py::test_senior"
    }
    assert len(record["seconds"]["plain"]) == len(record["seconds"]["plain_processor"]) == 2
    assert record["command"][:2] == ["redhanded", "delta"]
    text = records.path_of(place.results, change).read_text(encoding="utf-8")
    assert str(place.work.parent) not in text
    assert "Delta" in (place.reports or Path()).joinpath(f"{change.label}.txt").read_text()


def test_oracle_agrees(first: tuple[Change, Place]) -> None:
    record = read(*first)
    number = len(record["mutants"])
    assert record["oracle"]["mutants"] == number > 3
    assert table.statuses(record) == (2 * number, 2 * number)
    tests = {side: told["tests"] for side, told in record["oracle"]["sides"].items()}
    assert tests == {"reference": 2, "candidate": 1}
    assert [told["killers"]["pass"] for told in record["oracle"]["sides"].values()] == [[], []]
    rendered = table.render(first[1].results, [first[0]])
    assert f"| 0 | {2 * number} of {2 * number} |" in rendered
    assert "None.\n" in rendered
    assert not table.differs(record)


def tamper(change: Change, place: Place, how: Callable[[records.Record], None]) -> str:
    """Change what redhanded said of one killed mutant, wherever it stands; its id."""
    path = place.run(change) / "result.json"
    result, record = json.loads(path.read_text(encoding="utf-8")), read(change, place)
    chosen = next(one["id"] for one in record["mutants"] if one["status"]["candidate"] == "killed")
    for one in (*result["mutants"], *record["mutants"]):
        if one["id"] == chosen:
            how(one)
    path.write_text(json.dumps(result), encoding="utf-8")
    records.write(place.results, change, record)
    return str(chosen)


def test_a_flipped_status_is_reported(judged: tuple[Change, Place]) -> None:
    change, place = judged
    chosen = tamper(change, place, lambda one: one["status"].update(candidate="survived"))
    record = slow.judge(change, place, LIMITS)
    (differing,) = record["oracle"]["sides"]["candidate"]["statuses"]["differing"]
    assert differing["mutant"] == chosen
    assert differing["engine"] == "survived"
    assert differing["fails"] == ["tests/test_senior.py::test_senior"]
    equal, compared = table.statuses(record)
    assert equal == compared - 1
    assert table.differs(record)
    rendered = table.render(place.results, [change])
    assert f"{equal} of {compared}" in rendered
    assert "is survived by redhanded; tests that fail by the oracle: 1" in rendered


def test_a_killer_that_does_not_fail_is_reported(judged: tuple[Change, Place]) -> None:
    change, place = judged
    chosen = tamper(
        change, place, lambda one: one.update(killers=["tests/test_fare.py::test_adult"])
    )
    record = slow.judge(change, place, replace(LIMITS, settle=0))
    not_borne_out = record["oracle"]["sides"]["candidate"]["killers"]["pass"]
    assert [one["mutant"] for one in not_borne_out] == [chosen]
    assert table.differs(record)
    assert f"mutant {chosen} is killed, and no test named" in table.render(place.results, [change])


def test_another_run_is_not_compared(judged: tuple[Change, Place]) -> None:
    change, place = judged
    record = read(change, place)
    record["mutants"][0]["status"]["candidate"] = "hung"
    records.write(place.results, change, record)
    with pytest.raises(RefusedError, match="found other mutants or statuses"):
        slow.judge(change, place, LIMITS)


def test_what_ends_without_a_result_is_a_row(tmp_path: Path) -> None:
    change = repository.make(tmp_path / "clones")
    place = Place(
        tmp_path / "clones", tmp_path / "work", Path(sys.executable), results=tmp_path / "results"
    )
    wrong = replace(change, suite=replace(change.suite, args=("--no-such-option",)))
    record = measure.measure(wrong, place, replace(LIMITS, plain=1))
    assert record["ended"] == "refused"
    assert record["exit_code"] not in (0, None)
    assert record["reason"].startswith("expected ")
    assert "no-such-option" in record["reason"]
    rendered = table.render(place.results, [wrong])
    assert f"| refused, see below | - | - | - | - | - | - | {record['exit_code']} |" in rendered
    assert "no-such-option" in rendered
    with pytest.raises(RefusedError, match="expected measured mutants, found refused"):
        slow.judge(wrong, place, LIMITS)


def test_what_takes_too_long_is_ended(tmp_path: Path) -> None:
    ended = measure.call([sys.executable, "-c", "import time; time.sleep(600)"], tmp_path, {}, 0.5)
    assert ended.code is None


def test_what_was_not_run_is_a_row(tmp_path: Path) -> None:
    rendered = table.render(tmp_path)
    for change in subjects.read_changes():
        assert f"| {change.suite.name} {change.commit[:7]} |" in rendered
    assert rendered.count("| not run |") == 2 * 22


def test_changes_are_chosen_by_name_and_by_commit() -> None:
    changes = subjects.read_changes()
    assert [one.commit[:7] for one in subjects.choose(changes, ["0e6acdf", "boltons"])] == [
        "0e6acdf", "42586df", "49f381e", "1737473", "a2af585",
    ]  # fmt: skip
    with pytest.raises(RefusedError, match="found nothing-such"):
        subjects.choose(changes, ["nothing-such"])


def test_folders_of_the_machine_are_called_otherwise() -> None:
    value = {"/a/b/c": ["/a/b/c/d", 3, None], "x": "no /a"}
    assert records.without_paths(value, {Path("/a/b"): "WORK"}) == {
        "WORK/c": ["WORK/c/d", 3, None], "x": "no /a",
    }  # fmt: skip
