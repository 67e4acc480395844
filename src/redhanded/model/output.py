"""What a model under evaluation produced: text, a value, messages with tool calls, contexts.

Graders read different parts of an output; a defect changes one of them and leaves the rest. All
parts are plain data, so an output can be stored whole in the evidence.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Role = Literal["system", "user", "assistant", "tool"]
Part = Literal["text", "value", "messages", "tool_calls", "contexts", "metadata"]
"""A part of an output that a defect may change and a check may claim to judge."""


class ToolCall(msgspec.Struct, frozen=True, omit_defaults=True):
    """A call that the model made of a tool."""

    name: str
    arguments: dict[str, Any] = {}
    result: Any = None
    """What the tool gave back, where that is known."""
    error: str | None = None
    """Why the call failed; None where it did not."""
    id: str | None = None


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """One message of a conversation."""

    role: Role
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()


class Output(msgspec.Struct, frozen=True, omit_defaults=True):
    """One output of a model: what a grader is asked to grade."""

    text: str = ""
    """The final answer as text."""
    value: Any = msgspec.UNSET
    """The final answer as data, where the grader is given data instead of text."""
    messages: tuple[Message, ...] = ()
    """The conversation, its last message the answer; empty where graders see none."""
    contexts: tuple[str, ...] = ()
    """Passages that the answer is to be grounded in."""
    metadata: dict[str, Any] = {}

    @property
    def has_value(self) -> bool:
        """Is the answer given as data?"""
        return self.value is not msgspec.UNSET

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """All tool calls of the conversation, in order."""
        return tuple(call for message in self.messages for call in message.tool_calls)
