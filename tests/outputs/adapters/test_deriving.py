"""Contracts from a case's data, and from a grader's settings where there is nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from redhanded.model.output import Message, Output, ToolCall
from redhanded.outputs.adapters.derive import derive
from redhanded.outputs.contract.base import Ruling, declared
from redhanded.outputs.contract.tools import Trajectory
from tests.outputs.adapters.asking import called, need


def plain(output: str) -> bool:
    return True


def code(good: str | Output, target: Any = None, grader: Any = plain, **hints: Any) -> str | None:
    shown = good if isinstance(good, Output) else Output(text=good)
    found = derive(grader, shown, target=target, hints=hints)
    if found is None:
        return None
    assert declared(found.contract, shown).rule(shown).ruling is Ruling.RIGHT
    assert found.code == f"right={found.contract.code()}"
    assert found.shared == frozenset()
    return found.contract.code()


@pytest.mark.parametrize(
    ("good", "target", "expected"),
    [
        ("The answer is Paris.", "Paris", "rh.answer('Paris')"),
        ("Paris", ["Paris", "City of Light"], "rh.answer('Paris', aliases=['City of Light'])"),
        ("Paris", ["Paris"], "rh.answer('Paris')"),
        ("42", "42", "rh.number(42)"),
        ("The total is 1,234", "1,234", "rh.number(1234)"),
        ("42", 42, "rh.number(42)"),
        ("3.5", 3.5, "rh.number(3.5)"),
        ("There are 3 apples and 4 pears.\nANSWER: 7", "7", "rh.number(7, which='last')"),
        ("It may be 7, or not.", "7", None),
        ('{"a": 1}', {"a": 1}, "rh.json(values={'': {'a': 1}})"),
        ('{"a": 1}', '{"a": 1}', "rh.json(values={'': {'a': 1}})"),
        ("true", True, "rh.json(values={'': True})"),
        ("Let me think. It is Paris, in France.", "Paris", "rh.answer('Paris')"),
        ("Nobody knows", "Paris", None),
        ("A comparison", "Paris", None),
        ("Paris", "", None),
        ("Paris", None, None),
    ],
)
def test_from_a_target(good: str, target: Any, expected: str | None) -> None:
    found = code(good, target)
    assert (found or "").replace('"', "'") == (expected or "")


def test_from_values() -> None:
    assert code(Output(value={"a": 1}), {"a": 1}) == "rh.json(values={'': {'a': 1}})"
    assert code(Output(value=42), 42) == "rh.number(42)"
    assert code(Output(value=[1]), [1]) == "rh.json(values={'': [1]})"


def test_a_long_target_is_required_as_text() -> None:
    target = "The quick brown fox jumps over the lazy dog"
    found = code(f"He said: {target.lower()}.", target)
    assert found is not None
    assert found.startswith("rh.contains(")


def test_choices() -> None:
    found = code("ANSWER: B", "B", choices=["Rome", "Paris"])
    assert found is not None
    assert found.startswith(("rh.choice('B'", 'rh.choice("B"'))


def test_expected_tools_say_which_and_no_more() -> None:
    for target in (
        ["a", "b"],
        {"expected_tools": ["a", "b"], "expected_output": "done"},
        [Message("assistant", "", (ToolCall("a"), ToolCall("b"))), Message("assistant", "x")],
        [
            {"role": "user", "content": "go"},
            {"role": "assistant", "tool_calls": [{"function": {"name": "a", "arguments": "{}"}}]},
            {"role": "assistant", "tool_calls": [{"name": "b", "args": {}}]},
        ],
    ):
        found = derive(plain, called("a", "b"), target=target)
        assert found is not None
        assert found.contract.kind == "trajectory"
        assert found.source == "expected tools"
        assert found.contract.rule(called("b", "x", "a")).ruling is Ruling.RIGHT
        assert found.contract.rule(called("b")).ruling is Ruling.WRONG


def test_arguments_of_expected_calls_count() -> None:
    found = derive(plain, called(ToolCall("a", {"q": 1})), target=[ToolCall("a", {"q": 1})])
    assert found is not None
    assert found.contract.rule(called(ToolCall("a", {"q": 2}))).ruling is Ruling.WRONG


def test_order_and_extras_are_as_the_framework_documents() -> None:
    match = need("openevals.trajectory.match").create_trajectory_match_evaluator
    evaluators = need("pydantic_evals.evaluators")
    good = called("a", "b")
    for grader, order, extras in (
        (match(trajectory_match_mode="strict"), True, False),
        (match(trajectory_match_mode="unordered"), False, False),
        (match(trajectory_match_mode="superset"), False, True),
        (evaluators.MaxToolCalls(3), False, True),
    ):
        found = derive(grader, good, target=good)
        assert found is not None
        assert isinstance(found.contract, Trajectory)
        assert (found.contract.order, found.contract.extras) == (order, extras)


def test_expected_tools_as_a_hint() -> None:
    found = derive(plain, called("a"), hints={"expected_tools": ["a"]})
    assert found is not None
    assert found.contract.kind == "trajectory"


def test_names_are_text_where_nothing_was_called() -> None:
    assert code("Paris", ["Paris", "Lutetia"]) is not None


def shared(good: str | Output, grader: Any) -> tuple[str, frozenset[str]]:
    found = derive(grader, good if isinstance(good, Output) else Output(text=good))
    assert found is not None
    assert found.source.startswith("the settings of")
    assert found.shared
    return found.contract.kind, found.shared


def test_from_gradecore_settings_alone() -> None:
    gradecore = need("gradecore")
    for good, grader, kind in (
        ("paris", gradecore.exact("Paris"), "exact"),
        ("Paris", gradecore.exact_cs("Paris"), "exact"),
        ("a b", gradecore.contains("a", "b"), "contains"),
        ("xx", gradecore.regex("^X+$"), "pattern"),
        ("red", gradecore.one_of("red", "blue"), "one_of"),
        ("42", gradecore.number(42, tol=5), "number"),
        ("I can't help with that.", gradecore.must_refuse(), "refusal"),
        ('{"a": 1}', gradecore.valid_json("a"), "json"),
        (called("a"), gradecore.tool_misuse(["shell"]), "tool_policy"),
        (called("a", "b"), gradecore.trajectory("a", "b"), "trajectory"),
        ("fine", gradecore.injection_resistance("PWNED"), "injection"),
    ):
        assert shared(good, grader) == (kind, frozenset({kind}))


def test_a_target_goes_before_settings() -> None:
    gradecore = need("gradecore")
    assert code("a", "zzz", gradecore.contains("a")) is None
    assert code("43", "43", gradecore.number(42, tol=5)) == "rh.number(43)"


def test_from_pydantic_evals_settings_alone() -> None:
    evaluators = need("pydantic_evals.evaluators")
    for good, grader, kind in (
        ("x", evaluators.Equals("x"), "exact"),
        (Output(value=True), evaluators.Equals(True), "json"),
        ("was approved", evaluators.Contains("approved"), "contains"),
        (Output(value={"a": 1, "b": 2}), evaluators.Contains({"a": 1}), "json"),
        (called("b", "a"), evaluators.ToolCorrectness(["a", "b"]), "trajectory"),
        (called("a", "b"), evaluators.TrajectoryMatch(["a", "b"]), "trajectory"),
        (
            called(ToolCall("a", {"q": 1, "r": 2})),
            evaluators.ArgumentCorrectness("a", {"q": 1}),
            "trajectory",
        ),
    ):
        assert shared(good, grader) == (kind, frozenset({kind}))


def test_from_deepeval_and_autoevals_settings_alone() -> None:
    metrics, autoevals = need("deepeval.metrics"), need("autoevals")
    schema = {"type": "object", "required": ["a"]}
    for good, grader, kind in (
        ("xx", metrics.PatternMatchMetric(pattern="x+"), "pattern"),
        (called("a"), metrics.ToolPermissionMetric(allowed_tools=["a"]), "tool_policy"),
        ('{"a": 1}', autoevals.ValidJSON(schema=schema), "json"),
        ('{"a": 1}', autoevals.ValidJSON.partial(schema=schema)(), "json"),
    ):
        assert shared(good, grader) == (kind, frozenset({kind}))
