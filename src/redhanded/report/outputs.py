"""An output as a person reads it, whole, and two of them side by side."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from typing import Any, Final

from redhanded.model.output import Message, Output, ToolCall
from redhanded.report.diff import Line, printable

SHORT: Final = 110
"""An output of one line, no longer than this, is shown beside its reference, not as a diff."""
CONTEXT: Final = 1
"""Lines around a change."""


def lines(output: Output) -> list[str]:
    """All of an output, part by part."""
    found: list[str] = []
    if output.messages:
        for message in output.messages:
            found += _message(message)
        last = output.messages[-1]
        if output.text and (last.role != "assistant" or last.content != output.text):
            found += _labelled("answer", output.text)
    elif output.text or not output.has_value:
        found += _text(output.text)
    if output.has_value:
        found += _data(output.value) if not output.text else _labelled("value", _json(output.value))
    for number, context in enumerate(output.contexts):
        found += _labelled(f"context {number}", context)
    if output.metadata:
        found += _labelled("metadata", _json(output.metadata))
    return found


def brief(output: Output | None) -> str | None:
    """An output in one line, where it is one; else None."""
    if output is None:
        return None
    found = lines(output)
    return found[0] if len(found) == 1 and len(found[0]) <= SHORT else None


def changes(reference: Output, output: Output) -> tuple[Line, ...]:
    """What became of the reference, as a small diff."""
    before, after = lines(reference), lines(output)
    found: list[Line] = []
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for group in matcher.get_grouped_opcodes(CONTEXT):
        if found:
            found.append(Line(" ", "…"))
        for tag, one, two, three, four in group:
            if tag == "equal":
                found += [Line(" ", text) for text in before[one:two]]
                continue
            found += [Line("-", text) for text in before[one:two]]
            found += [Line("+", text) for text in after[three:four]]
    return tuple(found)


def _message(message: Message) -> list[str]:
    found = _labelled(message.role, message.content) if message.content else []
    for call in message.tool_calls:
        found += _call(message.role, call)
    return found or [f"{message.role}: (empty)"]


def _call(role: str, call: ToolCall) -> list[str]:
    given = ", ".join(f"{name}={_short(value)}" for name, value in call.arguments.items())
    came = ""
    if call.error is not None:
        came = f" failed: {call.error}"
    elif call.result is not None:
        came = f" → {_short(call.result)}"
    return [printable(f"{role} calls {call.name}({given}){came}")]


def _labelled(label: str, text: str) -> list[str]:
    first, *rest = _text(text)
    return [f"{label}: {first}", *(f"  {line}" for line in rest)]


def _text(text: str) -> list[str]:
    if not text:
        return ["(empty)"]
    if not text.strip():
        return [f"(white space alone: {text!r})"]
    if "\n" not in text and text != text.strip():
        return [f"{text!r} (with its white space)"]
    return [printable(line) for line in text.split("\n")]


def _data(value: Any) -> list[str]:
    return _json(value).split("\n")


def _json(value: Any) -> str:
    try:
        short = json.dumps(value, ensure_ascii=False)
        return short if len(short) <= SHORT else json.dumps(value, ensure_ascii=False, indent=2)
    except (TypeError, ValueError):
        return repr(value)


def _short(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return repr(value)


def joined(shown: Sequence[Line]) -> str:
    """A diff as plain text."""
    return "\n".join(f"{line.sign} {line.text}" for line in shown)
