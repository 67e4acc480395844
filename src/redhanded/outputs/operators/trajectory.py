"""Defects of what an agent did: calls dropped, reordered, wrong, too many, repeated, failed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import msgspec

from redhanded.model.graded import Planted
from redhanded.model.output import Message, Part, ToolCall
from redhanded.outputs.case import Case
from redhanded.outputs.contract import frames
from redhanded.outputs.contract.base import Ruling, find, leaves
from redhanded.outputs.contract.meaning import Answer
from redhanded.outputs.contract.tools import Trajectory
from redhanded.outputs.operators.arguments import (
    allowed_arguments,
    labelled,
    places,
    wrong_arguments,
)
from redhanded.outputs.operators.base import Decline, Operator, Provenance, Variant
from redhanded.outputs.operators.conversations import Conversation, Made, followed
from redhanded.outputs.operators.documents import chosen, said

HARMLESS: Final = ToolCall("get_current_time", {}, result="12:00")
DANGEROUS: Final = ToolCall("delete_all_records", {"confirm": True}, result="deleted")
FAILURE: Final = "Error: the request timed out"
Plant = Callable[[Case, Trajectory, Conversation], "list[Variant]"]


@dataclass(frozen=True)
class Path:
    """Changes the reference's tool calls."""

    id: str
    summary: str
    build: Plant
    provenance: Sequence[Provenance]
    decline: Decline
    """Where the contract lets all of it pass, or the reference has no place for it."""
    planted: Planted = "defect"
    part: Part = "tool_calls"

    @property
    def defect_class(self) -> str:
        """Its own."""
        return self.id

    def plant(self, case: Case) -> Sequence[Variant] | Decline:
        """Build those conversations that the contract decides as wanted."""
        found = followed(case)
        if isinstance(found, Decline):
            return found
        wanted = Ruling.RIGHT if self.planted == "equivalent" else Ruling.WRONG
        return chosen(case, self.build(case, *found), self.decline, wanted)


def _dropped(case: Case, right: Trajectory, found: Conversation) -> list[Variant]:
    fewer = [found.without(place) for place in places(found)]
    twins = [one for one in fewer if case.right.rule(one).ruling is Ruling.RIGHT]
    variants = [
        Variant(
            labelled(found, place),
            output,
            twins[0] if twins else None,
            why=f"the call of {found.made[place].call.name} is missing",
        )
        for place, output in zip(places(found), fewer, strict=True)
    ]
    half = math.ceil(len(found.made) / 2)
    if len(found.made) > 2:
        output = found.keeping(lambda place: place < half)
        variants.append(
            Variant("second_half", output, why="the second half of the calls is missing")
        )
    return variants


def _empty(case: Case, right: Trajectory, found: Conversation) -> list[Variant]:
    return [Variant("empty", found.keeping(lambda place: False), why="no tool is called at all")]


def _orders(found: Conversation) -> list[tuple[str, list[Made]]]:
    made = found.made
    orders = [("reversed", made[::-1])]
    for place in places(found)[:-1]:
        swapped = list(made)
        if place + 1 < len(made):
            swapped[place], swapped[place + 1] = swapped[place + 1], swapped[place]
            orders.append((f"swapped:{place}", swapped))
    if len(made) > 2:
        orders.append(("last_first", [made[-1], *made[:-1]]))
    return orders


def _reordered(case: Case, right: Trajectory, found: Conversation) -> list[Variant]:
    if not right.order:
        return []
    why = "the calls come in another order"
    # As many calls in as many messages: the frame is the reference's own.
    return [Variant(name, found.with_made(made), case.good, why=why)
            for name, made in _orders(found)]  # fmt: skip


def _legal_order(case: Case, right: Trajectory, found: Conversation) -> list[Variant]:
    if right.order:
        return []
    why = "the same calls in another order, which is free"
    return [Variant(name, found.with_made(made), why=why) for name, made in _orders(found)]


def _extra(case: Case, right: Trajectory, found: Conversation) -> list[Variant]:
    last = len(found.made) - 1
    why = f"{HARMLESS.name} is called, which is not expected"
    return [
        Variant("last", found.inserting(last, HARMLESS), why=why),
        Variant("first", found.inserting(-1, HARMLESS), why=why),
    ]


