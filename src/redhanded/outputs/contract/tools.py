"""Contracts about what an agent did: which tools it called, how, in what order, and which not."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, cast

from redhanded.errors import UsageError
from redhanded.model.graded import Basis
from redhanded.model.output import Output, Part, ToolCall
from redhanded.outputs.contract.base import Contract, Finding, Ruling, declared
from redhanded.outputs.contract.comparing import matching
from redhanded.outputs.contract.document import UndecidedError, plain, same, shown

Arguments = Literal["exact", "subset", "names"]
"""How arguments are compared: all of them; at least the expected ones; not at all."""


_ORDER: Final = "trajectory.order"
_MANY_ORDERS: Final = 720


@dataclass(frozen=True)
class _Flaw:
    why: str
    kind: str
    bar: str | None = None


@dataclass(frozen=True)
class Trajectory:
    """The agent makes the expected tool calls."""

    expected: tuple[ToolCall, ...]
    order: bool = True
    """Does their order matter? Calls of one message may be parallel, and have none."""
    extras: bool = False
    """May there be calls beside the expected ones?"""
    arguments: Arguments = "exact"
    once: frozenset[str] = frozenset()
    """Tools with a side effect: called no more often than expected, even where extras may be."""
    failures: bool = False
    """Does a call that failed count as made?"""
    threshold: float = 1.0
    """The share of the expected calls that has to be made."""
    final: Contract | None = None
    """What the final answer has to be."""
    kind: str = field(default="trajectory", init=False)

    @property
    def basis(self) -> Basis:
        """That of the final answer's contract; calls are always decided."""
        return Basis.ORACLE if self.final is None else self.final.basis

    @property
    def varies(self) -> frozenset[str]:
        """The order of calls, where it is free; of the answer what its contract leaves free."""
        free = frozenset() if self.order else frozenset({"order"})
        return free if self.final is None else free | (self.final.varies - {"order"})

    @property
    def parts(self) -> frozenset[Part]:
        """The calls, and the answer where it has a contract."""
        answer = frozenset[Part]() if self.final is None else self.final.parts
        return frozenset[Part]({"tool_calls"}) | answer

    def declared(self, good: Output) -> Trajectory:
        """The same, its final answer's contract knowing the reference."""
        return self if self.final is None else replace(self, final=declared(self.final, good))

    def rule(self, output: Output) -> Finding:
        """Judge the calls, then the final answer."""
        try:
            flaws = self._flaws(output.tool_calls)
            parallel = [flaw.kind for flaw in flaws] == [_ORDER] and self._fits_in_parallel(output)
        except UndecidedError as error:
            return Finding(Ruling.UNKNOWN, f"arguments can't be compared: {error}", "tool_calls")
        if parallel:
            return Finding(Ruling.UNKNOWN, "calls of one message may be parallel", "tool_calls")
        final = None if self.final is None else self.final.rule(output)
        if final is not None and final.ruling is Ruling.WRONG:
            flaws.append(_Flaw(f"the final answer: {final.why}", "trajectory.final", final.bar))
        if flaws:
            bars = {flaw.bar for flaw in flaws}
            kinds = [flaw.kind for flaw in flaws]
            if final is not None and final.ruling is Ruling.WRONG and self.final is not None:
                kinds += final.kinds or (self.final.kind,)
            only_final = kinds[0] == "trajectory.final"
            return Finding(
                Ruling.WRONG,
                "; ".join(flaw.why for flaw in flaws),
                final.part if only_final and final is not None else "tool_calls",
                bars.pop() if len(bars) == 1 else None,
                tuple(dict.fromkeys(kinds)),
            )
        if final is not None and final.ruling is Ruling.UNKNOWN:
            return final
        return Finding(Ruling.RIGHT, "the expected calls", "tool_calls")

    def fits(self, expected: ToolCall, call: ToolCall) -> bool:
        """Is a call the expected one?"""
        if expected.name != call.name or (call.error is not None and not self.failures):
            return False
        return self.agree(expected.arguments, call.arguments)

    def agree(self, expected: dict[str, Any], found: dict[str, Any]) -> bool:
        """Are arguments the expected ones, as far as they are compared?"""
        if self.arguments == "names":
            return True
        wanted, given = plain(expected), plain(found)
        return _within(wanted, given) if self.arguments == "subset" else same(wanted, given)

    def _flaws(self, calls: Sequence[ToolCall]) -> list[_Flaw]:
        matched = matching(self.expected, calls, self.fits)
        in_order = _common(self.expected, calls, self.fits) if self.order else matched
        flaws: list[_Flaw] = []
        share = len(matched) / len(self.expected) if self.expected else 1.0
        if share < self.threshold:
            flaws += self._missing(calls, matched)
        elif self.order and len(in_order) < len(matched):
            if len(in_order) / len(self.expected) < self.threshold:
                flaws.append(_Flaw("the expected calls come in another order", _ORDER, "order"))
        flaws += self._repeated(calls)
        if not self.extras and not _of(
            flaws, "trajectory.names", "trajectory.arguments", "trajectory.failures"
        ):
            flaws += self._unexpected(calls, matched)
        return flaws

    def _fits_in_parallel(self, output: Output) -> bool:
        """Would the calls be in order, were those of one message made in another one?"""
        groups = [message.tool_calls for message in output.messages if message.tool_calls]
        if math.prod(math.factorial(len(group)) for group in groups) > _MANY_ORDERS:
            return True
        return any(
            not self._flaws([call for group in orders for call in group])
            for orders in itertools.product(*(itertools.permutations(group) for group in groups))
        )

    def _missing(self, calls: Sequence[ToolCall], matched: dict[int, int]) -> list[_Flaw]:
        bar = "threshold" if self.threshold < 1 else None
        taken = set(matched.values())
        left = [call for place, call in enumerate(calls) if place not in taken]
        flaws: list[_Flaw] = []
        for index, expected in enumerate(self.expected):
            if index in matched:
                continue
            alike = [call for call in left if call.name == expected.name]
            failed = [
                one
                for one in alike
                if one.error is not None and self.agree(expected.arguments, one.arguments)
            ]
            if failed:
                why = f"{expected.name} failed: {failed[0].error}"
                flaws.append(_Flaw(why, "trajectory.failures", bar))
            elif alike:
                why = (
                    f"{expected.name}: expected the arguments {shown(plain(expected.arguments))}, "
                    f"found {shown(plain(alike[0].arguments))}"
                )
                flaws.append(_Flaw(why, "trajectory.arguments", bar))
            else:
                flaws.append(_Flaw(f"{expected.name} was not called", "trajectory.names", bar))
        return flaws

    def _repeated(self, calls: Sequence[ToolCall]) -> list[_Flaw]:
        flaws: list[_Flaw] = []
        for name in sorted(self.once):
            allowed = sum(call.name == name for call in self.expected)
            made = sum(call.name == name and call.error is None for call in calls)
            if made > allowed:
                why = f"{name} has a side effect: expected {allowed} calls of it, found {made}"
                flaws.append(_Flaw(why, "trajectory.repeats"))
        return flaws

    def _unexpected(self, calls: Sequence[ToolCall], matched: dict[int, int]) -> list[_Flaw]:
        taken = set(matched.values())
        # Below a threshold of 1, a failed or wrong try at an expected call is no call too many.
        tries = [one.name for place, one in enumerate(self.expected) if place not in matched]
        flaws: list[_Flaw] = []
        for place, call in enumerate(calls):
            if place in taken:
                continue
            if call.name in tries:
                tries.remove(call.name)
                continue
            again = any(self.fits(expected, call) for expected in self.expected)
            said = "was called again" if again else "was called, which is not expected"
            kinds = ["trajectory.extras"] + (["trajectory.repeats"] if again else [])
            flaws += [_Flaw(f"{call.name} {said}", kind, "extras") for kind in kinds]
        return flaws

    def code(self) -> str:
        """``rh.trajectory(...)``."""
        calls = ", ".join(_call_code(call) for call in self.expected)
        said = [f"[{calls}]"]
        said += [] if self.order else ["order=False"]
        said += ["extras=True"] if self.extras else []
        bare = not any(call.arguments for call in self.expected)
        if self.arguments != ("names" if bare else "exact"):
            said.append(f"arguments={self.arguments!r}")
        said += [f"once={sorted(self.once)!r}"] if self.once else []
        said += [] if self.failures is bare else [f"failures={self.failures}"]
        said += [] if self.threshold == 1 else [f"threshold={self.threshold!r}"]
        said += [] if self.final is None else [f"final={self.final.code()}"]
        return f"rh.trajectory({', '.join(said)})"


