"""One output as text, as data, as a conversation."""

from __future__ import annotations

from redhanded.model.output import Message, Output, ToolCall
from redhanded.outputs.adapters import project
from tests.outputs.adapters.asking import called, case


def test_a_value_without_text_is_its_json() -> None:
    assert project.text_of(Output(value={"a": 1})) == '{"a": 1}'
    assert project.text_of(Output(value="plain")) == "plain"
    assert project.text_of(Output(text="x", value={"a": 1})) == "x"


def test_a_conversation_is_made_of_input_and_answer() -> None:
    made = project.conversation(Output(text="Paris"), case(print, input="Capital?"))
    assert [(one.role, one.content) for one in made] == [
        ("user", "Capital?"),
        ("assistant", "Paris"),
    ]


def test_the_last_message_says_what_the_text_says() -> None:
    output = Output(text="new", messages=(Message("user", "q"), Message("assistant", "old")))
    assert project.conversation(output, case(print))[-1].content == "new"


def test_an_answer_after_a_tool_message_is_one_more() -> None:
    output = Output(text="new", messages=(Message("user", "q"), Message("tool", "found")))
    assert [one.role for one in project.conversation(output, case(print))] == [
        "user",
        "tool",
        "assistant",
    ]


def test_the_calls_of_the_last_message_stay() -> None:
    output = Output(text="new", messages=(Message("assistant", "", (ToolCall("a"),)),))
    last = project.conversation(output, case(print))[-1]
    assert (last.content, last.tool_calls) == ("new", (ToolCall("a"),))


def test_results_are_tool_messages() -> None:
    made = project.openai_messages(called("a", ToolCall("b", {"q": 1}, error="down")).messages)
    assert [one["role"] for one in made] == ["user", "assistant", "tool", "tool", "assistant"]
    assert made[1]["tool_calls"][1]["function"] == {"name": "b", "arguments": '{"q": 1}'}
    assert [one["content"] for one in made[2:4]] == ["ok", "down"]
    assert made[3]["tool_call_id"] == made[1]["tool_calls"][1]["id"]


def test_results_that_are_there_as_messages_are_not_doubled() -> None:
    messages = (
        Message("assistant", "", (ToolCall("a", result="ok"),)),
        Message("tool", "ok"),
        Message("assistant", "done"),
    )
    made = project.openai_messages(messages)
    assert [one["role"] for one in made] == ["assistant", "tool", "assistant"]
    assert made[1]["tool_call_id"] == made[0]["tool_calls"][0]["id"]


def test_targets_that_are_calls() -> None:
    assert project.expected_calls(["a", {"name": "b", "arguments": {"q": 1}}, ToolCall("c")]) == [
        ToolCall("a"),
        ToolCall("b", {"q": 1}),
        ToolCall("c"),
    ]
    for target in ("a", [], [1], None, {"name": "a"}):
        assert project.expected_calls(target) is None
