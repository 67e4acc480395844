"""A repository to run commands in, and the command line."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from redhanded.cli import app
from tests import samples
from tests.cli.fakes import MODULE, FakeRun

Invoke = Callable[..., "Outcome"]


class Outcome:
    """What came out of a command."""

    def __init__(self, code: int, stdout: str, stderr: str) -> None:
        self.code = code
        self.stdout = stdout
        self.stderr = stderr


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository with the sample source; the working directory."""
    root = tmp_path / "repository"
    source = root / samples.FILE
    source.parent.mkdir(parents=True)
    source.write_text(samples.SOURCE)
    subprocess.run(["git", "init", "-q", root], check=True)
    monkeypatch.chdir(root)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    return root


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeRun:
    """The run that commands make."""
    module = FakeRun()
    monkeypatch.setitem(sys.modules, MODULE, module)
    return module


@pytest.fixture
def invoke(repository: Path) -> Invoke:
    """Calls a command in this process."""

    # Older ones put both streams into one unless told not to; newer ones can't be told.
    old = "mix_stderr" in inspect.signature(CliRunner.__init__).parameters
    options: dict[str, Any] = {"mix_stderr": False} if old else {}

    def call(*arguments: str) -> Outcome:
        done = CliRunner(**options).invoke(app, [str(a) for a in arguments], catch_exceptions=False)
        return Outcome(done.exit_code, done.stdout, done.stderr)

    return call
