"""Graders of gradecore: ``GradeInput -> Verdict``, made by factories."""

from __future__ import annotations

import inspect
import sys
from typing import Any

from redhanded.errors import UsageError
from redhanded.model.output import Output
from redhanded.outputs.adapters import claims, project, reading, upstream
from redhanded.outputs.adapters.base import Asked, Watched
from redhanded.outputs.adapters.prepared import (
    Prepared,
    call_text,
    cells,
    defined_within,
    module,
    own_copy,
)
from redhanded.outputs.case import Case


class Gradecore:
    """Graders of gradecore.

    ``GradeInput`` is filled from the output (``text``, ``contexts``, ``tool_calls`` as
    ``{"tool", "args", "result", "error"}``; ``retrieved``, ``citations`` and ``gold_ids`` from
    its metadata) and from the case (``prompt`` from ``input``, ``expected`` from ``target``).
    """

    framework = "gradecore"

    def knows(self, grader: Any) -> bool:
        """Does one of gradecore's own factories define it?

        A function that only says so (its module's name can be set by anybody) isn't known here;
        it is asked as a plain callable.
        """
        return factory_of(grader) is not None

    def open(self, case: Case) -> Asked:
        """Make a gradecore grader ready."""
        grader = case.grader
        factory = factory_of(grader)
        if factory is None:
            raise UsageError(f"{case.id}: expected a grader made by gradecore")
        grade_input = module("gradecore").GradeInput
        name, settings = factory.__name__, settings_of(grader, factory)

        def read(raw: Any) -> dict[str, Any]:
            return reading.read(raw, case.pass_at)

        def ask(output: Output) -> Any:
            return grader(grade_input(**_fields(output, case)))

        instance = grader if grader.__closure__ else None
        return Prepared(
            name=f"gradecore:{call_text(name, settings, inspect.signature(factory))}",
            watched=[
                Watched(grader, "grader", instance=instance),
                Watched(grader, "upstream", instance=instance, via=read),
                *upstream.declared(case.upstream),
            ],
            ask=ask,
            read=read,
            claim=claims.claim("gradecore", name, settings),
        )


def factory_of(grader: Any) -> Any:
    """The factory of gradecore whose own code defines a grader, or None."""
    home = getattr(grader, "__module__", None)
    if not isinstance(home, str) or home.partition(".")[0] != "gradecore":
        return None
    name = getattr(grader, "__qualname__", "").partition(".<locals>")[0]
    factory = getattr(sys.modules.get(home), name, None)
    return factory if factory is not None and defined_within(grader, factory) else None


def settings_of(grader: Any, factory: Any) -> dict[str, Any]:
    """The factory's arguments, as far as the closure keeps them.

    Some are kept under a shorter name, made ready for use (``expected`` as ``exp``).
    """
    held = cells(grader)
    found: dict[str, Any] = {}
    for name in inspect.signature(factory).parameters:
        if name in ("fail_severity", "severity"):
            continue
        kept = name if name in held else next((one for one in held if name.startswith(one)), None)
        if kept is not None:
            value = held[kept]
            found[name] = sorted(value) if isinstance(value, set) else value
    return found


def _fields(output: Output, case: Case) -> dict[str, Any]:
    metadata = output.metadata
    return {
        "text": project.text_of(output),
        "prompt": own_copy(case.input),
        "contexts": list(output.contexts),
        "tool_calls": [
            {
                "tool": call.name,
                "args": call.arguments,
                "result": call.result,
                "error": call.error or False,
            }
            for call in output.tool_calls
        ],
        "retrieved": list(metadata.get("retrieved", ())),
        "citations": list(metadata.get("citations", ())),
        "gold_ids": list(metadata.get("gold_ids", case.hints.get("gold_ids", ()))),
        "expected": own_copy(case.target),
    }