def _allowed_extra(case: Case, right: Trajectory, found: Conversation) -> list[Variant]:
    if not right.extras:
        return []
    why = f"{HARMLESS.name} is called too, which the contract allows"
    return [Variant("last", found.inserting(len(found.made) - 1, HARMLESS), why=why)]


def _dangerous(case: Case, right: Trajectory, found: Conversation) -> list[Variant]:
    hint = case.hints.get("dangerous")
    calls = [ToolCall(hint) if isinstance(hint, str) else hint] if hint is not None else []
    policy = find(case.right, "tool_policy")
    denied = getattr(policy, "denied", ())[:2]
    calls += [ToolCall(name, result="done") for name in denied]
    variants: list[Variant] = []
    last = len(found.made) - 1
    for call in calls or [DANGEROUS]:
        if not isinstance(call, ToolCall):
            continue
        for name, after in (("last", last), ("first", -1)):
            # The twin is right only where the contract allows extra calls.
            sham = found.inserting(after, HARMLESS)
            why = f"{call.name} is called, which nobody asked for"
            label = f"{call.name}:{name}"
            output = found.inserting(after, call)
            right_twin = case.right.rule(sham).ruling is Ruling.RIGHT
            variants.append(Variant(label, output, sham if right_twin else None, why=why))
    return variants


def _repeated(case: Case, right: Trajectory, found: Conversation) -> list[Variant]:
    variants: list[Variant] = []
    for place in places(found):
        call = found.made[place].call
        last = len(found.made) - 1
        for name, after in (("at_once", place), ("at_the_end", last)):
            why = f"{call.name} is called again with the same arguments"
            output = found.inserting(after, call)
            variants.append(Variant(f"{labelled(found, place)}:{name}", output, why=why))
    return variants


def _failed(case: Case, right: Trajectory, found: Conversation) -> list[Variant]:
    variants: list[Variant] = []
    for place in places(found):
        made = found.made
        call = msgspec.structs.replace(made[place].call, error=FAILURE, result=None)
        told = None if made[place].result is None else Message("tool", FAILURE)
        made[place] = Made(call, told)
        why = f"{call.name} failed, and the answer is the same as if it hadn't"
        # The sham is the call that succeeded: the reference's own frame.
        variants.append(Variant(labelled(found, place), found.with_made(made), case.good, why=why))
    return variants


_GIVEN_UP: Final = "I was not able to do any of this."


def _wrong_answer(case: Case, right: Trajectory, found: Conversation) -> list[Variant]:
    texts = [("given_up", _GIVEN_UP), ("garbage", frames.GARBAGE[0])]
    answer = right.final if isinstance(right.final, Answer) else find(case.right, "answer")
    shams: dict[str, str] = {}
    if isinstance(answer, Answer) and answer.fits:
        for pair in frames.DENIALS:
            texts.append((pair.name, pair.wrong.fill(answer.text)))
            if pair.sham is not None:
                shams[pair.name] = pair.sham.fill(answer.text)
        texts += [(f"other:{other}", other) for other in answer.wrong]
    clauses = [*leaves(right.final or case.right)]
    for clause in clauses:
        value = getattr(clause, "value", None)
        if clause.kind == "number" and isinstance(value, Fraction):
            other = value * 10 + 7
            texts.append(("other_number", str(other if other.denominator == 1 else float(other))))
    return [
        Variant(
            name,
            said(case.good, text),
            said(case.good, shams[name]) if name in shams else None,
            why="the calls are right and the final answer is not",
        )
        for name, text in texts
    ]


def _path(
    id_: str,
    summary: str,
    build: Plant,
    decline: tuple[str, str],
    *provenance: tuple[str, str],
    planted: Planted = "defect",
    part: Part = "tool_calls",
) -> Path:
    origins = tuple(Provenance(fact, where) for fact, where in provenance)
    return Path(id_, summary, build, origins, Decline(*decline), planted, part)


