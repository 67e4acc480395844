"""What a right output is: declared apart from the grader, and never decided by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, Protocol, TypeVar, cast, runtime_checkable

from redhanded.model.graded import Basis
from redhanded.model.output import Output, Part

VARIATIONS: Final = frozenset(
    {
        "whitespace",
        "case",
        "unicode",
        "fence",
        "key_order",
        "number_format",
        "article",
        "disclaimer",
        "order",
    }
)
"""What may vary without making a right output wrong, where a contract says so."""


ANSWERS: Final[frozenset[Part]] = frozenset({"text", "value"})
"""The parts of an output that hold the answer."""


class Ruling(str, Enum):
    """What a contract says of one output."""

    RIGHT = "right"
    WRONG = "wrong"
    UNKNOWN = "unknown"
    """Its decision procedure can't tell: such an output is never planted."""


@dataclass(frozen=True)
class Finding:
    """A ruling, and why."""

    ruling: Ruling
    why: str
    """One line, for people: what was expected and what was found."""
    part: Part = "text"
    """The part of the output that decided."""
    bar: str | None = None
    """The declared bar that alone is violated (``tolerance``, ``threshold``, ``order``,
    ``extras``); None where more is wrong, or nothing."""
    kinds: tuple[str, ...] = ()
    """Kinds of the clauses that are violated, where they say more than the contract's own: a
    dotted kind is one aspect, as ``json.schema`` or ``trajectory.order``."""


@runtime_checkable
class Contract(Protocol):
    """A rule that says which outputs are right.

    Implementations are frozen dataclasses: equal contracts compare equal, and :meth:`code` gives
    back what a user would write.
    """

    @property
    def kind(self) -> str:
        """One word: ``exact``, ``number``, ``json``, ``trajectory``, ``answer``, ..."""

    @property
    def basis(self) -> Basis:
        """How its rulings are known.

        ``oracle`` where :meth:`rule` decides any output; ``construction`` where it knows only the
        outputs that operators build from reviewed frames.
        """

    @property
    def varies(self) -> frozenset[str]:
        """Which of :data:`VARIATIONS` leave a right output right."""

    @property
    def parts(self) -> frozenset[Part]:
        """The parts of an output that it speaks about."""

    def rule(self, output: Output) -> Finding:
        """Judge one output, by the contract alone."""

    def code(self) -> str:
        """The contract as a user writes it, such as ``rh.number(42, tolerance=0.5)``."""


@dataclass(frozen=True)
class AllOf:
    """Several contracts, all of which an output has to meet: ``rh.all_of(a, b)``."""

    contracts: tuple[Contract, ...]
    kind: str = field(default="all_of", init=False)

    @property
    def basis(self) -> Basis:
        """``oracle`` only where all are."""
        if all(contract.basis is Basis.ORACLE for contract in self.contracts):
            return Basis.ORACLE
        return Basis.CONSTRUCTION

    @property
    def varies(self) -> frozenset[str]:
        """What all of them leave free that speak of the answer at all.

        A pattern forbids nothing beforehand: it judges each spelling by itself.
        """
        speak = [contract for contract in self.contracts if contract.parts & ANSWERS]
        found = [contract.varies for contract in speak if contract.kind != "pattern"]
        found = found or [contract.varies for contract in self.contracts]
        return frozenset.intersection(*found) if found else frozenset()

    @property
    def parts(self) -> frozenset[Part]:
        """All that any of them speaks about."""
        return frozenset(part for contract in self.contracts for part in contract.parts)

    def rule(self, output: Output) -> Finding:
        """Wrong where any says so, else unknown where any can't tell."""
        findings = [contract.rule(output) for contract in self.contracts]
        ruled = list(zip(self.contracts, findings, strict=True))
        wrong = [finding for finding in findings if finding.ruling is Ruling.WRONG]
        if wrong:
            bars = {finding.bar for finding in wrong}
            kinds = [
                kind
                for contract, finding in ruled
                if finding.ruling is Ruling.WRONG
                for kind in finding.kinds or (contract.kind,)
            ]
            return Finding(
                Ruling.WRONG,
                "; ".join(finding.why for finding in wrong),
                wrong[0].part,
                bars.pop() if len(bars) == 1 else None,
                tuple(dict.fromkeys(kinds)),
            )
        for finding in findings:
            if finding.ruling is Ruling.UNKNOWN:
                return finding
        return Finding(Ruling.RIGHT, "; ".join(finding.why for finding in findings))

    def declared(self, good: Output) -> AllOf:
        """The same contracts, each knowing the reference."""
        return replace(self, contracts=tuple(declared(one, good) for one in self.contracts))

    def code(self) -> str:
        """``rh.all_of(...)``."""
        return f"rh.all_of({', '.join(contract.code() for contract in self.contracts)})"


AnyContract = TypeVar("AnyContract", bound=Contract)


def declared(contract: AnyContract, good: Output) -> AnyContract:
    """The contract, knowing the case's reference, which the case declares to be right.

    A contract of meaning can't find out by itself that the reference is right; it takes the
    case's word. Contracts that decide any output need no reference and stay as they are.
    """
    bind = getattr(contract, "declared", None)
    return contract if bind is None else cast(AnyContract, bind(good))


def leaves(contract: Contract) -> Sequence[Contract]:
    """A contract's clauses: those of ``AllOf``, flattened; else itself."""
    if isinstance(contract, AllOf):
        return [leaf for one in contract.contracts for leaf in leaves(one)]
    return [contract]


def find(contract: Contract, kind: str) -> Contract | None:
    """The first clause of a kind, or None."""
    return next((leaf for leaf in leaves(contract) if leaf.kind == kind), None)
