"""The command as it is really started: streams, signals, pipes."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from redhanded import __version__
from redhanded.evidence.home import latest_run
from redhanded.evidence.stored import read_run

ROOT = Path(__file__).parents[2]


def environment(**more: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "NO_COLOR")}
    path = os.pathsep.join([str(ROOT), *sys.path])
    return {**kept, "PYTHONPATH": path, "COLUMNS": "80", **more}


def command(*arguments: str, kind: str | None = None) -> list[str]:
    module = ["redhanded"] if kind is None else ["tests.cli.fakes", kind]
    return [sys.executable, "-m", *module, *arguments]


def call(
    *arguments: str, kind: str | None = None, **more: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        command(*arguments, kind=kind),
        capture_output=True,
        check=False,
        env=environment(**more),
        timeout=60,
    )


def test_version(repository: Path) -> None:
    done = call("--version")
    assert (done.returncode, done.stdout) == (0, f"redhanded {__version__}\n".encode())


def test_usage(repository: Path) -> None:
    done = call("delta", "--bsae", "main")
    assert done.returncode == 2
    assert done.stdout == b""
    assert b"--base" in done.stderr
    assert call("delta", "--min-delta", "2").returncode == 2
    assert call("dleta").returncode == 2


def test_help_names_every_option(repository: Path) -> None:
    text = call("delta", "--help", COLUMNS="200").stdout.decode()
    for option in (
        "--base", "--head", "--python", "--matrix", "-j", "--operators", "--families-off",
        "--mutants", "--source-from", "--max-mutants", "--seed", "--isolate",
        "--policy", "--out", "--resume", "--json", "--markdown", "--min-delta", "--all", "-q",
    ):  # fmt: skip
        assert f" {option} " in text


def test_a_run(repository: Path) -> None:
    done = call("delta", "--base", "main~1", kind="ok")
    assert done.returncode == 0, done.stderr
    assert b"Delta        0.333" in done.stdout
    assert b"\x1b" not in done.stdout + done.stderr


def test_json_and_nothing_else_on_stdout(repository: Path) -> None:
    done = call("delta", "--base", "main~1", "--json", kind="ok", FORCE_COLOR="1")
    assert json.loads(done.stdout)["format"] == "redhanded/code-run/1"
    assert b"Reference" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_by_a_signal(repository: Path, number: signal.Signals) -> None:
    with subprocess.Popen(
        command("delta", "--base", "main~1", kind="wait"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"waiting\n"
        process.send_signal(number)
        process.wait(timeout=60)
        said = process.stderr.read().decode()
    assert process.returncode == 130
    path = latest_run(repository)
    assert f"Go on with: redhanded delta --resume {path.relative_to(repository)}\n" in said
    assert "Traceback" not in said
    run = read_run(path)
    assert (run.tried, run.result) == (1, None)


def to_nobody(arguments: list[str]) -> tuple[int, bytes]:
    """Exit code and stderr of a program whose stdout nobody reads any more."""
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        arguments,
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
        env=environment(),
        timeout=60,
    )
    os.close(write)
    return done.returncode, done.stderr


@pytest.mark.parametrize("more", [(), ("--json",)])
@pytest.mark.parametrize(("least", "code"), [("0", 0), ("0.9", 1)])
def test_a_reader_that_leaves_changes_no_exit_code(
    repository: Path, more: tuple[str, ...], least: str, code: int
) -> None:
    arguments = ("delta", "--base", "main~1", "-q", "--min-delta", least, *more)
    found, said = to_nobody(command(*arguments, kind="ok"))
    assert found == code
    assert said.count(b"\n") == code, said


def test_a_reader_that_leaves_is_no_bug(repository: Path) -> None:
    script = """
import sys, typer
from redhanded.guard import guarded
try:
    with guarded():
        print("x" * 10**6, flush=True)
except typer.Exit as end:
    sys.exit(end.exit_code)
"""
    assert to_nobody([sys.executable, "-c", script]) == (0, b"")


def test_a_stream_that_knows_only_ascii(repository: Path) -> None:
    done = call("delta", "--base", "main~1", kind="ok", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"\\u2192" in done.stdout


def on_a_terminal(*arguments: str, **more: str) -> tuple[int, bytes, bytes]:
    """Exit code, stdout and what the terminal on stderr received."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command(*arguments, kind="ok"),
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment(TERM="xterm", **more),
    ) as process:
        os.close(theirs)
        assert process.stdout is not None
        out = process.stdout.read()
        seen = b""
        while True:
            try:
                chunk = os.read(ours, 4096)
            except OSError:  # what a terminal says when its other end is gone
                break
            if not chunk:
                break
            seen += chunk
    os.close(ours)
    return process.returncode, out, seen


def test_bars_only_on_a_terminal(repository: Path) -> None:
    code, out, seen = on_a_terminal("delta", "--base", "main~1")
    assert code == 0
    assert b"\x1b" not in out
    assert "━".encode() in seen
    assert b"one test is slow" in seen
    code, out, seen = on_a_terminal("delta", "--base", "main~1", "-q")
    assert seen == b""


def test_heavy_imports_wait(repository: Path) -> None:
    """What `--version` and a mistyped option load decides how fast the command feels."""
    # Some versions of typer bring rich along themselves.
    code = (
        "import sys, typer, typer.core; before = set(sys.modules);"
        "import redhanded.cli; print(*set(sys.modules) - before)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, env=environment()
    )
    loaded = set(done.stdout.decode().split())
    assert "redhanded.shell" in loaded
    heavy = {"msgspec", "rich.console", "rich.progress", "rich.table", "unidiff", "sqlite3"}
    assert loaded & heavy == set()
