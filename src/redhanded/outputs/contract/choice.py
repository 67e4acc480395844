"""Contracts about a choice: one of several texts, or an option by its letter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from redhanded.errors import UsageError
from redhanded.model.graded import Basis
from redhanded.model.output import Output, Part
from redhanded.outputs.contract import frames
from redhanded.outputs.contract.base import Finding, Ruling
from redhanded.outputs.contract.text import (
    NOT_TEXT,
    call,
    ignore_code,
    ignoring,
    near,
    same,
    shown,
    text_of,
)

_BARE: Final = r"\(?\[?\s*([A-Za-z])\s*\]?\)?"
_LINE: Final = re.compile(rf"\s*(?:final\s+)?answer\s*(?:is)?\s*[:=]?\s*{_BARE}\s*[.!]?\s*", re.I)


@dataclass(frozen=True)
class OneOf:
    """One of several texts, whichever; see :func:`one_of`."""

    allowed: tuple[str, ...]
    ignore: frozenset[str] = frozenset()
    kind: str = field(default="one_of", init=False)
    basis: Basis = field(default=Basis.ORACLE, init=False)
    parts: frozenset[Part] = field(default=frozenset({"text", "value"}), init=False)

    @property
    def varies(self) -> frozenset[str]:
        """What is ignored."""
        return self.ignore

    def rule(self, output: Output) -> Finding:
        """Right where the whole text is allowed; wrong where nothing allowed is in it.

        A text that holds an allowed one among others is unknown, unless it is a frame that denies
        it or chooses none.
        """
        text = text_of(output)
        if text is None:
            return NOT_TEXT
        if any(same(text, self.ignore) == same(one, self.ignore) for one in self.allowed):
            return Finding(Ruling.RIGHT, "is one of the allowed texts")
        plain = near(text)
        held = [one for one in self.allowed if _held(near(one), plain)]
        why = f"expected one of {', '.join(map(repr, self.allowed))}; found {shown(text)}"
        if not held:
            return Finding(Ruling.WRONG, why)
        reading = frames.read(text)
        if reading is not None and self._turned(reading):
            return Finding(Ruling.WRONG, why)
        return Finding(Ruling.UNKNOWN, f"{why}, which holds an allowed one")

    def _turned(self, reading: frames.Reading) -> bool:
        allowed = {near(one) for one in self.allowed}
        if reading.says in ("denies", "retracts", "mentions"):
            return near(reading.x) in allowed
        if reading.says == "hedges":
            # Where one of the rest is wrong too, an answer that may be any of them is no answer.
            return any(near(one) not in allowed for one in (reading.x, *reading.others))
        return reading.says == "corrects" and near(reading.x) not in allowed

    def code(self) -> str:
        """``rh.one_of(...)``."""
        return call("one_of", *map(repr, self.allowed), ignore_code(self.ignore))


def _held(needle: str, text: str) -> bool:
    """Is it in the text, be it as a part of a word?"""
    return bool(needle) and needle in text


@dataclass(frozen=True)
class Choice:
    """An option by its letter, or by its text; see :func:`choice`."""

    letter: str
    options: tuple[tuple[str, str], ...]
    """Letter and text of each option, in the order shown."""
    kind: str = field(default="choice", init=False)
    basis: Basis = field(default=Basis.ORACLE, init=False)
    parts: frozenset[Part] = field(default=frozenset({"text", "value"}), init=False)
    varies: frozenset[str] = field(default=frozenset({"whitespace"}), init=False)

    @property
    def wrong(self) -> tuple[tuple[str, str], ...]:
        """The options that are wrong."""
        return tuple(option for option in self.options if option[0] != self.letter)

    @property
    def listing(self) -> str:
        """The options as a model would repeat them."""
        return "\n".join(f"{letter}) {text}" for letter, text in self.options)

    def rule(self, output: Output) -> Finding:
        """Right where the right option is picked, wrong where another or none is.

        The pick is the last line of the form ``ANSWER: B``, or the whole text: a letter, an
        option's text, both, or a frame about one of them. All else is unknown.
        """
        text = text_of(output)
        if text is None:
            return NOT_TEXT
        if not text.strip():
            return Finding(Ruling.WRONG, f"expected {self.letter}; found nothing")
        picked = self._pick(text)
        if picked is None:
            return Finding(Ruling.UNKNOWN, f"can't tell what {shown(text)} picks")
        if picked == {self.letter}:
            return Finding(Ruling.RIGHT, f"picks {self.letter}")
        found = " and ".join(sorted(picked)) if picked else "no option"
        return Finding(Ruling.WRONG, f"expected {self.letter}; {shown(text)} picks {found}")

    def _pick(self, text: str) -> frozenset[str] | None:
        """The letters picked; none where the text picks none; None where it can't be told."""
        whole = self._named(text)
        if whole is not None:
            return frozenset({whole})
        reading = frames.read(text)
        if reading is not None:
            return self._framed(reading)
        if near(text) == near(self.listing):
            return frozenset()
        lines = text.strip().splitlines()
        if self._silent(text):
            return frozenset()
        return self._last_line(lines)

    def _silent(self, text: str) -> bool:
        """Is there neither a letter nor a word of any option in it?"""
        words = set(re.findall(r"\w+", text.casefold()))
        if {letter.casefold() for letter, _ in self.options} & words or re.search(r"\d", text):
            return False
        # Words that are only a part of an option's are no pick either, but let us not decide that.
        shared = {word for _, option in self.options for word in re.findall(r"\w+", near(option))}
        return not any(one in word or word in one for one in shared for word in words)

    def _last_line(self, lines: list[str]) -> frozenset[str] | None:
        several = re.fullmatch(r"\s*(?:answer\s*:\s*)?((?:[A-Z]\s*,\s*)+[A-Z])\s*", lines[-1], re.I)
        if several:
            letters = frozenset(re.findall(r"[A-Z]", several[1].upper()))
            return letters if letters <= {letter for letter, _ in self.options} else None
        last = _LINE.fullmatch(lines[-1])
        letter = self._letter(last[1]) if last else None
        if letter is None:
            return None
        before = "\n".join(lines[:-1])
        if not before.strip() or near(before) == near(self.listing):
            return frozenset({letter})
        earlier = {self._letter(found[1]) for found in map(_LINE.fullmatch, lines[:-1]) if found}
        return frozenset({letter}) if earlier <= {letter} else None

    def _framed(self, reading: frames.Reading) -> frozenset[str] | None:
        names = [self._named(one) for one in (reading.x, *reading.others)]
        named = frozenset(name for name in names if name is not None)
        if len(named) != len(names):
            return None
        if reading.says in ("affirms", "corrects"):
            return frozenset({names[0]}) if names[0] else None
        if reading.says == "hedges":
            return named
        if reading.says == "mentions" and reading.frame.name != "asked_about":
            # A letter among garbage may still be meant.
            return None
        # Denied: with another wrong one denied, nothing is picked either.
        return frozenset()

    def _letter(self, found: str) -> str | None:
        letters = {letter.casefold(): letter for letter, _ in self.options}
        return letters.get(found.casefold())

    def _named(self, text: str) -> str | None:
        """The option that a whole text names: by letter, by text, or by both."""
        plain = text.strip().strip("*").strip()
        line = _LINE.fullmatch(plain) or re.fullmatch(rf"{_BARE}\s*[.!]?", plain)
        if line:
            return self._letter(line[1])
        for letter, option in self.options:
            if near(plain) == near(option):
                return letter
            both = re.fullmatch(rf"\(?{re.escape(letter)}\s*[).:]\s*(.+)", plain, re.S)
            if both and near(both[1]) == near(option):
                return letter
        return None

    def code(self) -> str:
        """``rh.choice(...)``."""
        return call("choice", repr(self.letter), f"options={dict(self.options)!r}")


