"""A contract from a case's own data, where its user wrote none.

What is derived says no more than the data does, and is shown as code to copy: a list of expected
tools says which have to be called, not that order matters or that no other may be; those are as
the framework documents them. It is never read from what the grader does. What only the grader's
settings hold (the value that ``Equals(5)`` was made with) can be read too, is marked as shared with
the grader, and supports no verdict that the grader is blind.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

from redhanded.errors import UsageError
from redhanded.model.output import Message, Output, ToolCall
from redhanded.outputs.adapters import project
from redhanded.outputs.case import Case
from redhanded.outputs.contract.base import Contract, Ruling, declared, leaves
from redhanded.outputs.contract.choice import choice
from redhanded.outputs.contract.meaning import answer
from redhanded.outputs.contract.number import number
from redhanded.outputs.contract.structured import json_contract
from redhanded.outputs.contract.text import contains
from redhanded.outputs.contract.tools import Trajectory, trajectory

NUMERAL: Final = re.compile(r"[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?")
WORDS: Final = 6
"""An answer of more words is a text: its presence can be required, its meaning isn't known."""
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Derived:
    """A contract that nobody wrote."""

    contract: Contract
    source: str
    """Where it comes from, for people: ``target``, ``expected tools``, ``the grader's value``."""
    shared: frozenset[str] = field(default=frozenset())
    """Kinds of its clauses that could only be read from the grader."""

    @property
    def code(self) -> str:
        """What a user would write."""
        return f"right={self.contract.code()}"


def derive(
    grader: Any,
    good: Output,
    *,
    target: Any = None,
    hints: Mapping[str, Any] | None = None,
) -> Derived | None:
    """The contract that a case's data amounts to, or None.

    A candidate that doesn't call the reference right isn't what the data means; the next one is
    tried. Where the case has no target, the grader's settings are looked at.
    """
    from redhanded.outputs.adapters.shared import from_settings

    hints = hints or {}
    found = _first(good, of_target(good, target, hints)) if target is not None else None
    expected = hints.get("expected_tools")
    if found is None and expected is not None:
        found = _first(good, [("expected tools", lambda: of_calls(expected))])
    if found is not None and isinstance(found.contract, Trajectory):
        return _as_documented(found, grader, good, target, hints)
    if found is None and target is None:
        found = _first(good, from_settings(grader))
        if found is not None:
            kinds = frozenset(one.kind for one in leaves(found.contract))
            return Derived(found.contract, found.source, kinds)
    return found


def _as_documented(
    found: Derived, grader: Any, good: Output, target: Any, hints: Mapping[str, Any]
) -> Derived:
    """Whether order matters, and whether others may be called, as the framework says.

    A list of calls doesn't say. A stock grader's documentation does: where it claims to judge
    the order, another order is no equivalent.
    """
    from redhanded.outputs.adapters import open_case

    trial = Case("derived", grader, good, found.contract, target=target, hints=dict(hints))
    try:
        claim = open_case(trial).claim
    except Exception:
        return found
    kinds = claim.kinds if claim is not None else frozenset()
    contract = replace(
        cast(Trajectory, found.contract),
        order=bool(kinds & {"trajectory", "trajectory.order"}),
        extras=not kinds & {"trajectory", "trajectory.extras"},
    )
    return replace(found, contract=contract)


Candidate = tuple[str, Callable[[], Contract | None]]


def _first(good: Output, candidates: Iterable[Candidate]) -> Derived | None:
    for source, make in candidates:
        try:
            contract = make()
        except (UsageError, ValueError, TypeError):
            continue
        if contract is not None and declared(contract, good).rule(good).ruling is Ruling.RIGHT:
            return Derived(contract, source)
    return None


def of_target(good: Output, target: Any, hints: Mapping[str, Any]) -> list[Candidate]:
    """What a target may mean, the most telling first."""
    if isinstance(target, Mapping) and {"expected_output", "expected_tools"} & set(target):
        tools, text = target.get("expected_tools"), target.get("expected_output")
        inner = [] if text is None else of_target(good, text, hints)
        return [("expected tools", lambda: of_calls(tools)), *inner]
    calls = _calls(target)
    if calls is not None and good.tool_calls:
        return [("expected tools", lambda: of_calls(calls))]
    if isinstance(target, str):
        return _of_text(good, target, hints)
    if isinstance(target, (list, tuple)) and target and all(isinstance(x, str) for x in target):
        return [("target", lambda: _of_several(good, list(target))), *_of_data(target)]
    if isinstance(target, (int, float)) and not isinstance(target, bool):
        return [*_of_number(good, target), *_of_data(target)]
    return _of_data(target)


