"""What the operators on text share: where a case's answer stands, and what may be planted."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import msgspec

from redhanded.model.graded import Basis, Planted
from redhanded.model.output import Message, Output, Part
from redhanded.outputs.case import Case
from redhanded.outputs.contract import frames, literals, surd
from redhanded.outputs.contract.base import Contract, Ruling, leaves
from redhanded.outputs.contract.choice import Choice, OneOf
from redhanded.outputs.contract.math import Math, extract
from redhanded.outputs.contract.number import Number, step_of
from redhanded.outputs.contract.text import Contains, Exact, near, text_of
from redhanded.outputs.operators.base import Decline, Provenance, Variant

Build = Callable[[Case], Iterable[Variant] | Decline]

UNDECIDED: Final = Decline(
    "contract_cannot_tell",
    "write a contract that rules such an output wrong, such as rh.answer(...) for its meaning",
)
DATA: Final = Decline("answer_is_data", "give the reference's answer as text")
NO_ANSWER: Final = Decline(
    "no_answer_text",
    "say what the answer is: rh.answer(...), rh.exact(...), rh.number(...), rh.choice(...)",
)
NOT_BARE: Final = Decline(
    "answer_not_bare", "give an answer of few words that is no sentence, no yes or no, no negation"
)
NO_OTHER: Final = Decline(
    "no_other_answers",
    'name two answers that are wrong: hints={"distractors": ["Lyon", "Rome"]}',
)


@dataclass(frozen=True)
class Planter:
    """An operator made of a function that proposes outputs.

    Only those proposals are planted that the case's contract rules as they are meant, or that
    are constructed where the contract is one of meaning and doesn't say otherwise.
    """

    id: str
    planted: Planted
    defect_class: str
    summary: str
    provenance: tuple[Provenance, ...]
    build: Build
    part: Part = "text"
    forges: bool = False
    """Its outputs write the case's own verdict channel."""

    def plant(self, case: Case) -> Sequence[Variant] | Decline:
        """Build outputs from the case's reference."""
        proposed = self.build(case)
        if isinstance(proposed, Decline):
            return proposed
        return vetted(case, self.planted, proposed)


def vetted(
    case: Case, planted: Planted, variants: Iterable[Variant]
) -> Sequence[Variant] | Decline:
    """Those variants that are known to be what they are meant to be, each once."""
    wanted = Ruling.RIGHT if planted == "equivalent" else Ruling.WRONG
    seen = {msgspec.json.encode(case.good, enc_hook=repr)}
    kept: list[Variant] = []
    for variant in variants:
        key = msgspec.json.encode(variant.output, enc_hook=repr)
        if key in seen or not _admits(case, variant.output, wanted, variant.constructed):
            continue
        seen.add(key)
        sham = variant.sham
        if sham is not None and not _admits(case, sham, Ruling.RIGHT, variant.constructed):
            variant = replace(variant, sham=None)
        kept.append(variant)
    return kept or UNDECIDED


def _admits(case: Case, output: Output, wanted: Ruling, constructed: bool) -> bool:
    ruling = case.right.rule(output).ruling
    if ruling is Ruling.UNKNOWN and constructed:
        return case.right.basis is Basis.CONSTRUCTION
    return ruling is wanted


def rewritten(good: Output, text: str) -> Output:
    """The reference with another answer, in every part that gives the answer as text."""
    messages = list(good.messages)
    if messages and messages[-1].role == "assistant":
        messages[-1] = Message("assistant", text, messages[-1].tool_calls)
    changed = msgspec.structs.replace(good, text=text, messages=tuple(messages))
    if good.has_value and isinstance(good.value, str):
        changed = msgspec.structs.replace(changed, value=text)
    return changed


