"""What a run of the outputs instrument is asked to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from redhanded.model.graders import Untested
from redhanded.outputs.adapters.base import Asked
from redhanded.outputs.case import Case
from redhanded.outputs.operators.base import Operator

Isolation = Literal["auto", "fork", "none"]


def open_by_registry(case: Case) -> Asked:
    """The adapter that knows a case's grader makes it ready."""
    from redhanded.outputs.adapters import open_case

    return open_case(case)


@dataclass(frozen=True)
class Options:
    """How graders are asked."""

    operators: Sequence[Operator]
    """What is planted."""
    repeats: int = 1
    """How often each question is asked, at most: for graders that vary."""
    timeout: float = 30.0
    """Seconds for one call; past it the grader is killed and has hung."""
    jobs: int = 1
    """Cases that are asked at the same time."""
    isolation: Isolation = "auto"
    """``auto`` forks a process per case, unless threads are alive that forking could break;
    ``none`` asks in this process."""
    keep_rows: bool = True
    """Rows are in the result too; else the sink alone has them."""
    untested: Sequence[Untested] = ()
    """What was found with the suite and is no case: listed in the inventory."""
    open: Callable[[Case], Asked] = open_by_registry
