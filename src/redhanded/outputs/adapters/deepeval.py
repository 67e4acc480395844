"""Metrics of deepeval that need no model: ``measure(test_case)``, with a threshold."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from typing import Any, Final

from redhanded.errors import UsageError
from redhanded.model.graded import Answer
from redhanded.model.output import Output, ToolCall
from redhanded.outputs.adapters import claims, project, reading, upstream
from redhanded.outputs.adapters.base import Asked, Verdict, Watched
from redhanded.outputs.adapters.prepared import Prepared, call_text, module, own_copy, short
from redhanded.outputs.case import Case

QUIET: Final = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "DEEPEVAL_UPDATE_WARNING_OPT_IN": "0",
    "DEEPEVAL_DISABLE_PROGRESS_BAR": "1",
    "ERROR_REPORTING": "0",
    "CONFIDENT_TRACE_FLUSH": "0",
}
"""Environment under which deepeval sends and leaves nothing; set before a suite that imports it
is loaded."""

NO_MODEL: Final = ("ToolCorrectnessMetric", "JsonCorrectnessMetric")
"""Metrics that hold a model and use it only for what isn't the score."""


def quiet() -> None:
    """Turn deepeval's telemetry off."""
    os.environ.update(QUIET)


class Deepeval:
    """Metrics of deepeval.

    The test case's ``actual_output`` is the output's text, ``tools_called`` its tool calls,
    ``retrieval_context`` its contexts; ``expected_output`` is the case's target where that is
    text and ``expected_tools`` where it is a list of calls or names (a mapping may give both).
    The metric's own threshold decides, unless the case says ``pass_at``. Each call asks a metric
    made from the same constructor arguments; explanations that would ask a model are off.
    """

    framework = "deepeval"

    def knows(self, grader: Any) -> bool:
        """Does it derive from one of deepeval's metric classes?"""
        return base_of(grader) is not None

    def open(self, case: Case) -> Asked:
        """Make a metric ready."""
        quiet()
        metric = case.grader.__self__ if inspect.ismethod(case.grader) else case.grader
        _askable(case, metric)
        stock = type(metric).__module__.partition(".")[0] == "deepeval"
        settings = settings_of(metric)
        name = _named(metric, settings)

        def read(raw: Any) -> dict[str, Verdict]:
            return read_measured(raw, case.pass_at)

        def via(raw: Any) -> dict[str, Verdict]:
            return {"": reading.one(raw, _bar(metric, case))}

        def make(one: Any, rebuild: Any) -> Prepared:
            method = _method(one)

            async def ask(output: Output) -> Any:
                return await _measured(one, build(output, case))

            watched = [Watched(method, "grader", instance=one)]
            if stock:
                watched.append(Watched(method, "upstream", instance=one, via=via))
            return Prepared(
                name=name,
                watched=[*watched, *upstream.declared(case.upstream)],
                ask=ask,
                read=read,
                claim=claims.claim("deepeval", type(metric).__name__, settings) if stock else None,
                rebuild=rebuild,
            )

        if _again(metric, settings) is None:
            return make(metric, None)
        return make(_again(metric, settings), lambda: make(_again(metric, settings), None))


def base_of(grader: Any) -> str | None:
    """Which of deepeval's base classes a grader, or what it is bound to, derives from."""
    owner = grader.__self__ if inspect.ismethod(grader) else grader
    kind = owner if isinstance(owner, type) else type(owner)
    for base in kind.__mro__:
        if base.__module__ == "deepeval.metrics.base_metric":
            return base.__name__
    return None


def _askable(case: Case, metric: Any) -> None:
    if isinstance(metric, type):
        raise UsageError(
            f"{case.id}: the grader is the class {metric.__name__}, not a metric",
            hint=f"Make one: {metric.__name__}(...).",
        )
    name = type(metric).__name__
    if base_of(metric) != "BaseMetric":
        raise UsageError(
            f"{case.id}: {name} grades conversations or arenas, not single outputs",
            hint="Only deepeval's single-turn metrics can be asked about one output.",
        )
    stock = type(metric).__module__.partition(".")[0] == "deepeval"
    asks = getattr(metric, "model", None) is not None and name not in NO_MODEL
    asks = asks or bool(getattr(metric, "available_tools", None))
    if stock and asks and not case.hints.get("online"):
        raise UsageError(
            f"{case.id}: {name} asks a model",
            hint="Graders that ask a model run with hints={'online': True} only; "
            "ToolCorrectnessMetric asks one where it is given available_tools.",
        )


