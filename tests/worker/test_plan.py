"""The modes ``plan`` and ``operators`` of the worker, as a process."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import redhanded_worker

MAIN = Path(redhanded_worker.__file__).parent / "__main__.py"


def ask(mode: str, request: dict[str, Any] | None = None, cwd: Path | None = None) -> Any:
    done = subprocess.run(
        [sys.executable, str(MAIN), mode],
        input=json.dumps(request) if request is not None else "",
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=120,
        check=False,
    )
    assert done.stderr == ""
    answer = json.loads(done.stdout)
    assert done.returncode == (2 if "error" in answer else 0)
    return answer


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "m.py").write_text("def f(x):\n    return x < 'ä' is 1\n", "utf-8")
    (tmp_path / "pkg" / "n.py").write_bytes(b"# coding: latin-1\r\nx = '\xe4' < b\r\n")
    return tmp_path


def entry(file: str, **more: Any) -> dict[str, Any]:
    return {"file": file, "lines": None, "honour": None, **more}


def plan(root: Path, **request: Any) -> Any:
    whole: dict[str, Any] = {
        "root": str(root),
        "operators": None,
        "families_off": [],
        "files": [],
        "given": [],
    }
    return ask("plan", {**whole, **request})


def test_mutants_of_several_files(root: Path) -> None:
    files = [entry("pkg/n.py"), entry("pkg/m.py")]
    answer = plan(root, files=files, operators=["comparison-boundary", "identity-negated"])
    assert answer["python"] == platform.python_version()
    assert answer["errors"] == []
    assert answer["ignored_pragmas"] == []
    told = [(m["file"], m["start"], m["original"], m["replacement"]) for m in answer["mutants"]]
    assert told == [
        ("pkg/m.py", {"line": 2, "column": 13}, "<", "<="),
        ("pkg/m.py", {"line": 2, "column": 19}, "is", "is not"),
        ("pkg/n.py", {"line": 2, "column": 8}, "<", "<="),
    ]
    assert set(answer["mutants"][0]) == {
        "id", "file", "start", "end", "operator", "original", "replacement", "function", "lines",
        "static", "string_only", "viability", "duplicate_of", "reason",
    }  # fmt: skip


def test_scope_and_pragmas_come_with_the_file(root: Path) -> None:
    text = "x = a < b  # pragma: no mutate\ny = a < b\n"
    (root / "pkg" / "p.py").write_text(text, "utf-8")
    names = ["comparison-boundary"]
    answer = plan(root, files=[entry("pkg/p.py", honour="")], operators=names)
    assert answer["ignored_pragmas"] == ["pkg/p.py:1"]
    assert len(answer["mutants"]) == 2
    answer = plan(root, files=[entry("pkg/p.py", honour=text, lines=[[1, 1]])], operators=names)
    assert answer["ignored_pragmas"] == []
    assert answer["mutants"] == []


def test_given_mutants_with_and_without_our_own(root: Path) -> None:
    span = {"file": "pkg/m.py", "start": {"line": 2, "column": 13},
            "end": {"line": 2, "column": 14}, "replacement": ">", "operator": "mine"}  # fmt: skip
    answer = plan(root, given=[span])
    assert [(m["operator"], m["replacement"]) for m in answer["mutants"]] == [("mine", ">")]
    files = [entry("pkg/m.py")]
    answer = plan(root, files=files, operators=["comparison-boundary"], given=[span])
    assert [m["operator"] for m in answer["mutants"]] == ["comparison-boundary", "mine"]
    answer = plan(root, files=files, operators=[], given=[span])
    assert [m["operator"] for m in answer["mutants"]] == ["mine"]
    outside = {**span, "start": {"line": 9, "column": 0}}
    answer = plan(root, given=[outside])
    assert answer["mutants"] == []
    assert answer["errors"] == [
        {"file": "pkg/m.py",
         "message": "mutant refused: expected a line from 1 to 3, found line 9, column 0"},
    ]  # fmt: skip


def test_files_that_cannot_be_read_are_errors(root: Path) -> None:
    (root / "bad.py").write_text("x = 1\ny = (\n", "utf-8")
    (root / "nul.py").write_bytes(b"x = '\0'\n")
    (root / "enc.py").write_bytes(b"# coding: nothing\n")
    (root / "utf.py").write_bytes(b"\n\nx = '\xff'\n")
    span = {"file": "bad.py", "start": {"line": 1, "column": 4}, "end": {"line": 1, "column": 5},
            "replacement": "2"}  # fmt: skip
    names = ["../out.py", "bad.py", "enc.py", "none.py", "nul.py", "utf.py"]
    answer = plan(root, files=[entry(name) for name in names], given=[span])
    assert answer["mutants"] == []
    told = {error["file"]: error["message"] for error in answer["errors"]}
    assert list(told) == names
    version = platform.python_version()
    assert told["../out.py"].endswith("expected a file below the root, found one outside of it")
    assert told["bad.py"].startswith(f"expected source that Python {version} reads, found in line")
    assert told["bad.py"].endswith("(so none of its 1 given mutants is planned)")
    assert "coding" in told["enc.py"]
    assert told["none.py"] == "expected a file to read, found: No such file or directory"
    assert "null" in told["nul.py"]
    assert "utf-8" in told["utf.py"]


def test_names_that_there_are_not_are_refused(root: Path) -> None:
    answer = plan(root, operators=["comparision-boundary"])
    assert "comparision-boundary" in answer["error"]
    assert "did you mean comparison-boundary" in answer["error"]
    answer = plan(root, families_off=["loging"])
    assert answer["error"] == (
        "there is no kind of place named 'loging' that can be left alone: expected logging or repr"
    )


def test_operators_are_listed() -> None:
    answer = ask("operators")
    assert answer["python"] == platform.python_version()
    (told,) = [each for each in answer["operators"] if each["name"] == "comparison-boundary"]
    assert told["family"] == "comparison"
    assert told["description"]
    assert "mutmut" in told["shared_with"]
    assert told["string_only"] is False
    assert set(told["examples"][0]) == {"before", "after"}


def test_the_worker_s_folder_is_not_importable(tmp_path: Path) -> None:
    # A module of the project's that is named like one of the worker's is found, not the worker's.
    (tmp_path / "mutants.py").write_text("raise SystemExit('the wrong one')\n", "utf-8")
    assert ask("operators", cwd=tmp_path)["operators"]
