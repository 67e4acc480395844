"""``delta`` and ``tests``: what they ask of a run, what they keep and show, how they end."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from redhanded.code.options import RunOptions
from redhanded.evidence.directory import RunDirectory, encode_result
from redhanded.evidence.home import latest_run
from redhanded.evidence.stored import read_run
from tests import samples
from tests.cli.conftest import Invoke
from tests.cli.fakes import FakeRun


def test_delta_asks_for_what_was_asked(invoke: Invoke, fake: FakeRun, repository: Path) -> None:
    (repository / "set.jsonl").touch()
    done = invoke(
        "delta", "--base", "main~1", "--head", "topic", "--python", "/py", "--matrix", "-j", "3",
        "--operators", "integer, compare-boundary", "--families-off", "logging,repr",
        "--mutants", "set.jsonl", "--source-from", "abc", "--max-mutants", "300", "--seed", "7",
        "--isolate", "process", "--policy", "any-failure",
        "src/shop", "src/other.py", "--", "-x", "--base", "tests/unit", "--", "-k", "a b",
    )  # fmt: skip
    assert done.code == 0, done.stderr
    assert fake.asked == [
        RunOptions(
            command="delta",
            repository=repository,
            base="main~1",
            head="topic",
            python="/py",
            sources=("src/shop", "src/other.py"),
            pytest_args=("-x", "--base", "tests/unit", "--", "-k", "a b"),
            matrix=True,
            jobs=3,
            operators=("integer", "compare-boundary"),
            families_off=("logging", "repr"),
            mutants_file=repository / "set.jsonl",
            source_from="abc",
            max_mutants=300,
            seed=7,
            isolate="process",
            policy="any-failure",
            resume=None,
        )
    ]


def test_without_options_the_run_decides(invoke: Invoke, fake: FakeRun, repository: Path) -> None:
    invoke("delta", "--base", "main")
    invoke("tests")
    assert fake.asked == [
        RunOptions(command="delta", repository=repository, base="main"),
        RunOptions(command="tests", repository=repository),
    ]


def test_sources_are_named_from_where_one_stands(
    invoke: Invoke, fake: FakeRun, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository / "src")
    invoke("tests", "shop/cart.py", ".", str(repository / "src" / "shop"), "src/shop/cart.py")
    assert fake.asked[0].sources == (samples.FILE, "src", "src/shop", samples.FILE)
    done = invoke("tests", "../../elsewhere.py")
    assert done.code == 2
    assert "expected sources inside the repository" in done.stderr
    assert (repository / ".redhanded").is_dir()


def test_the_run_is_kept_and_shown(invoke: Invoke, fake: FakeRun, repository: Path) -> None:
    done = invoke("delta", "--base", "main~1")
    assert done.code == 0
    assert "Reference    0.333" in done.stdout
    assert "    - if discount < 0 or discount > 100:\n" in done.stdout
    assert "redhanded: trials (2)\n" in done.stderr
    assert "redhanded: one test is slow\n" in done.stderr
    run = read_run(latest_run(repository))
    assert run.result == samples.result()
    assert len(run.rows) == 4
    assert run.sources == {samples.FILE: samples.SOURCE}
    assert f"Stored in    {run.path.relative_to(repository)}\n" in done.stdout
    assert not (run.path / "lock").exists()


def test_json_is_alone_on_stdout(invoke: Invoke, fake: FakeRun) -> None:
    done = invoke("delta", "--base", "main~1", "--json")
    assert msgspec.json.decode(done.stdout, type=type(fake.result)) == fake.result
    assert json.loads(done.stdout)["reference"]["killed"] == 4
    assert "Reference    0.333" in done.stderr


def test_quiet(invoke: Invoke, fake: FakeRun) -> None:
    done = invoke("delta", "--base", "main~1", "-q")
    assert "Reference    0.333" in done.stdout
    assert "Survived" not in done.stdout
    assert done.stderr == ""
    done = invoke("delta", "--base", "main~1", "-q", "--json")
    assert json.loads(done.stdout)["command"] == "delta"
    assert done.stderr == ""


def test_all(invoke: Invoke, fake: FakeRun) -> None:
    assert '- log("printing")' not in invoke("delta", "--base", "main~1").stdout
    assert '- log("printing")' in invoke("delta", "--base", "main~1", "--all").stdout


def test_markdown_beside(invoke: Invoke, fake: FakeRun, repository: Path) -> None:
    done = invoke("delta", "--base", "main~1", "--markdown", "report.md")
    assert "Reference    0.333" in done.stdout
    assert (repository / "report.md").read_text().startswith("## redhanded delta: main")
    done = invoke("delta", "--base", "main~1", "--markdown", "nowhere/report.md")
    assert done.code == 2
    assert "existing folder" in done.stderr
    assert len(fake.asked) == 1


def test_out(invoke: Invoke, fake: FakeRun, repository: Path) -> None:
    assert invoke("tests", "--out", "mine").code == 0
    assert read_run(repository / "mine").result is not None
    assert not (repository / ".redhanded").exists()
    done = invoke("tests", "--out", "src")
    assert done.code == 2
    assert "found other files in src" in done.stderr


# Exit codes


@pytest.mark.parametrize("code", [0, 3, 4, 5])
def test_the_run_says_how_it_ends(invoke: Invoke, fake: FakeRun, code: int) -> None:
    fake.result = samples.result(exit_code=code)
    assert invoke("delta", "--base", "main~1").code == code


@pytest.mark.parametrize(
    ("value", "least", "code"),
    [(0.5, "0.5", 0), (0.5, "0.51", 1), (None, "0", 1), (0.0, "0", 0), (1 / 3, "0.3333", 0)],
)
def test_a_gate(invoke: Invoke, fake: FakeRun, value: float | None, least: str, code: int) -> None:
    fake.result = samples.result(delta=samples.delta_result(value=value))
    done = invoke("delta", "--base", "main~1", "--min-delta", least)
    assert done.code == code
    assert ("gate failed: expected a delta of at least" in done.stderr) == (code == 1)


def test_the_highest_exit_wins(invoke: Invoke, fake: FakeRun) -> None:
    fake.result = samples.result(delta=samples.delta_result(value=None), exit_code=3)
    assert invoke("delta", "--base", "main~1", "--min-delta", "0.1").code == 3


def test_a_refusal_is_a_message(invoke: Invoke, fake: FakeRun, repository: Path) -> None:
    fake.kind = "refused"
    done = invoke("delta", "--base", "main~1")
    assert done.code == 5
    assert done.stderr == "redhanded: expected the copy in src, found another\n  Install it.\n"
    assert done.stdout == ""
    assert list((repository / ".redhanded" / "runs").iterdir()) == []


def test_a_change_needs_its_base(invoke: Invoke, fake: FakeRun) -> None:
    done = invoke("delta")
    assert done.code == 2
    assert "expected --base REV" in done.stderr
    assert fake.asked == []


def test_a_command_needs_a_repository(
    invoke: Invoke, fake: FakeRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = invoke("tests")
    assert done.code == 2
    assert "not inside a git repository" in done.stderr


@pytest.mark.parametrize("kind", ["bug", "bare"])
def test_a_bug_of_ours_leaves_its_traceback_with_the_run(
    invoke: Invoke, fake: FakeRun, repository: Path, kind: str
) -> None:
    fake.kind = kind
    done = invoke("delta", "--base", "main~1")
    assert done.code == 70
    path = latest_run(repository) / "crash.txt"
    assert "a bug in redhanded" in done.stderr
    assert str(path) in done.stderr
    assert "Traceback" not in done.stderr
    assert path.read_text().startswith("Traceback")
    assert len(read_run(path).rows) == 3


def test_a_bug_before_any_row(invoke: Invoke, fake: FakeRun, repository: Path) -> None:
    fake.kind = "early-bug"
    done = invoke("delta", "--base", "main~1")
    assert done.code == 70
    (folder,) = (repository / ".redhanded" / "runs").iterdir()
    assert "ValueError: before any row" in (folder / "crash.txt").read_text()


def test_a_bug_without_a_run_goes_to_a_file_too(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(name: str) -> None:
        raise ZeroDivisionError(name)

    monkeypatch.setattr("redhanded.evidence.schema.schema", broken)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    done = invoke("schema", "row")
    assert done.code == 70
    (path,) = tmp_path.glob("redhanded-crash-*.txt")
    assert str(path) in done.stderr
    assert "ZeroDivisionError: row" in path.read_text()


# Interrupted and gone on with


def test_an_interrupt_says_how_to_go_on(invoke: Invoke, fake: FakeRun, repository: Path) -> None:
    fake.kind = "interrupt"
    done = invoke("delta", "--base", "main~1", "--operators", "integer", "-j", "2", "--", "-k", "a")
    assert done.code == 130
    path = latest_run(repository).relative_to(repository)
    assert done.stdout == ""
    assert f"kept in {path}" in done.stderr
    assert f"  Go on with: redhanded delta --resume {path}\n" in done.stderr

    fake.kind = "ok"
    done = invoke("delta", "--resume", str(path))
    assert done.code == 0, done.stderr
    assert fake.asked[1] == RunOptions(
        command="delta",
        repository=repository,
        base="main~1",
        operators=("integer",),
        pytest_args=("-k", "a"),
        resume=path,
    )
    assert len(fake.finished) == 3
    assert len(read_run(repository / path).rows) == 4
    assert invoke("show").code == 0


def test_a_resumed_run_can_be_told_otherwise(
    invoke: Invoke, fake: FakeRun, repository: Path
) -> None:
    fake.kind = "interrupt"
    (repository / "set.jsonl").touch()
    invoke("tests", "--seed", "7", "--mutants", "set.jsonl", "src/shop")
    fake.kind = "ok"
    invoke("tests", "--resume", str(latest_run(repository)), "-j", "1", "--seed", "8")
    asked = fake.asked[1]
    assert (asked.seed, asked.jobs, asked.sources) == (8, 1, ("src/shop",))
    assert asked.mutants_file == repository / "set.jsonl"


def test_an_interrupt_before_anything_leaves_nothing(
    invoke: Invoke, fake: FakeRun, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fake, "run", stop)
    done = invoke("delta", "--base", "main~1")
    assert done.code == 130
    assert "nothing was kept" in done.stderr
    assert list((repository / ".redhanded" / "runs").iterdir()) == []


def test_an_aborted_result_is_shown_without_a_score_and_can_be_gone_on_with(
    invoke: Invoke, fake: FakeRun, repository: Path
) -> None:
    fake.result = samples.result(complete=False, exit_code=130)
    done = invoke("delta", "--base", "main~1")
    assert done.code == 130
    assert "ABORTED" in done.stdout
    assert "Go on with: redhanded delta --resume .redhanded" in done.stderr
    fake.result = samples.result()
    assert invoke("delta", "--resume", str(latest_run(repository))).code == 0


def test_resume_refuses_what_is_finished_and_what_is_no_run(
    invoke: Invoke, fake: FakeRun, repository: Path
) -> None:
    invoke("delta", "--base", "main~1")
    done = invoke("delta", "--resume", str(latest_run(repository)))
    assert done.code == 2
    assert "found a finished one" in done.stderr
    done = invoke("delta", "--base", "main~1", "--resume", "src")
    assert done.code == 2
    assert "found no rows.jsonl in src" in done.stderr
    assert len(fake.asked) == 1


# show


def test_show(invoke: Invoke, fake: FakeRun, repository: Path) -> None:
    done = invoke("delta", "--base", "main~1")
    (repository / samples.FILE).write_text("# rewritten since\n")
    assert invoke("show").stdout == done.stdout
    path = latest_run(repository)
    assert invoke("show", str(path)).stdout == done.stdout
    assert invoke("show", str(path / "result.json")).stdout == done.stdout
    assert invoke("show", "latest").stdout == done.stdout
    assert invoke("show", "--markdown").stdout.startswith("## redhanded delta")
    assert invoke("show", "--json", "-q").stdout == encode_result(fake.result).decode()
    assert invoke("show", "--json", "--markdown").code == 2


def test_show_shows_a_run_that_failed(invoke: Invoke, fake: FakeRun) -> None:
    fake.result = samples.result(exit_code=5)
    invoke("delta", "--base", "main~1")
    assert invoke("show").code == 0


def test_show_has_nothing_to_show(invoke: Invoke, repository: Path) -> None:
    done = invoke("show")
    assert done.code == 2
    assert "expected an earlier run" in done.stderr
    with RunDirectory.create(repository, "delta") as directory:
        directory.mutants(samples.PLANNED)
        for row in samples.ROWS[:-1]:
            directory.add(row)
    done = invoke("show")
    assert done.code == 3
    assert "was interrupted: it has trials of 1 of its 2 mutants, and no score" in done.stderr
    assert "redhanded delta --resume" in done.stderr


# Lists


def test_mutants_are_listed_unrun(invoke: Invoke, fake: FakeRun, repository: Path) -> None:
    done = invoke("mutants", "--base", "main~1", "src/shop", "--seed", "3")
    assert done.code == 0, done.stderr
    assert "redhanded mutants: the plan, nothing is run" in done.stdout
    assert "    - if discount < 0 or discount > 100:\n" in done.stdout
    assert fake.asked[0].sources == ("src/shop",)
    assert fake.asked[0].command == "delta"
    assert not (repository / ".redhanded").exists()
    assert invoke("mutants").code == 0
    assert fake.asked[1].command == "tests"


def test_mutants_as_data(invoke: Invoke, fake: FakeRun, repository: Path) -> None:
    done = invoke("mutants", "--json", "--write", "set.jsonl")
    assert done.stderr == ""
    listed = json.loads(done.stdout)
    assert listed["plan"]["scope"]["kind"] == "changed-lines"
    lines = (repository / "set.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == listed["mutants"]
    assert listed["mutants"][0]["start"] == {"line": 6, "column": 16}


def test_schemas(invoke: Invoke) -> None:
    assert json.loads(invoke("schema").stdout)["title"] == "redhanded/code-run/1"
    assert json.loads(invoke("schema", "mutant").stdout)["title"] == "redhanded/code-run/1/mutant"
    done = invoke("schema", "evidence")
    assert done.code == 2
    assert "expected one of result, mutant, row, graders, graders-row, graders-call" in done.stderr
    assert json.loads(invoke("schema", "graders").stdout)["title"] == "redhanded/graders-run/1"
