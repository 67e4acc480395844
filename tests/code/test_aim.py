"""How much is mutated where nobody says."""

from __future__ import annotations

from pathlib import Path

import pytest

from redhanded.code import aim
from tests.engine.changes import load_all
from tests.engine.test_changes import measure

CASES = {case.name: case for case in load_all()}


def test_a_scope_that_new_tests_choose_is_sampled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aim, "SELF_SELECTED", 2)
    plan = measure(CASES["tests_only"], tmp_path).plan
    assert plan.mutants == 2
    assert plan.sampled_from is not None
    assert plan.sampled_from > 2


def test_a_scope_that_the_change_gives_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aim, "SELF_SELECTED", 1)
    plan = measure(CASES["added_pragma"], tmp_path).plan
    assert plan.mutants > 1
    assert plan.sampled_from is None
