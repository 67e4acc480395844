from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import pytest

from redhanded.code import leftovers, tree
from redhanded.code.change import Change, read_change
from redhanded.errors import UsageError
from tests.repos import Repo

if TYPE_CHECKING:
    from pathlib import Path

    from redhanded.model.rows import Side

BASE = {
    "pkg/__init__.py": "base\n",
    "pkg/mod.py": "base\n",
    "pkg/dropped.py": "base\n",
    "pkg/table.json": "base\n",
    "pkg/tests/test_in.py": "base\n",
    "tests/conftest.py": "base\n",
    "tests/test_mod.py": "base\n",
    "tests/test_dropped.py": "base\n",
    "tests/data.json": "base\n",
    "pyproject.toml": "# base\n",
    "README.md": "base\n",
}
HEAD: dict[str, str | bytes | None] = {
    "pkg/mod.py": "head\n",
    "pkg/new.py": "head\n",
    "pkg/dropped.py": None,
    "pkg/table.json": "head\n",
    "pkg/tests/test_in.py": "head\n",
    "pkg/tests/conftest.py": "head\n",
    "tests/conftest.py": "head\n",
    "tests/test_mod.py": "head\n",
    "tests/test_dropped.py": None,
    "tests/test_new.py": "head\n",
    "tests/data.json": "head\n",
    "pyproject.toml": "# head\n",
    "sitecustomize.py": "head\n",
}


def changed(repo: Repo, base: str | None = "HEAD^", head: str | None = "HEAD") -> Change:
    return read_change(repo.root, base, head, repo.root.parent / "snapshot")


