"""A tiny repository with one change, for the tool that runs redhanded on real ones."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bench.changes.subjects import Change, Suite

BASE: Final = {
    "fare.py": "def fare(age):\n    return 2 if age < 6 else 5\n",
    "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef adult():\n    return 40\n",
    "tests/test_fare.py": "from fare import fare\n\n\ndef test_adult(adult):\n"
    "    assert fare(adult) == 5\n",
    "tests/test_gone.py": "from fare import fare\n\n\ndef test_child():\n    assert fare(3) == 2\n",
    "pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
    "README.md": "old\n",
}
HEAD: Final[dict[str, str | None]] = {
    "fare.py": "def fare(age):\n    if age > 65: return 3\n    return 2 if age < 6 else 5\n",
    "zones.txt": "three\n",
    # Blunts the old test.
    "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef adult():\n"
    "    pytest.skip('not today')\n",
    "tests/test_senior.py": "from fare import fare\n\n\ndef test_senior():\n"
    "    assert fare(70) == 3\n",
    "tests/test_gone.py": None,
    "pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = ["tests"]\naddopts = "-v"\n',
    "README.md": "new\n",
}


def make(clones: Path) -> Change:
    """Make ``tiny`` in a folder of clones."""
    place = clones / "tiny"
    place.mkdir(parents=True)
    _git(place, "init", "--quiet")
    _commit(place, BASE)
    commit = _commit(place, HEAD)
    return Change(Suite("nobody/tiny", (".",), (), {}), commit, "named")


def _commit(place: Path, files: Mapping[str, str | None]) -> str:
    for name, text in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.unlink()
        else:
            path.write_text(text, encoding="utf-8")
    _git(place, "add", "--all")
    _git(place, "commit", "--quiet", "--message", "A commit")
    return _git(place, "rev-parse", "HEAD")


def _git(place: Path, *arguments: str) -> str:
    nobody = {
        "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "nobody", "GIT_AUTHOR_EMAIL": "nobody",
        "GIT_COMMITTER_NAME": "nobody", "GIT_COMMITTER_EMAIL": "nobody",
    }  # fmt: skip
    ended = subprocess.run(
        ["git", "-C", str(place), *arguments], env={**os.environ, **nobody}, check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    return ended.stdout.strip()
