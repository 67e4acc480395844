"""What an adapter is: it calls one framework's graders and reads their verdicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from redhanded.model.graded import Answer, WitnessKind
from redhanded.model.output import Output
from redhanded.outputs.case import Case


@dataclass(frozen=True)
class Verdict:
    """How a raw return reads."""

    answer: Answer
    score: float | None = None
    why: str = ""


@dataclass(frozen=True)
class Watched:
    """A callable whose entry is the witness."""

    function: Any
    """A function, method or other callable; its code object (found through ``__call__``,
    ``__func__``, ``__wrapped__`` of partials) is what is watched."""
    role: Literal["grader", "upstream"]
    instance: Any = None
    """The object (bound self) or closure that is this grader's own: entries of others don't
    count. None: any."""
    via: Callable[[Any], Mapping[str, Verdict]] | None = None
    """For an upstream: the verdicts that its raw return amounts to; the grader's must agree."""


@dataclass(frozen=True)
class Claim:
    """What a framework's documentation says that a stock grader judges."""

    kinds: frozenset[str]
    """Kinds of contract clauses, or parts of the output."""
    where: str
    """The place in the documentation or source."""
    version: str


@runtime_checkable
class Asked(Protocol):
    """A grader made ready for one case."""

    @property
    def name(self) -> str:
        """The grader's name in reports, such as ``inspect_ai:match(numeric=True)``."""

    @property
    def watched(self) -> Sequence[Watched]:
        """The grader's own code first, then its upstream."""

    @property
    def claim(self) -> Claim | None:
        """What the framework's documentation says that it judges."""

    @property
    def state(self) -> Literal["fresh", "forked", "shared"]:
        """``fresh``: rebuilt for each call."""

    @property
    def witness(self) -> WitnessKind:
        """How its calls are witnessed."""

    async def grade(self, output: Output) -> Any:
        """Call the grader on an output.

        Returns:
            Its raw return.

        Raises:
            Exception: What the grader raised.
        """

    def verdicts(self, raw: Any) -> Mapping[str, Verdict]:
        """Read a raw return: one verdict by key; the key is ``""`` where there is but one."""


@runtime_checkable
class Adapter(Protocol):
    """Knows the graders of one framework."""

    @property
    def framework(self) -> str:
        """The distribution's name, such as ``inspect-ai``; ``python`` for plain callables."""

    def knows(self, grader: Any) -> bool:
        """Is this grader one of the framework's? Must not import the framework to say no."""

    def open(self, case: Case) -> Asked:
        """Make a case's grader ready.

        Raises:
            UsageError: It can't be called as the case gives it; says what to declare.
        """
