"""What an operator of outputs is: it builds wrong, or right, outputs from a case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from redhanded.model.graded import Planted
from redhanded.model.output import Output, Part
from redhanded.outputs.case import Case


@dataclass(frozen=True)
class Provenance:
    """Where a class of defect has happened."""

    fact: str
    """What happened, in one sentence of our own."""
    where: str
    """A public issue (``owner/name#number``), a paper (``arXiv 2410.07137``), a post-mortem."""


@dataclass(frozen=True)
class Variant:
    """One planted output."""

    name: str
    """Stable, unique within the operator."""
    output: Output
    """The whole output."""
    sham: Output | None = None
    """The truthful twin: same frame, length and position, meaning right. None: none is possible."""
    constructed: bool = False
    """Built from a reviewed frame: its meaning is known though no oracle decides it."""
    why: str = ""
    """Why it is wrong (or right), where the frame says so."""


@dataclass(frozen=True)
class Decline:
    """Why an operator plants nothing in a case."""

    code: str
    """Stable: ``no_number``, ``several_numbers``, ``needs_contract``, ``not_applicable``, ..."""
    unlock: str = ""
    """What to declare, so that it can."""


@runtime_checkable
class Operator(Protocol):
    """A class of defects (or of equivalents), in several variants.

    An operator never looks at the grader. It proposes; the runner admits a variant only where
    the case's contract rules the output wrong (for an equivalent and a sham: right), or where the
    variant is constructed and the contract knows its frame.
    """

    @property
    def id(self) -> str:
        """Kebab case, stable."""

    @property
    def planted(self) -> Planted:
        """``defect``, ``floor`` or ``equivalent``."""

    @property
    def defect_class(self) -> str:
        """The unit of scores together with the case; shared by operators of one kind of defect."""

    @property
    def part(self) -> Part:
        """What it changes."""

    @property
    def provenance(self) -> Sequence[Provenance]:
        """Where it has happened."""

    @property
    def summary(self) -> str:
        """One line for lists."""

    def plant(self, case: Case) -> Sequence[Variant] | Decline:
        """Build outputs from the case's reference."""
