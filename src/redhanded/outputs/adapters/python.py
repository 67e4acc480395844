"""Plain Python graders: any callable that is given an output and says what it thinks of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final

from redhanded.errors import UsageError
from redhanded.model.output import Output
from redhanded.outputs.adapters import project, reading, upstream
from redhanded.outputs.adapters.base import Asked, Watched
from redhanded.outputs.adapters.prepared import Prepared, code_of, own_copy, owner_of
from redhanded.outputs.case import Case

ANSWER: Final = frozenset(
    {
        *("output", "outputs", "out", "text", "answer", "response", "completion", "actual"),
        *("actual_output", "prediction", "predicted", "candidate", "reply", "result", "generated"),
    }
)
TARGET: Final = frozenset(
    {
        *("target", "expected", "expected_output", "reference", "reference_output", "ideal"),
        *("reference_outputs", "gold", "truth", "ground_truth", "label", "correct_answer"),
    }
)
INPUT: Final = frozenset({"input", "inputs", "prompt", "question", "query"})
OTHERS: Final = frozenset({"contexts", "context", "messages", "tool_calls", "metadata"})


class Python:
    """Any callable.

    Parameters get what their names say: the answer (``output``, ``text``, ``response``, ...), the
    case's target (``target``, ``expected``, ``reference``, ...), its input (``input``, ``prompt``,
    ``question``, ...), or a part of the output (``contexts``, ``messages``, ``tool_calls``,
    ``metadata``). Where no name says it, the first parameter gets the answer and a second
    one without default the target. The answer is the output's value where it has one, else its
    text; a parameter annotated ``Output`` gets the whole output.
    """

    framework = "python"

    def knows(self, grader: Any) -> bool:
        """Can it be called?"""
        return callable(grader)

    def open(self, case: Case) -> Asked:
        """Make a plain grader ready."""
        grader = case.grader
        if not callable(grader):
            raise UsageError(
                f"{case.id}: expected a grader that can be called, found {type(grader).__name__}",
                hint="Give a function, a framework's scorer or rh.command(...).",
            )
        if isinstance(grader, type):
            raise UsageError(
                f"{case.id}: the grader is the class {grader.__qualname__}, not one of its objects",
                hint=f"Make one: {grader.__qualname__}(...).",
            )
        arrange = _arrangement(case)
        watched = [
            Watched(code_of(grader), "grader", instance=owner_of(grader)),
            *upstream.declared(case.upstream),
        ]

        def ask(output: Output) -> Any:
            positional, named = arrange(output)
            return grader(*positional, **named)

        return Prepared(
            name=f"python:{name_of(grader)}",
            watched=watched,
            ask=ask,
            read=lambda raw: reading.read(raw, case.pass_at),
        )


def name_of(grader: Any) -> str:
    """A callable's name for people; where it stands, where it has none."""
    inner = code_of(grader)
    if not hasattr(grader, "__code__") and not inspect.ismethod(grader):
        if not hasattr(inner, "__code__") or inner.__name__ == "__call__":
            return str(getattr(grader, "__qualname__", type(grader).__qualname__))
    name = str(getattr(inner, "__qualname__", type(grader).__qualname__)).replace(".<locals>", "")
    if name.endswith("<lambda>"):
        file = inner.__code__.co_filename.rpartition("/")[2]
        return f"lambda ({file}:{inner.__code__.co_firstlineno})"
    return name


Arrangement = Callable[[Output], tuple[list[Any], dict[str, Any]]]


def _arrangement(case: Case) -> Arrangement:
    """How a case's callable takes an output: by the names of its parameters."""
    try:
        signature = inspect.signature(case.grader)
    except (TypeError, ValueError):
        return lambda output: ([project.data_of(output, case)], {})
    parameters = [
        parameter
        for parameter in signature.parameters.values()
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    roles = _roles(parameters)
    variadic = any(one.kind is one.VAR_POSITIONAL for one in signature.parameters.values())
    if "answer" not in roles.values() and not variadic:
        raise UsageError(
            f"{case.id}: {name_of(case.grader)}{signature} has no parameter for the output",
            hint="Give it one, such as def grade(output): ...",
        )
    for parameter in parameters:
        if parameter.name not in roles and parameter.default is parameter.empty:
            raise UsageError(
                f"{case.id}: nobody says what {name_of(case.grader)} is to get as "
                f"{parameter.name!r}",
                hint="Name it target, input, contexts, messages, tool_calls or metadata, give it "
                "a default, or wrap the grader in a lambda.",
            )

    def arrange(output: Output) -> tuple[list[Any], dict[str, Any]]:
        positional: list[Any] = []
        named: dict[str, Any] = {}
        for parameter in parameters:
            if parameter.name not in roles:
                continue
            value = _given(roles[parameter.name], parameter, output, case)
            if value is None and parameter.default is not parameter.empty:
                continue  # the case has nothing of the kind: the grader's own default stands
            if parameter.kind is parameter.POSITIONAL_ONLY:
                positional.append(value)
            else:
                named[parameter.name] = value
        if "answer" not in roles.values():
            positional.append(project.data_of(output, case))
        return positional, named

    return arrange


def _roles(parameters: list[inspect.Parameter]) -> dict[str, str]:
    roles: dict[str, str] = {}
    for names, role in ((ANSWER, "answer"), (TARGET, "target"), (INPUT, "input")):
        for parameter in parameters:
            if parameter.name.lower() in names and role not in roles.values():
                roles[parameter.name] = role
    for parameter in parameters:
        if parameter.name in OTHERS and parameter.default is parameter.empty:
            roles[parameter.name] = parameter.name
    positional = [one for one in parameters if one.kind is not one.KEYWORD_ONLY]
    unnamed = [one for one in positional if one.name not in roles]
    if "answer" not in roles.values() and unnamed:
        roles[unnamed.pop(0).name] = "answer"
    if "answer" not in roles.values() and positional:
        roles[positional[0].name] = "answer"
    required = [one for one in unnamed if one.default is one.empty]
    if "target" not in roles.values() and required:
        roles[required[0].name] = "target"
    return roles


def _given(role: str, parameter: inspect.Parameter, output: Output, case: Case) -> Any:
    if role == "answer":
        annotation = parameter.annotation
        if annotation is Output or (
            isinstance(annotation, str) and annotation.rpartition(".")[2] == "Output"
        ):
            return output
        return project.data_of(output, case)
    if role in ("target", "input"):
        return own_copy(case.target if role == "target" else case.input)
    if role in ("context", "contexts"):
        return list(output.contexts)
    if role == "messages":
        return list(project.conversation(output, case))
    return list(output.tool_calls) if role == "tool_calls" else output.metadata
