"""The holes of a run, one paragraph for each grader and operator."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from redhanded.model.graded import HoleKind
from redhanded.model.graders import GradersResult, Hole
from redhanded.report import graders_view as look
from redhanded.report import graders_words as say
from redhanded.report import outputs, view
from redhanded.report.diff import MOST_LINES, Line, printable
from redhanded.report.page import Page

_CLUSTERS: Final = 6
"""Paragraphs of one kind of hole."""
_OTHERS: Final = 2
"""Further outputs in a paragraph."""
_LABEL: Final = 11

_STYLES: Final = {"-": "red", "+": "green", " ": "dim"}


def holes(page: Page, result: GradersResult, operators: look.Operators) -> None:
    """Print all holes, worst first."""
    found = look.clusters(result.holes)
    for kind, (name, meaning) in say.HOLES.items():
        here = [one for one in found if one.kind is kind]
        if not here:
            continue
        number = sum(len(one.holes) for one in here)
        page.heading(f"{name.capitalize()} {number}: {meaning}")
        most = _CLUSTERS if kind is not HoleKind.COVERAGE_GAP else _CLUSTERS // 2
        shown = view.first(here, most, page.options.show_all)
        for cluster in shown.items:
            _cluster(page, cluster, operators, result)
        page.more(shown)


def _cluster(
    page: Page, cluster: look.Cluster, operators: look.Operators, result: GradersResult
) -> None:
    operator = operators.get(cluster.operator or "")
    told = Text.assemble((printable(cluster.grader), "bold"))
    if cluster.operator is not None:
        told.append(f"  {cluster.operator}, {look.counted(cluster)}")
    page.note(told)
    summary = look.summary_of(cluster, operator)
    if summary:
        page.line(Text(summary, style="dim"), indent=4)
    first, *others = cluster.holes
    _hole(page, first, result)
    shown = view.first(others, _OTHERS, page.options.show_all)
    for other in shown.items:
        _other(page, first, other, result)
    if shown.hidden:
        page.line(Text(str(shown.more()), style="dim"), indent=4)
    for one in look.happened(cluster, operator)[: None if page.options.show_all else 1]:
        _labelled(page, "happened", Text(f"{one.fact} ({one.where})", style="dim"))


def _hole(page: Page, hole: Hole, result: GradersResult) -> None:
    """One hole in full: the reference, what the grader got wrong, and why it is wrong."""
    _labelled(page, "case", hole.case if hole.variant is None else f"{hole.case}, {hole.variant}")
    verdict = say.verdict(hole)
    if hole.output is None:
        _labelled(page, "reference", _short(outputs.lines(hole.reference)))
    else:
        one, other = outputs.brief(hole.reference), outputs.brief(hole.output)
        if one is not None and other is not None:
            _labelled(page, "reference", one)
            _labelled(page, verdict, Text(other, style="bold"))
        else:
            _labelled(page, verdict, "the reference, changed so:")
            _diff(page, outputs.changes(hole.reference, hole.output))
    label = "right" if hole.kind is HoleKind.BRITTLE else "wrong"
    if hole.kind in (HoleKind.CRASH, HoleKind.STATEFUL):
        label = "because"
    if hole.why:
        _labelled(page, label, say.because(hole))
    if hole.note:
        _labelled(page, "note", hole.note)
    if hole.hint:
        _labelled(page, "hint", hole.hint)
    _excused(page, hole, result)


def _excused(page: Page, hole: Hole, result: GradersResult) -> None:
    told = say.excused(hole, result)
    if told:
        label, _, text = told.partition(": ")
        _labelled(page, label, text)


def _other(page: Page, first: Hole, hole: Hole, result: GradersResult) -> None:
    where = str(hole.variant) if hole.case == first.case else f"{hole.case}, {hole.variant}"
    if hole.output is None:
        _labelled(page, "also", where)
        return
    one = outputs.brief(hole.output)
    if one is not None:
        _labelled(page, "also", Text.assemble(f"{printable(where)}: ", (one, "bold")))
    else:
        _labelled(page, "also", f"{where}:")
        _diff(page, outputs.changes(hole.reference, hole.output))
    _excused(page, hole, result)


def _labelled(page: Page, label: str, text: str | Text) -> None:
    told = Text(printable(text)) if isinstance(text, str) else text
    page.labelled(Text(f"{label:<{_LABEL}}", style="dim"), told, indent=4)


def _diff(page: Page, lines: tuple[Line, ...]) -> None:
    most = len(lines) if page.options.show_all else MOST_LINES
    for line in lines[:most]:
        page.line(Text(f"{line.sign} {line.text}", style=_STYLES[line.sign]), indent=6, hang=2)
    if len(lines) > most:
        page.line(Text(f"… {len(lines) - most} more lines (--all)", style="dim"), indent=6)


def _short(lines: list[str]) -> str:
    more = f" … {len(lines) - 3} more lines" if len(lines) > 3 else ""
    return " ⏎ ".join(lines[:3]) + more
