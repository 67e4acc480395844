"""``demo``: the sample it sets up, the interpreter it finds, what it leaves behind."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from redhanded import demo
from redhanded.errors import UnavailableError
from tests.cli.conftest import Invoke
from tests.cli.fakes import FakeRun


def git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", repository, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def suite(repository: Path) -> str:
    """Run the sample's tests and return pytest's closing line."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-c",
        "pyproject.toml",
    ]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    return done.stdout.strip().rpartition("\n")[2]


def test_every_test_of_the_sample_is_green_before_and_after_the_change(tmp_path: Path) -> None:
    repository = demo.set_up(tmp_path)
    assert suite(repository).startswith("12 passed")
    git(repository, "checkout", "-q", demo.BASE)
    assert suite(repository).startswith("6 passed")


def test_the_sample_is_one_change_of_source_and_tests(tmp_path: Path) -> None:
    repository = demo.set_up(tmp_path)
    assert git(repository, "diff", "--name-status", demo.BASE, demo.HEAD).split("\n") == [
        "M\tshop/pricing.py",
        "A\ttests/test_delivery.py",
        "M\ttests/test_pricing.py",
    ]
    assert git(repository, "status", "--porcelain") == ""


def test_the_sample_is_the_same_whatever_git_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "one").mkdir()
    first = demo.set_up(tmp_path / "one")
    config = tmp_path / "config"
    config.write_text("[commit]\n\tgpgsign = true\n[user]\n\tuseConfigOnly = true\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Somebody")
    (tmp_path / "two").mkdir()
    second = demo.set_up(tmp_path / "two")
    monkeypatch.undo()
    assert git(first, "rev-parse", "HEAD") == git(second, "rev-parse", "HEAD")


def test_demo_grades_the_change_with_an_interpreter_that_has_pytest(
    invoke: Invoke, fake: FakeRun
) -> None:
    done = invoke("demo")
    assert done.code == 0, done.stderr
    (asked,) = fake.asked
    assert (asked.command, asked.base, asked.head) == ("delta", demo.BASE, demo.HEAD)
    assert asked.python == sys.executable
    assert done.stdout.endswith(demo.LOOK_AT + "\n")
    assert not asked.repository.exists()


def test_demo_keeps_the_sample_where_it_is_told(
    invoke: Invoke, fake: FakeRun, tmp_path: Path
) -> None:
    done = invoke("demo", "--keep", tmp_path / "kept", "--python", "/py", "--quiet")
    assert done.code == 0, done.stderr
    (asked,) = fake.asked
    assert asked.repository == tmp_path / "kept" / "shop"
    assert asked.python == "/py"
    assert git(asked.repository, "rev-list", "--count", "HEAD") == "2"
    assert "What to look at" not in done.stdout


def test_demo_writes_into_no_folder_that_holds_something(
    invoke: Invoke, fake: FakeRun, tmp_path: Path
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").touch()
    done = invoke("demo", "--keep", tmp_path / "full")
    assert done.code == 2
    assert "expected --keep to name a new or an empty folder" in done.stderr
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine"]
    assert fake.asked == []


def test_demo_says_nothing_more_about_a_run_that_failed(invoke: Invoke, fake: FakeRun) -> None:
    fake.kind = "refused"
    done = invoke("demo")
    assert done.code == 5
    assert "What to look at" not in done.stdout


def test_without_pytest_of_our_own_one_on_path_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with_pytest, without = tmp_path / "with", tmp_path / "without"
    for folder, options in ((without, "-S -E"), (with_pytest, "")):
        folder.mkdir()
        script = folder / "python"
        script.write_text(f'#!/bin/sh\nexec {sys.executable} {options} "$@"\n')
        script.chmod(0o755)
        (folder / "python3").symlink_to(script)
    monkeypatch.setenv("PATH", os.pathsep.join([str(with_pytest), str(without)]))
    assert demo.interpreter(tmp_path, None) == str(with_pytest / "python")
    (with_pytest / "python").unlink()
    monkeypatch.setenv("PATH", os.pathsep.join([str(without), str(with_pytest)]))
    calls: list[str] = []
    monkeypatch.setattr(demo, "_call", lambda command: calls.append(command[0]))
    assert demo.interpreter(tmp_path, None) == str(tmp_path / "venv" / "bin" / "python")
    assert calls == [sys.executable, str(tmp_path / "venv" / "bin" / "python")]


def test_without_git_the_demo_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnavailableError, match="needs git"):
        demo.set_up(tmp_path)
