"""Reviewed sentences whose meaning is known: they affirm, deny, retract or only mention an answer.

An operator fills a frame to build an output; a contract reads the frame back to rule on it. So a
sentence counts as wrong, or right, only where a person has read the frame, and only where what
stands in its slot can't turn the meaning round.

A frame and its twin share prefix, suffix and number of lines, as far as English lets them: a
grader that looks at these treats both alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

Says = Literal["affirms", "denies", "retracts", "mentions", "hedges", "corrects"]
"""What a frame does with its slot ``x``.

``corrects`` ends with ``x``, having named ``y`` first; ``hedges`` commits to none of ``x``, ``y``
and ``z``; ``mentions`` names ``x`` in no statement at all.
"""

GARBAGE: Final = ("zxqfp wgbrtl mnkvd", "frljpz qptxw bvcgh")
"""Two runs of letters that are no words of any language we know."""


@dataclass(frozen=True)
class Frame:
    """A sentence with slots."""

    name: str
    """Stable; unique for what it says."""
    says: Says
    text: str
    """With ``{x}``, and in some ``{y}`` and ``{z}``."""

    def fill(self, x: str, y: str = "", z: str = "") -> str:
        """The sentence about ``x``."""
        return self.text.replace("{x}", x).replace("{y}", y).replace("{z}", z)


@dataclass(frozen=True)
class Pair:
    """A frame that makes an answer wrong, and its truthful twin."""

    name: str
    wrong: Frame
    sham: Frame | None


@dataclass(frozen=True)
class Reading:
    """A text that is a filled frame."""

    frame: Frame
    x: str
    others: tuple[str, ...] = ()
    """What stands in ``y`` and ``z``."""

    @property
    def in_order(self) -> tuple[str, ...]:
        """What stands in the slots, from left to right."""
        values = dict(zip("xyz", (self.x, *self.others), strict=False))
        return tuple(values[slot] for slot in re.findall(r"\{([xyz])\}", self.frame.text))

    @property
    def says(self) -> Says:
        """What it does with ``x``."""
        return self.frame.says


def _pair(name: str, says: Says, wrong: str, sham: str | None, twin: Says = "affirms") -> Pair:
    return Pair(
        name,
        Frame(name, says, wrong),
        None if sham is None else Frame(f"{name}_twin", twin, sham),
    )


DENIALS: Final = (
    _pair(
        "answer_not",
        "denies",
        "The answer is definitely not {x}.",
        "The answer is most certainly {x}.",
    ),
    _pair("was_not", "denies", "It was not {x}.", "It was indeed {x}."),
    _pair("is_wrong", "denies", "{x} is the wrong answer.", "{x} is the right answer."),
    _pair("bare_suffix", "denies", "I am sure it is not {x}", "I am sure that it is {x}"),
    _pair("answer_line", "denies", "ANSWER: not {x}", "ANSWER: {x}"),
    _pair(
        "first_line",
        "denies",
        "{x}\n\nThe line above is the wrong answer.",
        "{x}\n\nThe line above is the right answer.",
    ),
    _pair(
        "last_line",
        "denies",
        "The line below is the wrong answer.\n\n{x}",
        "The line below is the right answer.\n\n{x}",
    ),
)
"""An answer said not to be it: with prefix, suffix, line or place of the answer kept."""

BOUNDS: Final = (
    _pair("less_than", "denies", "The answer is less than {x}.", "The answer is exactly {x}."),
    _pair("more_than", "denies", "It is more than {x}.", "It is exactly {x}."),
)
"""For numbers alone: one that is less isn't the same."""

RETRACTIONS: Final = (
    _pair(
        "taken_back",
        "retracts",
        "{x}. Correction: that is wrong, and I do not know the answer.",
        "{x}. Confirmation: that is right, and I do stand by the answer.",
    ),
    _pair(
        "scratched",
        "retracts",
        "The answer is {x}.\n\nOn second thought, that answer is wrong.",
        "The answer is {x}.\n\nOn second thought, that answer is right.",
    ),
)
"""An answer given and then taken back, with no other in its place."""

