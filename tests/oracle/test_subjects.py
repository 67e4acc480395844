"""The list of subjects, and mutants drawn for one."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path

import pytest

from bench.oracle.errors import RefusedError
from bench.oracle.mutant import mutated, read_mutants
from bench.oracle.subjects import choose, plan, read_subjects
from bench.oracle.tree import copy
from tests.oracle import parcels


def test_a_version_of_python_may_have_versions_of_its_own() -> None:
    new, old = read_subjects("3.12"), read_subjects("3.10")
    assert [one.name for one in new] == [one.name for one in old]
    differ = [(a.distribution, a.version, b.version) for a, b in zip(new, old, strict=True)
              if a.version != b.version]  # fmt: skip
    assert differ == [("humanize", "4.17.0", "4.16.0")] * 2
    assert [one.name for one in old if not one.requires_python] == ["cachetools"]
    assert {(one.cap, one.seed) for one in new} == {(300, 0)}


def test_an_unknown_subject_is_refused() -> None:
    assert [one.name for one in choose("3.12", ["cachetools"])] == ["cachetools"]
    with pytest.raises(RefusedError, match="found nobody"):
        choose("3.12", ["nobody"])


def test_a_plan_is_a_sample_of_mutants_that_fit(tmp_path: Path) -> None:
    subject = dataclasses.replace(
        choose("3.12", ["cachetools"])[0], distribution="parcels", version="1",
        files=(parcels.FILE,), cap=5,
    )  # fmt: skip
    copy(parcels.PROJECT, subject.tree(tmp_path), {})
    available = plan(subject, tmp_path, Path(sys.executable), tmp_path / "plan")
    mutants = read_mutants(tmp_path / "plan" / "mutants.jsonl")
    assert len(mutants) == 5 < available
    told = json.loads((tmp_path / "plan" / "sample.json").read_text(encoding="utf-8"))
    assert told == {"available": available, "cap": 5, "seed": 0}
    text = (parcels.PROJECT / parcels.FILE).read_bytes()
    assert all(mutated(text, mutant) != text for mutant in mutants)
