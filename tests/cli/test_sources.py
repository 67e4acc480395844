"""Sources are shown only where they are what was mutated."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from redhanded.code.git import Repository
from redhanded.sources import decoded, read_sources
from tests import samples


@pytest.fixture
def committed(repository: Path) -> Repository:
    """The sample's repository with one commit."""
    name = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    for arguments in (("add", "."), (*name, "commit", "-qm", "Sell")):
        subprocess.run(["git", "-C", repository, *arguments], check=True)
    return Repository.find(repository)


def test_from_the_working_tree(committed: Repository) -> None:
    assert read_sources(samples.PLANNED, None, committed) == {samples.FILE: samples.SOURCE}


def test_from_the_revision_where_the_working_tree_has_gone_on(committed: Repository) -> None:
    (committed.root / samples.FILE).write_text("# rewritten\n" + samples.SOURCE)
    assert read_sources(samples.PLANNED, None, committed) == {}
    assert read_sources(samples.PLANNED, "HEAD", committed) == {samples.FILE: samples.SOURCE}


def test_from_nowhere(committed: Repository) -> None:
    (committed.root / samples.FILE).unlink()
    assert read_sources(samples.PLANNED, None, committed) == {}
    assert read_sources(samples.PLANNED, "no-such-revision", committed) == {}


def test_decoded_as_python_does() -> None:
    assert decoded("# coding: latin-1\r\nx = 'é'\r\n".encode("latin-1")).endswith("'é'\r\n")
    assert decoded("\ufeffx = 'é'\n".encode()) == "x = 'é'\n"
    assert decoded(b"# coding: nonsense\n\xff") == "# coding: nonsense\n\ufffd"