CORRECTIONS: Final = (
    _pair(
        "correction",
        "corrects",
        "The answer is {y}. Correction: it is {x}.",
        "The answer is {y}. Correction: it is {x}.",
        "corrects",
    ),
    _pair(
        "second_line",
        "corrects",
        "ANSWER: {y}\n\nI have to correct myself.\n\nANSWER: {x}",
        "ANSWER: {y}\n\nI have to correct myself.\n\nANSWER: {x}",
        "corrects",
    ),
)
"""``y`` first, then ``x`` for good: wrong where ``x`` is."""

HEDGES: Final = (
    _pair(
        "either",
        "hedges",
        "The answer is either {y}, {z} or {x}.",
        "The answer is neither {y} nor {z}, but {x}.",
        "corrects",
    ),
    _pair(
        "one_of",
        "hedges",
        "It could be {x}, {y} or {z}.",
        "It is {x}, not {y} or {z}.",
        "corrects",
    ),
)
"""Several answers, and no choice among them."""

MENTIONS: Final = (
    _pair(
        "among_garbage",
        "mentions",
        f"{GARBAGE[0]} {{x}} {GARBAGE[1]}",
        "I would say that it is {x} as things stand",
    ),
    _pair(
        "asked_about",
        "mentions",
        "I was asked about {x}, and I can say nothing on the matter.",
        "I settled for {x}, and I can say nothing against this.",
    ),
)
"""An answer's words without the answer."""

AFFIRMATIONS: Final = (
    Frame("answer_is", "affirms", "The answer is {x}."),
    Frame("it_is", "affirms", "It is {x}."),
    Frame("answer_line", "affirms", "ANSWER: {x}"),
    Frame("answer_colon", "affirms", "Answer: {x}"),
    Frame("final_answer", "affirms", "The final answer is {x}."),
)
"""Plain ways to give an answer."""

PAIRS: Final = (*DENIALS, *BOUNDS, *RETRACTIONS, *CORRECTIONS, *HEDGES, *MENTIONS)

_TURNING_WORDS: Final = """
not no nor never none neither nothing nobody without cannot except unless but or either if
maybe perhaps wrong false incorrect untrue unlikely hardly barely instead rather than
yes true right correct definitely certainly indeed anything correction
"""
_TURNING: Final = frozenset(_TURNING_WORDS.split())
_WORD: Final = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
LONGEST: Final = 80
"""A longer slot is no bare answer, and may say anything."""


def fits(slot: str) -> bool:
    """May a frame speak of this as of an answer?

    It must be one line, short, no sentence or list, no yes or no, and hold no word that could turn
    the frame's meaning round.
    """
    if not slot or slot != slot.strip() or len(slot) > LONGEST or "\n" in slot:
        return False
    if slot[-1] in ".!?;:," or re.search(r"[.!?;:]\s|,\s|[\[\]{}<>]", slot):
        return False
    words = [word.casefold().replace("\u2019", "'") for word in _WORD.findall(slot)]
    return not any(word in _TURNING or word.endswith("n't") for word in words)


@cache
def _readers() -> tuple[tuple[re.Pattern[str], Frame], ...]:
    frames = [*AFFIRMATIONS]
    for pair in PAIRS:
        frames += [pair.wrong] if pair.sham is None else [pair.wrong, pair.sham]
    # The longest fixed text first: the shorter frames hold less and might swallow part of it.
    unique = {frame.text: frame for frame in reversed(frames)}
    ordered = sorted(unique.values(), key=lambda frame: -len(re.sub(r"\{.\}", "", frame.text)))
    return tuple((_pattern(frame.text), frame) for frame in ordered)


def _pattern(text: str) -> re.Pattern[str]:
    parts = re.split(r"(\{[xyz]\})", text)
    return re.compile(
        "".join(
            f"(?P<{part[1]}>[^\\n]+?)" if re.fullmatch(r"\{[xyz]\}", part) else re.escape(part)
            for part in parts
        )
    )


def read(text: str) -> Reading | None:
    """Which frame a text fills, and with what; None where it is none of ours."""
    plain = text.strip()
    if len(plain) > 4 * LONGEST + 200:
        return None
    for pattern, frame in _readers():
        found = pattern.fullmatch(plain)
        if found is None:
            continue
        slots = found.groupdict()
        if all(fits(slot) for slot in slots.values()):
            others = tuple(slots[name] for name in ("y", "z") if name in slots)
            return Reading(frame, slots["x"], others)
    return None