def settings_of(metric: Any) -> dict[str, Any]:
    """The constructor's arguments, as the metric keeps them."""
    held = vars(metric)
    parameters = inspect.signature(type(metric).__init__).parameters
    return {name: held[name] for name in parameters if name in held}


def _named(metric: Any, settings: Mapping[str, Any]) -> str:
    quiet_ones = ("model", "system_one_model", "eval_mode", "evaluation_template", "async_mode")
    parameters = inspect.signature(type(metric).__init__).parameters
    shown = {
        name: value
        for name, value in settings.items()
        if name not in quiet_ones and short(value) != short(parameters[name].default)
    }
    return f"deepeval:{call_text(type(metric).__name__, shown, None)}"


def _again(metric: Any, settings: Mapping[str, Any]) -> Any:
    """A metric from the same constructor arguments, or None where that isn't possible."""
    given = dict(settings)
    if type(metric).__name__ == "JsonCorrectnessMetric":
        given["include_reason"] = False  # a failing one asks the model for it
    try:
        made = type(metric)(**given)
    except Exception:
        made = own_copy(metric)
        if made is metric:
            return None
        if "include_reason" in given:
            made.include_reason = given["include_reason"]
    return made


def _method(metric: Any) -> Any:
    kind = type(metric)
    asynchronous = inspect.unwrap(kind.a_measure)
    if asynchronous.__module__ != "deepeval.metrics.base_metric":
        return asynchronous
    return inspect.unwrap(kind.measure)


async def _measured(metric: Any, test_case: Any) -> dict[str, Any]:
    method = _method(metric)
    bound = metric.a_measure if method.__name__ == "a_measure" else metric.measure
    quietly = {"_show_indicator": False} if "_show_indicator" in _parameters(method) else {}
    score = bound(test_case, **quietly)
    score = await score if inspect.isawaitable(score) else score
    successful = metric.is_successful()
    return {
        "score": score,
        "success": successful if isinstance(successful, bool) else None,
        "threshold": metric.threshold,
        "reason": metric.reason,
    }


def _parameters(function: Any) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(function).parameters


def _bar(metric: Any, case: Case) -> float | None:
    return case.pass_at if case.pass_at is not None else metric.threshold


def read_measured(raw: Any, pass_at: float | None) -> dict[str, Verdict]:
    """Read a measured metric: its score against ``pass_at``, else what it calls successful."""
    if not isinstance(raw, Mapping) or "score" not in raw:
        return {"": reading.wrong_type(raw)}
    by_score = reading.one(raw["score"], pass_at)
    why = str(raw.get("reason") or "")
    if pass_at is not None or by_score.answer in (Answer.ERROR, Answer.ABSTAIN):
        return {"": Verdict(by_score.answer, by_score.score, by_score.why or why)}
    if raw.get("success") is None:
        return {"": Verdict(Answer.SCORED, by_score.score, why)}
    answer = Answer.ACCEPT if raw["success"] else Answer.REJECT
    return {"": Verdict(answer, by_score.score, why)}


def build(output: Output, case: Case) -> Any:
    """An output as a metric sees it."""
    test_case = module("deepeval.test_case")
    target = own_copy(case.target)
    expected = target.get("expected_output") if isinstance(target, Mapping) else target
    tools = target.get("expected_tools") if isinstance(target, Mapping) else target
    tools = case.hints.get("expected_tools", tools)
    expected_tools = _expected_tools(tools, test_case)
    return test_case.LLMTestCase(
        input=case.input if isinstance(case.input, str) else str(case.input or ""),
        actual_output=project.text_of(output),
        expected_output=expected if isinstance(expected, str) else None,
        context=case.hints.get("context"),
        retrieval_context=list(output.contexts) or None,
        metadata=dict(output.metadata) or None,
        tools_called=[_tool(call, test_case) for call in output.tool_calls],
        expected_tools=expected_tools,
    )


def _expected_tools(tools: Any, test_case: Any) -> list[Any] | None:
    """deepeval's own calls as they are; calls and names of ours made into them."""
    if isinstance(tools, (list, tuple)) and tools:
        if all(type(one).__module__.startswith("deepeval.") for one in tools):
            return list(tools)
    calls = project.expected_calls(tools)
    return None if calls is None else [_tool(call, test_case) for call in calls]


def _tool(call: ToolCall, test_case: Any) -> Any:
    return test_case.ToolCall(
        name=call.name, input_parameters=dict(call.arguments), output=call.result
    )
