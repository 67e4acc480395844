"""A case: a grader, a reference output that it must accept, and what a right output is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from redhanded.model.output import Output
from redhanded.outputs.contract.base import Contract, declared


@dataclass(frozen=True)
class Case:
    """One case of an eval, with the grader that judges it."""

    id: str
    """Unique within a suite."""
    grader: Any
    """As the user gave it: a callable, a framework's scorer, a command."""
    good: Output
    """The reference: an output that the grader must accept and the contract calls right."""
    right: Contract
    """What a right output is."""
    derived: bool = False
    """The contract was derived from the case's own data, not written by hand."""
    shared: frozenset[str] = frozenset()
    """Kinds of clauses that could only be read from the grader itself: they can't support
    ``blind``."""
    target: Any = None
    """What the grader compares with: the framework's target or expected output."""
    input: Any = None
    """What the model was asked."""
    pass_at: float | None = None
    """The score from which on an output is accepted; None: the framework's own bar, or none."""
    upstream: Any = None
    """The library function that the grader claims to wrap: a callable, or ``module:qualname``."""
    claims: frozenset[str] | None = None
    """Kinds of clauses, or parts of the output, that the check claims to judge; None: all that a
    contract written by hand says."""
    channel: str | None = None
    """Where the output could write its own verdict: a tool's name, a metadata key, a marker."""
    hints: dict[str, Any] = field(default_factory=dict)
    """What operators may be told: see each operator's ``unlock``."""
    origin: str = ""
    """Where the case came from: file and line, or the framework's id."""
    group: str | None = None
    """Cases of several checks on the same output share a group."""
    old: bool = False
    """The check was there before the change that is graded."""

    def __post_init__(self) -> None:
        # A contract of meaning takes the case's word for the reference.
        object.__setattr__(self, "right", declared(self.right, self.good))
