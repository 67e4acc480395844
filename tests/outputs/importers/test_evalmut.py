"""Suites of evalmut, by what its cases have."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from redhanded.model.output import Output
from redhanded.outputs.contract.base import Ruling
from redhanded.outputs.importers import evalmut


def accepts(given: Any) -> bool:
    return True


def case(text: str, *, expected: Any = None, **declared: Any) -> Any:
    good = SimpleNamespace(text=text, expected=expected, prompt=None, contexts=(), tool_calls=())
    made: dict[str, Any] = {
        "name": "c",
        "grader": accepts,
        "good": good,
        "judges": ("text",),
        "tolerates": (),
        "num_tol": None,
        "expected_trajectory": (),
        "tags": (),
        **declared,
    }
    return SimpleNamespace(**made)


def test_a_case_is_known_by_its_fields() -> None:
    assert evalmut.is_case(case("x"))
    assert not evalmut.is_case(SimpleNamespace(name="c", grader=accepts))


def test_a_check_of_presence_stands_for_the_answer() -> None:
    tagged = case("It is Paris.", expected="Paris", tags=("presence_check",))
    assert evalmut.case(tagged).claims == frozenset({"answer"})
    assert evalmut.case(case("It is Paris.", expected="Paris")).claims == frozenset({"text"})


def test_other_keys_are_not_wrong_where_nothing_says_so() -> None:
    read = evalmut.case(case('{"n": 3}', grader_family="valid_json"))
    assert read.right.rule(Output(text='{"n": 3, "more": 1}')).ruling is Ruling.RIGHT
    assert read.right.rule(Output(text='{"n": 4}')).ruling is Ruling.WRONG
    assert read.claims is None
    assert read.derived
