"""Plain Python graders: what they are given, and what is watched of them."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

import pytest

from redhanded.errors import UsageError
from redhanded.model.graded import Answer
from redhanded.model.output import Message, Output, ToolCall
from redhanded.outputs.adapters.prepared import without_loop
from tests.outputs.adapters.asking import accepts, asked, called, verdicts, witnessed


def test_the_only_parameter_gets_the_text() -> None:
    assert accepts(lambda anything: anything == "x", "x")
    assert not accepts(lambda anything: anything == "x", "y")


def test_a_second_unnamed_parameter_gets_the_target() -> None:
    assert accepts(lambda one, other: (one, other) == ("x", 5), "x", target=5)


def test_names_say_what_a_parameter_gets() -> None:
    def grade(expected: str, response: str, question: str) -> bool:
        return (expected, response, question) == ("target", "text", "input")

    assert accepts(grade, "text", target="target", input="input")


def test_keywords_alone_will_do() -> None:
    def grade(*, outputs: str, reference_outputs: str) -> bool:
        return outputs == reference_outputs

    assert accepts(grade, "x", target="x")


def test_parts_of_the_output_by_name() -> None:
    def grade(output: str, contexts: list[str], metadata: dict[str, Any]) -> bool:
        return (output, contexts, metadata) == ("x", ["c"], {"k": 1})

    assert accepts(grade, Output(text="x", contexts=("c",), metadata={"k": 1}))


def test_calls_and_messages_by_name() -> None:
    def grade(text: str, tool_calls: list[ToolCall], messages: list[Message]) -> bool:
        return [call.name for call in tool_calls] == ["a"] and messages[-1].content == text

    assert accepts(grade, called("a"))


def test_a_parameter_annotated_output_gets_all_of_it() -> None:
    def grade(given: Output) -> bool:
        return given == Output(text="x", contexts=("c",))

    assert accepts(grade, Output(text="x", contexts=("c",)))


def test_the_value_goes_before_the_text() -> None:
    assert accepts(lambda out: out == {"a": 1}, Output(text="ignored", value={"a": 1}))
    assert accepts(lambda out: out is None, Output(text="ignored", value=None))


def test_text_is_parsed_first_where_the_case_says_so() -> None:
    assert accepts(lambda out: out == {"a": 1}, '{"a": 1}', hints={"parse": "json"})
    assert accepts(lambda out: out == "{", "{", hints={"parse": "json"})
    assert accepts(lambda out: out == 1.5, "1.5", hints={"parse": "number"})


def test_a_default_stands_where_the_case_has_nothing() -> None:
    def grade(output: str, target: str = "mine") -> bool:
        return output == target

    assert accepts(grade, "mine")
    assert accepts(grade, "yours", target="yours")


def test_a_callable_without_a_signature_gets_the_answer() -> None:
    assert accepts("xyz".__contains__, "y")
    assert not accepts("xyz".__contains__, "a")


class Strict:
    def __init__(self, wanted: str) -> None:
        self.wanted = wanted

    def __call__(self, output: str) -> bool:
        return output == self.wanted

    def method(self, output: str) -> bool:
        return output == self.wanted

    async def slow(self, output: str) -> bool:
        await asyncio.sleep(0)
        return output == self.wanted


def _between(low: str, output: str) -> bool:
    return low < output


@pytest.mark.parametrize(
    "grader",
    [
        Strict("x"),
        Strict("x").method,
        Strict("x").slow,
        functools.partial(_between, "w"),
    ],
)
def test_objects_methods_coroutines_and_partials(grader: Any) -> None:
    assert accepts(grader, "x")
    assert not accepts(grader, "a")


def test_a_plain_grader_may_run_a_loop_of_its_own() -> None:
    async def inner(output: str) -> bool:
        await asyncio.sleep(0)
        return output == "x"

    assert accepts(lambda output: asyncio.run(inner(output)), "x")


def test_the_running_loop_is_back_afterwards() -> None:
    async def look() -> bool:
        before = asyncio.get_running_loop()
        with pytest.raises(ValueError, match="no"), without_loop():
            raise ValueError("no")
        return asyncio.get_running_loop() is before

    assert asyncio.run(look())


def test_a_grader_that_changes_its_input_changes_a_copy() -> None:
    shown = Output(text="x", value={"a": [1]})
    target = [1]

    def grade(output: dict[str, Any], target: list[int]) -> bool:
        output["a"].append(2)
        target.append(2)
        return True

    assert accepts(grade, shown, target=target)
    assert shown.value == {"a": [1]}
    assert target == [1]


def test_what_a_grader_raises_is_raised() -> None:
    def grade(output: str) -> bool:
        raise KeyError(output)

    with pytest.raises(KeyError):
        verdicts(grade, "x")


def test_a_class_is_refused_with_what_to_do() -> None:
    with pytest.raises(UsageError, match="the class Strict") as refused:
        asked(Strict)
    assert refused.value.hint == "Make one: Strict(...)."


def test_what_can_not_be_called_is_refused() -> None:
    with pytest.raises(UsageError, match="of type int can't be asked"):
        asked(5)


def test_a_parameter_that_nobody_can_fill_is_refused() -> None:
    def grade(output: str, target: str, temperature: float) -> bool:
        return True

    with pytest.raises(UsageError, match="'temperature'"):
        asked(grade)


def test_a_grader_without_parameters_is_refused() -> None:
    with pytest.raises(UsageError, match="no parameter for the output"):
        asked(lambda: True)


def test_a_lambda_is_named_by_its_place() -> None:
    assert asked(lambda output: True).name.startswith("python:lambda (test_plain_graders.py:")


def test_names() -> None:
    assert asked(Strict("x")).name == "python:Strict"
    assert asked(Strict("x").method).name == "python:Strict.method"
    assert asked(_between).name == "python:_between"


def test_the_callables_own_code_is_entered() -> None:
    for grader in (Strict("x"), Strict("x").method, functools.partial(_between, "w")):
        found = witnessed(grader, "x")
        assert found["error"] is None
        assert found["doubt"] is None


def test_a_cache_in_front_of_a_grader_is_not_the_grader() -> None:
    @functools.lru_cache
    def grade(output: str) -> bool:
        return output == "x"

    assert witnessed(grade, "x")["doubt"] is None
    assert witnessed(grade, "x")["doubt"] is not None


def test_state_is_shared() -> None:
    one = asked(Strict("x"))
    assert one.state == "shared"
    assert one.fresh() is one


def test_a_dict_gives_several_verdicts() -> None:
    found = verdicts(lambda output: {"a": True, "b": False}, "x")
    assert {key: one.answer for key, one in found.items()} == {
        "a": Answer.ACCEPT,
        "b": Answer.REJECT,
    }
