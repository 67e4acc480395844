"""Evaluators of openevals and agentevals: functions of ``outputs`` and ``reference_outputs``."""

from __future__ import annotations

import contextlib
import inspect
import os
import sys
from collections.abc import Mapping
from typing import Any, Final

from redhanded.errors import UsageError
from redhanded.model.graded import Answer
from redhanded.model.output import Message, Output
from redhanded.outputs.adapters import claims, project, reading, upstream
from redhanded.outputs.adapters.base import Asked, Verdict, Watched
from redhanded.outputs.adapters.prepared import Prepared, call_text, cells, module, own_copy
from redhanded.outputs.case import Case

PACKAGES: Final = ("openevals", "agentevals")
ONLINE: Final = (".llm", ".embedding_similarity", ".e2b", ".simulators")
"""Parts of a module's name whose evaluators ask a model or a service."""


class Openevals:
    """Evaluators of openevals and agentevals.

    ``outputs`` is the output's value where it has one, else its text (``hints={"parse": "json"}``
    has it parsed first); for the trajectory evaluators it is the conversation, as messages.
    ``reference_outputs`` is the case's target; for a trajectory without one it is the
    conversation of the reference output. Nothing is traced. A bool decides; a number needs
    ``pass_at``.
    """

    framework = "openevals"

    def knows(self, grader: Any) -> bool:
        """Is it a function that one of the packages defines?"""
        home = getattr(grader, "__module__", None)
        return (
            inspect.isfunction(grader)
            and isinstance(home, str)
            and home.partition(".")[0] in PACKAGES
        )

    def open(self, case: Case) -> Asked:
        """Make an evaluator ready."""
        grader = case.grader
        if grader.__name__.startswith("create_"):
            raise UsageError(
                f"{case.id}: {grader.__name__} makes evaluators, it is none",
                hint=f"Call it: {grader.__name__}(...).",
            )
        _offline(case)
        for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2", "LANGSMITH_TEST_TRACKING"):
            os.environ[name] = "false"
        stock, settings = _stock(grader)

        by_key = stock == "json_match" and settings.get("aggregator", "") is None

        def read(raw: Any) -> dict[str, Verdict]:
            found = reading.read(raw, case.pass_at)
            return {"": all_keys(found)} if by_key else found

        async def ask(output: Output) -> Any:
            return await _called(grader, arguments(output, case))

        return Prepared(
            name=f"openevals:{_named(stock, settings)}",
            watched=[
                Watched(grader, "grader", instance=grader if grader.__closure__ else None),
                *_inner(grader, case.pass_at),
                *upstream.declared(case.upstream),
            ],
            ask=ask,
            read=read,
            claim=claims.claim("openevals", stock, settings),
        )


def _offline(case: Case) -> None:
    held = cells(case.grader)
    home = case.grader.__module__
    asks = any(part in home for part in ONLINE) or any(
        held.get(name) for name in ("judge", "model", "rubric")
    )
    if asks and not case.hints.get("online"):
        raise UsageError(
            f"{case.id}: this evaluator of {home} asks a model",
            hint="Graders that ask a model run with hints={'online': True} only.",
        )


async def _called(grader: Any, given: Mapping[str, Any]) -> Any:
    quiet: Any = contextlib.nullcontext()
    with contextlib.suppress(ImportError, AttributeError):
        quiet = module("langsmith.run_helpers").tracing_context(enabled=False)
    with quiet:
        result = grader(**given)
        return await result if inspect.isawaitable(result) else result


def arguments(output: Output, case: Case) -> dict[str, Any]:
    """What an evaluator is given for an output."""
    given: dict[str, Any] = {}
    if "trajectory" in case.grader.__module__:
        given["outputs"] = project.openai_messages(project.conversation(output, case))
        given["reference_outputs"] = _reference(case)
    else:
        given["outputs"] = project.data_of(output, case)
        given["reference_outputs"] = own_copy(case.target)
    if case.input is not None and _takes(case.grader, "inputs"):
        given["inputs"] = own_copy(case.input)
    return given


def _takes(grader: Any, name: str) -> bool:
    return name in inspect.signature(grader).parameters


