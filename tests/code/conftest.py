from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.repos import Repo

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """An empty git repository."""
    return Repo(tmp_path / "repo")
