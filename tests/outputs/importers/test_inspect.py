"""Tasks and logs of Inspect as their users have them, with nobody's declarations added."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from redhanded.errors import UsageError
from redhanded.model.graders import MemorySink
from redhanded.model.sink import Silent
from redhanded.outputs.catalogue import chosen
from redhanded.outputs.options import Options
from redhanded.outputs.runner import run
from redhanded.outputs.suites import Suite, load
from tests.outputs.adapters.asking import need

need("inspect_ai.scorer")

TASKS = """
from inspect_ai import Task, task
from inspect_ai.dataset import Sample, json_dataset
from inspect_ai.scorer import (
    Score, Target, accuracy, answer, choice, includes, match, mean, pattern, scorer
)
from inspect_ai.solver import generate, multiple_choice


@task
def capitals():
    return Task(
        dataset=[
            Sample(input="Capital of France?", target="Paris"),
            Sample(input="Of Japan?", target=["Tokyo", "Edo"], id="japan"),
        ],
        solver=generate(),
        scorer=[includes(), match()],
    )


@task
def sums(level: int = 1):
    return Task(dataset=json_dataset("sums.jsonl"), scorer=match(numeric=True))


@task
def quiz():
    sample = Sample(input="A prime?", choices=["4", "6", "7"], target="C")
    return Task(dataset=[sample], solver=multiple_choice(), scorer=choice())


@task
def tagged():
    return Task(
        dataset=[Sample(input="2+2?", target="4")], scorer=pattern("<answer>(.*?)</answer>")
    )


@task
def lined():
    return Task(dataset=[Sample(input="2+2?", target="4")], scorer=answer("line"))


@scorer(metrics=[accuracy()])
def mentions():
    async def score(state, target):
        words = state.metadata.get("words", [])
        text = state.output.completion
        right = all(word in text for word in words) and target.text in text
        return Score(value="C" if right else "I")
    return score


@scorer(metrics={"*": [mean()]})
def rubric():
    async def score(state, target):
        text = state.output.completion
        return Score(value={"brief": len(text) < 99, "right": target.text in text})
    return score


@task
def own():
    return Task(
        dataset=[
            Sample(input="Who?", target="Shakespeare", metadata={"words": ["Shakespeare"]}),
            Sample(input="No target here"),
        ],
        scorer=[mentions(), rubric()],
    )


@task
def of_a_file(path):
    return Task(dataset=[Sample(input=path, target="x")], scorer=includes())
"""


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    return _write(tmp_path)


def _write(folder: Path) -> Path:
    (folder / "sums.jsonl").write_text(
        '{"input": "12 * 12?", "target": "144"}\n{"input": "1,000 + 234?", "target": "1234"}\n'
    )
    path = folder / "evals.py"
    path.write_text(TASKS)
    return path


def _code(suite: Suite) -> dict[str, str]:
    return {case.id: case.right.code() for case in suite.cases}


def _left(suite: Suite) -> set[tuple[str | None, str]]:
    return {(one.case or one.name, one.code) for one in suite.untested}


def test_each_sample_with_each_scorer_and_a_contract_from_its_target(tasks: Path) -> None:
    suite = load(str(tasks))
    assert _code(suite) == {
        "capitals:1:includes": "rh.answer('Paris')",
        "capitals:1:match": "rh.answer('Paris')",
        "capitals:japan:includes": "rh.answer('Tokyo', aliases=['Edo'])",
        "capitals:japan:match": "rh.answer('Tokyo', aliases=['Edo'])",
        "sums:1:match": "rh.number(144)",
        "sums:2:match": "rh.number(1234)",
        "quiz:1:choice": "rh.choice('C', options={'A': '4', 'B': '6', 'C': '7'})",
        "lined:1:answer": "rh.number(4)",
        "own:1:mentions": "rh.answer('Shakespeare')",
        "own:1:rubric": "rh.answer('Shakespeare')",
    }
    assert all(case.derived for case in suite.cases)
    by_id = {case.id: case for case in suite.cases}
    assert by_id["lined:1:answer"].good.text == "ANSWER: 4"
    assert by_id["own:1:mentions"].hints["metadata"] == {"words": ["Shakespeare"]}
    assert by_id["capitals:1:match"].group == "capitals:1"
    assert by_id["quiz:1:choice"].group is None


def test_what_is_not_tested_is_listed_with_its_reason(tasks: Path) -> None:
    suite = load(str(tasks))
    assert _left(suite) >= {
        ("tagged:1:pattern", "no_reference"),
        ("own:2:mentions", "no_reference"),
        ("own:2:rubric", "no_reference"),
        ("of_a_file", "not_made"),
    }
    reasons = {one.case or one.name: one.reason for one in suite.untested}
    assert "stands in a frame" in reasons["tagged:1:pattern"]
    assert "without arguments" in reasons["of_a_file"]


def test_one_task_by_name(tasks: Path) -> None:
    assert set(_code(load(f"{tasks}@quiz"))) == {"quiz:1:choice"}
    with pytest.raises(UsageError, match="the task can't be made: TypeError"):
        load(f"{tasks}@of_a_file")


def test_findings_from_a_task(tasks: Path) -> None:
    suite = load(f"{tasks}@sums")
    options = Options(operators=chosen(None, ()), untested=suite.untested)
    result = run(suite.cases, options, MemorySink(), Silent())
    assert {hole.kind.value for hole in result.holes} == {"blind"}
    assert "negated-answer" in {hole.operator for hole in result.holes}
    assert result.inventory.contracts == _code(suite)
    assert result.ledger.balanced
    assert not {"error", "incomplete"} & set(result.tally)


# Logs

MAKE = """
import inspect_ai, evals
from inspect_ai.model import ModelOutput, ModelUsage, get_model

