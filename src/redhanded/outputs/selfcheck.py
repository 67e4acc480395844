"""Two graders of our own in every run: one accepts all, one rejects all.

The first has to come out vacuous and the second red on its control, by the same path as all others;
else what the run says of other graders is worth nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from redhanded.model.graded import Basis, HoleKind, Lack, Planted, WitnessKind
from redhanded.model.graders import CanaryResult
from redhanded.model.output import Output, Part
from redhanded.outputs.adapters.base import Asked, Claim, Verdict, Watched
from redhanded.outputs.adapters.reading import read
from redhanded.outputs.assemble import Assembled
from redhanded.outputs.case import Case
from redhanded.outputs.contract.base import Finding, Ruling
from redhanded.outputs.operators.base import Operator, Provenance, Variant


def accepts_all(text: str) -> bool:
    """A grader that lets everything through."""
    return bool(text) or not text


def rejects_all(text: str) -> bool:
    """A grader that lets nothing through."""
    return bool(text) and not text


@dataclass(frozen=True)
class _Yes:
    """Right is ``yes``."""

    kind: str = "exact"
    basis: Basis = Basis.ORACLE
    varies: frozenset[str] = frozenset()
    parts: frozenset[Part] = frozenset({"text"})

    def rule(self, output: Output) -> Finding:
        right = output.text == "yes"
        return Finding(Ruling.RIGHT if right else Ruling.WRONG, "expected 'yes'")

    def code(self) -> str:
        return "rh.exact('yes')"


@dataclass(frozen=True)
class _Blank:
    """Plants a blank."""

    id: str = "self-check-blank"
    planted: Planted = "floor"
    defect_class: str = "blank"
    part: Part = "text"
    provenance: Sequence[Provenance] = ()
    summary: str = "a blank"

    def plant(self, case: Case) -> Sequence[Variant]:
        return [Variant("empty", Output(text=""))]


@dataclass(frozen=True)
class _Plain:
    """A grader of our own, made ready."""

    function: Callable[[str], Any]
    name: str
    claim: Claim | None = None
    state: Literal["fresh", "forked", "shared"] = "shared"
    witness: WitnessKind = WitnessKind.ENTERED

    @property
    def watched(self) -> Sequence[Watched]:
        return [Watched(self.function, "grader")]

    def fresh(self) -> Asked:
        return self

    async def grade(self, output: Output) -> Any:
        return self.function(output.text)

    def verdicts(self, raw: Any) -> dict[str, Verdict]:
        return read(raw)


BLANK: Operator = _Blank()


def cases() -> list[Case]:
    """The two cases."""
    return [
        Case(id=f"redhanded/{name}", grader=grader, good=Output(text="yes"), right=_Yes())
        for name, grader in (("accepts-all", accepts_all), ("rejects-all", rejects_all))
    ]


def opened(case: Case) -> Asked:
    """Make one of them ready."""
    return _Plain(case.grader, case.id)


def verdict(case: Case, found: Assembled) -> CanaryResult:
    """Did one of them come out as it must?"""
    name: Literal["accepts-all", "rejects-all"] = (
        "accepts-all" if case.grader is accepts_all else "rejects-all"
    )
    kinds = [hole.kind for hole in found.holes]
    lacks = [row.lack for row in found.rows]
    outcomes = ", ".join(str(row.hole or row.lack or row.outcome) for row in found.rows)
    if name == "accepts-all":
        passed = kinds == [HoleKind.VACUOUS]
        expected = "vacuous"
    else:
        passed = lacks == [Lack.RED_CONTROL] and not kinds
        expected = "red on its control"
    detail = f"came out {outcomes or 'as nothing'}; expected {expected}"
    return CanaryResult(name, case.id, case.id, passed, detail)
