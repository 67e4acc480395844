"""Mutants as small diffs in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from rich.text import Text

from redhanded.model.mutant import Mutant
from redhanded.model.result import MutantResult
from redhanded.report import diff, view
from redhanded.report.page import Page

_M = TypeVar("_M", Mutant, MutantResult)

_STYLES = {"-": "red", "+": "green"}


def snippets(page: Page, mutants: Sequence[_M], told: Callable[[_M], str]) -> None:
    """Diffs, those of one source line together under it.

    Args:
        page: Where to.
        mutants: In the order in which they are shown.
        told: What is said of a mutant beside its diff.
    """
    groups: dict[object, list[tuple[_M, tuple[diff.Line, ...]]]] = {}
    for mutant in mutants:
        lines = diff.snippet(mutant, page.options.sources.get(mutant.file))
        twins = len(lines) == 2 and lines[0].mark is not None
        key = (mutant.file, mutant.start.line, lines[0].text) if twins else mutant.id
        groups.setdefault(key, []).append((mutant, lines))
    for group in groups.values():
        mutant, lines = group[0]
        place = Text.assemble((view.place(mutant), "bold"), f" {mutant.function}")
        if len(group) == 1:
            page.note(place.append(f"  {told(mutant)}", style="dim"))
            for line in lines:
                page.code(_code(line, page.width))
            continue
        page.note(place)
        page.code(_code(lines[0], page.width, whole=True))
        for mutant, lines in group:
            after, words = _code(lines[1], page.width), told(mutant)
            if len(after) + len(words) + 7 > page.width:
                page.code(after)
                page.code(Text(f"    {words}", style="dim"))
            else:
                page.code(after.append(f"   {words}", style="dim"))


def _code(line: diff.Line, width: int, *, whole: bool = False) -> Text:
    """One line of a diff; a too long one is cut so that the change stays in sight."""
    room = max(20, width - 6)
    focus = line.mark[0] if line.mark and not whole else 0
    text = Text(f"{line.sign} ", style=_STYLES.get(line.sign, "dim"))
    text.append(diff.windowed(line.text, room, focus))
    if line.mark and len(line.text) <= room and not whole:
        text.stylize("bold", line.mark[0] + 2, line.mark[1] + 2)
    return text
