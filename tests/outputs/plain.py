"""The smallest adapter, contract and operators that a run needs: for tests of the run alone."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from redhanded.model.graded import Basis, Planted, WitnessKind
from redhanded.model.graders import GradersResult, MemorySink
from redhanded.model.output import Output, Part
from redhanded.model.sink import Silent
from redhanded.outputs.adapters.base import Asked, Claim, Verdict, Watched
from redhanded.outputs.adapters.reading import read
from redhanded.outputs.case import Case
from redhanded.outputs.contract.base import Contract, Finding, Ruling
from redhanded.outputs.operators.base import Decline, Operator, Provenance, Variant
from redhanded.outputs.options import Options
from redhanded.outputs.runner import run


@dataclass(frozen=True)
class Holds:
    """Right is what holds a word and doesn't deny it; anything with ``?`` is unknown."""

    word: str
    kind: str = "holds"
    basis: Basis = Basis.ORACLE
    varies: frozenset[str] = frozenset({"case"})
    parts: frozenset[Part] = frozenset({"text"})

    def rule(self, output: Output) -> Finding:
        text = output.text.lower()
        if "?" in text:
            return Finding(Ruling.UNKNOWN, "can't tell")
        right = self.word.lower() in text and "not" not in text.split()
        return Finding(Ruling.RIGHT if right else Ruling.WRONG, f"expected {self.word}",
                       bar="threshold" if "almost" in text else None)  # fmt: skip

    def code(self) -> str:
        return f"holds({self.word!r})"


@dataclass(frozen=True)
class Plants:
    """An operator that plants given outputs, with shams."""

    id: str
    planted: Planted
    variants: tuple[tuple[str, str | None], ...] = ()
    decline: Decline | None = None
    constructed: bool = False
    part: Part = "text"
    provenance: Sequence[Provenance] = ()
    summary: str = ""

    @property
    def defect_class(self) -> str:
        return self.id

    def plant(self, case: Case) -> Sequence[Variant] | Decline:
        if self.decline is not None:
            return self.decline
        return [
            Variant(
                str(place),
                Output(text=text),
                None if sham is None else Output(text=sham),
                constructed=self.constructed,
            )
            for place, (text, sham) in enumerate(self.variants)
        ]


NEGATION = Plants("negation", "defect", (("It is not Paris", "It is now Paris"),))
OTHER = Plants("other", "defect", (("London", None),))
BLANK = Plants("blank", "floor", (("", None),))
CASE = Plants("case", "equivalent", (("PARIS", None),))
ALL: tuple[Operator, ...] = (NEGATION, OTHER, BLANK, CASE)


@dataclass
class Plain:
    """A callable that is given the text."""

    case: Case
    watched: Sequence[Watched] = ()
    claim: Claim | None = None
    state: Literal["fresh", "forked", "shared"] = "shared"
    witness: WitnessKind = WitnessKind.ENTERED
    ask: Callable[[Callable[..., Any], Output], Any] = field(
        default=lambda grader, output: grader(output.text)
    )

    @property
    def name(self) -> str:
        return str(getattr(self.case.grader, "__name__", type(self.case.grader).__name__))

    def fresh(self) -> Asked:
        return self

    async def grade(self, output: Output) -> Any:
        raw = self.ask(self.case.grader, copy.deepcopy(output))
        return await raw if inspect.isawaitable(raw) else raw

    def verdicts(self, raw: Any) -> Mapping[str, Verdict]:
        return read(raw, self.case.pass_at)


def opened(case: Case) -> Plain:
    """Watch the grader, and its upstream where the case names one."""
    watched = [Watched(case.grader, "grader")]
    if case.upstream is not None:
        watched.append(Watched(case.upstream, "upstream", via=lambda raw: read(raw, case.pass_at)))
    return Plain(case, watched)


def case(grader: Any, name: str = "c", right: Contract | None = None, **more: Any) -> Case:
    """A case whose right answer is Paris."""
    return Case(id=name, grader=grader, good=Output(text="Paris"), right=right or Holds("Paris"),
                **more)  # fmt: skip


def ran(
    *cases: Case,
    operators: Sequence[Operator] = ALL,
    opener: Callable[[Case], Any] = opened,
    sink: MemorySink | None = None,
    **options: Any,
) -> GradersResult:
    """Run a suite."""
    return run(
        list(cases),
        Options(operators=operators, open=opener, **options),
        sink or MemorySink(),
        Silent(),
    )


def outcomes(result: GradersResult, name: str = "c") -> dict[str, str]:
    """Row -> outcome and lack, of one case."""
    return {
        row.id.partition("/")[2]: f"{row.outcome} {row.lack}" if row.lack else str(row.outcome)
        for row in result.rows
        if row.case == name
    }
