"""Working copies of the repositories, cloned from a folder of clones."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from bench.changes.subjects import Change, Suite
from bench.oracle.errors import RefusedError
from bench.oracle.tree import remove


def find(folder: Path, repository: str) -> Path:
    """Where a folder of clones keeps a repository: ``NAME`` or ``OWNER+NAME/repo``.

    Raises:
        RefusedError: It holds none.
    """
    owner, _, name = repository.partition("/")
    for place in (folder / name, folder / f"{owner}+{name}" / "repo"):
        if place.is_dir():
            return place
    raise RefusedError(
        f"expected a clone of {repository} at {name} or {owner}+{name}/repo in {folder}, found none"
    )


def checkout(clones: Path, change: Change, place: Path) -> None:
    """Make ``place`` a fresh clone with the change's commit checked out."""
    if place.exists():
        remove(place)
    place.parent.mkdir(parents=True, exist_ok=True)
    source = find(clones, change.suite.repository)
    git(None, "clone", "--quiet", "--no-checkout", "--no-hardlinks", str(source), str(place))
    git(place, "checkout", "--quiet", "--detach", change.commit)


def add_made(suite: Suite, place: Path) -> None:
    """Add the files that the project's build makes."""
    for name, text in suite.made.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def git(place: Path | None, *arguments: str) -> str:
    """What git prints, with nobody's configuration.

    Raises:
        RefusedError: It failed.
    """
    where = () if place is None else ("-C", str(place))
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    command = ("git", "-c", "safe.directory=*", *where, *arguments)
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise RefusedError(
            f"expected `git {' '.join(arguments)}` to succeed, found exit code "
            f"{ended.returncode}: {ended.stderr.strip()}"
        )
    return ended.stdout


def parent(place: Path, commit: str) -> str:
    """The commit that a change is compared with."""
    return git(place, "rev-parse", f"{commit}^").strip()
