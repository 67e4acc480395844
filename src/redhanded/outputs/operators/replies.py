"""Replies in reviewed frames, as the contracts of refusal, compliance and abstention know them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from redhanded.model.graded import Planted
from redhanded.model.output import Output, Part
from redhanded.outputs.case import Case
from redhanded.outputs.contract.base import Ruling, find
from redhanded.outputs.contract.meaning import Abstention, Compliance, Refusal
from redhanded.outputs.operators.base import Decline, Provenance, Variant
from redhanded.outputs.operators.documents import chosen, said


@dataclass(frozen=True)
class Framed:
    """Plants the replies of one group that a contract of meaning knows."""

    id: str
    summary: str
    kind: str
    """The contract that knows the frames."""
    group: str
    """Which of its replies; empty for the right ones."""
    unlock: str
    provenance: Sequence[Provenance]
    planted: Planted = "defect"
    part: Part = "text"

    @property
    def defect_class(self) -> str:
        """Its own."""
        return self.id

    def plant(self, case: Case) -> Sequence[Variant] | Decline:
        """Fill the frames with the case's own words."""
        contract = cast("Refusal | Compliance | Abstention | None", find(case.right, self.kind))
        if contract is None:
            return Decline("needs_contract", self.unlock)
        if case.good.has_value:
            return Decline("answer_is_data", "good= as text")
        refused = Decline("other_clause", "a contract whose other clauses leave the reply free")
        if self.planted == "equivalent":
            rights = [
                Variant(one.name, said(case.good, one.text), constructed=True, why=one.why)
                for one in contract.rights()
            ]
            return chosen(case, rights, refused, Ruling.RIGHT)
        variants = [
            Variant(
                pair.name,
                said(case.good, pair.wrong),
                _right(case, pair.twin),
                constructed=True,
                why=pair.why,
            )
            for pair in contract.pairs()
            if pair.group == self.group
        ]
        return chosen(case, variants, refused)


def _right(case: Case, twin: str | None) -> Output | None:
    """The twin, where no other clause objects."""
    if twin is None:
        return None
    sham = said(case.good, twin)
    return sham if case.right.rule(sham).ruling is Ruling.RIGHT else None
