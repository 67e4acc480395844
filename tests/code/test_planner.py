from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from redhanded.code.given import Given
from redhanded.code.planner import (
    Plan,
    Wanted,
    ask_worker,
    describe_python,
    find_python,
    make_plan,
    operators,
    sample,
    set_digest,
)
from redhanded.errors import RedhandedError, UsageError
from redhanded.model.mutant import Mutant, Position
from redhanded.model.result import Scope

PYTHON = Path(sys.executable)
SCOPE = Scope("paths", "named", True)
SOURCE = "def f(a, b):\n    if a < b:\n        return a + b\n    return a - b\n"


def program(folder: Path, name: str, script: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


# Interpreters


def test_the_interpreter_asked_for_is_taken(tmp_path: Path) -> None:
    there = program(tmp_path, "mine", "exit 0")
    assert find_python(str(there)) == there


def test_python_goes_before_python3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    third = program(tmp_path, "python3", "exit 0")
    assert find_python(None) == third
    plain = program(tmp_path, "python", "exit 0")
    assert find_python(None) == plain


def test_no_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="found none named python") as caught:
        find_python(None)
    assert "--python" in str(caught.value.hint)
    with pytest.raises(UsageError, match=r"nowhere/python"):
        find_python("nowhere/python")


def test_an_environments_folder_is_hinted_at(tmp_path: Path) -> None:
    (tmp_path / "venv").mkdir()
    there = program(tmp_path / "venv" / "bin", "python", "exit 0")
    with pytest.raises(UsageError) as caught:
        find_python(str(tmp_path / "venv"))
    assert str(there) in str(caught.value.hint)


def test_an_interpreter_is_described(tmp_path: Path) -> None:
    info = describe_python(PYTHON, tmp_path)
    assert info.version == ".".join(map(str, sys.version_info[:3]))
    assert info.pytest == pytest.__version__
    assert info.path == PYTHON
    assert {"pytest", "msgspec"} <= info.distributions


def test_files_of_the_project_do_not_answer_for_the_interpreter(tmp_path: Path) -> None:
    for name in ("pytest", "platform", "json"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('mine')\n")
    assert describe_python(PYTHON, tmp_path).pytest == pytest.__version__


def test_a_shim_is_followed_to_the_interpreter(tmp_path: Path) -> None:
    shim = program(tmp_path, "python", f'exec "{PYTHON}" "$@"')
    assert describe_python(shim, tmp_path).path == PYTHON


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("""echo '[[3, 9, 1], "8.0", "here", "/p", []]'""", "found 3.9.1"),
        ("""echo '[[3, 12, 0], null, "here", "/p", []]'""", "expected pytest"),
        ("echo oops >&2; exit 3", "oops"),
        ("echo words", "doesn't answer"),
        ("echo '[1, 2]'", "doesn't answer"),
    ],
    ids=["old", "no pytest", "fails", "no Python", "another answer"],
)
def test_an_interpreter_of_no_use(tmp_path: Path, script: str, message: str) -> None:
    there = program(tmp_path, "python", script)
    with pytest.raises(UsageError, match=message) as caught:
        describe_python(there, tmp_path)
    assert caught.value.hint


# The worker


def test_an_answer_that_is_none_is_a_bug_of_ours(tmp_path: Path) -> None:
    there = program(tmp_path, "python", "echo broken >&2; exit 1")
    with pytest.raises(RedhandedError, match="broken") as caught:
        ask_worker(there, "plan", {})
    assert not isinstance(caught.value, UsageError)


def test_an_interpreter_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="gone"):
        ask_worker(tmp_path / "gone", "plan", {})


def test_a_refusal_is_passed_on(tmp_path: Path) -> None:
    there = program(tmp_path, "python", """cat > /dev/null; echo '{"error": "no such name: x"}'""")
    with pytest.raises(UsageError, match="no such name: x"):
        ask_worker(there, "plan", {})


def test_operators_are_listed() -> None:
    found = operators(str(PYTHON))
    assert found
    assert all(each["examples"] for each in found)


# The plan


def plan(root: Path, *files: Wanted, **more: Any) -> Plan:
    return make_plan(PYTHON, root, SCOPE, files, **more)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "mod.py").write_text(SOURCE)
    (tmp_path / "other.py").write_text("x = 1 + 2\n")
    return tmp_path


def test_mutants_of_lines_in_scope(root: Path) -> None:
    made = plan(root, Wanted("mod.py", ((3, 3),), None), Wanted("other.py", None, None))
    assert {(each.file, each.start.line) for each in made.mutants} == {
        ("mod.py", 3),
        ("other.py", 1),
    }
    counts = {each.file: (each.lines, each.mutants) for each in made.summary.files}
    assert counts["mod.py"][0] == 1
    assert counts["other.py"][0] is None
    assert sum(count for _, count in counts.values()) == len(made.mutants) == made.summary.mutants
    assert made.summary.sampled_from is None
    assert made.summary.digest == set_digest(made.mutants)
    assert made.summary.scope == SCOPE
    assert set(made.summary.operators) == {each.operator for each in made.mutants}
    viable = [each for each in made.mutants if each.viability == "viable"]
    assert made.summary.runnable == len(viable)


