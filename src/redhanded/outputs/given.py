"""Outputs as people give them: text, data, or messages in the forms that frameworks use."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

import msgspec

from redhanded.errors import UsageError
from redhanded.model.output import Message, Output, Role, ToolCall

ROLES: Final = frozenset(get_args(Role))


def output_from(given: Any) -> Output:
    """An output from what a case gives as ``good``.

    Args:
        given: A text; an :class:`Output`; a list of messages (:class:`Message` or dicts with a
            ``role``), whose last is the answer; else data, which is the output's value.
    """
    if isinstance(given, Output):
        return given
    if isinstance(given, str):
        return Output(text=given)
    if is_conversation(given):
        return conversation(given)
    if isinstance(given, tuple):
        given = list(given)
    return Output(value=given)


def output_from_json(given: Any) -> Output:
    """An output from a JSON document: as :func:`output_from`, or an object of an output's fields.

    Raises:
        UsageError: It has the fields of an output, and one of them is odd.
    """
    names = {field.name for field in msgspec.structs.fields(Output)}
    if not isinstance(given, dict) or not given or not set(given) <= names:
        return output_from(given)
    fields = dict(given)
    messages = fields.pop("messages", [])
    try:
        found = msgspec.convert(fields, Output)
    except msgspec.ValidationError as error:
        raise UsageError(
            f"expected an output, found: {error}",
            hint='An object that is the answer itself is written {"value": {...}}.',
        ) from None
    if not messages:
        return found
    told = conversation(messages)
    text = found.text or told.text
    return msgspec.structs.replace(found, messages=told.messages, text=text)


def is_conversation(given: Any) -> bool:
    """Is it a list of messages?"""
    if not isinstance(given, (list, tuple)) or not given:
        return False
    return all(
        isinstance(one, Message) or (isinstance(one, Mapping) and one.get("role") in ROLES)
        for one in given
    )


def conversation(given: Sequence[Any]) -> Output:
    """An output from messages; results of tools go to their calls.

    Raises:
        UsageError: One of them is no message.
    """
    results = {}
    for one in given:
        if isinstance(one, Mapping) and one.get("role") == "tool" and one.get("tool_call_id"):
            results[str(one["tool_call_id"])] = _content(one.get("content"))
    found: list[Message] = []
    known: set[str] = set()
    for one in given:
        if isinstance(one, Message):
            found.append(one)
            continue
        if not isinstance(one, Mapping) or one.get("role") not in ROLES:
            raise UsageError(
                f"expected a message with a role of {', '.join(sorted(ROLES))}, found {one!r}",
                hint="Give rh.Message(...), or a dict with role and content.",
            )
        if one["role"] == "tool" and str(one.get("tool_call_id")) in known:
            continue  # its call holds the result
        message = _message(one, results)
        known |= {call.id for call in message.tool_calls if call.id is not None}
        found.append(message)
    last = found[-1]
    return Output(text=last.content if last.role == "assistant" else "", messages=tuple(found))


def _message(given: Mapping[str, Any], results: Mapping[str, str]) -> Message:
    calls = tuple(_call(one, results) for one in given.get("tool_calls") or ())
    return Message(given["role"], _content(given.get("content")), calls)


def _content(given: Any) -> str:
    """The text of a message, which may come in parts."""
    if given is None:
        return ""
    if isinstance(given, str):
        return given
    if isinstance(given, (list, tuple)):
        parts = [one.get("text", "") if isinstance(one, Mapping) else str(one) for one in given]
        return "".join(part for part in parts if isinstance(part, str))
    return json.dumps(given)


def _call(given: Any, results: Mapping[str, str]) -> ToolCall:
    """A tool call: OpenAI's shape, or name and arguments side by side."""
    if isinstance(given, ToolCall):
        return given
    if not isinstance(given, Mapping):
        raise UsageError(f"expected a tool call, found {given!r}")
    inner = given.get("function", given)
    if isinstance(inner, str):
        inner = {**given, "name": inner}
    arguments: Any = next(
        (inner[name] for name in ("arguments", "args", "input") if name in inner), {}
    )
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            arguments = {"": arguments}
    name = inner.get("name")
    if not isinstance(name, str) or not isinstance(arguments, Mapping):
        raise UsageError(f"expected a tool call with a name and arguments, found {given!r}")
    number = None if given.get("id") is None else str(given["id"])
    result = given.get("result", results.get(number) if number is not None else None)
    return ToolCall(name, dict(arguments), result, given.get("error"), number)
