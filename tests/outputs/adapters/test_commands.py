"""Graders in processes of their own: the protocol, and the two kinds of witness."""

from __future__ import annotations

import asyncio
import shutil
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from redhanded.errors import UsageError
from redhanded.model.graded import Answer, Lack, WitnessKind
from redhanded.model.output import Output
from redhanded.outputs.adapters.base import NoEvidenceError, Reported
from redhanded.outputs.adapters.command import Command, GraderError, command
from redhanded.outputs.adapters.pipe import KEY, Pipe, ProtocolError
from tests.outputs.adapters.asking import accepts, answer, asked, verdicts

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node.js")

SPEAKER = """
import json, os, sys
before = None
for line in sys.stdin:
    request = json.loads(line)
    ok = request["output"].get("text", "") == request["target"]
    answer = {"id": request["id"], "nonce": request["nonce"], "verdict": ok}
    answer["witness"] = {"entered": ["grade"]}
    CHANGE
    before = answer
    print(json.dumps(answer), flush=True)
"""


def speaker(folder: Path, change: str = "pass") -> Command:
    """A grader that speaks the protocol by itself, with a line changed."""
    script = folder / "speaker.py"
    script.write_text(SPEAKER.replace("CHANGE", change))
    return command(sys.executable, str(script))


def reported(grader: Command, *texts: str, **given: Any) -> list[Reported]:
    one = asked(grader, **given)
    return [asyncio.run(one.grade(Output(text=text))) for text in texts]


def test_it_is_asked_and_read(tmp_path: Path) -> None:
    grader = speaker(tmp_path)
    assert accepts(grader, "x", target="x")
    assert not accepts(grader, "y", target="x")


def test_its_witness_is_self_reported(tmp_path: Path) -> None:
    (found,) = reported(speaker(tmp_path), "x", target="x")
    assert found.witness is WitnessKind.SELF_REPORTED
    assert [(entry.target, entry.role) for entry in found.entries] == [("grade", "grader")]
    assert asked(speaker(tmp_path)).witness is WitnessKind.SELF_REPORTED


@pytest.mark.parametrize(
    ("change", "lack"),
    [
        ("del answer['witness']", Lack.SELF_REPORT_MISSING),
        ("answer['witness'] = True", Lack.SELF_REPORT_MISSING),
        ("answer['witness'] = {}", Lack.SELF_REPORT_MISSING),
        ("answer['witness'] = {'entered': [5]}", Lack.SELF_REPORT_MISSING),
        ("answer['witness'] = {'entered': []}", Lack.NOT_ENTERED),
        (
            "answer['witness'] = {'entered': [{'target': 'l', 'role': 'upstream'}]}",
            Lack.NOT_ENTERED,
        ),
        ("del answer['nonce']", Lack.SELF_REPORT_MISSING),
        ("answer['nonce'] = '0' * 32", Lack.SELF_REPORT_MISSING),
        ("answer['id'] = 99", Lack.SELF_REPORT_MISSING),
        ("del answer['verdict']", Lack.SELF_REPORT_MISSING),
    ],
)
def test_without_a_witness_of_this_call_it_is_no_evidence(
    tmp_path: Path, change: str, lack: Lack
) -> None:
    with pytest.raises(NoEvidenceError) as refused:
        verdicts(speaker(tmp_path, change), "x", target="x")
    assert refused.value.lack is lack


def test_an_old_answer_is_no_evidence(tmp_path: Path) -> None:
    with pytest.raises(NoEvidenceError, match="isn't of this call"):
        reported(speaker(tmp_path, "answer = before or answer"), "x", "x", target="x")


@pytest.mark.parametrize(
    ("change", "pass_at", "found"),
    [
        ("answer['verdict'] = None", None, {"": Answer.ABSTAIN}),
        ("answer['score'] = 0.5", None, {"": Answer.ACCEPT}),
        ("del answer['verdict']; answer['score'] = 0.5", None, {"": Answer.SCORED}),
        ("del answer['verdict']; answer['score'] = 0.5", 0.6, {"": Answer.REJECT}),
        (
            "answer['verdicts'] = {'a': True, 'b': False}",
            None,
            {"a": Answer.ACCEPT, "b": Answer.REJECT},
        ),
        ("answer['verdict'] = 'yes'", None, {"": Answer.ERROR}),
    ],
)
def test_what_it_may_answer(
    tmp_path: Path, change: str, pass_at: float | None, found: dict[str, Answer]
) -> None:
    read = verdicts(speaker(tmp_path, change), "x", target="x", pass_at=pass_at)
    assert {key: one.answer for key, one in read.items()} == found


def test_an_error_of_the_grader_is_raised(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match="no such model"):
        verdicts(speaker(tmp_path, "answer['error'] = 'no such model'"), "x", target="x")


def test_what_it_prints_besides_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProtocolError, match="expected one JSON object on a line, found 'hello"):
        verdicts(speaker(tmp_path, "print('hello')"), "x", target="x")


