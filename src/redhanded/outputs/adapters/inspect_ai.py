"""Scorers of Inspect: async ``score(state, target)``, recognised by their registry entry."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping
from typing import Any, Final

from redhanded.errors import UsageError
from redhanded.model.graded import Answer
from redhanded.model.output import Message, Output
from redhanded.outputs.adapters import claims, project, reading, upstream
from redhanded.outputs.adapters.base import Asked, Verdict, Watched
from redhanded.outputs.adapters.prepared import (
    Prepared,
    call_text,
    cells,
    code_of,
    module,
    own_copy,
    owner_of,
)
from redhanded.outputs.case import Case
from redhanded.outputs.contract.base import find

WORDS: Final[dict[str, Verdict]] = {
    "C": Verdict(Answer.ACCEPT, 1.0),
    "I": Verdict(Answer.REJECT, 0.0),
    "P": Verdict(Answer.REJECT, 0.5, "partial: half a point, not correct"),
    "N": Verdict(Answer.REJECT, 0.0, "no answer"),
    "yes": Verdict(Answer.ACCEPT, 1.0),
    "true": Verdict(Answer.ACCEPT, 1.0),
    "no": Verdict(Answer.REJECT, 0.0),
    "false": Verdict(Answer.REJECT, 0.0),
}
"""Score values that are words, as Inspect's own ``value_to_float`` reads them."""

MODEL: Final = ("model_graded_qa", "model_graded_fact", "perplexity", "target_perplexity")
"""Stock scorers that need a model."""


class InspectAI:
    """Scorers of Inspect.

    The sample's state is built from the output: ``state.output`` and the last message say the
    same; tool calls and their results are messages; ``state.metadata`` is the output's metadata.
    ``choice()`` reads the choices that its solver marks: the options come from
    ``hints={"choices": [...]}`` or from the contract, and the solver's own parser marks them.
    """

    framework = "inspect-ai"

    def knows(self, grader: Any) -> bool:
        """Is it tagged as a scorer?"""
        return getattr(getattr(grader, "__registry_info__", None), "type", None) == "scorer"

    def open(self, case: Case) -> Asked:
        """Make a scorer ready; one that the registry can make again is rebuilt for each call."""
        grader = case.grader
        if inspect.unwrap(grader) is not grader and not hasattr(grader, "__registry_params__"):
            raise UsageError(
                f"{case.id}: the grader is the scorer's factory, not a scorer",
                hint=f"Call it: {getattr(grader, '__name__', 'scorer')}().",
            )
        name = str(grader.__registry_info__.name)
        stock = name.partition("/")[0] == "inspect_ai"
        bare = name.partition("/")[2] if stock else name
        if stock and bare in MODEL and not case.hints.get("online"):
            raise UsageError(
                f"{case.id}: {bare} asks a model",
                hint="Graders that ask a model run with hints={'online': True} only.",
            )
        if stock and case.target is None and bare in claims.TABLE["inspect_ai"]:
            raise UsageError(
                f"{case.id}: {bare} compares with a target and the case has none",
                hint="Give the case a target=...",
            )
        return _prepared(case, grader, bare, stock)


def _prepared(case: Case, grader: Any, bare: str, stock: bool) -> Prepared:
    settings = dict(getattr(grader, "__registry_params__", {}))
    factory = _factory(grader)
    text = call_text(bare, settings, _signature(factory))
    name = f"inspect_ai:{text}" if stock else f"inspect_ai:{bare.partition('/')[2] or text}"
    choices = _choices(case) if stock and bare == "choice" else None

    def read(raw: Any) -> dict[str, Verdict]:
        return read_score(raw, case.pass_at)

    def make(scorer: Any, rebuild: Any) -> Prepared:
        def ask(output: Output) -> Any:
            state, target = build(output, case, choices)
            return scorer(state, target)

        function, owner = code_of(scorer), owner_of(scorer)
        watched = [Watched(function, "grader", instance=owner)]
        if stock:
            watched.append(Watched(function, "upstream", instance=owner, via=read))
        return Prepared(
            name=name,
            watched=[*watched, *upstream.declared(case.upstream)],
            ask=ask,
            read=read,
            claim=claims.claim("inspect_ai", bare, settings) if stock else None,
            rebuild=rebuild,
        )

    if _again(grader, factory) is None:
        return make(grader, None)
    return make(grader, lambda: make(_again(grader, factory), None))


def _factory(grader: Any) -> Any:
    """The function that makes this scorer, from Inspect's registry."""
    registry = module("inspect_ai._util.registry")
    lookup = getattr(registry, "registry_lookup", None)
    info: Any = grader.__registry_info__
    return lookup(info.type, info.name) if lookup is not None else None


def _signature(factory: Any) -> inspect.Signature | None:
    try:
        return inspect.signature(factory) if factory is not None else None
    except (TypeError, ValueError):
        return None


def _again(grader: Any, factory: Any) -> Any:
    """The scorer made once more, or None where that can't be shown to be the same one.

    The registry keeps the arguments, but callables only by name; and another factory may have
    taken the name since. So code and closure have to be the same.
    """
    settings = getattr(grader, "__registry_params__", None)
    if factory is None or settings is None or not hasattr(grader, "__code__"):
        return None
    try:
        made = factory(**own_copy(settings))
    except Exception:
        return None
    if getattr(made, "__code__", None) is not grader.__code__:
        return None
    return made if _alike(cells(grader), cells(made)) else None


