"""A reference's conversation, its tool calls taken apart and put together again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast

import msgspec

from redhanded.model.output import Message, Output, ToolCall
from redhanded.outputs.case import Case
from redhanded.outputs.contract.base import find
from redhanded.outputs.contract.tools import ToolPolicy, Trajectory
from redhanded.outputs.operators.base import Decline

NEEDS_TRAJECTORY = Decline("needs_contract", "right=rh.trajectory([...])")
NEEDS_POLICY = Decline("needs_contract", "right=rh.tool_policy(denied=[...])")


@dataclass(frozen=True)
class Made:
    """A call, with the message that brings its result where there is one."""

    call: ToolCall
    result: Message | None = None


@dataclass(frozen=True)
class Turn:
    """A message, and the calls that were made with it."""

    message: Message
    made: tuple[Made, ...] = ()


@dataclass(frozen=True)
class Conversation:
    """The reference as turns; results stay with their calls wherever these go."""

    good: Output
    turns: tuple[Turn, ...]

    @property
    def made(self) -> list[Made]:
        """All calls, in order."""
        return [made for turn in self.turns for made in turn.made]

    def with_made(self, made: Sequence[Made]) -> Output:
        """The same turns with as many calls, each in its place."""
        rest = list(made)
        turns: list[Turn] = []
        for turn in self.turns:
            own, rest = rest[: len(turn.made)], rest[len(turn.made) :]
            turns.append(replace(turn, made=tuple(own)))
        return self.output(turns)

    def without(self, index: int) -> Output:
        """The reference without one call."""
        return self.keeping(lambda place: place != index)

    def keeping(self, keep: Callable[[int], bool]) -> Output:
        """The reference with some of its calls; a turn that says nothing else goes with them."""
        turns: list[Turn] = []
        place = 0
        for turn in self.turns:
            own: list[Made] = []
            for made in turn.made:
                if keep(place):
                    own.append(made)
                place += 1
            if own or not turn.made or turn.message.content.strip():
                turns.append(replace(turn, made=tuple(own)))
        return self.output(turns)

    def inserting(self, after: int, call: ToolCall) -> Output:
        """The reference with one more call after another one; before all where that is -1."""
        made = self.made
        beside = made[max(after, 0)] if made else None
        told = beside is not None and beside.result is not None
        if beside is None or beside.call.id is None:
            new = call
        else:
            new = msgspec.structs.replace(call, id=f"{beside.call.id}_more")
        added = Made(new, Message("tool", _told(new)) if told else None)
        turns: list[Turn] = []
        place, done = 0, False
        for turn in self.turns:
            own: list[Made] = []
            for one in turn.made:
                if after == -1 and not done:
                    own, done = [*own, added], True
                own.append(one)
                if place == after:
                    own, done = [*own, added], True
                place += 1
            turns.append(replace(turn, made=tuple(own)))
        if not done:
            last = turns[-1:] if turns and turns[-1].message.role == "assistant" else []
            turns = [*turns[: len(turns) - len(last)], Turn(Message("assistant"), (added,)), *last]
        return self.output(turns)

    def output(self, turns: Sequence[Turn]) -> Output:
        """Turns as an output."""
        messages: list[Message] = []
        for turn in turns:
            calls = tuple(made.call for made in turn.made)
            messages.append(msgspec.structs.replace(turn.message, tool_calls=calls))
            messages += [made.result for made in turn.made if made.result is not None]
        return msgspec.structs.replace(self.good, messages=tuple(messages))


def _told(call: ToolCall) -> str:
    return str(call.error or call.result or "done")


def conversation(good: Output) -> Conversation:
    """Take a reference apart: tool messages belong to the calls before them, one each."""
    turns: list[Turn] = []
    messages = list(good.messages)
    place = 0
    while place < len(messages):
        message = messages[place]
        place += 1
        following = 0
        while place + following < len(messages) and messages[place + following].role == "tool":
            following += 1
        calls = message.tool_calls
        if calls and following == len(calls):
            results: list[Message | None] = list(messages[place : place + following])
            place += following
        else:
            results = [None] * len(calls)
        made = tuple(Made(call, result) for call, result in zip(calls, results, strict=True))
        turns.append(Turn(message, made))
    return Conversation(good, tuple(turns))


def followed(case: Case) -> tuple[Trajectory, Conversation] | Decline:
    """The contract of a trajectory and the reference's calls, where there are any."""
    contract = cast("Trajectory | None", find(case.right, "trajectory"))
    if contract is None:
        return NEEDS_TRAJECTORY
    found = conversation(case.good)
    if not found.made:
        return Decline("no_calls", "good= with messages whose tool_calls are the expected ones")
    return contract, found


def policed(case: Case) -> tuple[ToolPolicy, Conversation] | Decline:
    """The contract of a tool policy, and the reference's calls."""
    contract = cast("ToolPolicy | None", find(case.right, "tool_policy"))
    return NEEDS_POLICY if contract is None else (contract, conversation(case.good))
