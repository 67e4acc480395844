"""One file per grader framework: how its graders are called, read and witnessed."""

from __future__ import annotations

import os
from typing import Any

from redhanded.errors import UsageError
from redhanded.outputs.adapters.autoevals import Autoevals
from redhanded.outputs.adapters.base import Adapter, Asked
from redhanded.outputs.adapters.command import Commands
from redhanded.outputs.adapters.deepeval import QUIET, Deepeval
from redhanded.outputs.adapters.gradecore import Gradecore
from redhanded.outputs.adapters.inspect_ai import InspectAI
from redhanded.outputs.adapters.openevals import Openevals
from redhanded.outputs.adapters.pydantic_evals import PydanticEvals
from redhanded.outputs.adapters.python import Python
from redhanded.outputs.case import Case

ADAPTERS: tuple[Adapter, ...] = (
    Commands(),
    Gradecore(),
    InspectAI(),
    Autoevals(),
    Deepeval(),
    PydanticEvals(),
    Openevals(),
    Python(),
)
"""In the order in which they are asked whether they know a grader."""


def adapter_for(grader: Any) -> Adapter | None:
    """The adapter that knows a grader, or None."""
    return next((adapter for adapter in ADAPTERS if adapter.knows(grader)), None)


def open_case(case: Case) -> Asked:
    """Make a case's grader ready.

    Raises:
        UsageError: Nothing knows such a grader, or it can't be called as the case gives it.
    """
    adapter = adapter_for(case.grader)
    if adapter is None:
        raise UsageError(
            f"{case.id}: a grader of type {type(case.grader).__name__} can't be asked",
            hint="Give a callable, a framework's scorer or a command.",
        )
    return adapter.open(case)


def quiet_environment() -> None:
    """Keep the frameworks from sending anything; called before a suite is loaded."""
    os.environ.update(QUIET)
    os.environ["LANGSMITH_TRACING"] = "false"
    os.environ["LANGCHAIN_TRACING_V2"] = "false"