def one_of(*allowed: str, ignore: str | tuple[str, ...] = ()) -> OneOf:
    """The answer is one of these texts.

    Args:
        allowed: All right texts.
        ignore: Differences that do no harm, such as ``("case", "whitespace")``.
    """
    if not allowed:
        raise UsageError("one_of() needs the texts that are right; found none.")
    return OneOf(tuple(allowed), ignoring(ignore))


def choice(letter: str, *, options: Mapping[str, str]) -> Choice:
    """The answer is an option, by its letter or its text.

    Args:
        letter: The right option's.
        options: All that were shown, by letter: ``{"A": "Paris", "B": "Lyon"}``.
    """
    shown_options = tuple((str(key), str(value)) for key, value in options.items())
    letters = [key for key, _ in shown_options]
    if letter not in letters or len(letters) < 2:
        raise UsageError(
            f"choice() needs two options or more, with {letter!r} among them; found {letters}."
        )
    if any(not re.fullmatch(r"[A-Za-z]", key) for key in letters):
        raise UsageError(f"choice() needs options named by one letter each; found {letters}.")
    texts = [near(value) for _, value in shown_options]
    if len({key.casefold() for key in letters}) < len(letters) or len(set(texts)) < len(texts):
        raise UsageError("choice() needs options that differ, in letter and text.")
    return Choice(letter, shown_options)