def _of(flaws: Sequence[_Flaw], *kinds: str) -> bool:
    """Is one of the flaws of one of these kinds?"""
    return any(flaw.kind in kinds for flaw in flaws)


def _within(wanted: Any, given: Any) -> bool:
    if isinstance(wanted, dict) and isinstance(given, dict):
        return all(key in given and _within(value, given[key]) for key, value in wanted.items())
    return same(wanted, given)


def _common(expected: Sequence[ToolCall], calls: Sequence[ToolCall], fits: Any) -> dict[int, int]:
    """A longest run of expected calls that were made in order, by position."""
    best = [[0] * (len(calls) + 1) for _ in range(len(expected) + 1)]
    for one in range(len(expected) - 1, -1, -1):
        for other in range(len(calls) - 1, -1, -1):
            taken = best[one + 1][other + 1] + 1 if fits(expected[one], calls[other]) else 0
            best[one][other] = max(taken, best[one + 1][other], best[one][other + 1])
    found: dict[int, int] = {}
    one = other = 0
    while one < len(expected) and other < len(calls):
        if fits(expected[one], calls[other]) and best[one][other] == best[one + 1][other + 1] + 1:
            found[one] = other
            one, other = one + 1, other + 1
        elif best[one + 1][other] >= best[one][other + 1]:
            one += 1
        else:
            other += 1
    return found


