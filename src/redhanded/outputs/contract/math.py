"""The contract of a mathematical answer: an exact value, however it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from redhanded.errors import UsageError
from redhanded.model.graded import Basis
from redhanded.model.output import Output, Part
from redhanded.outputs.contract import frames, surd
from redhanded.outputs.contract.base import Finding, Ruling
from redhanded.outputs.contract.text import NOT_TEXT, call, shown, text_of

_MATH_WORDS: Final = re.compile(
    r"\b(?:pi|e|i|x|y|z|n|inf|infinity|sqrt|zero|one|two|three|half|true|false|none|undefined)\b",
    re.I,
)
_GROUPED: Final = re.compile(r"(?<![\d.])\d{1,3}(?:,\d{3})+(?![\d,])")


@dataclass(frozen=True)
class Math:
    """An exact value; see :func:`math`."""

    expression: str
    kind: str = field(default="math", init=False)
    basis: Basis = field(default=Basis.ORACLE, init=False)
    parts: frozenset[Part] = field(default=frozenset({"text", "value"}), init=False)
    varies: frozenset[str] = field(default=frozenset({"whitespace", "number_format"}), init=False)

    @property
    def value(self) -> surd.Surd | None:
        """What the expression is worth; None where that isn't decided."""
        return worth(self.expression)

    def rule(self, output: Output) -> Finding:
        r"""Right where the answer is worth the same, wrong where it is worth something else.

        The answer is what stands in the only ``\boxed{}``, or the whole text, or what fills a
        frame. What isn't made of rationals and square roots is unknown, unless it is the very
        same text.
        """
        text = text_of(output)
        if text is None:
            return NOT_TEXT
        if not text.strip():
            return Finding(Ruling.WRONG, f"expected {self.expression}; found nothing")
        if _stripped(text) == _stripped(self.expression):
            return Finding(Ruling.RIGHT, f"is {self.expression}")
        reading = frames.read(text)
        if reading is not None and reading.says != "affirms":
            return self._rule_frame(reading, text)
        answer = reading.x if reading is not None else extract(text)
        if answer is None:
            if re.search(r"[\d\\]", text) is None and not _MATH_WORDS.search(text):
                if re.search(r"[^\W\d_]{3}", text) or re.fullmatch(r"[\W_]+", text):
                    why = f"expected {self.expression}; {shown(text)} is no value"
                    return Finding(Ruling.WRONG, why)
            return Finding(Ruling.UNKNOWN, f"can't tell the answer in {shown(text)}")
        return self._rule_answer(answer)

    def _rule_answer(self, answer: str) -> Finding:
        if _stripped(answer) == _stripped(self.expression):
            return Finding(Ruling.RIGHT, f"is {self.expression}")
        found, expected = worth(answer), self.value
        if found is None or expected is None:
            return Finding(Ruling.UNKNOWN, f"can't decide whether {answer} is {self.expression}")
        if found == expected:
            return Finding(Ruling.RIGHT, f"{answer} is {self.expression}")
        if _approximates(answer, found, expected) or _approximates(
            self.expression, expected, found
        ):
            return Finding(Ruling.UNKNOWN, f"{answer} is near {self.expression}, not the same")
        return Finding(Ruling.WRONG, f"expected {self.expression}; found {answer}")

    def _rule_frame(self, reading: frames.Reading, text: str) -> Finding:
        found = [self._rule_answer(one).ruling for one in (reading.x, *reading.others)]
        if Ruling.UNKNOWN not in found:
            if reading.says == "corrects":
                return self._rule_answer(reading.x)
            turned = reading.says in ("denies", "retracts") or reading.frame.name == "asked_about"
            none_chosen = reading.says == "hedges" and Ruling.WRONG in found
            if (turned and found[0] is Ruling.RIGHT) or none_chosen:
                why = f"{shown(text)} doesn't say that it is {self.expression}"
                return Finding(Ruling.WRONG, why)
        return Finding(Ruling.UNKNOWN, f"can't tell the answer in {shown(text)}")

    def code(self) -> str:
        """``rh.math(...)``."""
        return call("math", repr(self.expression))


def _stripped(text: str) -> str:
    return "".join(_unwrapped(text).split())


def _unwrapped(text: str) -> str:
    """An expression without the marks that only say it is one."""
    text = text.strip().rstrip(".").strip()
    for opened, closed in (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]")):
        if text.startswith(opened) and text.endswith(closed) and len(text) > len(opened + closed):
            return text[len(opened) : -len(closed)].strip()
    return text


def worth(text: str) -> surd.Surd | None:
    """The exact value of an expression; None where that isn't decided."""
    plain = _unwrapped(text)
    if _GROUPED.fullmatch(plain.lstrip("-")):
        plain = plain.replace(",", "")
    try:
        return surd.read(plain)
    except (surd.UndecidedError, ZeroDivisionError):
        return None


def _approximates(text: str, written: surd.Surd, exact: surd.Surd) -> bool:
    """Is a decimal fraction off by less than one in its last place: rounded, or cut?"""
    places = [len(found) for found in re.findall(r"\d*\.(\d+)", text)]
    if not places:
        return False
    off = surd.approximate(surd.add(written, surd.scale(exact, Fraction(-1))))
    return abs(off) < 10.0 ** -min(places) * (1 - 1e-9)


def extract(text: str) -> str | None:
    """The expression that a text gives as its answer; None where that can't be told."""
    boxed = boxes(text)
    if boxed:
        return boxed[0] if len({_stripped(one) for one in boxed}) == 1 else None
    plain = _unwrapped(text)
    if worth(plain) is not None or ("\n" not in plain and "\\" in plain):
        return plain
    return plain if re.fullmatch(r"[-+*/^().\d\s√]+", plain) else None


def boxes(text: str) -> list[str]:
    r"""What stands in each ``\boxed{}``; empty also where one of them doesn't close."""
    found: list[str] = []
    for start in re.finditer(r"\\boxed\s*\{", text):
        depth, place = 1, start.end()
        while place < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[place], 0)
            place += 1
        if depth:
            return []
        found.append(text[start.end() : place - 1])
    return found


def math(expression: str) -> Math:
    r"""The answer is worth what this expression is.

    Args:
        expression: Such as ``1/2``, ``\frac{1}{2}``, ``0.5``, ``2\sqrt{3}``; one that isn't
            made of rationals and square roots is only ever compared as text.
    """
    if not isinstance(expression, str) or not expression.strip():
        raise UsageError(f"math() needs an expression, such as '1/2'; found {expression!r}.")
    return Math(expression)
