"""A mutant as a person reads it: a few lines before and after, or one line of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from redhanded.model.mutant import Mutant
from redhanded.model.result import MutantResult

MOST_LINES = 12
"""Lines of a side that a snippet shows; the middle of longer ones is left out, and told."""

_LINE_END = re.compile(r"\r\n|\r|\n")
"""What ends a line for Python: not a form feed, nor what Unicode calls a line separator."""


@dataclass(frozen=True)
class Line:
    """One line of a snippet."""

    sign: Literal["-", "+", " "]
    text: str
    mark: tuple[int, int] | None = None
    """Columns that differ from the line's twin; None where there is no one twin."""


def snippet(mutant: Mutant | MutantResult, source: str | None = None) -> tuple[Line, ...]:
    """The lines that a mutant changes, before and after.

    Args:
        mutant: Any mutant.
        source: Text of the mutated file. Where there is none, or the mutant's original text does
            not stand in it at the mutant's place, only the replaced span is shown.
    """
    before, after = _span_lines(mutant, source)
    while before and after and before[0] == after[0]:
        before, after = before[1:], after[1:]
    while before and after and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    if not any(line.strip() for line in after):
        after = []
    before, after = _dedented(before, after)
    if len(before) == len(after) == 1:
        one, other = before[0], after[0]
        start = _common_prefix(one, other)
        end = _common_prefix(one[start:][::-1], other[start:][::-1])
        return (
            Line("-", one, (start, len(one) - end)),
            Line("+", other, (start, len(other) - end)),
        )
    removed = [Line("-", text) for text in before]
    return (*_shortened(removed), *_shortened([Line("+", text) for text in after]))


def fits(mutant: Mutant | MutantResult, source: str) -> bool:
    """The mutant's original text stands in ``source`` where the mutant says."""
    return _in_place(mutant, source) is not None


def one_line(mutant: Mutant | MutantResult, width: int = 48) -> str:
    """What a mutant changes, in one short line."""
    one, other = _squeezed(mutant.original), _squeezed(mutant.replacement)
    room = max(8, (width - 3) // 2)
    if not other:
        return f"without {windowed(one, room * 2 - 6)}"
    if not one:
        return f"with {windowed(other, room * 2 - 3)}"
    start = _common_prefix(one, other)
    return f"{windowed(one, room, start)} → {windowed(other, room, start)}"


def windowed(text: str, width: int, focus: int = 0) -> str:
    """At most ``width`` characters of a text, those around ``focus``; cuts are shown."""
    if len(text) <= width:
        return text
    first = max(0, min(focus - width // 3, len(text) - width))
    cut = text[first : first + width]
    if first:
        cut = "…" + cut[1:]
    if first + width < len(text):
        cut = cut[:-1] + "…"
    return cut


def printable(text: str) -> str:
    """A text without what a terminal would obey rather than show."""
    return "".join(c if c.isprintable() else _escaped(c) for c in text.expandtabs(4))


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _span_lines(mutant: Mutant | MutantResult, source: str | None) -> tuple[list[str], list[str]]:
    lines = None if source is None else _in_place(mutant, source)
    if lines is None:
        return _LINE_END.split(mutant.original), _LINE_END.split(mutant.replacement)
    head = lines[0][: mutant.start.column]
    tail = lines[-1][mutant.end.column :]
    return lines, _LINE_END.split(head + mutant.replacement + tail)


def _in_place(mutant: Mutant | MutantResult, source: str) -> list[str] | None:
    """The lines that the span lies in, or None where the span's text is not the mutant's."""
    lines = list(_lines(source)[mutant.start.line - 1 : mutant.end.line])
    if len(lines) != mutant.end.line - mutant.start.line + 1:
        return None
    cut = [*lines[:-1], lines[-1][: mutant.end.column]]
    cut[0] = cut[0][mutant.start.column :]
    return lines if cut == _LINE_END.split(mutant.original) else None


@lru_cache(maxsize=16)
def _lines(source: str) -> tuple[str, ...]:
    """Lines of a source; kept, for a file has many mutants."""
    return tuple(_LINE_END.split(source))


def _dedented(before: list[str], after: list[str]) -> tuple[list[str], list[str]]:
    texts = [printable(line).rstrip() for line in (*before, *after)]
    indents = [len(text) - len(text.lstrip()) for text in texts if text]
    indent = min(indents, default=0)
    texts = [text[indent:] for text in texts]
    return texts[: len(before)], texts[len(before) :]


def _shortened(lines: list[Line]) -> list[Line]:
    if len(lines) <= MOST_LINES:
        return lines
    half = MOST_LINES // 2
    hidden = len(lines) - 2 * half
    return [*lines[:half], Line(" ", f"… {hidden} lines …"), *lines[-half:]]


def _squeezed(text: str) -> str:
    return printable(" ".join(text.split()))


def _common_prefix(one: str, other: str) -> int:
    length = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        length += 1
    return length