def _reference(case: Case) -> Any:
    target = case.target
    if target is None:
        return project.openai_messages(project.conversation(case.good, case))
    if isinstance(target, Output):
        return project.openai_messages(project.conversation(target, case))
    if isinstance(target, (list, tuple)) and all(isinstance(one, Message) for one in target):
        return project.openai_messages(tuple(target))
    calls = project.expected_calls(target)
    if calls is not None:
        messages = (Message("assistant", "", tuple(calls)),)
        return project.openai_messages(messages)
    return own_copy(target)


def _stock(grader: Any) -> tuple[str, dict[str, Any]]:
    """A name for claims, and how it was set."""
    held = cells(grader)
    if "trajectory_match_mode" in held:
        return f"trajectory_{held['trajectory_match_mode']}", held
    name = grader.__name__.removesuffix("_async")
    if grader.__module__.endswith(".json.match"):
        return "json_match", held
    if grader.__module__.startswith("openevals.trajectory."):
        return f"trajectory_{grader.__module__.rpartition('.')[2]}", held
    return name, held


def _named(stock: str, settings: Mapping[str, Any]) -> str:
    if "trajectory_match_mode" in settings:
        shown = {"tool_args_match_mode": settings.get("tool_args_match_mode")}
        shown = {} if shown["tool_args_match_mode"] == "exact" else shown
        return call_text(f"{stock}_match", shown, None)
    wanted = ("aggregator", "list_aggregator", "list_match_mode", "exclude_keys")
    usual = {"list_aggregator": "all", "list_match_mode": "same_elements"}
    shown = {
        name: settings[name]
        for name in wanted
        if settings.get(name) and settings[name] != usual.get(name)
    }
    return call_text(stock, shown, None) if shown or settings else stock


def _inner(grader: Any, pass_at: float | None) -> list[Watched]:
    """The library function that gives the verdict, below the wrapper that files it."""

    def via(raw: Any) -> dict[str, Verdict]:
        return reading.read(raw, pass_at)

    held = cells(grader)
    home = sys.modules.get(grader.__module__)
    if inspect.isfunction(held.get("scorer")):
        return [Watched(held["scorer"], "upstream", via=via)]
    if "aggregator" in held:
        if held["aggregator"] is not None:
            return [Watched(vars(home)["_aggregate_results"], "upstream", via=via)]
        return [Watched(vars(home)["_prepare_parameters"], "upstream", via=_by_key(held, pass_at))]
    found = getattr(home, "_scorer", None)
    return [Watched(found, "upstream", via=via)] if inspect.isfunction(found) else []


def all_keys(found: Mapping[str, Verdict]) -> Verdict:
    """One verdict for a comparison key by key: it rejects where any key does.

    A key's own verdict is about that key alone, and no key judges the answer.
    """
    order = (Answer.ERROR, Answer.REJECT, Answer.ABSTAIN, Answer.SCORED, Answer.ACCEPT)
    if not found:
        return Verdict(Answer.ABSTAIN, why="no keys to compare")
    worst = min(found.values(), key=lambda one: (order.index(one.answer), one.score or 0.0))
    names = sorted(key.rpartition(":")[2] for key, one in found.items() if one == worst)
    why = worst.why or ("" if worst.answer is Answer.ACCEPT else f"keys: {', '.join(names)}")
    return Verdict(worst.answer, worst.score, why)


def _by_key(held: Mapping[str, Any], pass_at: float | None) -> Any:
    """Read what the comparison of keys returns: scores by key, or by key and place in a list."""

    def via(raw: Any) -> dict[str, Verdict]:
        scores, listed = raw[3], raw[5]
        values = list(scores.values()) if not listed else _per_base(scores, held)
        return {"": all_keys({str(at): reading.one(one, pass_at) for at, one in enumerate(values)})}

    return via


def _per_base(scores: Mapping[str, Any], held: Mapping[str, Any]) -> list[Any]:
    """What a list's comparison comes to for each key; a key that an item lacks counts 0."""
    places = {key.rpartition("_")[2] for key in scores}
    found: list[Any] = []
    for base in sorted({key.rpartition("_")[0] for key in scores}):
        own = [one for key, one in scores.items() if key.rpartition("_")[0] == base]
        values = own if len(own) == 1 else [scores.get(f"{base}_{place}", 0) for place in places]
        every = held.get("list_aggregator") == "all"
        found.append(int(all(one == 1 for one in values)) if every else sum(values) / len(values))
    return found
