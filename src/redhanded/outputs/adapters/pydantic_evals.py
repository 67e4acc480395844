"""Evaluators of pydantic-evals: dataclasses with ``evaluate(ctx)``."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, Final

from redhanded.errors import UsageError
from redhanded.model.graded import Answer
from redhanded.model.output import Output, ToolCall
from redhanded.outputs.adapters import claims, project, reading, upstream
from redhanded.outputs.adapters.base import Asked, Verdict, Watched
from redhanded.outputs.adapters.prepared import Prepared, call_text, module, own_copy
from redhanded.outputs.case import Case

ONLINE: Final = ("LLMJudge", "GEval")
EPOCH: Final = datetime(2020, 1, 1, tzinfo=timezone.utc)


class PydanticEvals:
    """Evaluators of pydantic-evals.

    ``ctx.output`` is the output's value where it has one, else its text (``hints={"parse":
    "json"}`` has it parsed first); ``ctx.expected_output`` is the case's target, ``ctx.inputs``
    its input; ``ctx.duration`` is the output's ``metadata["duration"]``. The span tree holds a
    span for each tool call and each answer, as pydantic-ai records them. Each call asks a copy.
    """

    framework = "pydantic-evals"

    def knows(self, grader: Any) -> bool:
        """Does it derive from the framework's ``Evaluator``?"""
        return is_evaluator(grader)

    def open(self, case: Case) -> Asked:
        """Make an evaluator ready."""
        grader = case.grader.__self__ if inspect.ismethod(case.grader) else case.grader
        kind: Any = type(grader)
        if isinstance(grader, type):
            raise UsageError(
                f"{case.id}: the grader is the class {grader.__name__}, not an evaluator",
                hint=f"Make one: {grader.__name__}(...).",
            )
        stock = kind.__module__.partition(".")[0] == "pydantic_evals"
        if stock and kind.__name__ in ONLINE and not case.hints.get("online"):
            raise UsageError(
                f"{case.id}: {kind.__name__} asks a model",
                hint="Graders that ask a model run with hints={'online': True} only.",
            )
        settings = settings_of(grader)

        def read(raw: Any) -> dict[str, Verdict]:
            return read_result(raw, case.pass_at)

        def make(evaluator: Any, rebuild: Any) -> Prepared:
            def ask(output: Output) -> Any:
                return evaluator.evaluate_async(build(output, case))

            inner = inspect.unwrap(kind.evaluate)
            watched = [Watched(inner, "grader", instance=evaluator)]
            if stock:
                outer = inspect.unwrap(kind.evaluate_async)
                watched = [
                    Watched(outer, "grader", instance=evaluator),
                    Watched(inner, "upstream", instance=evaluator, via=read),
                ]
            return Prepared(
                name=f"pydantic_evals:{_named(grader, settings)}",
                watched=[*watched, *upstream.declared(case.upstream)],
                ask=ask,
                read=read,
                claim=claims.claim("pydantic_evals", kind.__name__, settings) if stock else None,
                rebuild=rebuild,
            )

        if own_copy(grader) is grader:
            return make(grader, None)
        return make(grader, lambda: make(own_copy(grader), None))


def is_evaluator(grader: Any) -> bool:
    """Does it, or what it is bound to, derive from the framework's ``Evaluator``?"""
    owner = grader.__self__ if inspect.ismethod(grader) else grader
    kind = owner if isinstance(owner, type) else type(owner)
    return any(
        base.__module__ == "pydantic_evals.evaluators.evaluator" and base.__name__ == "Evaluator"
        for base in kind.__mro__
    )


def settings_of(grader: Any) -> dict[str, Any]:
    """An evaluator's fields."""
    if not is_dataclass(grader):
        return {}
    return {one.name: getattr(grader, one.name) for one in fields(grader) if one.init}


def _named(grader: Any, settings: Mapping[str, Any]) -> str:
    kind = type(grader)
    try:
        return call_text(kind.__name__, settings, inspect.signature(kind))
    except (TypeError, ValueError):
        return call_text(kind.__name__, settings, None)


def read_result(raw: Any, pass_at: float | None) -> dict[str, Verdict]:
    """Read a result: a bool is an assertion, a number a score, text a label.

    A mapping names several results; labels beside them are no verdicts. An empty mapping is how
    an evaluator says that it has nothing to compare with.
    """
    if isinstance(raw, Mapping) and raw:
        judges = {
            str(name): one for name, one in raw.items() if not isinstance(_value_of(one), str)
        }
        if not judges:
            return {"": Verdict(Answer.ERROR, why="gave labels only: nothing passes or fails")}
        return {name: _one(one, pass_at) for name, one in judges.items()}
    if isinstance(_value_of(raw), str):
        return {"": Verdict(Answer.ERROR, why="gave a label: nothing passes or fails")}
    return {"": _one(raw, pass_at)}


def _value_of(result: Any) -> Any:
    return result.value if hasattr(result, "value") and hasattr(result, "reason") else result


def _one(result: Any, pass_at: float | None) -> Verdict:
    read = reading.one(_value_of(result), pass_at)
    why = str(getattr(result, "reason", None) or "")
    return Verdict(read.answer, read.score, read.why or why)


def build(output: Output, case: Case) -> Any:
    """An output as an evaluator sees it."""
    return module("pydantic_evals.evaluators").EvaluatorContext(
        name=case.id,
        inputs=own_copy(case.input),
        metadata=own_copy(case.hints.get("metadata")) or output.metadata or None,
        expected_output=own_copy(case.target),
        output=project.data_of(output, case),
        duration=float(output.metadata.get("duration", 0.0)),
        _span_tree=_spans(output, case),
        attributes=dict(output.metadata.get("attributes", {})),
        metrics=dict(output.metadata.get("metrics", {})),
    )


def _spans(output: Output, case: Case) -> Any:
    """The span tree of a run that would have produced this conversation."""
    otel = module("pydantic_evals.otel.span_tree")
    nodes: list[Any] = []

    def span(name: str, attributes: dict[str, Any], status: str = "ok") -> None:
        number = len(nodes) + 1
        nodes.append(
            otel.SpanNode(
                name=name,
                trace_id=1,
                span_id=number,
                parent_span_id=None if number == 1 else 1,
                start_timestamp=EPOCH + timedelta(milliseconds=number),
                end_timestamp=EPOCH + timedelta(milliseconds=number + 1),
                attributes=attributes,
                status=status,
            )
        )

    span("agent run", {})
    for message in project.conversation(output, case):
        if message.role == "assistant":
            span("chat none", {"gen_ai.request.model": "none", "gen_ai.operation.name": "chat"})
        for call in message.tool_calls:
            span(f"execute_tool {call.name}", _attributes(call), "error" if call.error else "ok")
    tree = otel.SpanTree()
    tree.add_spans(nodes)
    return tree


def _attributes(call: ToolCall) -> dict[str, Any]:
    return {
        "gen_ai.tool.name": call.name,
        "gen_ai.tool.call.id": call.id or "",
        "gen_ai.tool.call.arguments": json.dumps(call.arguments),
        "gen_ai.tool.call.result": json.dumps(call.result),
    }
