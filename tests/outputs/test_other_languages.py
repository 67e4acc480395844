"""A grader that isn't Python, through a whole run: what its own word is worth."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import redhanded as rh
from redhanded.model.graded import Lack, OutputOutcome, WitnessKind
from redhanded.model.graders import GradersResult, MemorySink
from redhanded.model.sink import Silent
from redhanded.outputs.catalogue import chosen
from redhanded.outputs.options import Options
from redhanded.outputs.runner import run

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="there is no Node.js")

SCRIPT = """
const lines = require('readline').createInterface({ input: process.stdin });
let before = null;
lines.on('line', (line) => {
  const { id, nonce, output, target } = JSON.parse(line);
  const verdict = output.text.toLowerCase().includes(target.toLowerCase());
  let answer = { id, nonce, verdict, witness: { entered: ['grade'] } };
  const asked = answer;
  CHANGE;
  before = asked;
  if (answer) console.log(JSON.stringify(answer));
});
"""


def ran(folder: Path, change: str = "", timeout: float = 30.0) -> GradersResult:
    """What comes of a grader that looks for the target in the text."""
    (folder / "grader.cjs").write_text(SCRIPT.replace("CHANGE", change))
    case = rh.case(
        rh.command("node", str(folder / "grader.cjs")), good="Paris", target="Paris", id="capital"
    )
    options = Options(operators=chosen(("negated-answer", "blank-output"), ()), timeout=timeout)
    return run([case], options, MemorySink(), Silent())


def test_its_holes_are_found_on_its_own_word(tmp_path: Path) -> None:
    result = ran(tmp_path)
    assert "negated-answer" in {hole.operator for hole in result.holes}
    assert result.ledger.balanced
    (grader,) = result.inventory.graders
    assert grader.witness is WitnessKind.SELF_REPORTED
    assert result.inventory.contracts == {"capital": "rh.answer('Paris')"}


@pytest.mark.parametrize(
    ("change", "lack"),
    [
        ("delete answer.witness", Lack.SELF_REPORT_MISSING),
        ("delete answer.nonce", Lack.SELF_REPORT_MISSING),
        ("delete answer.id", Lack.SELF_REPORT_MISSING),
        ("if (before) answer = before", Lack.SELF_REPORT_MISSING),
        ("if (before) answer = { ...answer, nonce: before.nonce }", Lack.SELF_REPORT_MISSING),
        ("answer.witness.entered = []", Lack.NOT_ENTERED),
        ("answer.witness.entered = [{ target: 'x', role: 'upstream' }]", Lack.NOT_ENTERED),
    ],
)
def test_without_a_witness_of_the_call_no_row_counts(
    tmp_path: Path, change: str, lack: Lack
) -> None:
    result = ran(tmp_path, change)
    asked = [row for row in result.rows if row.outcome is not OutputOutcome.NOT_APPLICABLE]
    assert {row.outcome for row in asked} == {OutputOutcome.INCOMPLETE}
    assert lack in {row.lack for row in asked}
    assert not result.holes
    assert result.exit_code == 5


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("if (before) process.exit(3)", "exit status 3"),
        ("if (before) answer = null", "hung: no answer within 1 s"),
        ("if (before) { console.log('not json'); answer = null }", "expected one JSON object"),
        ("if (before) throw new Error('no such thing')", "no such thing"),
        ("if (before) answer = { id, nonce, error: 'beyond me', witness: answer.witness }",
         "beyond me"),
    ],
)  # fmt: skip
def test_what_goes_wrong_in_it_is_its_row_s_error(tmp_path: Path, change: str, says: str) -> None:
    result = ran(tmp_path, change, timeout=1.0)
    asked = [row for row in result.rows if row.outcome is not OutputOutcome.NOT_APPLICABLE]
    assert asked
    assert {str(row.outcome) for row in asked} <= {"error", "incomplete", "missed", "caught"}
    assert any(says in row.note for row in asked), asked[0].note
    assert result.ledger.balanced
