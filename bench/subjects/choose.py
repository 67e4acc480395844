"""Choose the commits of a repository that redhanded is accepted on, before anything is run.

The rule:

* Candidates are the commits that are reachable from the default branch (``origin/HEAD`` where
  there is one, else ``HEAD``), are no merges, have a parent, and whose committer date is before
  2026-06-01T00:00:00Z. They are taken from the latest committer date down; equal dates by id.
* A commit is compared with its parent. Of the paths that differ (both names of a renamed file)
  only those that end with ``.py`` are looked at, put into categories by
  ``redhanded.code.classify`` with pytest's settings as they are in the parent.
* Chosen are the latest three commits that touch *source* and *tests* (at least one path of each),
  and the latest one that touches *tests only* (at least one path, every one of them a test).

Usage: ``python bench/subjects/choose.py CLONE OWNER/NAME`` prints the repository's table for
``commits.toml``.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

from redhanded.code.classify import Classifier, read_pytest_settings
from redhanded.code.git import Repository

CUTOFF = datetime(2026, 6, 1, tzinfo=timezone.utc)
WANTED = {"source_and_tests": 3, "tests_only": 1}


def main(clone: Path, name: str) -> None:
    """Print one repository's table."""
    repository = Repository.find(clone)
    chosen: dict[str, list[str]] = {kind: [] for kind in WANTED}
    for commit, parent in commits(repository):
        kind = kind_of(repository, parent, commit)
        if kind is not None and len(chosen[kind]) < WANTED[kind]:
            chosen[kind].append(commit)
        if all(len(chosen[kind]) == count for kind, count in WANTED.items()):
            break
    print(f'[[repository]]\nname = "{name}"')
    for kind, found in chosen.items():
        lines = "".join(f'  "{commit}",\n' for commit in found)
        print(f"{kind} = [\n{lines}]")


def commits(repository: Repository) -> Iterator[tuple[str, str]]:
    """Candidates and their parents, latest first."""
    listed = None
    for branch in ("refs/remotes/origin/HEAD", "HEAD"):
        listed = subprocess.run(
            [
                "git",
                "-C",
                repository.root,
                "log",
                "--no-merges",
                "--format=%ct %H %P",
                branch,
                "--",
            ],
            capture_output=True,
            check=False,
            text=True,
        )
        if listed.returncode == 0:
            break
    assert listed is not None
    listed.check_returncode()
    rows = [line.split() for line in listed.stdout.splitlines()]
    dated = [(-int(row[0]), row[1], row[2]) for row in rows if len(row) == 3]
    for date, commit, parent in sorted(dated):
        if -date < CUTOFF.timestamp():
            yield commit, parent


def kind_of(repository: Repository, parent: str, commit: str) -> str | None:
    """Which of the wanted kinds a commit is."""
    paths = {
        path
        for diff in repository.diff(parent, commit)
        for path in (diff.path, diff.old_path)
        if path is not None and path.endswith(".py")
    }
    if not paths:
        return None
    settings = read_pytest_settings(lambda name: repository.read(parent, name))
    files = repository.entries(parent).keys() | repository.entries(commit).keys()
    classifier = Classifier(settings, files)
    touched = {classifier.category(path) for path in paths}
    if touched >= {"source", "test"}:
        return "source_and_tests"
    return "tests_only" if touched == {"test"} else None


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