def test_how_it_ended_is_told(tmp_path: Path) -> None:
    with pytest.raises(ProtocolError, match=r"\(exit status 3\): out of luck"):
        verdicts(
            speaker(tmp_path, "sys.stderr.write('out of luck'); sys.stderr.flush(); os._exit(3)"),
            "x",
            target="x",
        )


def test_it_starts_again_after_it_died(tmp_path: Path) -> None:
    change = "os._exit(3) if request['output']['text'] == 'die' else None"
    one = asked(speaker(tmp_path, change), target="x")
    with pytest.raises(ProtocolError):
        asyncio.run(one.grade(Output(text="die")))
    assert asyncio.run(one.grade(Output(text="x"))).raw is True


def test_it_starts_again_where_it_has_ended_meanwhile(tmp_path: Path) -> None:
    pipe = Pipe(speaker(tmp_path).argv, cwd=None, env={}, signed=False)
    request = {"id": 1, "nonce": "n", "output": {"text": "x"}, "target": "x"}
    assert pipe.exchange(request)["verdict"] is True
    assert pipe._process is not None
    pipe._process.kill()
    pipe._process.wait()
    assert pipe.exchange(request)["verdict"] is True
    pipe.close()


def test_no_key_is_handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "of another run")
    assert accepts(speaker(tmp_path, f"answer['verdict'] = '{KEY}' not in os.environ"), "x")


def test_a_program_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="can't be started"):
        verdicts(command("/no/such/program"), "x")
    with pytest.raises(UsageError, match="at least the name"):
        command()


def test_an_output_that_json_lacks_is_not_sent(tmp_path: Path) -> None:
    with pytest.raises(ProtocolError, match="NaN"):
        verdicts(speaker(tmp_path), Output(value=float("nan")), target="x")


def test_the_request_tells_no_phase(tmp_path: Path) -> None:
    change = "answer['verdicts'] = {key: True for key in request}"
    assert set(verdicts(speaker(tmp_path, change), "x")) == {
        "id",
        "nonce",
        "output",
        "target",
        "input",
    }


PYTHON = """
import json
print("noise while loading")

def grade(output, target):
    print("noise while grading")
    return json.loads(output) == target

def around(output):
    try:
        return json.loads(output) == 1
    except ValueError:
        return True

def early(output):
    raise RuntimeError("before the library")

async def later(text, expected):
    return {"passed": text == expected, "score": 1}

def lazy(output):
    return True

def reads_key(output):
    import os
    return not [name for name in os.environ if "WITNESS" in name]

def forger(output):
    import os
    os.write(1, b'{"id": 1, "verdict": true}')
    return True
"""


def python(folder: Path, function: str, **given: Any) -> Command:
    script = folder / "graders.py"
    script.write_text(PYTHON)
    return command.python(str(script), function, **given)


def test_the_helper_observes(tmp_path: Path) -> None:
    grader = python(tmp_path, "grade", watch=["json:loads"])
    found = reported(grader, '{"a": 1}', '{"a": 2}', target={"a": 1})
    assert [one.raw for one in found] == [True, False]
    assert {one.witness for one in found} == {WitnessKind.OBSERVED}
    assert [(one.role, one.target, one.returned) for one in found[0].entries] == [
        ("grader", "grade", True),
        ("upstream", "json:loads", {"a": 1}),
    ]


def test_what_it_watches_has_to_be_entered(tmp_path: Path) -> None:
    with pytest.raises(NoEvidenceError) as refused:
        verdicts(python(tmp_path, "lazy", watch=["json:loads"]), "x")
    assert refused.value.lack is Lack.UPSTREAM_NOT_ENTERED


def test_a_verdict_though_the_library_raised_is_not_the_librarys(tmp_path: Path) -> None:
    grader = python(tmp_path, "around", watch=["json:loads"])
    assert accepts(grader, "1")
    with pytest.raises(NoEvidenceError, match="json:loads raised") as refused:
        verdicts(grader, "{")
    assert refused.value.lack is Lack.UPSTREAM_IGNORED


def test_an_error_before_the_library_is_one(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match="before the library"):
        verdicts(python(tmp_path, "early", watch=["json:loads"]), "x")


def test_a_coroutine_and_a_new_process_for_each_call(tmp_path: Path) -> None:
    grader = python(tmp_path, "later", fresh=True)
    assert asked(grader).state == "fresh"
    assert accepts(grader, "x", target="x")
    assert not accepts(grader, "y", target="x")


def test_the_key_is_gone_before_the_grader_runs(tmp_path: Path) -> None:
    assert accepts(python(tmp_path, "reads_key"), "x")


