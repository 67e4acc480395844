"""``graders``: a suite goes in, holes come out, and how that ends."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest

from redhanded.evidence.graders import read_rows, read_run
from redhanded.evidence.home import latest_run
from redhanded.evidence.schema import schema
from tests.cli.conftest import Invoke, Outcome

SUITE = """\
import redhanded as rh


def says_paris(text):
    return "paris" in text.lower()


def is_paris(text):
    return text.strip().lower() == "paris"


suite = [rh.case(says_paris, good="Paris", right=rh.answer("Paris"), id="capital")]
strict = [rh.case(is_paris, good="Paris", right=rh.exact("Paris", ignore=("case",)), id="city")]
red = [rh.case(is_paris, good="Rome", right=rh.answer("Rome"), id="other")]
"""
NEGATED = "blind capital/negated-answer/answer_not"


@pytest.fixture
def suite(repository: Path) -> Iterator[Path]:
    path = repository / "evals.py"
    path.write_text(SUITE)
    before, modules = list(sys.path), set(sys.modules)
    yield path
    sys.path[:] = before
    for name in set(sys.modules) - modules:
        if name == "evals" or name.startswith("_redhanded_suite"):
            del sys.modules[name]


def ask(invoke: Invoke, *more: str, operators: str = "negated-answer,blank-output") -> Outcome:
    return invoke("graders", "evals.py", "--operators", operators, "-q", *more)


def test_holes_are_shown_and_fail_the_run(invoke: Invoke, suite: Path) -> None:
    done = invoke("graders", "evals.py", "--operators", "negated-answer,blank-output")
    assert done.code == 1, done.stderr
    assert done.stdout.startswith("redhanded graders: evals.py\n1 case, 1 grader, ")
    assert "Holes        7: 7 blind\n" in done.stdout
    assert "    case       capital, answer_not\n" in done.stdout
    assert "    reference  Paris\n" in done.stdout
    assert "    accepted   The answer is definitely not Paris.\n" in done.stdout
    assert "    happened   " in done.stdout
    assert "Canaries     4 of 4 passed" in done.stdout


def test_a_grader_without_holes_passes(invoke: Invoke, suite: Path) -> None:
    done = invoke("graders", "evals.py@strict", "--operators", "negated-answer,letter-case")
    assert done.code == 0, done.stdout + done.stderr
    assert "Holes        none found\n" in done.stdout
    assert invoke("graders", "evals.py:strict", "--operators", "letter-case", "-q").code == 0


def test_the_run_is_kept_and_shown_again(invoke: Invoke, suite: Path, repository: Path) -> None:
    done = invoke("graders", "evals.py", "--operators", "negated-answer")
    result, folder = read_run(latest_run(repository))
    assert len(result.holes) == 7
    assert result.rows == ()
    assert {row.outcome for row in read_rows(folder)} == {"missed"}
    again = invoke("show")
    assert again.code == 0
    assert again.stdout == done.stdout


def test_it_is_kept_where_it_is_told_and_outside_a_repository(
    invoke: Invoke, suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(invoke, "--out", str(tmp_path / "kept"))
    assert read_run(tmp_path / "kept")[0].exit_code == 1
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    (elsewhere / "evals.py").write_text(SUITE)
    assert ask(invoke).code == 1
    assert latest_run(elsewhere).is_dir()
    assert invoke("show", "-q").stdout.startswith("redhanded graders: evals.py\n")


def test_json_is_all_of_it_and_fits_the_schema(invoke: Invoke, suite: Path) -> None:
    done = invoke("graders", "evals.py", "--operators", "negated-answer", "--json")
    found = json.loads(done.stdout)
    jsonschema.Draft202012Validator(json.loads(json.dumps(schema("graders")))).validate(found)
    assert {hole["case"] for hole in found["holes"]} == {"capital"}
    hole = found["holes"][0]
    assert hole["kind"] == "blind"
    assert hole["grader"] == "python:says_paris"
    assert (hole["operator"], hole["defect_class"]) == ("negated-answer", "negation")
    assert hole["reference"] == {"text": "Paris"}
    assert hole["output"]["text"]
    assert hole["basis"] == "construction"
    assert hole["claim_source"] == "contract"
    assert len(found["rows"]) == 7
    assert found["scores"][0]["detection"] == {
        "k": 0, "n": 1, "value": 0.0, "low": None, "high": None
    }  # fmt: skip
    assert found["ledger"]["calls"] == found["ledger"]["control"] + 7 + found["ledger"]["probe"]
    assert len(found["canaries"]) == 4
    assert found["inventory"]["graders"][0]["name"] == "python:says_paris"
    assert "Holes        7: 7 blind" in done.stderr
    assert invoke("show", "--json", "-q").stdout == done.stdout


def test_rows_and_calls_fit_their_schemas(invoke: Invoke, suite: Path, repository: Path) -> None:
    ask(invoke)
    folder = latest_run(repository)
    for name, file in (("graders-row", "rows.jsonl"), ("graders-call", "calls.jsonl")):
        validator = jsonschema.Draft202012Validator(json.loads(json.dumps(schema(name))))
        lines = (folder / file).read_text().splitlines()
        assert lines
        for line in lines:
            validator.validate(json.loads(line))


def test_markdown(invoke: Invoke, suite: Path, repository: Path) -> None:
    ask(invoke, "--markdown", "report.md")
    text = (repository / "report.md").read_text()
    assert text.startswith("## redhanded graders: evals.py\n")
    assert "- Paris\n+ The answer is definitely not Paris.\n" in text
    assert invoke("show", "--markdown").stdout == text


def test_each_hole_is_a_test_that_fails(
    invoke: Invoke, suite: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = ask(invoke, "--as-tests")
    names: dict[str, object] = {}
    exec(compile(done.stdout, "tests", "exec"), names)
    tests = [value for name, value in names.items() if name.startswith("test_")]
    assert len(tests) == 7
    for test in tests:
        with pytest.raises(AssertionError):
            test()  # type: ignore[operator]
    assert invoke("show", "--as-tests", "-q").stdout == done.stdout
    fixed = SUITE.replace('"paris" in text.lower()', 'text.strip().lower() == "paris"')
    suite.write_text(fixed)
    for test in tests:
        test()  # type: ignore[operator]


def test_a_plan_asks_nothing(invoke: Invoke, suite: Path, repository: Path) -> None:
    suite.write_text(SUITE.replace("return", "open('asked', 'w').close()\n    return", 1))
    done = invoke("graders", "evals.py", "--operators", "negated-answer", "--plan")
    assert done.code == 0
    assert "1 case, 1 grader, 7 outputs to plant, 9 to 18 calls\n" in done.stdout
    assert "  capital  negated-answer 7\n" in done.stdout
    found = json.loads(
        invoke("graders", "evals.py", "--operators", "negated-answer", "--plan", "--json",
               "--repeats", "5").stdout
    )  # fmt: skip
    assert (found["outputs"], found["least"], found["most"]) == (7, 9, 82)
    assert "capital/negated-answer/answer_not" in found["cases"][0]["rows"]
    assert not (repository / "asked").exists()
    assert not (repository / ".redhanded").exists()


def test_a_red_control_is_a_4(invoke: Invoke, suite: Path) -> None:
    done = invoke("graders", "evals.py@red", "--operators", "blank-output")
    assert done.code == 4
    assert "red_control" in done.stdout
    assert "the grader doesn't accept the reference" in " ".join(done.stdout.split())


def test_options_reach_the_run(
    invoke: Invoke, suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from redhanded.outputs import runner

    asked = []
    real = runner.run

    def spy(cases, options, sink, progress):  # type: ignore[no-untyped-def]
        asked.append((len(cases), options))
        return real(cases, options, sink, progress)

    monkeypatch.setattr(runner, "run", spy)
    many = SUITE + "suite = rh.cases(is_paris, [{'good': 'Paris', 'target': 'Paris'}] * 9)\n"
    suite.write_text(many)
    invoke("graders", "evals.py", "--max-cases", "4", "--repeats", "3", "--timeout", "7",
           "-j", "2", "--operators", "floor")  # fmt: skip
    ((cases, options),) = asked
    assert cases == 4
    assert (options.repeats, options.timeout, options.jobs) == (3, 7.0, 2)
    assert {one.id for one in options.operators} == {"blank-output", "garbage-output"}
    assert not options.keep_rows


# What excuses a hole


def test_a_baseline_excuses_what_it_has(invoke: Invoke, suite: Path, tmp_path: Path) -> None:
    ask(invoke, "--out", str(tmp_path / "before"))
    done = ask(invoke, "--baseline", str(tmp_path / "before"))
    assert done.code == 0, done.stdout
    assert "Gate         7 holes of the baseline; passed" in done.stdout
    more = ask(invoke, "--baseline", str(tmp_path / "before"), operators="negated-answer,defect")
    assert more.code == 1
    assert "failed: nothing excuses" in more.stdout


def test_what_the_baseline_had_and_is_gone_is_told(
    invoke: Invoke, suite: Path, tmp_path: Path
) -> None:
    ask(invoke, "--out", str(tmp_path / "before"))
    done = ask(invoke, "--baseline", str(tmp_path / "before"), operators="blank-output")
    assert "Gate         0 holes of the baseline, 7 of its holes are gone; passed" in done.stdout


def test_a_baseline_saves_no_red_control(invoke: Invoke, suite: Path, tmp_path: Path) -> None:
    ask(invoke, "--out", str(tmp_path / "before"))
    done = invoke("graders", "evals.py@red", "--baseline", str(tmp_path / "before"))
    assert done.code == 4


def test_waivers(invoke: Invoke, suite: Path, repository: Path) -> None:
    waivers = repository / "waivers.toml"
    waivers.write_text(
        '[[waiver]]\noperator = "negated-*"\nreason = "asked of a person"\nexpires = 2999-12-31\n'
    )
    done = invoke(
        "graders", "evals.py", "--operators", "negated-answer", "--waivers", "waivers.toml"
    )
    assert done.code == 0
    assert "Gate         7 holes waived; passed" in done.stdout
    assert "    waived     asked of a person (until 2999-12-31)" in done.stdout
    found = json.loads(invoke("show", "--json", "-q").stdout)
    assert found["gate"]["waived"][NEGATED] == "asked of a person (until 2999-12-31)"
    assert found["exit_code"] == 0


def test_a_waiver_of_one_hole_and_one_that_is_over(
    invoke: Invoke, suite: Path, repository: Path
) -> None:
    waivers = [
        {"hole": NEGATED, "reason": "known", "expires": "2999-01-01"},
        {"case": "capital", "reason": "for a while", "expires": "2001-01-01"},
        {"case": "nowhere", "reason": "typo", "expires": "2999-01-01"},
    ]
    (repository / "w.json").write_text(json.dumps({"waiver": waivers}))
    done = invoke("graders", "evals.py", "--operators", "negated-answer", "--waivers", "w.json")
    assert done.code == 1
    assert "Gate         1 hole waived; failed: nothing excuses 6 holes" in done.stdout
    assert "the waiver of case capital expired on 2001-01-01: for a while" in done.stdout
    assert "the waiver of case nowhere fits no hole: take it out" in done.stdout


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("waiver = 3", "expected a list named waiver"),
        ("[[waiver]]\ncase = 'a'\nexpires = 2030-01-01", "waiver 1: Object missing required"),
        ("[[waiver]]\ncase = 'a'\nreason = 'b'", "waiver 1: Object missing required"),
        ("[[waiver]]\ncase = 'a'\nreason = ' '\nexpires = 2030-01-01", "expected a reason"),
        ("[[waiver]]\nreason = 'b'\nexpires = 2030-01-01", "expected what it waives"),
        ("[[waiver]]\ncsae = 'a'\nreason = 'b'\nexpires = 2030-01-01", "csae"),
        ("[[waiver]", "w.toml: "),
    ],
)
def test_odd_waivers_are_refused(
    invoke: Invoke, suite: Path, repository: Path, text: str, told: str
) -> None:
    (repository / "w.toml").write_text(text)
    done = ask(invoke, "--waivers", "w.toml")
    assert done.code == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


# What is no suite


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("gone.py", None, "expected a suite, found no file 'gone.py'"),
        ("s.py", "def f(:\n", "s.py:1: SyntaxError"),
        ("s.py", "\nimport nothing_of_this_name\n", "s.py:2: ModuleNotFoundError"),
        ("s.py", "import nothing_of_this_name\n", "install redhanded into the one that has"),
        ("s.py", "raise SystemExit(3)\n", "s.py:1: SystemExit: 3"),
        ("s.py", "x = 1\n", "s.py: expected cases, found none"),
        ("s.py", "suite = []\n", "s.py: expected cases, found none"),
        ("s.py", "suite = 3\n", "s.py: suite: expected a list of cases, found int"),
        ("s.py@other", "suite = []\n", "expected a suite, task or dataset named other"),
        ("s.jsonl", "", "s.jsonl: expected cases, found none"),
        ("s.jsonl", "\n{\n", "s.jsonl:2: expected one JSON object"),
        ("s.jsonl", '{"grader": "no_such_module_:f", "good": "a"}\n', "s.jsonl:1: grader"),
        ("s.jsonl", "\udcff", "s.jsonl: expected text in UTF-8"),
        (".", None, "expected a suite, found the folder ."),
        ("s.txt", "a\n", "expected a Python file, .jsonl"),
    ],
)
def test_what_is_no_suite_is_refused(
    invoke: Invoke, suite: Path, repository: Path, name: str, text: str | None, told: str
) -> None:
    if text is not None:
        data = text.encode("utf-8", "surrogateescape")
        (repository / name.partition("@")[0]).write_bytes(data)
    done = invoke("graders", name)
    assert done.code == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert not (repository / ".redhanded").exists()
    sys.modules.pop("s", None)


def test_no_operators_of_that_name(invoke: Invoke, suite: Path) -> None:
    done = ask(invoke, operators="nonsense")
    assert done.code == 2
    assert "`redhanded operators --outputs` lists them" in done.stderr
    assert ask(invoke, operators="").code == 2


def test_one_form_on_stdout(invoke: Invoke, suite: Path) -> None:
    assert ask(invoke, "--json", "--as-tests").code == 2
    ask(invoke)
    assert invoke("show", "--json", "--markdown").code == 2


def test_an_interrupt_keeps_what_is_done(
    invoke: Invoke, suite: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from redhanded.outputs import runner

    def stopped(cases, options, sink, progress):  # type: ignore[no-untyped-def]
        sink.case([], [])
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "run", stopped)
    done = ask(invoke)
    assert done.code == 130
    assert "the rows of the cases that were done are in" in done.stderr
    shown = invoke("show")
    assert shown.code == 3
    assert "was interrupted" in shown.stderr


def test_a_bug_is_told_as_one(
    invoke: Invoke, suite: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from redhanded.outputs import runner

    def broken(cases, options, sink, progress):  # type: ignore[no-untyped-def]
        raise ValueError("odd")

    monkeypatch.setattr(runner, "run", broken)
    done = ask(invoke)
    assert done.code == 70
    assert "this is a bug in redhanded" in done.stderr


def test_operators_of_outputs(invoke: Invoke) -> None:
    done = invoke("operators", "--outputs")
    assert done.code == 0
    assert "  negated-answer  The answer, said not to be it" in done.stdout
    found = json.loads(invoke("operators", "--outputs", "--json").stdout)
    one = next(each for each in found if each["name"] == "negated-answer")
    assert one["planted"] == "defect"
    assert one["provenance"][0]["where"]
