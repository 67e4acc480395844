"""An output as each framework's graders see it: text, data, or a conversation."""

from __future__ import annotations

import contextlib
import json
from typing import Any

from redhanded.model.output import Message, Output, ToolCall
from redhanded.outputs.case import Case


def text_of(output: Output) -> str:
    """The answer as text; a value without text as JSON."""
    if output.text or not output.has_value:
        return output.text
    return output.value if isinstance(output.value, str) else json.dumps(output.value)


def data_of(output: Output, case: Case) -> Any:
    """The answer as data: the value, where there is one, else the text.

    ``hints={"parse": "json"}`` (or ``"number"``) has the text parsed first, as an eval's own
    task code does; text that doesn't parse is handed over as it is.
    """
    if output.has_value:
        return output.value
    parse = case.hints.get("parse")
    if parse == "json":
        with contextlib.suppress(ValueError):
            return json.loads(output.text)
    elif parse == "number":
        with contextlib.suppress(ValueError):
            return float(output.text)
    return output.text


def conversation(output: Output, case: Case) -> tuple[Message, ...]:
    """The messages, the last one the answer.

    An output without messages is a conversation of the case's input and the answer. The text is
    the answer: where it isn't what the last message says, that message is made to say it, so
    that no two projections of an output disagree.
    """
    messages = list(output.messages)
    if not messages:
        if isinstance(case.input, str):
            messages.append(Message(role="user", content=case.input))
        return (*messages, Message(role="assistant", content=text_of(output)))
    answer = text_of(output)
    last = messages[-1]
    if last.role == "assistant":
        if answer and last.content != answer:
            messages[-1] = Message("assistant", answer, last.tool_calls)
    elif answer:
        messages.append(Message(role="assistant", content=answer))
    return tuple(messages)


def openai_messages(messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    """Messages in the form that most frameworks read; a call's result is a tool message."""
    found: list[dict[str, Any]] = []
    number = 0
    for position, message in enumerate(messages):
        entry: dict[str, Any] = {"role": message.role, "content": message.content}
        results: list[dict[str, Any]] = []
        if message.tool_calls:
            entry["tool_calls"] = []
        for call in message.tool_calls:
            name = call.id or f"call_{number}"
            number += 1
            entry["tool_calls"].append(_openai_call(call, name))
            if call.result is not None or call.error is not None:
                results.append({"role": "tool", "content": said(call), "tool_call_id": name})
        if message.role == "tool":
            entry.setdefault("tool_call_id", f"call_{max(number - 1, 0)}")
        found.append(entry)
        following = messages[position + 1 : position + 2]
        if not (following and following[0].role == "tool"):
            found += results
    return found


def _openai_call(call: ToolCall, name: str) -> dict[str, Any]:
    arguments = json.dumps(call.arguments)
    return {
        "id": name,
        "type": "function",
        "function": {"name": call.name, "arguments": arguments},
    }


def said(call: ToolCall) -> str:
    """What a tool gave back, as the text of its message."""
    if call.error is not None:
        return call.error
    return call.result if isinstance(call.result, str) else json.dumps(call.result)


def expected_calls(target: Any) -> list[ToolCall] | None:
    """The calls that a target names, where it is a list of calls or of names."""
    if not isinstance(target, (list, tuple)) or not target:
        return None
    found: list[ToolCall] = []
    for item in target:
        if isinstance(item, ToolCall):
            found.append(item)
        elif isinstance(item, str):
            found.append(ToolCall(name=item))
        elif isinstance(item, dict) and isinstance(item.get("name"), str):
            arguments = item.get("arguments", item.get("input_parameters", item.get("args")))
            found.append(ToolCall(name=item["name"], arguments=arguments or {}))
        else:
            return None
    return found