@dataclass(frozen=True)
class Answer:
    """What a case's answer is, and where the reference gives it."""

    contract: Contract
    """The clause that says so."""
    text: str
    """As the reference has it."""
    good: str
    """The reference's whole text."""
    start: int
    """Where the answer stands in it; -1 where it doesn't, or not just once."""
    others: tuple[str, ...] = ()
    """Answers that are wrong, written alike."""
    literal: literals.Literal | None = None
    """The number that it is, placed in the whole text."""

    @property
    def meant(self) -> bool:
        """Is it an answer by its meaning, which no procedure decides?"""
        return self.contract.kind == "answer"

    @property
    def whole(self) -> bool:
        """Is it the whole of the reference?"""
        return self.good.strip() == self.text

    def put(self, other: str) -> str | None:
        """The reference's text with another answer in its place."""
        if self.start < 0:
            return None
        return self.good[: self.start] + other + self.good[self.start + len(self.text) :]


def answer_of(case: Case) -> Answer | Decline:
    """The answer of a case, from its contract and its reference."""
    good = text_of(case.good)
    if good is None:
        return DATA
    for leaf in leaves(case.right):
        found = _from_clause(leaf, good)
        if found is not None:
            known = getattr(leaf, "wrong", ()) if leaf.kind == "answer" else ()
            given = (*map(str, known), *map(str, case.hints.get("distractors", ())))
            rest = tuple(other for other in given if near(other) != near(found.text))
            return replace(found, others=rest + found.others)
    return NO_ANSWER


def _from_clause(leaf: Contract, good: str) -> Answer | None:
    if isinstance(leaf, Number):
        return _number(leaf, good)
    if isinstance(leaf, Choice):
        return _choice(leaf, good)
    if isinstance(leaf, Math):
        return _math(leaf, good)
    candidates: list[str] = []
    if isinstance(leaf, Exact):
        candidates = [leaf.text]
    elif isinstance(leaf, OneOf):
        candidates = [one for one in leaf.allowed if near(one) == near(good)]
    elif isinstance(leaf, Contains) and len(leaf.needles) == 1:
        candidates = list(leaf.needles)
    elif leaf.kind == "answer":
        aliases = getattr(leaf, "aliases", ())
        candidates = [str(getattr(leaf, "text", "")), *map(str, aliases)]
    for text in filter(None, candidates):
        start = _only(good, text)
        if start >= 0:
            return Answer(leaf, good[start : start + len(text)], good, start)
    return Answer(leaf, candidates[0], good, -1) if candidates and candidates[0] else None


def _only(good: str, text: str) -> int:
    """Where a text stands in the reference, as a whole word and just once, in whatever case."""
    found = [*re.finditer(rf"(?<!\w){re.escape(text)}(?!\w)", good)]
    if not found:
        found = [*re.finditer(rf"(?<!\w){re.escape(text)}(?!\w)", good, re.I)]
    return found[0].start() if len(found) == 1 else -1


def _number(leaf: Number, good: str) -> Answer | None:
    found = literals.scan(good, leaf.locale, (leaf.unit,) if leaf.unit else ())
    if not found:
        return None
    literal = found[-1] if leaf.which == "last" else found[0]
    others = []
    last = unit_in_last_place(literal)
    near_enough = leaf.allowed if leaf.digits is None else step_of(leaf.value, leaf.digits)
    apart = last * (math.ceil(2 * near_enough / last) + 1)
    # Far off, so that a grader is not asked about near misses where something else is meant.
    apart *= max(1, round(abs(literal.value) * 3 / (apart * 10)))
    for step in (1, 2, 3):
        text = write(literal, literal.value + step * apart, leaf.locale)
        if text is not None:
            rest = good[literal.first : literal.start], good[literal.end : literal.last]
            others.append(f"{rest[0]}{text}{rest[1]}")
    return Answer(
        leaf,
        good[literal.first : literal.last],
        good,
        literal.first,
        tuple(others),
        literal,
    )


def _choice(leaf: Choice, good: str) -> Answer | None:
    options = dict(leaf.options)
    by_text = near(good) == near(options[leaf.letter])
    right = options[leaf.letter] if by_text else leaf.letter
    others = tuple(text if by_text else letter for letter, text in leaf.wrong)
    found = [*re.finditer(rf"(?<!\w){re.escape(right)}(?!\w)", good)]
    start = found[0].start() if len(found) == 1 else -1
    return Answer(leaf, right, good, start, others)