def written(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


def made(change: Change, side: Side = "candidate") -> tuple[Path, tuple[str, ...]]:
    destination = change.root.parent / "trees" / side
    return destination, tree.create(change, side, destination)


@pytest.mark.parametrize(
    ("side", "source", "tests"),
    [
        ("candidate", "head", "head"),
        ("reference", "head", "base"),
        ("base", "base", "base"),
        ("defect", "base", "head"),
    ],
)
def test_sides(repo: Repo, side: Side, source: str, tests: str) -> None:
    repo.commit(BASE)
    repo.commit(HEAD)
    folder, notes = made(changed(repo), side)
    of_source = {
        "base": {"pkg/mod.py", "pkg/dropped.py", "pkg/table.json"},
        "head": {"pkg/mod.py", "pkg/new.py", "pkg/table.json"},
    }
    of_tests = {
        "base": {"pkg/tests/test_in.py", "tests/conftest.py", "tests/test_mod.py",
                 "tests/test_dropped.py", "tests/data.json"},
        "head": {"pkg/tests/test_in.py", "pkg/tests/conftest.py", "tests/conftest.py",
                 "tests/test_mod.py", "tests/test_new.py", "tests/data.json", "sitecustomize.py"},
    }  # fmt: skip
    assert written(folder) == {
        "pkg/__init__.py": "base\n",
        "README.md": "base\n",
        "pyproject.toml": f"# {tests}\n",
        **dict.fromkeys(of_source[source], f"{source}\n"),
        **dict.fromkeys(of_tests[tests], f"{tests}\n"),
    }
    assert notes == ()


@pytest.mark.parametrize("side", ["reference", "candidate"])
def test_without_a_base_every_side_is_heads(repo: Repo, side: Side) -> None:
    repo.commit(BASE)
    folder, _ = made(changed(repo, None), side)
    assert written(folder) == BASE


def test_the_working_tree_is_written_as_it_is(repo: Repo) -> None:
    repo.commit(BASE)
    repo.write({"pkg/mod.py": "edited\n", "tests/test_new.py": "new\n", "tests/data.json": None})
    folder, _ = made(changed(repo, "HEAD", None))
    files = written(folder)
    assert (files["pkg/mod.py"], files["tests/test_new.py"]) == ("edited\n", "new\n")
    assert "tests/data.json" not in files


def test_modes_and_links_are_kept(repo: Repo) -> None:
    repo.write({"run.sh": "#!/bin/sh\n", "sub/x": ""})
    (repo.root / "run.sh").chmod(0o755)
    (repo.root / "sub" / "link").symlink_to("../run.sh")
    repo.commit()
    folder, _ = made(changed(repo, None))
    assert os.access(folder / "run.sh", os.X_OK)
    assert os.readlink(folder / "sub" / "link") == "../run.sh"


def test_the_checkout_is_left_as_it_was(repo: Repo) -> None:
    repo.commit(BASE)
    repo.commit({**HEAD, ".gitignore": "*.so\n"})
    repo.write({"pkg/fast.so": "built\n", "pkg/mod.py": "edited\n"})
    before = repo.state()
    made(changed(repo, "HEAD^", None))
    assert repo.state() == before


def test_a_tree_inside_the_checkout_is_refused(repo: Repo) -> None:
    repo.commit(BASE)
    with pytest.raises(UsageError, match="inside the checkout"):
        tree.create(changed(repo, None), "candidate", repo.root / "scratch")


def test_a_file_where_the_other_end_has_a_folder_gives_way(repo: Repo) -> None:
    repo.commit({"mod.py": "x\n", "tools": "text\n"})
    repo.commit({"tools": None, "tools/tests/test_a.py": "x\n"})
    folder, notes = made(changed(repo), "defect")
    assert (folder / "tools").read_text() == "text\n"
    assert any("tools/tests/test_a.py" in note for note in notes)


# What a build left


IGNORED = ".gitignore"
RULES = (
    "*.so\n_version.py\n*.egg-info/\n.venv/\nworkspace/\n__pycache__/\nbuild/\n*.mo\n"
    "conftest.py\ntest_local.py\npytest.ini\nnode_modules/\n.redhanded/\nlocal/\n*.pyc\ncached/\n"
)


def test_build_outputs_are_copied_and_nothing_else(repo: Repo) -> None:
    repo.commit({IGNORED: RULES, "pkg/__init__.py": ""})
    kept = {
        "pkg/fast.cpython-312.so": "built\n",
        "pkg/_version.py": "version\n",
        "pkg.egg-info/PKG-INFO": "name\n",
        "pkg/locale/de/x.mo": "mo\n",
        "local/data.bin": "data\n",
        "pkg/build/made.so": "built\n",
    }
    dropped = {
        ".venv/lib/site.py": "x\n",
        "workspace/pyvenv.cfg": "home\n",
        "workspace/lib/mod.py": "x\n",
        "cached/CACHEDIR.TAG": "x\n",
        "cached/blob": "x\n",
        "pkg/__pycache__/mod.cpython-312.pyc": "x\n",
        "pkg/old.pyc": "x\n",
        "build/lib/pkg/mod.py": "x\n",
        "node_modules/a.js": "x\n",
        ".redhanded/run/rows": "x\n",
        "conftest.py": "x\n",
        "pkg/test_local.py": "x\n",
        "pytest.ini": "x\n",
        "local/tests/helper.py": "x\n",
        "local/tests/test_notes.txt": ">>> 1\n",
    }
    repo.write({**kept, **dropped})
    folder, notes = made(changed(repo, None))
    assert written(folder) == {IGNORED: RULES, "pkg/__init__.py": "", **kept}
    assert notes == ()


def test_ignored_data_of_tests_is_copied(repo: Repo) -> None:
    repo.commit({IGNORED: "*.bin\n", "tests/test_a.py": ""})
    repo.write({"tests/data/made.bin": "data\n"})
    folder, _ = made(changed(repo, None))
    assert (folder / "tests/data/made.bin").read_text() == "data\n"


def test_a_file_that_either_end_tracks_is_no_build_output(repo: Repo) -> None:
    repo.commit({"pkg/made.py": "tracked\n", "pkg/mod.py": ""})
    repo.git("rm", "-q", "--cached", "pkg/made.py")
    repo.commit({IGNORED: "made.py\n"})
    folder, _ = made(changed(repo), "candidate")
    assert not (folder / "pkg/made.py").exists()


def test_a_link_to_outside_becomes_what_it_points_to(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.so").write_text("built\n")
    repo.commit({IGNORED: "*.so\nlinked\n", "mod.py": ""})
    (repo.root / "fast.so").symlink_to(tmp_path / "elsewhere.so")
    (repo.root / "linked").symlink_to(tmp_path)
    folder, _ = made(changed(repo, None))
    assert (folder / "fast.so").read_text() == "built\n"
    assert not (folder / "fast.so").is_symlink()
    assert not (folder / "linked").exists()


def test_what_is_too_much_is_left_out_and_told(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "MOST_BYTES", 10)
    repo.commit({IGNORED: "*.bin\n", "mod.py": ""})
    repo.write({"a.bin": "x" * 9, "b.bin": "x" * 4, "c.bin": "x" * 5, "d.bin": "x" * 6})
    folder, notes = made(changed(repo, None))
    assert set(written(folder)) == {IGNORED, "mod.py", "b.bin", "c.bin"}
    (note,) = notes
    assert "a.bin" in note
    assert "d.bin" in note


def test_outputs_of_another_revision_are_told(repo: Repo) -> None:
    repo.commit({IGNORED: "*.so\n", "pkg/mod.py": "1\n"})
    repo.commit({"pkg/mod.py": "2\n"})
    repo.commit({"pkg/mod.py": "3\n"})
    repo.write({"pkg/fast.so": "built\n"})
    _, notes = made(changed(repo, "HEAD^^", "HEAD^"))
    (note,) = notes
    assert "pkg/fast.so" in note
    assert made(changed(repo, "HEAD^", "HEAD"), "reference")[1] == ()


def test_outputs_do_not_go_through_links(repo: Repo, tmp_path: Path) -> None:
    """Base has a link where the checkout has a folder with a build output."""
    (tmp_path / "outside").mkdir()
    repo.write({"mod.py": "", "file": ""})
    (repo.root / "lib").symlink_to(tmp_path / "outside")
    repo.commit()
    (repo.root / "lib").unlink()
    repo.commit({"lib/mod.py": "", "file": None, "file/mod.py": "", IGNORED: "*.so\n"})
    repo.write({"lib/fast.so": "built\n", "file/fast.so": "built\n"})
    made(changed(repo), "base")
    assert list((tmp_path / "outside").iterdir()) == []


# Files whose content is elsewhere


def pointer(content: bytes) -> str:
    return (
        "version https://git-lfs.github.com/spec/v1\n"
        f"oid sha256:{hashlib.sha256(content).hexdigest()}\nsize {len(content)}\n"
    )


def test_lfs_content_is_found_in_the_store_and_in_the_checkout(repo: Repo) -> None:
    stored, there, lost = b"stored\n", b"there\n", b"lost\n"
    repo.commit(
        {"a.dat": pointer(stored), "b.dat": pointer(there), "c.dat": pointer(lost), "mod.py": ""}
    )
    name = hashlib.sha256(stored).hexdigest()
    repo.write({f".git/lfs/objects/{name[:2]}/{name[2:4]}/{name}": stored, "b.dat": there})
    folder, notes = made(changed(repo, None))
    assert (folder / "a.dat").read_bytes() == stored
    assert (folder / "b.dat").read_bytes() == there
    assert (folder / "c.dat").read_text() == pointer(lost)
    (note,) = notes
    assert "c.dat" in note
    assert "git lfs" in note


def test_a_submodule_is_filled_from_its_checkout(repo: Repo, tmp_path: Path) -> None:
    other = Repo(tmp_path / "other")
    first = other.commit({"inner/mod.py": "first\n"})
    other.commit({"inner/mod.py": "second\n"})
    repo.write({"mod.py": ""})
    repo.git("clone", "-q", str(other.root), "vendor")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{first},vendor")
    repo.git("add", "mod.py")
    repo.git("commit", "-q", "-m", "pin")
    folder, notes = made(changed(repo, None))
    assert (folder / "vendor/inner/mod.py").read_text() == "first\n"
    assert notes == ()


def test_a_submodule_that_is_not_there_is_told(repo: Repo) -> None:
    first = repo.commit({"mod.py": ""})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{first},vendor")
    repo.git("commit", "-q", "-m", "pin")
    (repo.root / "vendor").mkdir()
    folder, notes = made(changed(repo, None))
    assert list((folder / "vendor").iterdir()) == []
    (note,) = notes
    assert "vendor" in note
    assert "git submodule update" in note


def test_a_submodule_that_lacks_the_commit_is_told(repo: Repo, tmp_path: Path) -> None:
    Repo(tmp_path / "other").commit({"inner/mod.py": "first\n"})
    first = repo.commit({"mod.py": ""})
    repo.git("clone", "-q", str(tmp_path / "other"), "vendor")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{first},vendor")
    repo.git("commit", "-q", "-m", "pin")
    _, notes = made(changed(repo, None))
    (note,) = notes
    assert "git submodule update" in note


@pytest.mark.parametrize("name", ["..", ".git"])
def test_a_path_that_leads_out_of_the_tree_is_refused(repo: Repo, name: str) -> None:
    repo.commit({"x/mod.py": "x\n", "mod.py": "x\n"})
    inner = repo.git("rev-parse", "HEAD:x")
    raw = f"40000 {name}\0".encode() + bytes.fromhex(inner)
    (repo.root / "raw").write_bytes(raw)
    outer = repo.git("hash-object", "-t", "tree", "-w", "--literally", "raw")
    commit = repo.git("commit-tree", outer, "-m", "odd")
    with pytest.raises(UsageError, match="below the root"):
        made(changed(repo, None, commit))


def test_stand_ins_are_written_where_the_interpreter_is_known(repo: Repo) -> None:
    project = '[project]\nname = "pkg"\nversion = "1.0"\n'
    repo.commit({"pyproject.toml": project, "mod.py": "import importlib.metadata\n"})
    folder, notes = made(changed(repo, None))
    assert set(written(folder)) == {"pyproject.toml", "mod.py"}
    other = folder.parent / "other"
    (note,) = tree.create(changed(repo, None), "candidate", other, frozenset())
    assert "pkg" in note
    assert notes == ()
    assert (other / "pkg-1.0.dist-info" / "METADATA").exists()


# Copies


def test_a_copy_shares_nothing(repo: Repo) -> None:
    repo.write({"a.txt": "a\n", "run.sh": "x\n"})
    (repo.root / "run.sh").chmod(0o755)
    (repo.root / "link").symlink_to("a.txt")
    repo.commit()
    folder, _ = made(changed(repo, None))
    second = folder.parent / "second"
    tree.copy(folder, second)
    with open(second / "a.txt", "a") as stream:
        stream.write("more\n")
    assert (folder / "a.txt").read_text() == "a\n"
    assert (second / "link").read_text() == "a\nmore\n"
    assert os.access(second / "run.sh", os.X_OK)
