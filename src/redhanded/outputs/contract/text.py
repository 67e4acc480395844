"""Contracts about the words of a text: the very same, some of them, or a pattern."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Final

from redhanded.errors import UsageError
from redhanded.model.graded import Basis
from redhanded.model.output import Output, Part
from redhanded.outputs.contract.base import Finding, Ruling

IGNORABLE: Final = ("case", "whitespace", "unicode", "fence", "article")
"""What the comparison of texts can be told to ignore."""
EMBEDDED: Final = frozenset({"whitespace", "fence", "article", "disclaimer"})
"""What may stand around a needle that is looked for anywhere in a text."""

_FENCE: Final = re.compile(r"\s*(`{3,}|~{3,})[\w+-]*[ \t]*\n(.*?)\n?\1\s*", re.S)
_ARTICLE: Final = re.compile(r"\s*(?:the|an?)\s+", re.I)
_EDGES: Final = " \t\r\n.,;:!\"'`*_“”\u2018\u2019()"


def text_of(output: Output) -> str | None:
    """The answer as text; None where it is given as data that is no text."""
    if not output.has_value:
        return output.text
    return output.value if isinstance(output.value, str) else None


def same(text: str, ignore: frozenset[str]) -> str:
    """A form in which texts that differ only in what is ignored are equal."""
    if "fence" in ignore:
        inside = _FENCE.fullmatch(text)
        text = inside[2] if inside else text
    if "unicode" in ignore:
        text = unicodedata.normalize("NFKC", text)
    if "article" in ignore:
        found = _ARTICLE.match(text)
        text = text[found.end() :] if found and text[found.end() :].strip() else text
    if "whitespace" in ignore:
        text = " ".join(text.split())
    return text.casefold() if "case" in ignore else text


def near(text: str) -> str:
    """A form in which texts are equal that a kind reader might take for the same."""
    return same(text, frozenset(IGNORABLE)).strip(_EDGES)


def ignoring(ignore: str | tuple[str, ...]) -> frozenset[str]:
    """What a user says is to be ignored, checked."""
    names = frozenset([ignore] if isinstance(ignore, str) else ignore)
    unknown = sorted(names - set(IGNORABLE))
    if unknown:
        raise UsageError(
            f"ignore= knows {', '.join(IGNORABLE)}; found {', '.join(unknown)}. "
            "Leave it out, or write one that is known."
        )
    return names


def shown(text: str, limit: int = 60) -> str:
    """A text in one line, cut, for people."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    return repr(cut)


def call(name: str, *parts: str) -> str:
    """The code of a contract: ``rh.name(...)``."""
    return f"rh.{name}({', '.join(part for part in parts if part)})"


def ignore_code(ignore: frozenset[str]) -> str:
    """``ignore=(...)`` in code; empty where nothing is ignored."""
    return f"ignore={tuple(sorted(ignore))!r}" if ignore else ""


NOT_TEXT: Final = Finding(Ruling.UNKNOWN, "the answer is data, and this contract reads text")


@dataclass(frozen=True)
class Exact:
    """The text itself, and no other; see :func:`exact`."""

    text: str
    ignore: frozenset[str] = frozenset()
    kind: str = field(default="exact", init=False)
    basis: Basis = field(default=Basis.ORACLE, init=False)
    parts: frozenset[Part] = field(default=frozenset({"text", "value"}), init=False)

    @property
    def varies(self) -> frozenset[str]:
        """What is ignored."""
        return self.ignore

    def rule(self, output: Output) -> Finding:
        """Right where the text is the same, else wrong.

        A text that is the same for a kind reader, yet not by what is ignored, is unknown: nobody
        says that case or a final full stop is what the answer is about.
        """
        text = text_of(output)
        if text is None:
            return NOT_TEXT
        if same(text, self.ignore) == same(self.text, self.ignore):
            return Finding(Ruling.RIGHT, f"is {shown(self.text)}")
        why = f"expected {shown(self.text)}, found {shown(text)}"
        if near(text) and near(text) == near(self.text):
            return Finding(Ruling.UNKNOWN, f"{why}: alike, but for case, space or punctuation")
        return Finding(Ruling.WRONG, why)

    def code(self) -> str:
        """``rh.exact(...)``."""
        return call("exact", repr(self.text), ignore_code(self.ignore))


