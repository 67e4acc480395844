"""The two trees of a change, and the files of a tree that matter."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.changes import matter, sides
from bench.changes.subjects import Change, Suite
from tests.bench import repository


@pytest.mark.parametrize(
    "path",
    [
        "tests/data/one.txt",
        "package/Test/cases.py",
        "conftest.py",
        "src/conftest.py",
        "src/test_a.py",
        "a_test.py",
        "pyproject.toml",
        "sub/tox.ini",
    ],
)
def test_belongs_to_the_tests(path: str) -> None:
    assert sides.of_the_tests(path)


@pytest.mark.parametrize("path", ["tests.py", "src/testing.py", "a/test.txt", "README.md"])
def test_does_not_belong_to_the_tests(path: str) -> None:
    assert not sides.of_the_tests(path)


def _files(tree: Path) -> dict[str, str]:
    return {
        path.relative_to(tree).as_posix(): path.read_text(encoding="utf-8")
        for path in tree.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }


def test_reference_is_the_new_source_with_the_old_tests(tmp_path: Path) -> None:
    change = repository.make(tmp_path / "clones")
    sides.make(tmp_path / "clones", change, "reference", tmp_path / "tree")
    old = ("tests/conftest.py", "tests/test_fare.py", "tests/test_gone.py", "pyproject.toml")
    assert _files(tmp_path / "tree") == {
        **{name: repository.BASE[name] for name in old},
        **{name: repository.HEAD[name] for name in ("fare.py", "zones.txt", "README.md")},
    }


def test_candidate_is_the_commit(tmp_path: Path) -> None:
    change = repository.make(tmp_path / "clones")
    sides.make(tmp_path / "clones", change, "candidate", tmp_path / "tree")
    changed = {name: text for name, text in repository.HEAD.items() if text is not None}
    kept = {"tests/test_fare.py": repository.BASE["tests/test_fare.py"]}
    assert _files(tmp_path / "tree") == {**kept, **changed}


def test_both_trees_hold_what_the_build_makes(tmp_path: Path) -> None:
    change = repository.make(tmp_path / "clones")
    suite = Suite("nobody/tiny", (".",), (), {"made/_version.py": "version = '1'\n"})
    for side in sides.SIDES:
        made = Change(suite, change.commit, change.kind)
        sides.make(tmp_path / "clones", made, side, tmp_path / side)
        assert (tmp_path / side / "made" / "_version.py").read_text() == "version = '1'\n"


def test_module_names_are_relative_to_the_nearest_root() -> None:
    names = matter.module_names(["src/a/b.py", "src/a/__init__.py", "top.py"], [".", "src"])
    assert names == {"a.b", "a", "top"}


def test_imports_are_found_wherever_they_stand() -> None:
    text = b"import a.b\ndef f():\n    from c import d\n    from . import e\n"
    assert matter.imported(text) == {"a.b", "c", "c.d"}


def test_files_that_matter(tmp_path: Path) -> None:
    files = {
        "t/test_selected.py": "",
        "t/test_imports.py": "from package import module\n",
        "t/test_touched.py": "",
        "t/test_else.py": "import package\n",
        "t/helper.py": "import package.module\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    ids = [f"{name}::test" for name in files if name != "t/helper.py"]
    session = {"row": "session", "side": "candidate", "tests": [{"id": name} for name in ids]}
    trial = {"row": "trial", "side": "candidate", "selected": [0]}
    lines = "".join(json.dumps(row) + "\n" for row in (session, trial))
    (tmp_path / "rows.jsonl").write_text(lines, encoding="utf-8")
    assert matter.files_that_matter(
        tmp_path, tmp_path, "candidate", {"package.module"}, {"t/test_touched.py", "README.md"}
    ) == ["t/test_imports.py", "t/test_selected.py", "t/test_touched.py"]
