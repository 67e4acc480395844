from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from redhanded.code.git import Hunk, Repository
from redhanded.errors import UsageError
from tests.repos import Repo

if TYPE_CHECKING:
    from pathlib import Path


def opened(repo: Repo) -> Repository:
    return Repository.find(repo.root)


def test_finds_the_root_from_a_folder_inside(repo: Repo) -> None:
    repo.commit({"a/b/c.txt": "x\n"})
    assert Repository.find(repo.root / "a" / "b").root == repo.root.resolve()


def test_outside_a_repository_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not inside a git repository") as caught:
        Repository.find(tmp_path)
    assert str(tmp_path) in str(caught.value)
    assert caught.value.hint


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        Repository.find(tmp_path / "nowhere")


def test_a_bare_repository_is_refused(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a": "1\n"})
    repo.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare.git"))
    with pytest.raises(UsageError, match="is a bare git repository"):
        Repository.find(tmp_path / "bare.git")


def test_variables_of_a_surrounding_git_are_ignored(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = repo.commit({"a": "1\n"})
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    assert opened(repo).commit("HEAD") == commit


def test_resolves_names_to_full_ids(repo: Repo) -> None:
    first = repo.commit({"a": "1\n"})
    second = repo.commit({"a": "2\n"})
    repo.git("tag", "-a", "v1", "-m", "annotated", first)
    git = opened(repo)
    assert git.commit("main") == second
    assert git.commit("HEAD^") == first
    assert git.commit("v1") == first
    assert git.commit(first[:10]) == first


def test_an_unknown_revision_is_named_beside_near_ones(repo: Repo) -> None:
    repo.commit({"a": "1\n"})
    repo.git("branch", "feature-x")
    with pytest.raises(UsageError, match="'featuer-x'") as caught:
        opened(repo).commit("featuer-x")
    assert "feature-x" in str(caught.value.hint)


@pytest.mark.parametrize("name", ["--all", "", "HEAD:a", "a..b"])
def test_what_is_no_commit_is_refused(repo: Repo, name: str) -> None:
    repo.commit({"a": "1\n"})
    with pytest.raises(UsageError, match="revision"):
        opened(repo).commit(name)


def test_a_shallow_clone_is_hinted_at(repo: Repo, tmp_path: Path) -> None:
    first = repo.commit({"a": "1\n"})
    repo.commit({"a": "2\n"})
    repo.git("clone", "--quiet", "--depth=1", f"file://{repo.root}", str(tmp_path / "shallow"))
    with pytest.raises(UsageError) as caught:
        Repository.find(tmp_path / "shallow").commit(first)
    assert "shallow" in str(caught.value.hint)


def test_parent_of_a_root_commit_is_none(repo: Repo) -> None:
    first = repo.commit({"a": "1\n"})
    second = repo.commit({"a": "2\n"})
    git = opened(repo)
    assert git.parent(second) == first
    assert git.parent(first) is None


def test_parent_of_a_merge_is_its_first(repo: Repo) -> None:
    repo.commit({"a": "1\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"b": "1\n"})
    repo.git("checkout", "-q", "main")
    main = repo.commit({"a": "2\n"})
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    assert opened(repo).parent(repo.git("rev-parse", "HEAD")) == main


def test_parent_beyond_a_shallow_clone_is_refused(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a": "1\n"})
    head = repo.commit({"a": "2\n"})
    repo.git("clone", "--quiet", "--depth=1", f"file://{repo.root}", str(tmp_path / "shallow"))
    with pytest.raises(UsageError, match="shallow"):
        Repository.find(tmp_path / "shallow").parent(head)


def test_head_before_the_first_commit_is_none(repo: Repo) -> None:
    assert opened(repo).head() is None


def test_ancestry(repo: Repo) -> None:
    first = repo.commit({"a": "1\n"})
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit({"b": "1\n"})
    repo.git("checkout", "-q", "main")
    main = repo.commit({"a": "2\n"})
    git = opened(repo)
    assert git.merge_base(main, side) == first
    assert git.merge_base(first, main) == first


def test_entries_and_blobs_of_a_revision(repo: Repo) -> None:
    odd = 'sp ace "quoted"\té.txt'
    repo.write({"run.sh": "#!/bin/sh\n", odd: "odd\n", "big.bin": bytes(range(256)) * 1000})
    (repo.root / "run.sh").chmod(0o755)
    (repo.root / "link").symlink_to("run.sh")
    commit = repo.commit()
    repo.write({"run.sh": "changed since\n"})
    git = opened(repo)
    entries = git.entries(commit)
    assert set(entries) == {"run.sh", "link", odd, "big.bin"}
    assert entries["run.sh"].mode == "100755"
    assert entries["link"].mode == "120000"
    blobs = dict(git.blobs(entry.oid for entry in entries.values()))
    assert blobs[entries["link"].oid] == b"run.sh"
    assert blobs[entries["big.bin"].oid] == bytes(range(256)) * 1000
    assert git.read(commit, "run.sh") == b"#!/bin/sh\n"
    assert git.read(commit, odd) == b"odd\n"
    assert git.read(commit, "nothing") is None
    assert git.read(commit, ":(top)run.sh") is None


def test_many_blobs_do_not_block(repo: Repo) -> None:
    commit = repo.commit({f"f{n}": f"{n}\n" * 200 for n in range(1700)})
    git = opened(repo)
    entries = git.entries(commit)
    blobs = dict(git.blobs(entry.oid for entry in entries.values()))
    assert blobs[entries["f1699"].oid] == b"1699\n" * 200


def numbered(*names: object) -> str:
    return "".join(f"line {name}\n" for name in names)


def test_hunks_of_every_kind_of_change(repo: Repo) -> None:
    base = repo.commit(
        {
            "mod.py": numbered(*range(1, 11)),
            "cut.py": numbered(*range(1, 6)),
            "gone.py": "x\n",
            "old.py": numbered(*range(50)),
            "same.py": "same\n",
        }
    )
    head = repo.commit(
        {
            "mod.py": numbered(1, "two", 3, 4, 5, "5a", "5b", *range(6, 11)),
            "cut.py": numbered(1, 2, 5),
            "gone.py": None,
            "old.py": None,
            "new name.py": numbered(*range(49), "last"),
            "added.py": "a\nb\nc",
        }
    )
    git = opened(repo)
    diffs = {diff.path: diff for diff in git.diff(base, head)}
    assert {path: diff.status for path, diff in diffs.items()} == {
        "mod.py": "modified",
        "cut.py": "modified",
        "gone.py": "deleted",
        "new name.py": "renamed",
        "added.py": "added",
    }
    assert diffs["mod.py"].hunks == (Hunk(2, 1, 2, 1), Hunk(5, 0, 6, 2))
    assert diffs["cut.py"].hunks == (Hunk(3, 2, 2, 0),)
    assert diffs["added.py"].hunks == (Hunk(0, 0, 1, 3),)
    assert diffs["new name.py"].old_path == "old.py"
    assert diffs["new name.py"].hunks == (Hunk(50, 1, 50, 1),)
    assert diffs["gone.py"].old_path == "gone.py"


def test_hunks_stay_with_their_files(repo: Repo) -> None:
    """Pure renames, mode changes, type changes and tricky content between other files."""
    base = repo.commit(
        {
            "a.py": "1\n2\n",
            "b_moved.py": numbered(*range(20)),
            "c_link.py": "text\n",
            "d_mode.py": "m\n",
            "e.py": "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\ndiff --git a/x b/x\n",
            "f\n.py": "1\n",
            "z.py": "1\n2\n3\n",
        }
    )
    (repo.root / "c_link.py").unlink()
    (repo.root / "c_link.py").symlink_to("a.py")
    (repo.root / "d_mode.py").chmod(0o755)
    head = repo.commit(
        {
            "a.py": "1\nnew\n2\n",
            "b_moved.py": None,
            "b_to.py": numbered(*range(20)),
            "e.py": "-- a/x\n@@ -1,1 +1,1 @@\ndiff --git a/x b/x\ndiff --git a/y b/y\n+\n-\n",
            "f\n.py": "2\n",
            "z.py": "1\n2\n3\n4\n",
        }
    )
    diffs = {diff.path: diff for diff in opened(repo).diff(base, head)}
    assert diffs["a.py"].hunks == (Hunk(1, 0, 2, 1),)
    assert diffs["b_to.py"].status == "renamed"
    assert diffs["b_to.py"].hunks == ()
    assert diffs["c_link.py"].status == "modified"
    assert diffs["d_mode.py"].hunks == ()
    assert diffs["e.py"].hunks == (Hunk(1, 2, 1, 1), Hunk(4, 0, 4, 3))
    assert diffs["f\n.py"].hunks == (Hunk(1, 1, 1, 1),)
    assert diffs["z.py"].hunks == (Hunk(3, 0, 4, 1),)


def test_the_users_configuration_does_not_bend_a_diff(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = repo.commit({"a.py": numbered(*range(9)), ".gitattributes": "*.py -diff\n"})
    head = repo.commit({"a.py": numbered(0, "x", *range(2, 5), "y", *range(6, 9))})
    for key, value in {
        "diff.noprefix": "true",
        "diff.context": "8",
        "diff.interHunkContext": "20",
        "diff.external": "false",
        "diff.renames": "false",
        "color.ui": "always",
        "core.quotePath": "true",
    }.items():
        repo.git("config", key, value)
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    monkeypatch.setenv("GIT_DIFF_OPTS", "-u5")
    (diff,) = opened(repo).diff(base, head)
    assert diff.hunks == (Hunk(2, 1, 2, 1), Hunk(6, 1, 6, 1))


def test_diff_from_nothing_adds_everything(repo: Repo) -> None:
    commit = repo.commit({"a.py": "1\n"})
    (diff,) = opened(repo).diff(None, commit)
    assert (diff.status, diff.hunks) == ("added", (Hunk(0, 0, 1, 1),))


def test_ignored_files_fold_whole_folders(repo: Repo) -> None:
    repo.commit({".gitignore": "*.so\nbuild/\n_version.py\n", "pkg/mod.py": "x\n"})
    repo.write({"pkg/fast.so": b"\0", "build/a/b": "x", "pkg/_version.py": "v\n", "notes": "n\n"})
    assert set(opened(repo).ignored()) == {"pkg/fast.so", "build/", "pkg/_version.py"}


def test_untracked_files_are_listed_one_by_one(repo: Repo) -> None:
    repo.commit({".gitignore": "*.log\n", "a.py": "1\n"})
    repo.write({"new/b.py": "2\n", "new/x.log": "l\n", ".redhanded/rows": "r\n", "a.py": "3\n"})
    assert opened(repo).untracked() == ("new/b.py",)


def test_a_snapshot_is_the_working_tree(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"kept.py": "1\n", "edited.py": "1\n", "gone.py": "1\n", ".gitignore": "*.log\n"})
    repo.write({"edited.py": "2\n", "gone.py": None, "new.py": "3\n", "x.log": "l\n"})
    repo.write({"staged.py": "s\n", ".redhanded/run/rows": "r\n"})
    repo.git("add", "staged.py")
    git, tree = opened(repo).snapshot(tmp_path / "scratch")
    assert set(git.entries(tree)) == {"kept.py", "edited.py", "new.py", "staged.py", ".gitignore"}
    assert git.read(tree, "edited.py") == b"2\n"
    statuses = {diff.path: diff.status for diff in git.diff("HEAD", tree)}
    assert statuses == {
        "edited.py": "modified",
        "gone.py": "deleted",
        "new.py": "added",
        "staged.py": "added",
    }


def test_a_snapshot_leaves_the_checkout_as_it_was(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a.py": "1\n", "b.py": "1\n"})
    repo.write({"a.py": "2\n", "new.py": "3\n"})
    os.utime(repo.root / "b.py", (1, 1))
    before = repo.state()
    opened(repo).snapshot(tmp_path / "scratch")
    assert repo.state() == before


def test_a_snapshot_of_a_clean_tree_is_heads_tree(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a.py": "1\n"})
    git = opened(repo)
    assert git.snapshot(tmp_path / "scratch")[1] == git.tree("HEAD")


def test_a_folder_of_ours_is_no_part_of_the_working_tree(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a.py": "1\n", "run[1]/kept.txt": "before\n"})
    repo.write({"run[1]/rows.jsonl": "{}", "run1/b.py": "2\n", ".redhanded/runs/x": ""})
    git, ours = opened(repo), repo.root / "run[1]"
    assert git.untracked(ours) == ("run1/b.py",)
    seeing, tree = git.snapshot(tmp_path / "scratch", ours)
    assert sorted(seeing.entries(tree)) == ["a.py", "run1/b.py", "run[1]/kept.txt"]
    # Nor where it lies elsewhere.
    assert "run[1]/rows.jsonl" in git.untracked(tmp_path)


def test_a_snapshot_sees_an_edit_that_keeps_size_and_time(repo: Repo, tmp_path: Path) -> None:
    source, index = repo.root / "a.py", repo.root / ".git" / "index"
    repo.git("config", "core.trustctime", "false")
    repo.write({"a.py": "1\n"})
    os.utime(source, (1_000_000_000, 1_000_000_000))
    repo.commit()
    repo.write({"a.py": "2\n"})
    # The index as old as the file: what makes git look at the file's content again.
    for path in (source, index):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    git, tree = opened(repo).snapshot(tmp_path / "scratch")
    assert git.read(tree, "a.py") == b"2\n"


def test_a_snapshot_works_where_a_path_has_a_colon(tmp_path: Path) -> None:
    repo = Repo(tmp_path / 'a:"b"\\')
    repo.commit({"a.py": "1\n"})
    repo.write({"b.py": "2\n"})
    git, tree = opened(repo).snapshot(tmp_path / "scratch")
    assert git.read(tree, "a.py") == b"1\n"
    assert git.diff("HEAD", tree)[0].path == "b.py"


def test_a_snapshot_works_before_the_first_commit(repo: Repo, tmp_path: Path) -> None:
    repo.write({"a.py": "1\n"})
    git, tree = opened(repo).snapshot(tmp_path / "scratch")
    assert set(git.entries(tree)) == {"a.py"}


def test_description_counts_from_the_last_tag(repo: Repo) -> None:
    first = repo.commit({"a": "1\n"})
    git = opened(repo)
    assert git.last_tag(first) is None
    repo.git("tag", "v1.2.0")
    second = repo.commit({"a": "2\n"})
    assert git.last_tag(second) == "v1.2.0"
