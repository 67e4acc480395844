"""What an adapter is: it calls one framework's graders and reads their verdicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from redhanded.model.graded import Answer, Entry, Lack, WitnessKind
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
    """Whose entry counts: the object (bound self), or the function object whose closure cells
    are meant; entries of others don't count. None: any."""
    via: Callable[[Any], Mapping[str, Verdict]] | None = None
    """For an upstream: the verdicts that its raw return amounts to; the grader's must agree."""


@dataclass(frozen=True)
class Claim:
    """What a framework's documentation says that a stock grader judges."""

    kinds: frozenset[str]
    """Kinds of contract clauses, or parts of the output. A dotted kind claims one aspect of a
    clause: ``json.syntax``, ``json.schema``, ``json.values``."""
    where: str
    """The place in the documentation or source."""
    version: str


class NoEvidenceError(Exception):
    """Raised by :meth:`Asked.grade`: the grader answered, but nothing vouches for the answer."""

    def __init__(self, lack: Lack, message: str) -> None:
        super().__init__(message)
        self.lack = lack


@dataclass(frozen=True)
class Reported:
    """What a grader in another process returned, with its witness.

    :meth:`Asked.grade` returns it instead of the bare return where calls can't be seen from here.
    """

    raw: Any
    """The grader's own answer; read by :meth:`Asked.verdicts`."""
    entries: tuple[Entry, ...]
    witness: WitnessKind


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
        """``fresh``: :meth:`fresh` rebuilds the grader; else every call asks the same one."""

    @property
    def witness(self) -> WitnessKind:
        """How its calls are witnessed."""

    def fresh(self) -> Asked:
        """The grader for one call: rebuilt where that is possible, with its own :attr:`watched`."""

    async def grade(self, output: Output) -> Any:
        """Call the grader on an output, which it gets as its own copy.

        Returns:
            Its raw return; for a grader in another process :class:`Reported`.

        Raises:
            NoEvidenceError: Another process answered without a witness of this call.
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
