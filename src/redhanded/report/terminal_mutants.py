"""The mutants of a result, for a terminal: those that moved, and those that nobody noticed."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from redhanded.model.result import DeltaResult, MutantResult, Result
from redhanded.report import diff, view, words
from redhanded.report.page import Page
from redhanded.report.snippets import snippets

_MUTANTS = 8
_STRING_ONLY = 3
_KILLERS = 3
_CHANGE = 40


def moved(page: Page, result: Result, delta: DeltaResult) -> None:
    """What was gained and what was lost, mutant by mutant, with who kills it."""
    found = view.moves(result)
    was = "was killed by"
    sections = (
        (f"Gained {delta.gained}: open before, killed by new tests", "by", found.gained),
        (f"Lost {delta.lost}: killed before, not any more", was, found.lost),
        (f"Demoted {delta.demoted}: killed before, now only a crash", was, found.demoted),
        (f"Unresolved {delta.unresolved}: killed before, unclear now", was, found.unresolved),
        (
            f"Contested {delta.contested}: can't tell whether the old tests kill them "
            f"(regained {delta.regained})",
            "by",
            found.contested,
        ),
        (f"Free {delta.free}: open before, now only a crash or a hang", "", found.free),
    )
    for heading, verb, mutants in sections:
        if mutants:
            page.heading(heading)
            shown = view.first(mutants, _MUTANTS, page.options.show_all)
            for mutant in shown.items:
                _moved_line(page, mutant, verb)
            page.more(shown)


def _moved_line(page: Page, mutant: MutantResult, verb: str) -> None:
    line = Text.assemble(
        f"{view.place(mutant)} {mutant.function}  ", (diff.one_line(mutant, _CHANGE), "bold")
    )
    if verb and mutant.killers:
        line.append(f"  {verb} {view.killers(mutant, _KILLERS, page.options.show_all)}")
    if mutant.reason:
        line.append(f"  ({mutant.reason})", style="dim")
    page.note(line)


def survivors(page: Page, result: Result) -> None:
    """What nobody noticed, as diffs."""
    found = view.survivors(result)
    lost = {mutant.id for mutant in view.moves(result).lost}
    if found.survived:
        page.heading(f"Survived: {len(found.survived)} that tests ran and did not notice")
        _snippets(page, found.survived, _MUTANTS, lost)
    if found.no_coverage:
        page.heading(f"Not covered: {len(found.no_coverage)} that no test runs")
        if page.options.show_all:
            _snippets(page, found.no_coverage, _MUTANTS, lost)
        else:
            for file, lines in view.by_file(found.no_coverage).items():
                page.note(f"{file}: {'line' if len(lines) == 1 else 'lines'} {view.ranges(lines)}")
            page.note(Text("their diffs: --all", style="dim"))
    if found.string_only:
        page.heading(f"Survived, only the text of a string changed: {len(found.string_only)}")
        _snippets(page, found.string_only, _STRING_ONLY, lost)


def _snippets(page: Page, mutants: Sequence[MutantResult], limit: int, lost: set[str]) -> None:
    shown = view.first(mutants, limit, page.options.show_all)
    snippets(page, shown.items, lambda mutant: _told(mutant, lost))
    page.more(shown)


def _told(mutant: MutantResult, lost: set[str]) -> str:
    told = [mutant.operator]
    if mutant.passers:
        told.append(f"{words.number(mutant.passers, 'test')} ran it")
    if mutant.id in lost:
        told.append("lost")
    return ", ".join(told)