def _call_code(call: ToolCall) -> str:
    if not call.arguments:
        return repr(call.name)
    return f"rh.ToolCall({call.name!r}, {call.arguments!r})"


_SEPARATORS: Final = re.compile(r"__|[./:\\]")
_MINOR: Final = re.compile(r"[_\-\s]+")


def segments(name: str) -> tuple[str, ...]:
    """A tool's name without case, split where a namespace ends: ``server__rm`` is server, rm."""
    return tuple(part for part in _SEPARATORS.split(name.strip().casefold()) if part)


@dataclass(frozen=True)
class ToolPolicy:
    """The agent calls none of the denied tools, and no others than the allowed ones.

    A denied tool stays denied under any namespace (``functions.rm``, ``server__rm``) and in any
    case. Whether a name that differs in more is the same tool is not known.
    """

    denied: tuple[str, ...] = ()
    allowed: tuple[str, ...] | None = None
    kind: str = field(default="tool_policy", init=False)
    basis: Basis = field(default=Basis.ORACLE, init=False)

    @property
    def varies(self) -> frozenset[str]:
        """The order of calls."""
        return frozenset({"order"})

    @property
    def parts(self) -> frozenset[Part]:
        """The calls."""
        return frozenset({"tool_calls"})

    def rule(self, output: Output) -> Finding:
        """Judge the name of each call."""
        unknown: str | None = None
        for call in output.tool_calls:
            ruling, why = self.named(call.name)
            if ruling is Ruling.WRONG:
                return Finding(ruling, why, "tool_calls")
            if ruling is Ruling.UNKNOWN:
                unknown = unknown or why
        if unknown is not None:
            return Finding(Ruling.UNKNOWN, unknown, "tool_calls")
        return Finding(Ruling.RIGHT, "only tools that may be called", "tool_calls")

    def named(self, name: str) -> tuple[Ruling, str]:
        """May a tool of this name be called?"""
        for denied in self.denied:
            if _is(name, denied):
                as_ = "" if name == denied else f", under the name {name}"
                return Ruling.WRONG, f"the denied tool {denied} was called{as_}"
        for denied in self.denied:
            if _might_be(name, denied):
                return Ruling.UNKNOWN, f"{name} may or may not be the denied tool {denied}"
        if self.allowed is None or name in self.allowed:
            return Ruling.RIGHT, ""
        if any(_is(name, one) or _might_be(name, one) for one in self.allowed):
            return Ruling.UNKNOWN, f"{name} may or may not be an allowed tool"
        return Ruling.WRONG, f"{name} was called, which is not among the allowed tools"

    def code(self) -> str:
        """``rh.tool_policy(...)``."""
        said = [f"denied={list(self.denied)!r}"] if self.denied else []
        said += [] if self.allowed is None else [f"allowed={list(self.allowed)!r}"]
        return f"rh.tool_policy({', '.join(said)})"