def _math(leaf: Math, good: str) -> Answer | None:
    text = extract(good) or leaf.expression
    value = leaf.value
    plain = surd.plain(value) if value is not None else None
    others = () if plain is None else tuple(str(plain + step) for step in (1, 2, 5))
    return Answer(leaf, text, good, good.find(text) if good.count(text) == 1 else -1, others)


def unit_in_last_place(literal: literals.Literal) -> Fraction:
    """What the last digit of a literal counts."""
    size = Fraction(literals.MAGNITUDES.get(literal.magnitude, 1))
    digits = re.search(r"[.,](\d+)$", literal.text)
    if digits is None or not decimal_mark(literal):
        return size
    return size / Fraction(10 ** len(digits[1]))


def decimal_mark(literal: literals.Literal) -> bool:
    """Has a literal digits after a decimal mark?"""
    size = literals.MAGNITUDES.get(literal.magnitude, 1)
    whole = re.sub(r"\D", "", literal.text)
    return abs(literal.value) != int(whole or "0") * size


def write(
    literal: literals.Literal, value: Fraction, locale: str, places: int | None = None
) -> str | None:
    """Another value, written as a literal is; None where that can't be done.

    Args:
        literal: Whose sign, groups and decimal places are kept.
        value: What it is to be worth.
        locale: How numbers are written.
        places: Decimal places; else as many as the literal has, or more where needed.
    """
    if "e" in literal.text.casefold():
        return None
    groups, mark = literals.LOCALES[locale]
    value /= literals.MAGNITUDES.get(literal.magnitude, 1)
    had = re.search(rf"{re.escape(mark)}(\d+)$", literal.text)
    wanted = places if places is not None else len(had[1]) if had else 0
    while (value * 10**wanted).denominator != 1:
        wanted += 1
        if places is not None or wanted > 30:
            return None
    digits = str(abs(int(value * 10**wanted))).rjust(wanted + 1, "0")
    whole, rest = (digits[:-wanted], digits[-wanted:]) if wanted else (digits, "")
    group = next((char for char in literal.text if char in groups), "")
    if group:
        whole = f"{int(whole):,}".replace(",", group)
    sign = ""
    if value < 0:
        sign = literal.text[0] if literal.text[0] in literals.MINUS else "-"
    return sign + whole + (mark + rest if rest else "")


def bare(answer: Answer) -> bool:
    """May a frame speak of this answer?"""
    return frames.fits(answer.text)


def twins(answer: Answer, pair: frames.Pair) -> bool:
    """May a grader be expected to take the pair's truthful twin?

    Where the reference is a bare number or letter, or one behind a label, its grader may well read
    nothing else, and a sentence is no fair twin; then there is none.
    """
    before = answer.good[: max(answer.start, 0)].rstrip(" ")
    if labelled(answer):
        label = before.splitlines()[-1].strip()
        return label == "ANSWER:" and pair.name in ("answer_line", "second_line")
    if isinstance(answer.contract, (Number, Math)) and "{y}" in pair.wrong.text:
        # Several numbers are right only where it is said which of them counts.
        last = isinstance(answer.contract, Number) and answer.contract.which == "last"
        if not last or pair.name == "one_of":
            return False
    if answer.contract.kind in ("number", "math", "choice"):
        return bool(before.strip()) and not before.endswith("\n")
    return True


def labelled(answer: Answer) -> bool:
    """Does the reference give its answer behind a label, or in a box, which may be due?"""
    before = answer.good[: max(answer.start, 0)].rstrip()
    return before.endswith((":", "#", "=", "{", ">"))


def framed(case: Case, answer: Answer, pairs: Iterable[frames.Pair], why: str) -> Iterable[Variant]:
    """Frames about the answer that need no other."""
    for pair in pairs:
        sham = pair.sham.fill(answer.text) if pair.sham and twins(answer, pair) else None
        yield Variant(
            pair.name,
            rewritten(case.good, pair.wrong.fill(answer.text)),
            rewritten(case.good, sham) if sham else None,
            constructed=answer.meant,
            why=why,
        )


def wrong_text(answer: Answer) -> str:
    """The reference with a wrong answer: another one where one is known, else garbage."""
    other = answer.others[0] if answer.others else frames.GARBAGE[0]
    put = answer.put(other)
    return other if put is None else put
