"""Datasets of pydantic-evals: in Python, and in a file of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redhanded.errors import UsageError
from redhanded.outputs.suites import Suite, load
from tests.outputs.adapters.asking import need

need("pydantic_evals")

YAML = """\
# yaml-language-server: $schema=capitals_schema.json
name: capitals
cases:
- name: france
  inputs: What is the capital of France?
  metadata:
    level: easy
  expected_output: Paris
  evaluators:
  - Contains: Paris
  - Polite
- name: japan
  inputs: What is the capital of Japan?
  expected_output: Tokyo
- name: open
  inputs: Say something.
evaluators:
- EqualsExpected
- IsInstance: str
- OwnJudge:
    strict: true
- LLMJudge: Is it kind?
"""

PYTHON = """
from dataclasses import dataclass

from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import Contains, EqualsExpected, Evaluator, EvaluatorContext


@dataclass
class Polite(Evaluator):
    def evaluate(self, ctx: EvaluatorContext) -> bool:
        return "please" not in str(ctx.output)


dataset = Dataset(
    name="capitals",
    cases=[
        Case(name="france", inputs="Capital of France?", expected_output="Paris",
             evaluators=(Contains("Paris"),)),
        Case(name="data", inputs="As data", expected_output={"city": "Paris", "n": 1}),
    ],
    evaluators=[EqualsExpected(), Polite()],
)
"""


def _code(suite: Suite) -> dict[str, str]:
    return {case.id: case.right.code() for case in suite.cases}


def test_a_dataset_of_a_python_file(tmp_path: Path) -> None:
    path = tmp_path / "evals.py"
    path.write_text(PYTHON)
    assert _code(load(str(path))) == {
        "dataset:france:EqualsExpected": "rh.answer('Paris')",
        "dataset:france:Polite": "rh.answer('Paris')",
        "dataset:france:Contains": "rh.answer('Paris')",
        "dataset:data:EqualsExpected": "rh.json(values={'': {'city': 'Paris', 'n': 1}})",
        "dataset:data:Polite": "rh.json(values={'': {'city': 'Paris', 'n': 1}})",
    }


@pytest.mark.parametrize("form", ["yaml", "yml", "json"])
def test_a_dataset_in_a_file(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"capitals.{form}"
    if form == "json":
        import yaml  # type: ignore[import-untyped]

        path.write_text(json.dumps({"$schema": "x.json", **yaml.safe_load(YAML)}))
    else:
        path.write_text(YAML)
    suite = load(str(path))
    assert set(_code(suite)) == {
        *(f"capitals:france:{one}" for one in ("EqualsExpected", "IsInstance", "Contains")),
        *(f"capitals:japan:{one}" for one in ("EqualsExpected", "IsInstance")),
        *(f"capitals:{one}:LLMJudge" for one in ("france", "japan")),
    }
    left = {(one.name, one.code, one.case) for one in suite.untested}
    assert left >= {
        ("OwnJudge", "not_loaded", None),
        ("Polite", "not_loaded", "france"),
        ("EqualsExpected", "no_reference", "capitals:open:EqualsExpected"),
    }


@pytest.mark.parametrize("text", ["- 1\n- 2\n", "cases: 5\n", "{", "cases:\n- a: 1\n"])
def test_what_is_no_dataset_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text(text)
    with pytest.raises(UsageError, match="expected a dataset of pydantic-evals"):
        load(str(path))
