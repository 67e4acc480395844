"""The run directory: what it keeps, what it refuses, how it goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest

from redhanded.errors import RedhandedError, UsageError
from redhanded.evidence.directory import RunDirectory, encode_result
from redhanded.evidence.home import latest_run
from redhanded.evidence.stored import read_run
from redhanded.model.result import Revision
from redhanded.model.rows import HEAD_TREE, ControlRow, Row, RunRow
from redhanded.model.sink import Sink
from tests import samples


def plain(rows: Iterable[Row]) -> list[bytes]:
    """Rows without the difference between tuples and lists, which JSON does not know."""
    return [msgspec.json.encode(row, order="sorted") for row in rows]


def fill(directory: RunDirectory, rows: Iterable[Row] = samples.ROWS) -> RunDirectory:
    sink: Sink = directory
    sink.mutants(samples.PLANNED)
    for row in rows:
        sink.add(row)
    return directory


def interrupted(root: Path, rows: Iterable[Row] = samples.ROWS) -> Path:
    with RunDirectory.create(root, "delta") as directory:
        fill(directory, rows)
    return directory.path


def test_a_run_reads_back_as_it_was_written(tmp_path: Path) -> None:
    result = samples.result()
    with RunDirectory.create(tmp_path, "delta") as directory:
        fill(directory)
        directory.keep_sources({samples.FILE: samples.SOURCE})
        directory.finish(result)

    run = read_run(directory.path)

    assert plain(run.rows) == plain(samples.ROWS)
    assert run.mutants == samples.PLANNED
    assert run.result == result
    assert run.sources == {samples.FILE: samples.SOURCE}
    assert not run.torn
    assert run.tried == 2


def test_a_file_of_the_run_names_it_too(tmp_path: Path) -> None:
    path = interrupted(tmp_path)
    assert read_run(path / "rows.jsonl").path == path


def test_a_new_run_lies_in_a_folder_that_git_ignores(tmp_path: Path) -> None:
    path = interrupted(tmp_path)
    assert path.parent == tmp_path / ".redhanded" / "runs"
    assert "-delta-" in path.name
    assert (tmp_path / ".redhanded" / ".gitignore").read_text() == "*\n"
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    status = subprocess.run(
        ["git", "-C", tmp_path, "status", "--porcelain"], check=True, capture_output=True
    )
    assert status.stdout == b""


def test_latest_is_the_run_that_wrote_last(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="found none"):
        latest_run(tmp_path)
    interrupted(tmp_path)
    second = interrupted(tmp_path)
    assert latest_run(tmp_path) == second


def test_a_run_that_wrote_nothing_leaves_nothing(tmp_path: Path) -> None:
    first = interrupted(tmp_path)
    with RunDirectory.create(tmp_path, "delta", invocation={"base": "nonsense"}) as directory:
        assert directory.path.is_dir()
        assert not directory.resumable
    assert not directory.path.exists()
    assert latest_run(tmp_path) == first


def test_out_that_was_there_stays(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "delta", out=tmp_path / "mine"):
        assert not (tmp_path / ".redhanded").exists()
    assert not (tmp_path / "mine").exists()
    (tmp_path / "mine").mkdir()
    with RunDirectory.create(tmp_path, "delta", out=tmp_path / "mine"):
        pass
    assert list((tmp_path / "mine").iterdir()) == []


def test_rows_are_canonical_lines_that_are_there_at_once(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "delta") as directory:
        directory.mutants(samples.PLANNED)
        directory.add(samples.RUN)
        lines = (directory.path / "rows.jsonl").read_bytes().split(b"\n")
        assert lines[1:] == [b""]
        assert (
            lines[0]
            == json.dumps(json.loads(lines[0]), sort_keys=True, separators=(",", ":")).encode()
        )
        directory.add(samples.SESSION)
        assert (directory.path / "rows.jsonl").read_bytes().count(b"\n") == 2


def test_mutants_are_on_disk_before_any_trial(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "delta") as directory:
        directory.add(samples.RUN)
        for row in (samples.PLAN, samples.TRIAL):
            with pytest.raises(RedhandedError, match="mutant set"):
                directory.add(row)
        directory.mutants(samples.PLANNED)
        directory.add(samples.TRIAL)
        assert len(read_run(directory.path).mutants or ()) == 2


def test_no_half_written_mutants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def power_cut(fd: int) -> None:
        raise OSError("power cut")

    with RunDirectory.create(tmp_path, "delta") as directory:
        directory.add(samples.RUN)
        monkeypatch.setattr(os, "fsync", power_cut)
        with pytest.raises(OSError, match="power cut"):
            directory.mutants(samples.PLANNED)
        assert not (directory.path / "mutants.jsonl").exists()
        assert read_run(directory.path).mutants is None


# --out


def test_out_refuses_a_folder_of_other_things(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(UsageError, match="found other files"):
        RunDirectory.create(tmp_path, "delta", out=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_out_refuses_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="found a file"):
        RunDirectory.create(tmp_path, "delta", out=tmp_path / "file")


def test_out_refuses_a_folder_with_a_run(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "delta", out=tmp_path / "mine") as directory:
        fill(directory)
    with pytest.raises(UsageError, match="found a run") as caught:
        RunDirectory.create(tmp_path, "delta", out=tmp_path / "mine")
    assert caught.value.hint is not None
    assert "--resume" in caught.value.hint


def test_sources_stay_inside(tmp_path: Path) -> None:
    with (
        RunDirectory.create(tmp_path, "delta") as directory,
        pytest.raises(RedhandedError, match="does not lie"),
    ):
        directory.keep_sources({"../../../escaped.py": "x"})
    assert not (tmp_path / "escaped.py").exists()


# Resume


def test_resume_hands_back_the_rows_and_goes_on(tmp_path: Path) -> None:
    path = interrupted(tmp_path, samples.ROWS[:-1])
    with RunDirectory.resume(path) as directory:
        assert plain(directory.finished()) == plain(samples.ROWS[:-1])
        fill(directory, (samples.RUN, samples.SESSION, samples.PLAN, samples.TRIAL_2))
        directory.finish(samples.result())
    run = read_run(path)
    assert plain(run.rows) == plain(samples.ROWS)
    assert run.result is not None


def test_a_new_run_has_nothing_to_go_on_from(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "delta") as directory:
        fill(directory)
        assert tuple(directory.finished()) == ()


@pytest.mark.parametrize("cut", [1, 20])
def test_a_torn_last_line_is_dropped_and_told(tmp_path: Path, cut: int) -> None:
    path = interrupted(tmp_path)
    rows = path / "rows.jsonl"
    rows.write_bytes(rows.read_bytes()[:-cut])

    run = read_run(path)
    assert run.torn
    assert len(run.rows) == len(samples.ROWS) - 1

    with RunDirectory.resume(path) as directory:
        assert "cut off" in directory.notes[0]
        directory.add(samples.TRIAL_2)
    run = read_run(path)
    assert not run.torn
    assert plain(run.rows) == plain(samples.ROWS)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"options": {**samples.RUN.options, "seed": 7}}, "seed: was 0, is 7"),
        ({"options": {"seed": 0, "policy": "judged"}}, r"pytest_args: was \['-q'\], is nothing"),
        ({"head": Revision(samples.BASE.commit, "HEAD")}, "head: was 5d6e7f8"),
        ({"head": Revision(samples.HEAD.commit, "HEAD", dirty=True)}, "with changes"),
        ({"base": None}, "base: was 1a2b3c4.*, is nothing"),
        ({"python": "3.10.13"}, r"python: was 3.12.1, is 3.10.13"),
        ({"command": "tests"}, "command: was delta, is tests"),
    ],
)
def test_resume_refuses_another_run(tmp_path: Path, changes: dict[str, object], told: str) -> None:
    path = interrupted(tmp_path)
    with RunDirectory.resume(path) as directory, pytest.raises(UsageError, match=told):
        directory.add(msgspec.structs.replace(samples.RUN, **changes))
    assert len(read_run(path).rows) == len(samples.ROWS)


def test_resume_refuses_another_working_tree(tmp_path: Path) -> None:
    def run(tree: str) -> RunRow:
        options = {**samples.RUN.options, HEAD_TREE: tree}
        return msgspec.structs.replace(samples.RUN, options=options)

    path = interrupted(tmp_path, (run("1234"), *samples.ROWS[1:]))
    with RunDirectory.resume(path) as directory:
        with pytest.raises(
            UsageError, match=r"head's files, untracked .*: was 1234, is 5678"
        ) as told:
            directory.add(run("5678"))
        directory.add(run("1234"))
    assert told.value.exit_code == 2
    assert "redirected" in str(told.value.hint)


def test_a_control_is_kept_again_only_where_it_came_out_otherwise(tmp_path: Path) -> None:
    path = interrupted(tmp_path)
    (facts,) = samples.CONTROL.facts
    slower = msgspec.structs.replace(facts, seconds=facts.seconds + 1)
    red = msgspec.structs.replace(facts, verdict="failed")
    with RunDirectory.resume(path) as directory:
        for each in (facts, slower, red):
            directory.add(msgspec.structs.replace(samples.CONTROL, facts=(each,)))
        directory.add(msgspec.structs.replace(samples.CONTROL, name="reordered"))
    controls = [row for row in read_run(path).rows if isinstance(row, ControlRow)]
    assert [(row.name, row.facts[0].verdict) for row in controls] == [
        ("control", "passed"),
        ("control", "failed"),
        ("reordered", "passed"),
    ]


def test_resume_takes_the_same_run_under_another_name_and_date(tmp_path: Path) -> None:
    path = interrupted(tmp_path)
    again = msgspec.structs.replace(
        samples.RUN, started="2027-01-01T00:00:00Z", head=Revision(samples.HEAD.commit, "topic")
    )
    with RunDirectory.resume(path) as directory:
        directory.add(again)
    assert len(read_run(path).rows) == len(samples.ROWS)


def test_resume_refuses_other_tests_mutants_and_plans(tmp_path: Path) -> None:
    path = interrupted(tmp_path)
    replace = msgspec.structs.replace
    with RunDirectory.resume(path) as directory:
        with pytest.raises(UsageError, match=r"were 2, are 1; .*test_label_width is in only one"):
            directory.add(replace(samples.SESSION, tests=samples.SESSION.tests[:1]))
        directory.add(replace(samples.SESSION, collect_errors=("said otherwise",)))
        with pytest.raises(UsageError, match="in another order"):
            directory.add(replace(samples.SESSION, tests=samples.SESSION.tests[::-1]))
        with pytest.raises(UsageError, match="2 mutants of the interrupted run, found 1"):
            directory.mutants(samples.PLANNED[:1])
        with pytest.raises(UsageError, match=r"plan: was 9f3a.*, is 00"):
            directory.add(replace(samples.PLAN, plan=replace(samples.PLAN.plan, digest="00")))


def test_resume_refuses_a_finished_run_but_not_an_aborted_one(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "delta") as directory:
        fill(directory)
        directory.finish(samples.result(complete=False))
    with RunDirectory.resume(directory.path) as again:
        assert not (again.path / "result.json").exists()
        again.finish(samples.result())
    with pytest.raises(UsageError, match="finished one"):
        RunDirectory.resume(directory.path)


# Locks


def test_two_runs_do_not_share_a_directory(tmp_path: Path) -> None:
    path = interrupted(tmp_path)
    with (
        RunDirectory.resume(path),
        pytest.raises(UsageError, match=f"in use by another run .process {os.getpid()}"),
    ):
        RunDirectory.resume(path)
    assert not (path / "lock").exists()


def test_the_lock_of_a_killed_run_is_stale(tmp_path: Path) -> None:
    path = interrupted(tmp_path)
    code = (
        "import sys, pathlib; from redhanded.evidence.directory import RunDirectory;"
        "d = RunDirectory.resume(pathlib.Path(sys.argv[1])); print('held', flush=True);"
        "sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(UsageError, match=f"process {holder.pid}"):
            RunDirectory.resume(path)
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    assert (path / "lock").exists()
    with RunDirectory.resume(path) as directory:
        assert directory.resumable


# Reading


def test_reading_says_which_line_is_bad(tmp_path: Path) -> None:
    path = interrupted(tmp_path)
    rows = path / "rows.jsonl"
    lines = rows.read_bytes().split(b"\n")
    lines[2] = lines[2].replace(b'"passed"', b'"pasted"')
    rows.write_bytes(b"\n".join(lines))
    with pytest.raises(UsageError, match=r"rows\.jsonl:3: expected a row, found: .*'pasted'"):
        read_run(path)


def test_a_complete_line_that_is_garbage_is_no_torn_line(tmp_path: Path) -> None:
    path = interrupted(tmp_path)
    with (path / "rows.jsonl").open("ab") as file:
        file.write(b'{"row":"tri\n')
    with pytest.raises(UsageError, match=r"rows\.jsonl:7"):
        read_run(path)


def test_reading_says_which_mutant_is_bad(tmp_path: Path) -> None:
    path = interrupted(tmp_path)
    mutants = path / "mutants.jsonl"
    whole = mutants.read_bytes()
    mutants.write_bytes(whole.replace(b'"line":11', b'"line":"11"'))
    with pytest.raises(UsageError, match=r"mutants\.jsonl:2: expected a mutant, found: .*`int`"):
        read_run(path)
    mutants.write_bytes(whole[:-5])
    with pytest.raises(UsageError, match="last line cut off"):
        read_run(path)


def test_reading_refuses_another_format_by_name(tmp_path: Path) -> None:
    path = interrupted(tmp_path)
    for name in ("rows.jsonl", "result.json"):
        (path / name).write_bytes(b'{"format": "redhanded/code-run/9", "row": "run"}\n')
        with pytest.raises(UsageError, match=r"expected the format .*/1, found .*/9"):
            read_run(path)
        (path / "rows.jsonl").write_bytes(b"")


def test_reading_refuses_what_is_no_result(tmp_path: Path) -> None:
    path = interrupted(tmp_path)
    doctored = encode_result(samples.result()).replace(b'"killed": 4', b'"killed": 4.5')
    (path / "result.json").write_bytes(doctored)
    with pytest.raises(UsageError, match=r"result\.json: expected a result, found: .*killed"):
        read_run(path)


def test_reading_refuses_what_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="found nothing at"):
        read_run(tmp_path / "nowhere")
    with pytest.raises(UsageError, match=r"found no rows\.jsonl"):
        read_run(tmp_path)