def _is(name: str, denied: str) -> bool:
    whole, tail = segments(name), segments(denied)
    return bool(tail) and whole[-len(tail) :] == tail


def _might_be(name: str, denied: str) -> bool:
    """Do the names agree in their words, though not in how these are put together?"""
    words = [word for part in segments(_uncamelled(name)) for word in _MINOR.split(part) if word]
    wanted = [word for part in segments(_uncamelled(denied)) for word in _MINOR.split(part) if word]
    run = len(wanted)
    if any(words[place : place + run] == wanted for place in range(len(words) - run + 1)):
        return True
    return segments(name)[-1:] == segments(denied)[-1:] or "".join(words) == "".join(wanted)


def _uncamelled(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)


def trajectory(
    expected: Iterable[ToolCall | str | dict[str, Any]],
    *,
    order: bool = True,
    extras: bool = False,
    arguments: Arguments | None = None,
    once: Iterable[str] = (),
    failures: bool | None = None,
    threshold: float = 1.0,
    final: Contract | None = None,
) -> Trajectory:
    """The agent makes the expected tool calls; see :class:`Trajectory`.

    Args:
        expected: Calls, or names, or dicts with ``name`` and ``arguments``.
        order: Does their order matter?
        extras: May there be other calls?
        arguments: ``exact``, ``subset`` (more may be given) or ``names`` (not compared); left
            out, ``names`` where all calls are given by name alone, else ``exact``.
        once: Tools with a side effect, called no more often than expected.
        failures: Does a call that failed count as made? Left out, it does where all calls are
            given by name alone, and else not.
        threshold: The share of the expected calls that has to be made.
        final: What the final answer has to be.
    """
    given = list(expected)
    calls = tuple(_call(one) for one in given)
    bare = all(isinstance(one, str) for one in given)
    if arguments is None:
        arguments = "names" if bare else "exact"
    if failures is None:
        failures = bare
    if arguments not in ("exact", "subset", "names"):
        raise UsageError(
            f"rh.trajectory: expected arguments= 'exact', 'subset' or 'names', found {arguments!r}."
        )
    if not 0 < threshold <= 1:
        raise UsageError(f"rh.trajectory: expected a threshold in (0, 1], found {threshold!r}.")
    if not calls and extras:
        raise UsageError("rh.trajectory: without expected calls, and with extras, all is right.")
    return Trajectory(
        calls, order, extras, arguments, frozenset(_names(once)), failures, threshold, final
    )


def tool_policy(*, denied: Iterable[str] = (), allowed: Iterable[str] | None = None) -> ToolPolicy:
    """The agent calls none of the denied tools, and no others than the allowed ones."""
    names = None if allowed is None else tuple(_names(allowed))
    policy = ToolPolicy(tuple(_names(denied)), names)
    if not policy.denied and policy.allowed is None:
        raise UsageError("rh.tool_policy: expected denied= or allowed=, found neither.")
    return policy


def _names(names: Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _call(one: ToolCall | str | dict[str, Any]) -> ToolCall:
    if isinstance(one, ToolCall):
        return one
    if isinstance(one, str):
        return ToolCall(one)
    if isinstance(one, dict) and isinstance(one.get("name"), str):
        return ToolCall(one["name"], cast(dict[str, Any], one.get("arguments") or {}))
    raise UsageError(
        f"rh.trajectory: expected calls as rh.ToolCall, names or dicts with a name, found {one!r}."
    )