def test_a_witness_that_the_helper_did_not_sign_is_none(tmp_path: Path) -> None:
    script = tmp_path / "speaker.py"
    script.write_text(SPEAKER.replace("CHANGE", "pass"))
    signed = Command((sys.executable, str(script)), "speaker", observed=True)
    with pytest.raises(NoEvidenceError, match="isn't the helper's"):
        verdicts(signed, "x", target="x")
    payload = "answer['witness'] = {'payload': json.dumps(answer), 'mac': 'f' * 64}"
    script.write_text(SPEAKER.replace("CHANGE", payload))
    with pytest.raises(NoEvidenceError, match="its code doesn't fit"):
        verdicts(signed, "x", target="x")


def test_an_exception_in_the_grader(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match="JSONDecodeError"):
        verdicts(python(tmp_path, "grade"), "{", target={})


NODE = """
console.log('noise while loading');
const lib = require('./lib.cjs');
const same = require('./same.cjs');
module.exports.grade = (answer, target) => {
  console.log('noise while grading');
  return lib.equal(answer, target);
};
module.exports.direct = (answer, target) => same(answer, target);
module.exports.later = async (answer, target) => ({ score: answer === target ? 1 : 0 });
module.exports.lazy = () => true;
const Checker = require('./checker.cjs');
module.exports.made = (answer, target) => Checker.strict(target).check(answer);
module.exports.boom = () => { throw new Error('no such thing'); };
module.exports.several = () => ({ a: true, b: false });
module.exports.key = () => !process.env.REDHANDED_WITNESS_KEY;
"""


CLASS = """
class Base { strip(text) { return text.trim(); } }
module.exports = class Checker extends Base {
  static strict(target) { return new module.exports(target); }
  constructor(target) { super(); this.target = target; }
  check(text) { return this.strip(text) === this.target; }
};
"""


def node(folder: Path, function: str, **given: Any) -> Command:
    (folder / "lib.cjs").write_text("module.exports.equal = (a, b) => a === b;")
    (folder / "same.cjs").write_text("module.exports = (a, b) => a === b;")
    (folder / "checker.cjs").write_text(CLASS)
    (folder / "graders.cjs").write_text(NODE)
    return command.node(str(folder / "graders.cjs"), function, **given)


@needs_node
def test_javascript(tmp_path: Path) -> None:
    for function, watch in (("grade", "./lib.cjs:equal"), ("direct", "./same.cjs")):
        grader = node(tmp_path, function, watch=[watch])
        found = reported(grader, "x", "y", target="x")
        assert [one.raw for one in found] == [True, False]
        assert {one.witness for one in found} == {WitnessKind.OBSERVED}
        assert [(one.role, one.target) for one in found[0].entries] == [
            ("grader", function),
            ("upstream", watch),
        ]
        assert len(found[1].entries) == 2


@needs_node
def test_a_class_of_javascript_keeps_its_methods(tmp_path: Path) -> None:
    grader = node(tmp_path, "made", watch=["./checker.cjs"])
    (found,) = reported(grader, " x ", target="x")
    assert found.raw is True
    assert [one.role for one in found.entries] == ["grader", "upstream"]


@needs_node
def test_javascript_that_goes_around_its_library(tmp_path: Path) -> None:
    with pytest.raises(NoEvidenceError) as refused:
        verdicts(node(tmp_path, "lazy", watch=["./lib.cjs:equal"]), "x")
    assert refused.value.lack is Lack.UPSTREAM_NOT_ENTERED


@needs_node
def test_what_javascript_may_return(tmp_path: Path) -> None:
    assert accepts(node(tmp_path, "later"), "x", target="x", pass_at=1)
    assert answer(node(tmp_path, "later"), "x", target="x") is Answer.SCORED
    assert set(verdicts(node(tmp_path, "several"), "x")) == {"a", "b"}
    assert accepts(node(tmp_path, "key"), "x")
    with pytest.raises(GraderError, match="no such thing"):
        verdicts(node(tmp_path, "boom"), "x")


@needs_node
def test_a_function_that_is_not_exported(tmp_path: Path) -> None:
    with pytest.raises(ProtocolError, match="exports no function nothing"):
        verdicts(node(tmp_path, "nothing"), "x")


def test_names(tmp_path: Path) -> None:
    assert asked(python(tmp_path, "grade")).name == "command:python graders.py:grade"
    assert asked(command("node", "grader.js")).name == "command:node grader.js"


def test_an_upstream_in_this_process_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="can't be seen in another process"):
        asked(python(tmp_path, "grade"), upstream="json:loads")


def test_the_documented_grader_works(tmp_path: Path) -> None:
    """The example at the end of the protocol's page, as it stands there."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("there is no Node.js")
    page = Path(__file__).parents[3] / "docs" / "grader-protocol.md"
    source = page.read_text().rpartition("```js\n")[2].partition("```")[0]
    (tmp_path / "grader.js").write_text(textwrap.dedent(source))
    grader = command(program, str(tmp_path / "grader.js"))
    assert accepts(grader, "Paris", target="Paris")
    assert not accepts(grader, "Rome", target="Paris")