@dataclass(frozen=True)
class Contains:
    """All of some texts and none of others, anywhere; see :func:`contains`."""

    needles: tuple[str, ...]
    forbids: tuple[str, ...] = ()
    ignore: frozenset[str] = frozenset()
    words: bool = False
    kind: str = field(default="contains", init=False)
    basis: Basis = field(default=Basis.ORACLE, init=False)
    parts: frozenset[Part] = field(default=frozenset({"text", "value"}), init=False)

    @property
    def varies(self) -> frozenset[str]:
        """What is ignored, and what stands around the text."""
        return self.ignore | EMBEDDED

    def _in(self, needle: str, text: str, ignore: frozenset[str]) -> bool:
        needle, text = same(needle, ignore), same(text, ignore)
        if not self.words:
            return needle in text
        return re.search(rf"(?<!\w){re.escape(needle)}(?!\w)", text) is not None

    def rule(self, output: Output) -> Finding:
        """Right where all needles are there and nothing forbidden is.

        What is there only in another case, or only as a part of a word where words are meant, is
        unknown unless that is ignored.
        """
        text = text_of(output)
        if text is None:
            return NOT_TEXT
        loose = self.ignore | {"case", "whitespace", "unicode"}
        unsure = ""
        for needle in self.needles:
            if self._in(needle, text, self.ignore):
                continue
            if not self._in(needle, text, loose):
                return Finding(Ruling.WRONG, f"{shown(needle)} isn't in {shown(text)}")
            unsure = unsure or f"{shown(needle)} is there only in another spelling"
        for needle in self.forbids:
            if self._in(needle, text, self.ignore):
                return Finding(Ruling.WRONG, f"{shown(needle)} is forbidden and in {shown(text)}")
            if self._in(needle, text, loose):
                unsure = unsure or f"{shown(needle)} is forbidden, and there in another spelling"
        if unsure:
            return Finding(Ruling.UNKNOWN, unsure)
        return Finding(Ruling.RIGHT, "holds what it has to and nothing that it must not")

    def code(self) -> str:
        """``rh.contains(...)``."""
        return call(
            "contains",
            *map(repr, self.needles),
            f"forbids={self.forbids!r}" if self.forbids else "",
            ignore_code(self.ignore),
            "words=True" if self.words else "",
        )


@dataclass(frozen=True)
class Pattern:
    """A regular expression that has to be found; see :func:`pattern`."""

    regex: str
    full: bool = False
    flags: int = 0
    kind: str = field(default="pattern", init=False)
    basis: Basis = field(default=Basis.ORACLE, init=False)
    parts: frozenset[Part] = field(default=frozenset({"text", "value"}), init=False)
    varies: frozenset[str] = field(default=frozenset(), init=False)
    """Nothing by itself: an expression that is anchored leaves nothing free."""

    def rule(self, output: Output) -> Finding:
        """Right where the expression is found, in the whole text where ``full``."""
        text = text_of(output)
        if text is None:
            return NOT_TEXT
        found = (re.fullmatch if self.full else re.search)(self.regex, text, self.flags)
        if found:
            return Finding(Ruling.RIGHT, f"matches {shown(self.regex)}")
        return Finding(Ruling.WRONG, f"expected a match of {shown(self.regex)} in {shown(text)}")

    def code(self) -> str:
        """``rh.pattern(...)``."""
        return call(
            "pattern",
            repr(self.regex),
            "full=True" if self.full else "",
            f"flags={self.flags}" if self.flags else "",
        )


def exact(text: str, *, ignore: str | tuple[str, ...] = ()) -> Exact:
    """The answer is this very text.

    Args:
        text: The only right text.
        ignore: Differences that do no harm, of :data:`IGNORABLE`.
    """
    return Exact(text, ignoring(ignore))


def contains(
    *needles: str,
    forbids: str | tuple[str, ...] = (),
    ignore: str | tuple[str, ...] = (),
    words: bool = False,
) -> Contains:
    """The answer holds all of these texts, as text: nothing is said of what it means.

    Args:
        needles: Texts that have to be there.
        forbids: Texts that must not be there.
        ignore: Differences that do no harm, of :data:`IGNORABLE`.
        words: Whole words only: ``Parisian`` doesn't hold ``Paris``.
    """
    if not needles and not forbids:
        raise UsageError("contains() needs a text to look for, or one to forbid; found none.")
    forbidden = (forbids,) if isinstance(forbids, str) else tuple(forbids)
    if "" in (*needles, *forbidden):
        raise UsageError("contains() needs texts that aren't empty: every answer holds ''.")
    return Contains(tuple(needles), forbidden, ignoring(ignore), words)


def pattern(regex: str, *, full: bool = False, flags: int = 0) -> Pattern:
    """A regular expression that the answer has to match.

    Args:
        regex: In Python's syntax, searched for anywhere unless it is anchored.
        full: The whole answer has to match.
        flags: Of :mod:`re`, such as ``re.I``.
    """
    try:
        re.compile(regex, flags)
    except re.error as error:
        raise UsageError(f"pattern() needs a regular expression; {regex!r}: {error}.") from None
    return Pattern(regex, full, int(flags))