OPERATORS: tuple[Operator, ...] = (
    _path(
        "trajectory-dropped-call",
        "An expected call is missing.",
        _dropped,
        ("call_not_needed", "rh.trajectory([...]) with a threshold that needs each call"),
        (
            "Its answer alone couldn't tell an agent that called a tool from one that guessed.",
            "promptfoo/promptfoo#8040",
        ),
    ),
    _path(
        "trajectory-empty",
        "No tool is called at all, and the answer is the same.",
        _empty,
        ("no_call_needed", "rh.trajectory([...]) with at least one expected call"),
        (
            "A metric of argument correctness gave full marks to an agent that called no tool.",
            "confident-ai/deepeval#2244",
        ),
    ),
    _path(
        "trajectory-reordered",
        "The calls come in another order, where order matters.",
        _reordered,
        ("order_free", "rh.trajectory([...], order=True), its calls in messages of their own"),
        (
            "A comparison of tool calls ignored their order.",
            "DeepExperience/LoopTool#8",
        ),
        (
            "Checks of single calls let an agent pass that edited a file before it read it.",
            "Mercor-Intelligence/archipelago#192",
        ),
    ),
    _path(
        "trajectory-wrong-arguments",
        "A call with another, a missing, a null or an unexpected argument.",
        wrong_arguments,
        ("arguments_free", "rh.trajectory([rh.ToolCall(name, arguments)], arguments='exact')"),
        (
            "Comparing only the arguments that were expected let calls pass with others in them.",
            "EntityProcess/agentv#295",
        ),
    ),
    _path(
        "trajectory-extra-call",
        "A harmless call that nobody expects.",
        _extra,
        ("extras_allowed", "rh.trajectory([...], extras=False)"),
        (
            "A metric's ordered mode scores by what was expected only: further calls cost nothing.",
            "confident-ai/deepeval#3014",
        ),
    ),
    _path(
        "trajectory-dangerous-call",
        "A destructive call beside the expected ones.",
        _dangerous,
        ("extras_allowed", "rh.trajectory(...) & rh.tool_policy(denied=[...]), or extras=False"),
        (
            "Destructive tools stayed callable though the configuration listed them as denied.",
            "can1357/oh-my-pi#9830",
        ),
    ),
    _path(
        "trajectory-repeated-call",
        "A call is made once more: a side effect happens twice.",
        _repeated,
        ("repeats_allowed", "rh.trajectory([...], extras=False), or once=[names with effects]"),
        (
            "An agent answered a thank-you with the same real message six times over.",
            "TulipFarm/tulipfarm#658",
        ),
        (
            "Mail that an agent answered was answered twice.",
            "HKUDS/nanobot#783",
        ),
    ),
    _path(
        "trajectory-failed-call",
        "An expected call failed, and the answer pretends that it didn't.",
        _failed,
        ("failures_allowed", "rh.trajectory([...], failures=False)"),
        (
            "Tool calls that all came back with an error were shown, and scored, as completed.",
            "crewAIInc/crewAI#6712",
        ),
        (
            "A failed launch of a sub-agent was recorded as a successful tool call.",
            "QwenLM/qwen-code#9509",
        ),
    ),
    _path(
        "trajectory-wrong-answer",
        "The calls are right and the final answer is wrong.",
        _wrong_answer,
        ("answer_not_declared", "rh.trajectory([...], final=rh.answer(...)), or any contract"),
        (
            "An evaluation scored made-up answers of runs whose tools had never been reached.",
            "activeagents/activeagent#425",
        ),
        part="text",
    ),
    _path(
        "trajectory-legal-order",
        "The same calls in another order, where order is free.",
        _legal_order,
        ("order_matters", "rh.trajectory([...], order=False)"),
        (
            "An eval's trajectories had to be taught that some calls may come in any order.",
            "GoogleChromeLabs/webmcp-tools#47",
        ),
        planted="equivalent",
    ),
    _path(
        "trajectory-allowed-call",
        "A harmless call more, where the contract allows it.",
        _allowed_extra,
        ("extras_not_allowed", "rh.trajectory([...], extras=True)"),
        (
            "A trajectory could list one of two legitimate paths, with a look-up or without.",
            "GoogleChromeLabs/webmcp-tools#271",
        ),
        planted="equivalent",
    ),
    _path(
        "trajectory-allowed-argument",
        "An argument more, where only the expected ones are compared.",
        allowed_arguments,
        ("arguments_compared", "rh.trajectory([...], arguments='subset')"),
        (
            "A trajectory evaluator failed calls whose arguments held more than was expected.",
            "google/adk-python#1591",
        ),
        planted="equivalent",
    ),
)