SAYS = {
    "capitals": ["The capital is Paris.", "Kyoto"],
    "sums": ["12*12 makes 144", "The result is 1,234."],
    "own": ["Shakespeare", "Marlowe"],
    "tagged": ["It is <answer>4</answer>"],
}

def output(text):
    made = ModelOutput.from_content("mockllm/model", text)
    # Else tokens are counted, with a vocabulary from the net.
    made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return made

for name, form in [("capitals", "eval"), ("capitals", "json"), ("sums", "eval"),
                   ("own", "json"), ("tagged", "json")]:
    model = get_model("mockllm/model", custom_outputs=list(map(output, SAYS[name])))
    task = getattr(evals, name)()
    ran = inspect_ai.eval(task, model=model, log_dir=f"{name}-{form}", log_format=form,
                          display="none")
    assert ran[0].status == "success", ran[0].error
"""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs of tasks that a mock model answered, made in a process of their own."""
    folder = tmp_path_factory.mktemp("logs")
    _write(folder)
    made = subprocess.run(
        [sys.executable, "-c", MAKE], cwd=folder, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr[-2000:]
    return folder


def _log(folder: Path, name: str) -> str:
    return str(next((folder / name).iterdir()))


@pytest.mark.parametrize("form", ["eval", "json"])
def test_a_log_gives_what_was_marked_correct(logs: Path, form: str) -> None:
    suite = load(_log(logs, f"capitals-{form}"))
    assert {case.id: case.good.text for case in suite.cases} == {
        "capitals:1:includes": "The capital is Paris.",
        "capitals:1:match": "The capital is Paris.",
    }


def test_words_that_no_contract_judges_give_way_to_the_target(logs: Path) -> None:
    suite = load(_log(logs, "sums-eval"))
    assert {case.id: case.good.text for case in suite.cases} == {
        "sums:1:match": "144",
        "sums:2:match": "The result is 1,234.",
    }
    (note,) = suite.notes
    assert "the target alone is the reference in 1 of 2 cases, such as sums:1:match" in note


def test_a_score_of_several_values_and_a_sample_without_target(logs: Path) -> None:
    suite = load(_log(logs, "own-json"))
    assert set(_code(suite)) == {"own:1:mentions", "own:1:rubric"}


def test_a_frame_in_a_log_that_no_contract_judges(logs: Path) -> None:
    suite = load(_log(logs, "tagged-json"))
    assert _left(suite) == {("tagged:1:pattern", "no_contract")}
    assert "calls the reference right" in suite.untested[0].reason


def test_what_is_no_log(tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    path.write_text("nothing")
    with pytest.raises(UsageError, match="expected a log of Inspect"):
        load(str(path))
    odd = tmp_path / "x.json"
    odd.write_text(json.dumps({"a": 1}))
    with pytest.raises(UsageError, match="expected a Python file"):
        load(str(odd))
