"""What the result tells of tests that are no judges."""

from __future__ import annotations

from pathlib import Path

from tests.engine.cases import load
from tests.engine.test_projects import measure

PROJECTS = Path(__file__).resolve().parent.parent / "projects"


def test_a_skipped_test_says_why(tmp_path: Path) -> None:
    result, _ = measure(load(PROJECTS / "unittest_suite"), tmp_path)
    assert {test.reason for test in result.tests if test.control == "skipped"} == {"never runs"}