def test_a_file_without_mutants_is_planned_too(root: Path) -> None:
    (root / "empty.py").write_text("")
    made = plan(root, Wanted("empty.py", ((1, 1),), None))
    assert [(each.file, each.mutants) for each in made.summary.files] == [("empty.py", 0)]


def test_given_mutants_without_our_own(root: Path) -> None:
    given = [Given("mod.py", Position(3, 17), Position(3, 18), "*")]
    made = plan(root, Wanted("other.py", None, None), given=given, names=())
    assert [(each.original, each.replacement) for each in made.mutants] == [("+", "*")]


def test_a_file_that_does_not_parse_is_refused_by_name(root: Path) -> None:
    (root / "bad.py").write_text("def\n")
    made = plan(root, Wanted("bad.py", None, None), Wanted("other.py", None, None))
    assert {each.file for each in made.mutants} == {"other.py"}
    assert len(made.refused) == 1
    assert made.refused[0].startswith("bad.py: ")


def test_a_pragma_that_base_lacks_is_not_honoured(root: Path) -> None:
    marked = "x = 1 + 2  # pragma: no mutate\n"
    (root / "other.py").write_text(marked)
    assert plan(root, Wanted("other.py", None, marked)).mutants == ()
    made = plan(root, Wanted("other.py", None, "x = 1 + 2\n"))
    assert made.mutants
    assert made.summary.ignored_pragmas == ("other.py:1",)


# Samples


def mutant(name: str, line: int, viability: Any = "viable", file: str = "mod.py") -> Mutant:
    return Mutant(
        id=name, file=file, start=Position(line, 0), end=Position(line, 1), operator="o",
        original="a", replacement=name, function="f", lines=(line, line), viability=viability,
    )  # fmt: skip


MANY = tuple(mutant(f"m{line}-{n}", line) for line in range(1, 11) for n in range(line))


def test_every_line_gives_one_before_any_gives_two() -> None:
    drawn = sample(MANY, 10, seed=0)
    assert sorted(each.start.line for each in drawn) == list(range(1, 11))
    more = sample(MANY, 19, seed=0)
    assert sorted(each.start.line for each in more) == sorted([*range(1, 11), *range(2, 11)])


def test_a_sample_keeps_the_order() -> None:
    drawn = sample(MANY, 20, seed=3)
    assert list(drawn) == [each for each in MANY if each in drawn]
    assert len(drawn) == 20


def test_the_seed_decides() -> None:
    assert sample(MANY, 12, seed=1) == sample(MANY, 12, seed=1)
    assert sample(MANY, 12, seed=1) != sample(MANY, 12, seed=2)


def test_a_sample_is_the_same_on_every_python() -> None:
    assert [each.id for each in sample(MANY, 4, seed=7)] == ["m2-1", "m3-2", "m4-2", "m6-2"]


def test_what_is_never_run_is_not_drawn() -> None:
    mixed = (mutant("a", 1, "unviable"), mutant("b", 1), mutant("c", 2, "equivalent"),
             mutant("d", 3, "duplicate"), mutant("e", 3))  # fmt: skip
    assert [each.id for each in sample(mixed, 5, seed=0)] == ["b", "e"]


def test_a_plan_draws_at_most_so_many(root: Path) -> None:
    whole = plan(root, Wanted("mod.py", None, None))
    made = plan(root, Wanted("mod.py", None, None), most=3, seed=1)
    assert len(made.mutants) == made.summary.mutants == made.summary.runnable == 3
    assert made.summary.sampled_from == whole.summary.runnable
    assert made.summary.digest != whole.summary.digest
    enough = plan(root, Wanted("mod.py", None, None), most=whole.summary.runnable)
    assert enough.mutants == whole.mutants
    assert enough.summary.sampled_from is None


# The digest


def test_the_digest_is_fixed() -> None:
    assert set_digest(MANY[:2]) == (
        "5da2f7b3d99fbdbcaf39eb3a3ba160461f1f3e0987c243c1c578bc56387601b4"
    )
    assert set_digest(()) != set_digest(MANY[:1])


@pytest.mark.parametrize(
    "change",
    [
        {"id": "x"},
        {"file": "x.py"},
        {"start": Position(9, 0)},
        {"end": Position(9, 0)},
        {"original": "x"},
        {"replacement": "x"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_digest_tells_sets_apart(change: dict[str, Any]) -> None:
    one = mutant("a", 1)
    assert set_digest([one]) != set_digest([msgspec.structs.replace(one, **change)])


def test_the_digest_does_not_see_what_a_set_is_used_for() -> None:
    one = mutant("a", 1)
    assert set_digest([one]) == set_digest([msgspec.structs.replace(one, function="g")])