def _alike(left: Mapping[str, Any], right: Mapping[str, Any]) -> bool:
    for name in left:
        one: Any = left[name]
        other: Any = right.get(name)
        if hasattr(one, "__code__") and hasattr(other, "__code__"):
            if one is not other and one.__code__ is not other.__code__:
                return False
            if one is not other and not _alike(cells(one), cells(other)):
                return False
        elif type(one) is not type(other) or not _equal(one, other):
            return False
    return left.keys() == right.keys()


def _equal(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except Exception:
        return False


def _choices(case: Case) -> list[str]:
    given = case.hints.get("choices")
    if given is None:
        clause = find(case.right, "choice")
        options = getattr(clause, "options", None)
        given = list(options.values()) if isinstance(options, Mapping) else options
    if not given:
        raise UsageError(
            f"{case.id}: choice() needs the options that the model was shown",
            hint="Give hints={'choices': ['...', '...']}, or right=rh.choice(letter, options=...).",
        )
    return [str(one[1]) if isinstance(one, (tuple, list)) else str(one) for one in given]


def build(output: Output, case: Case, choices: list[str] | None = None) -> tuple[Any, Any]:
    """An output as a scorer sees it: the state of a sample, and its target."""
    model = module("inspect_ai.model")
    solver = module("inspect_ai.solver")
    scorer = module("inspect_ai.scorer")
    messages = _messages(project.conversation(output, case), model)
    last = messages[-1] if messages and messages[-1].role == "assistant" else None
    if last is None:
        last = model.ChatMessageAssistant(content=project.text_of(output))
    made = model.ModelOutput(
        model="none/none",
        choices=[model.ChatCompletionChoice(message=last, stop_reason="stop")],
    )
    target = scorer.Target(_target(case.target))
    state = solver.TaskState(
        model=model.ModelName("none/none"),
        sample_id=case.id,
        epoch=1,
        input=case.input if isinstance(case.input, str) else "",
        messages=messages,
        target=target,
        choices=choices,
        output=made,
        completed=True,
        metadata={**own_copy(case.hints.get("metadata", {})), **output.metadata},
    )
    if choices is not None:
        parser = module("inspect_ai.solver._multiple_choice")
        several = isinstance(case.target, (list, tuple)) and len(case.target) > 1
        answers = parser.parse_answers(state, several)
        parser.set_choices_based_on_generated_response(state, answers)
    return state, target


def _target(target: Any) -> str | list[str]:
    if isinstance(target, (list, tuple)):
        return [str(one) for one in target]
    return "" if target is None else str(target)


def _messages(messages: tuple[Message, ...], model: Any) -> list[Any]:
    made: list[Any] = []
    tool = module("inspect_ai.tool")
    kinds = {"system": model.ChatMessageSystem, "user": model.ChatMessageUser}
    number = 0
    for position, message in enumerate(messages):
        if message.role in kinds:
            made.append(kinds[message.role](content=message.content))
            continue
        if message.role == "tool":
            made.append(model.ChatMessageTool(content=message.content))
            continue
        calls: list[Any] = []
        results: list[Any] = []
        for call in message.tool_calls:
            name = call.id or f"call_{number}"
            number += 1
            calls.append(tool.ToolCall(id=name, function=call.name, arguments=call.arguments))
            if call.result is not None or call.error is not None:
                failed = tool.ToolCallError("unknown", call.error) if call.error else None
                results.append(
                    model.ChatMessageTool(
                        content=project.said(call),
                        tool_call_id=name,
                        function=call.name,
                        error=failed,
                    )
                )
        made.append(model.ChatMessageAssistant(content=message.content, tool_calls=calls or None))
        following = messages[position + 1 : position + 2]
        if not (following and following[0].role == "tool"):
            made += results
    return made


def read_score(raw: Any, pass_at: float | None) -> dict[str, Verdict]:
    """Read a ``Score``: its value is a word, a number, or several of these by name."""
    if raw is None:
        return {"": Verdict(Answer.ABSTAIN, why="declined to score")}
    if not hasattr(raw, "value"):
        return {"": reading.wrong_type(raw)}
    value = raw.value
    if isinstance(value, Mapping):
        if not value:
            return {"": Verdict(Answer.ABSTAIN, why="an empty score")}
        return {str(key): _value(one, pass_at) for key, one in value.items()}
    return {"": _value(value, pass_at)}


def _value(value: Any, pass_at: float | None) -> Verdict:
    if isinstance(value, str):
        found = WORDS.get(value) or WORDS.get(value.lower())
        if found is None:
            return _numeric_text(value, pass_at)
        if pass_at is not None and found.score is not None:
            return reading.scored(found.score, pass_at, found.why)
        return found
    if isinstance(value, float) and math.isnan(value):
        # Inspect's own mark for a score that is left out, Score.unscored().
        return Verdict(Answer.ABSTAIN, why="unscored (NaN)")
    if isinstance(value, (bool, int, float)):
        return reading.one(value, pass_at)
    return Verdict(Answer.ERROR, why=f"a score value of type {type(value).__name__}")


def _numeric_text(value: str, pass_at: float | None) -> Verdict:
    try:
        return reading.scored(float(value), pass_at)
    except ValueError:
        return Verdict(Answer.ERROR, why=f"a score value that says nothing: {value!r}")
