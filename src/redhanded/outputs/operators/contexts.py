"""Defects of grounding: the passage that supports the answer is gone, or another stands there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import msgspec

from redhanded.model.graded import Planted
from redhanded.model.output import Output, Part
from redhanded.outputs.case import Case
from redhanded.outputs.contract.base import Ruling, find
from redhanded.outputs.contract.grounding import UNRELATED, Grounding, content
from redhanded.outputs.operators.base import Decline, Operator, Provenance, Variant
from redhanded.outputs.operators.documents import chosen

Plant = Callable[[Case, Grounding], "list[Variant]"]


@dataclass(frozen=True)
class Passages:
    """Changes the passages under the same answer."""

    id: str
    summary: str
    build: Plant
    provenance: Sequence[Provenance]
    decline: Decline
    planted: Planted = "defect"
    part: Part = "contexts"

    @property
    def defect_class(self) -> str:
        """Its own."""
        return self.id

    def plant(self, case: Case) -> Sequence[Variant] | Decline:
        """Build those passages that the contract knows as wanted."""
        contract = cast("Grounding | None", find(case.right, "grounding"))
        if contract is None:
            return Decline("needs_contract", "right=rh.grounding({fact: passage})")
        wanted = Ruling.RIGHT if self.planted == "equivalent" else Ruling.WRONG
        return chosen(case, self.build(case, contract), self.decline, wanted)


def _with(case: Case, passages: Sequence[str]) -> Output:
    return msgspec.structs.replace(case.good, contexts=tuple(passages))


def _right(case: Case, outputs: Sequence[Output]) -> Output | None:
    return next((one for one in outputs if case.right.rule(one).ruling is Ruling.RIGHT), None)


def _support(contract: Grounding) -> list[tuple[str, tuple[int, ...]]]:
    """Each set of passages that some fact rests on, once."""
    found: dict[tuple[int, ...], str] = {}
    for fact, places in contract.facts:
        found.setdefault(places, fact)
    return [(fact, places) for places, fact in found.items()]


def _label(places: tuple[int, ...]) -> str:
    return "+".join(str(place) for place in places)


def _dropped(case: Case, contract: Grounding) -> list[Variant]:
    passages = case.good.contexts
    variants: list[Variant] = []
    for fact, places in _support(contract):
        kept = [one for at, one in enumerate(passages) if at not in places]
        fewer = [
            _with(case, [one for at, one in enumerate(passages) if at != other])
            for other in range(len(passages))
        ]
        sham = _right(case, fewer) if len(places) == 1 else None
        why = f"no passage supports {fact!r} any more"
        variants.append(Variant(_label(places), _with(case, kept), sham, constructed=True, why=why))
    why = "there is no passage at all"
    variants.append(Variant("all", _with(case, []), constructed=True, why=why))
    return variants


def _unrelated(case: Case, count: int) -> list[str]:
    """Passages of our own that are about nothing in the case."""
    words = content(" ".join([case.good.text, *case.good.contexts]))
    free = [one for one in UNRELATED if not content(one) & words]
    return [free[at % len(free)] for at in range(count)] if free else []


def _swapped(case: Case, contract: Grounding) -> list[Variant]:
    passages = list(case.good.contexts)
    variants: list[Variant] = []
    for fact, places in _support(contract):
        others = _unrelated(case, len(places))
        if not others:
            continue
        changed = list(passages)
        for place, other in zip(places, others, strict=True):
            changed[place] = other
        twins: list[Output] = []
        for at in range(len(passages)):
            beside = list(passages)
            beside[at] = others[0]
            twins.append(_with(case, beside))
        framed = list(passages)
        framed[places[0]] = f"{others[0]} {passages[places[0]]}"
        # Else the supporting passage stays, with the other one before it.
        sham = _right(case, [*twins, _with(case, framed)])
        why = f"the passage that supports {fact!r} is replaced by one about something else"
        variants.append(
            Variant(_label(places), _with(case, changed), sham, constructed=True, why=why)
        )
    return variants


def _reordered(case: Case, contract: Grounding) -> list[Variant]:
    passages = list(case.good.contexts)
    why = "the same passages in another order"
    orders = [("reversed", passages[::-1]), ("rotated", [*passages[1:], *passages[:1]])]
    return [Variant(name, _with(case, order), constructed=True, why=why) for name, order in orders]


def _more(case: Case, contract: Grounding) -> list[Variant]:
    why = "one passage more, about something else; all that supports the answer is there"
    return [
        Variant(name, _with(case, passages), constructed=True, why=why)
        for other in _unrelated(case, 1)
        for name, passages in (
            ("after", [*case.good.contexts, other]),
            ("before", [other, *case.good.contexts]),
        )
    ]


OPERATORS: tuple[Operator, ...] = (
    Passages(
        "grounding-dropped-context",
        "The passage that supports the answer is gone.",
        _dropped,
        (
            Provenance(
                "Answers over an empty context were scored as fully faithful.",
                "vibrantlabsai/ragas#793",
            ),
            Provenance(
                "A faithfulness metric said correct where it was given no context at all.",
                "rhesis-ai/rhesis#1188",
            ),
        ),
        Decline("support_unknown", "rh.grounding({fact: all passages that support it})"),
    ),
    Passages(
        "grounding-swapped-context",
        "A passage about something else stands where the supporting one stood.",
        _swapped,
        (
            Provenance(
                "Of two contexts without the answer, one scored 0 and the other 1.",
                "vibrantlabsai/ragas#1689",
            ),
        ),
        Decline("support_unknown", "rh.grounding({fact: all passages that support it})"),
    ),
    Passages(
        "grounding-context-order",
        "The same passages in another order.",
        _reordered,
        (),
        Decline("one_passage", "good= with two contexts or more"),
        planted="equivalent",
    ),
    Passages(
        "grounding-more-context",
        "One passage more, about something else.",
        _more,
        (),
        Decline("no_unrelated_passage", "good= about other things than our own passages"),
        planted="equivalent",
    ),
)
