from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from redhanded.code.change import Change, read_change
from redhanded.errors import UnavailableError, UsageError
from redhanded.model.result import Revision

if TYPE_CHECKING:
    from pathlib import Path

    from tests.repos import Repo

BASE = {
    "pkg/__init__.py": "",
    "pkg/mod.py": "def f():\n    a = 1\n    b = 2\n    return a\n",
    "tests/test_mod.py": "def test_f(): pass\n",
    "tests/data.json": "{}\n",
    "tests/test_gone.py": "def test_g(): pass\n",
    "pyproject.toml": "[project]\nname = 'pkg'\n",
    "README.md": "read\n",
}


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    return tmp_path / "scratch"


def read(repo: Repo, scratch: Path, base: str | None, head: str | None = "HEAD") -> Change:
    return read_change(repo.root, base, head, scratch)


def test_a_change_between_two_commits(repo: Repo, scratch: Path) -> None:
    base = repo.commit(BASE)
    head = repo.commit(
        {
            "pkg/mod.py": "def f():\n    a = 3\n    return a\n",
            "pkg/new.py": "x = 1\ny = 2\n",
            "tests/test_new.py": "def test_n(): pass\n",
            "tests/data.json": "[]\n",
            "tests/test_gone.py": None,
            "pyproject.toml": "[project]\nname = 'pkg2'\n",
        }
    )
    change = read(repo, scratch, "HEAD^")
    assert change.base == Revision(commit=base, label="HEAD^")
    assert change.head == Revision(commit=head, label="HEAD")
    assert change.root == repo.root.resolve()
    seen = {file.path: (file.status, file.category, file.lines) for file in change.files}
    assert seen == {
        "pkg/mod.py": ("modified", "source", ((2, 2),)),
        "pkg/new.py": ("added", "source", ((1, 2),)),
        "tests/test_new.py": ("added", "test", ((1, 1),)),
        "tests/data.json": ("modified", "test", ()),
        "tests/test_gone.py": ("deleted", "test", ()),
        "pyproject.toml": ("modified", "config", ()),
    }
    assert change.test_side_differences() == (
        "pyproject.toml",
        "tests/data.json",
        "tests/test_gone.py",
        "tests/test_new.py",
    )
    assert change.unchanged("tests/test_mod.py")
    assert not change.unchanged("tests/test_new.py")
    assert not change.unchanged("tests/data.json")
    assert change.read("base", "tests/data.json") == b"{}\n"
    assert change.read("head", "tests/data.json") == b"[]\n"
    assert change.read("head", "tests/test_gone.py") is None
    assert change.warnings == ()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("1\n2\n3\n", ((3, 3),)),
        ("2\n3\n4\n", ((1, 1),)),
        ("1\n4\n", ((1, 2),)),
        ("1\nx\n3\n", ((2, 3),)),
        ("", ()),
        ("1\n2\n3\n4", ((4, 4),)),
    ],
    ids=["end", "start", "middle", "beside an edit", "all", "last newline"],
)
def test_a_deletion_counts_as_the_lines_beside_it(
    repo: Repo, scratch: Path, text: str, lines: tuple[tuple[int, int], ...]
) -> None:
    repo.commit({"mod.py": "1\n2\n3\n4\n"})
    repo.commit({"mod.py": text})
    (file,) = read(repo, scratch, "HEAD^").files
    assert file.lines == lines


def test_a_renamed_test_differs_under_both_names(repo: Repo, scratch: Path) -> None:
    body = "".join(f"def test_{n}(): pass\n" for n in range(20))
    repo.commit({**BASE, "tests/test_old.py": body})
    repo.commit({"tests/test_old.py": None, "tests/test_fresh.py": body})
    change = read(repo, scratch, "HEAD^")
    (file,) = change.files
    assert (file.status, file.old_path, file.lines) == ("renamed", "tests/test_old.py", ())
    assert change.test_side_differences() == ("tests/test_fresh.py", "tests/test_old.py")


def test_the_working_tree_is_head_where_none_is_named(repo: Repo, scratch: Path) -> None:
    repo.commit(BASE)
    repo.write({"pkg/mod.py": "x = 1\n", "tests/test_new.py": "def test_n(): pass\n"})
    change = read(repo, scratch, "HEAD", None)
    assert change.head == Revision(commit=None, label="working tree", dirty=True)
    assert {file.path for file in change.files} == {"pkg/mod.py", "tests/test_new.py"}
    assert change.read("head", "pkg/mod.py") == b"x = 1\n"
    assert any("tests/test_new.py" in warning for warning in change.warnings)


