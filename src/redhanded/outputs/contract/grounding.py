"""The contract of grounding: which passage supports which fact of the answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from redhanded.errors import UsageError
from redhanded.model.graded import Basis
from redhanded.model.output import Output, Part
from redhanded.outputs.contract.base import Finding, Ruling

UNRELATED: Final = (
    "Tide pools are left behind when the sea draws back, and limpets cling to their edges.",
    "A bookbinder folds each sheet by hand before sewing the gatherings onto linen tapes.",
    "Most alpine meadows are mown only once a summer, after the orchids have set seed.",
    "The potter wedges the clay for several minutes, until no air is trapped inside.",
)
"""Passages of our own, about things that answers are rarely about."""
_WORD: Final = re.compile(r"[^\W_]+")
_COMMON: Final = (
    "the and for are was were that this with from its not but has had have which into than then "
    "them they you your our their his her she him who how why when where what will can may each"
)
_SHORT: Final = frozenset(_COMMON.split())


def content(text: str) -> frozenset[str]:
    """The words of a text that carry meaning: numbers, and words of three letters or more."""
    words = (word.casefold() for word in _WORD.findall(text))
    return frozenset(
        word for word in words if word.isdigit() or (len(word) > 2 and word not in _SHORT)
    )


@dataclass(frozen=True)
class Grounding:
    """Each declared fact of the answer is supported by one of the passages declared for it.

    It rules on the reference's answer with the reference's passages kept, dropped, moved or
    replaced by passages of our own, which are about something else.
    """

    facts: tuple[tuple[str, tuple[int, ...]], ...]
    """Each fact, and the positions of all passages that support it."""
    reference: Output | None = field(default=None, compare=False, repr=False)
    kind: str = field(default="grounding", init=False)
    basis: Basis = field(default=Basis.CONSTRUCTION, init=False)

    @property
    def varies(self) -> frozenset[str]:
        """The order of the passages."""
        return frozenset({"order"})

    @property
    def parts(self) -> frozenset[Part]:
        """The passages."""
        return frozenset({"contexts"})

    @property
    def supporting(self) -> frozenset[int]:
        """Positions of the passages that support some fact."""
        return frozenset(index for _, places in self.facts for index in places)

    def declared(self, good: Output) -> Grounding:
        """The same, knowing the reference and its passages.

        Raises:
            UsageError: A fact's passage isn't there.
        """
        count = len(good.contexts)
        for fact, places in self.facts:
            for index in places:
                if not 0 <= index < count:
                    raise UsageError(
                        f"rh.grounding: the fact {fact!r} names passage {index}, but the reference "
                        f"has {count}. Count them from 0."
                    )
        return replace(self, reference=good)

    def rule(self, output: Output) -> Finding:
        """Judge the reference's answer over passages that are known."""
        if self.reference is None:
            return _unknown("the reference, and with it the passages, isn't known")
        if (output.text, output.value) != (self.reference.text, self.reference.value):
            return _unknown("the answer isn't the reference's")
        kept: set[int] = set()
        for passage in output.contexts:
            found = self._known(passage)
            if found is None:
                return _unknown("a passage is neither the reference's nor one of our own")
            kept |= found
        for fact, places in self.facts:
            if not kept.intersection(places):
                doubt = self._doubt(fact, places, kept)
                if doubt is not None:
                    return _unknown(doubt)
                why = f"no passage supports {fact!r} any more"
                return Finding(Ruling.WRONG, why, "contexts")
        return Finding(Ruling.RIGHT, "each fact has a passage that supports it", "contexts")

    def _known(self, passage: str) -> set[int] | None:
        """Which of the reference's passages one holds; None where it can't be told."""
        assert self.reference is not None
        rest, held = passage, set()
        for index, own in enumerate(self.reference.contexts):
            if own.strip() and own in rest:
                held.add(index)
                rest = rest.replace(own, " ", 1)
        for ours in UNRELATED:
            rest = rest.replace(ours, " ")
        return None if rest.strip() else held

    def _doubt(self, fact: str, places: tuple[int, ...], kept: set[int]) -> str | None:
        """Why what is left may support a fact though it isn't declared to."""
        assert self.reference is not None
        words = content(fact)
        for index in kept.difference(places):
            if words <= content(self.reference.contexts[index]):
                return (
                    f"passage {index} holds all words of {fact!r}: declare it too, where it "
                    "supports the fact"
                )
        if any(words & content(ours) for ours in UNRELATED):
            return f"{fact!r} is about something that our own passages are about"
        return None

    def code(self) -> str:
        """``rh.grounding(...)``."""
        said = {
            fact: places[0] if len(places) == 1 else list(places) for fact, places in self.facts
        }
        return f"rh.grounding({said!r})"


def _unknown(why: str) -> Finding:
    return Finding(Ruling.UNKNOWN, why, "contexts")


def grounding(facts: Mapping[str, int | Iterable[int]]) -> Grounding:
    """Each fact of the answer is supported by the passages declared for it.

    Args:
        facts: For each fact that the answer states, the position of the passage that supports it,
            from 0; or the positions of all that do.
    """
    if not facts:
        raise UsageError("rh.grounding: expected facts with their passages, found none.")
    found = [
        (fact, (places,) if isinstance(places, int) else tuple(places))
        for fact, places in facts.items()
    ]
    for fact, places in found:
        if not content(fact) or not places:
            raise UsageError(
                f"rh.grounding: expected a fact in words and a passage for it, found {fact!r} and "
                f"{list(places)}."
            )
    return Grounding(tuple(found))