def _of_text(good: Output, target: str, hints: Mapping[str, Any]) -> list[Candidate]:
    choices = hints.get("choices")
    found: list[Candidate] = []
    letter = target.strip().upper()
    if choices and len(letter) == 1 and letter in LETTERS:
        options = {LETTERS[at]: str(one) for at, one in enumerate(choices)}
        found.append(("target and choices", lambda: choice(letter, options=options)))
    if NUMERAL.fullmatch(target.strip()):
        # Never as text: 7 stands in 17 too.
        return found + _of_number(good, target.strip().replace(",", ""))
    if target.strip()[:1] in ("{", "["):
        data = _parsed(target)
        found += [] if data is None else _of_data(data)
    if not target.strip():
        return []
    if len(target.split()) <= WORDS:
        found.append(("target", lambda: _answer(good, [target])))
    found.append(
        ("target", lambda: contains(target.strip(), ignore=("case", "whitespace"), words=True))
    )
    return found


def _of_number(good: Output, value: Any) -> list[Candidate]:
    """The only number of the answer, or else the last: where results stand."""
    candidates: list[Candidate] = [("target", lambda: number(value))]
    if not good.has_value:
        candidates.append(("target", lambda: number(value, which="last")))
    return candidates


def _of_several(good: Output, targets: Sequence[str]) -> Contract | None:
    """Any of several: the first is the answer, the others its other names."""
    if len(targets) == 1:
        found = _first(good, _of_text(good, targets[0], {}))
        return None if found is None else found.contract
    return _answer(good, targets)


def _answer(good: Output, names: Sequence[str]) -> Contract | None:
    """The answer and its other names, where the reference gives one of them.

    That a sentence about it is right, the contract of meaning takes the case's word for; a
    reference that doesn't even name it isn't what the target means.
    """
    text = project.text_of(good).casefold()
    given = [name.strip() for name in names]
    if not any(_stands(name.casefold(), text) for name in given):
        return None
    return answer(given[0], aliases=given[1:])


def _stands(name: str, text: str) -> bool:
    """Does a name stand in a text as words of its own?"""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _of_data(target: Any) -> list[Candidate]:
    def whole() -> Contract | None:
        json.dumps(target)
        return json_contract(values={"": target})

    return [("target", whole)]


def of_calls(expected: Any) -> Contract | None:
    """These tools are called: in any order, and others may be."""
    calls = _calls(expected)
    if calls is None:
        return None
    given = [call if call.arguments else call.name for call in calls]
    return trajectory(given, order=False, extras=True)


def _calls(target: Any) -> list[ToolCall] | None:
    """The calls that a target names: calls, names, or a whole conversation."""
    if isinstance(target, Output):
        return list(target.tool_calls) or None
    if isinstance(target, Mapping) and isinstance(target.get("messages"), (list, tuple)):
        target = target["messages"]
    if isinstance(target, (list, tuple)) and target:
        if all(isinstance(one, Message) for one in target):
            return [call for one in target for call in one.tool_calls] or None
        if all(isinstance(one, Mapping) and "role" in one for one in target):
            return _of_messages(target) or None
        if all(type(one).__module__.startswith("deepeval.") for one in target):
            return [ToolCall(one.name, one.input_parameters or {}) for one in target]
    return project.expected_calls(target)


def _of_messages(messages: Iterable[Mapping[str, Any]]) -> list[ToolCall]:
    found: list[ToolCall] = []
    for message in messages:
        for call in message.get("tool_calls") or ():
            function = call.get("function", call)
            arguments = function.get("arguments", function.get("args"))
            given = _parsed(arguments) if isinstance(arguments, str) else arguments
            found.append(ToolCall(function["name"], given if isinstance(given, dict) else {}))
    return found


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