def test_a_clean_working_tree_is_its_commit(repo: Repo, scratch: Path) -> None:
    repo.commit(BASE)
    head = repo.commit({"pkg/mod.py": "x = 1\n"})
    change = read(repo, scratch, "HEAD^", None)
    assert change.head == Revision(commit=head, label="working tree", dirty=False)


def test_without_a_base_there_is_no_difference(repo: Repo, scratch: Path) -> None:
    repo.commit(BASE)
    change = read(repo, scratch, None)
    assert change.base is None
    assert change.files == ()
    assert set(change.head_files) == set(BASE)
    assert change.base_files == {}
    assert change.category("pkg/mod.py") == "source"


def test_nothing_changed_is_unavailable(repo: Repo, scratch: Path) -> None:
    repo.commit(BASE)
    with pytest.raises(UnavailableError, match="same files"):
        read(repo, scratch, "HEAD")


def test_an_unknown_base_is_named(repo: Repo, scratch: Path) -> None:
    repo.commit(BASE)
    with pytest.raises(UsageError, match="nonsense"):
        read(repo, scratch, "nonsense")


def test_rules_and_settings_are_those_of_base(repo: Repo, scratch: Path) -> None:
    settings = '[tool.pytest.ini_options]\npython_files = ["{}"]\n[tool.redhanded]\njobs = {}\n'
    repo.commit({**BASE, "pyproject.toml": settings.format("test_*.py", 2)})
    repo.commit({"pyproject.toml": settings.format("mod.py", 1), "pkg/mod.py": "x = 1\n"})
    change = read(repo, scratch, "HEAD^")
    assert change.category("pkg/mod.py") == "source"
    assert change.configuration.jobs == 2
    assert any("[tool.redhanded]" in warning for warning in change.warnings)
    assert any("python_files" in warning for warning in change.warnings)


def test_settings_that_head_alone_gets_wrong_do_not_stop_it(repo: Repo, scratch: Path) -> None:
    repo.commit(BASE)
    repo.commit({"pyproject.toml": "[tool.redhanded]\nnonsense = 1\n"})
    change = read(repo, scratch, "HEAD^")
    assert any("[tool.redhanded]" in warning for warning in change.warnings)


def test_a_base_beside_heads_history_is_warned_of(repo: Repo, scratch: Path) -> None:
    fork = repo.commit(BASE)
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"pkg/mod.py": "x = 1\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"pkg/mod.py": "x = 2\n"})
    change = read(repo, scratch, "main", "side")
    (warning,) = change.warnings
    assert fork[:12] in warning
    assert "--base" in warning


def test_a_link_beside_code_is_no_source_line(repo: Repo, scratch: Path) -> None:
    repo.commit(BASE)
    (repo.root / "pkg" / "alias.py").symlink_to("mod.py")
    repo.commit()
    (file,) = read(repo, scratch, "HEAD^").files
    assert (file.path, file.lines) == ("pkg/alias.py", ())


def test_named_sources_come_from_base(repo: Repo, scratch: Path) -> None:
    settings = '[tool.redhanded]\nsources = ["{}"]\n'
    repo.commit({**BASE, "pyproject.toml": settings.format("scripts")})
    repo.commit({"pyproject.toml": settings.format("x"), "scripts/run.py": "x = 1\n"})
    change = read(repo, scratch, "HEAD^")
    assert [file.path for file in change.touched("source")] == ["scripts/run.py"]


def test_untracked_files_are_no_part_of_a_named_head(repo: Repo, scratch: Path) -> None:
    repo.commit(BASE)
    repo.commit({"pkg/mod.py": "x = 1\n"})
    repo.write({"tests/test_new.py": "def test_n(): pass\n"})
    change = read(repo, scratch, "HEAD^")
    assert change.warnings == ()
    assert "tests/test_new.py" not in change.head_files


def test_a_submodule_has_no_content(repo: Repo, scratch: Path) -> None:
    first = repo.commit(BASE)
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{first},vendor")
    repo.git("commit", "-q", "-m", "pin")
    change = read(repo, scratch, "HEAD^")
    assert change.head_files["vendor"].oid == first
    assert change.read("head", "vendor") is None
