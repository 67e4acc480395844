"""Holes as tests that fail: three lines each, for the suite's own repository."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from redhanded.model.graded import HoleKind
from redhanded.model.graders import GradersResult, Hole
from redhanded.model.output import Message, Output, ToolCall
from redhanded.report.diff import printable

_HEAD = '''\
"""Wrong verdicts that `redhanded graders` found: each test fails until its grader is mended.

Run with pytest where the suite's path, {suite!r}, leads to it.
"""

import redhanded as rh
'''


def render(result: GradersResult, suite: str) -> str:
    """All holes as one test file, worst first.

    Args:
        result: The run.
        suite: As the user named it: the tests load it by this name.
    """
    blocks = [_HEAD.format(suite=suite)]
    names: set[str] = set()
    for hole in result.holes:
        blocks.append(_test(hole, suite, _unique(_name(hole), names)))
    if not result.holes:
        blocks.append("# No holes were found.\n")
    return "\n\n".join(blocks)


def _name(hole: Hole) -> str:
    told = [str(hole.kind), hole.case, hole.operator or "", hole.variant or "", judge(hole)]
    words = (re.sub(r"\W+", "_", part).strip("_").lower() for part in told)
    return "test_" + "_".join(word for word in words if word)


def _unique(name: str, names: set[str]) -> str:
    made, number = name, 2
    while made in names:
        made, number = f"{name}_{number}", number + 1
    names.add(made)
    return made


def _test(hole: Hole, suite: str, name: str) -> str:
    why = printable(" ".join(hole.why.split()))
    if hole.output is None:
        return f"# {hole.kind}: {printable(hole.case)}, {printable(hole.grader)}: {why}\n"
    wanted = "" if hole.kind is HoleKind.BRITTLE or hole.planted == "equivalent" else "not "
    key = judge(hole)
    asked = f", judge={key!r}" if key else ""
    return (
        f"# {hole.kind}: {why}\n"
        f"def {name}():\n"
        f"    case = rh.suite({suite!r})[{hole.case!r}]\n"
        f"    assert {wanted}rh.accepts(case, {literal(hole.output)}{asked})\n"
    )


def judge(hole: Hole) -> str:
    """Which of its grader's verdicts a hole is about; empty where there is but one."""
    plain = f"{hole.case}/{hole.operator}/{hole.variant}"
    row = hole.row or plain
    return row[len(plain) + 1 : -1] if row.startswith(f"{plain}[") else ""


def literal(output: Output) -> str:
    """An output as the code that makes it."""
    fields: dict[str, str] = {}
    if output.text:
        fields["text"] = repr(output.text)
    if output.has_value:
        fields["value"] = _value(output.value)
    if output.messages:
        fields["messages"] = _tuple([_message(one) for one in output.messages])
    if output.contexts:
        fields["contexts"] = _value(output.contexts)
    if output.metadata:
        fields["metadata"] = _value(output.metadata)
    if not fields or set(fields) == {"text"}:
        return repr(output.text)
    return f"rh.Output({_named(fields)})"


def _message(message: Message) -> str:
    calls = [_call(one) for one in message.tool_calls]
    more = f", {_tuple(calls)}" if calls else ""
    return f"rh.Message({message.role!r}, {message.content!r}{more})"


def _call(call: ToolCall) -> str:
    fields = {"arguments": _value(call.arguments)} if call.arguments else {}
    for name in ("result", "error", "id"):
        if getattr(call, name) is not None:
            fields[name] = _value(getattr(call, name))
    return f"rh.ToolCall({call.name!r}{', ' if fields else ''}{_named(fields)})"


def _named(fields: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={code}" for name, code in fields.items())


def _tuple(items: list[str]) -> str:
    return f"({', '.join(items)},)"


def _value(value: Any) -> str:
    """Data as code; what Python's ``repr`` doesn't write as code is made so."""
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_value(k)}: {_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, tuple):
        return _tuple([_value(one) for one in value]) if value else "()"
    return repr(value)
