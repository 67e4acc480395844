"""A run of graders in a terminal: the holes, worst first, then what they rest on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from redhanded.model.graded import HoleKind, Row
from redhanded.model.graders import GradersResult
from redhanded.report import graders_view as look
from redhanded.report import graders_words as say
from redhanded.report import view, words
from redhanded.report.diff import printable
from redhanded.report.graders_holes import holes
from redhanded.report.page import Options, Page

_GRADERS: Final = 20
_WARNINGS: Final = 8
_UNLOCKS: Final = 5
_CONTRACTS: Final = 5
_NEEDS: Final = "needs_contract"
_NAMES: Final = 5


def render(
    result: GradersResult,
    rows: Iterable[Row],
    console: Console,
    options: Options | None = None,
    *,
    suite: str | None = None,
    operators: look.Operators | None = None,
) -> None:
    """Print a result.

    Args:
        result: The result.
        rows: All of its rows, looked at once.
        console: Where to, and how wide.
        options: How much.
        suite: What was run, as the user named it.
        operators: What is known of the operators, by id.
    """
    page = Page(console, options or Options())
    _headline(page, result, suite)
    if not page.options.brief:
        found = look.summary(rows)
        _graders(page, result)
        holes(page, result, operators or {})
        _separations(page, result)
        _groups(page, result)
        _unasked(page, result, found)
        _lacking(page, found)
        _untested(page, result)
        _contracts(page, result)
        _warnings(page, result)
    _footer(page, result)
    page.show()


def _headline(page: Page, result: GradersResult, suite: str | None) -> None:
    page.line(Text(say.title(result, suite), style="bold"))
    page.line(say.population(result))
    page.line()
    for name, told in say.troubles(result):
        page.pair(name, Text(told, style="bold red"))
    style = "red" if any(hole.kind is not HoleKind.COVERAGE_GAP for hole in result.holes) else ""
    page.pair("Holes", Text(say.holes(result), style=style))
    if result.gate is not None:
        page.pair("Gate", "; ".join(say.gate(result.gate)))
    total = say.total(result)
    if total is None or not say.measured(result):
        return
    for name, score, told in say.headline(total):
        page.pair(name, Text.assemble((words.ratio(score.value), "bold"), f"   {told}"))
    page.pair("", Text(say.UNIT, style="dim"))
    page.pair("", Text(f"The one number of older tools, {say.older(total)}", style="dim"))


def _graders(page: Page, result: GradersResult) -> None:
    found = say.by_grader(result)
    if not found:
        return
    page.heading("Graders")
    shown = view.first(found, _GRADERS, page.options.show_all)
    page.table(
        ("detection", "preservation", "floor", "holes", "grader"),
        [
            (
                (say.cell(one.detection), say.cell(one.preservation), say.cell(one.floor), str(n)),
                printable(one.grader or ""),
            )
            for one, n in shown.items
        ],
    )
    page.more(shown)


def _separations(page: Page, result: GradersResult) -> None:
    if not result.separations:
        return
    apart = [one for one in result.separations if one.separated]
    page.heading(f"Scores without a bar: {len(apart)} of {len(result.separations)} separate")
    if apart:
        page.note("A bar that tells right from wrong lies above the first number, up to the other.")
    shown = view.first(result.separations, 8, page.options.show_all)
    for one in shown.items:
        wrong = "none" if one.highest_wrong is None else f"{one.highest_wrong:g}"
        told = f"{wrong} .. {one.lowest_right:g}" if one.separated else (
            f"no bar: a wrong output scored {wrong}, a right one {one.lowest_right:g}"
        )  # fmt: skip
        page.note(f"{one.grader}  {one.case}: {told}")
    page.more(shown)


def _groups(page: Page, result: GradersResult) -> None:
    told = [one for one in result.groups if len(one.checks) > 1]
    if not told:
        return
    page.heading("Several checks on the same outputs")
    shown = view.first(told, 8, page.options.show_all)
    for group in shown.items:
        caught = sum(bool(one.caught_by) for one in group.defects)
        page.note(
            f"{group.name}: {len(group.checks)} checks, "
            f"{caught} of {len(group.defects)} wrong outputs caught by any"
        )
        if any(check.old for check in group.checks):
            page.line(
                f"delta {words.ratio(group.delta.value)}: the added checks catch "
                f"{group.delta.k} of the {group.delta.n} that no old one does",
                indent=4,
            )
        for flagged in group.newly_flagged:
            by = ", ".join(dict.fromkeys(check.grader for check in flagged.by))
            page.line(f"newly flagged: {flagged.output}, a right output, by {by}", indent=4)
    page.more(shown)


def _unasked(page: Page, result: GradersResult, found: look.Summary) -> None:
    if not result.not_applicable:
        return
    page.heading("What else could be asked, and what to declare for it")
    wanted = [one for one in found.to_unlock() if one.code != _NEEDS]
    shown = view.first(wanted, _UNLOCKS, page.options.show_all)
    for one in shown.items:
        many = words.number(len(one.operators), "operator")
        cases = words.number(len(one.cases), "case")
        page.note(Text.assemble((printable(one.unlock), "bold"), f"  {many} more in {cases}"))
        page.line(Text(f"{_few(list(one.operators))} ({one.code})", style="dim"), indent=4)
    page.more(shown)
    kinds = [one for one in found.to_unlock() if one.code == _NEEDS]
    if kinds:
        told = "; ".join(f"{one.unlock} ({len(one.operators)})" for one in kinds)
        page.note(f"Outputs of other kinds have operators of their own: {told}")
    for one in found.others():
        why = f": {printable(one.why)}" if one.why else ""
        page.note(f"{one.code}: {_few(list(one.operators))}{why}")


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES + 1 else ""
    return ", ".join(names[:_NAMES] if more else names) + more


def _lacking(page: Page, found: look.Summary) -> None:
    rows = sum(one.rows for one in found.lacking.values())
    if rows:
        page.heading(f"No evidence: {words.number(rows, 'row')}")
        for one in found.lacking.values():
            cases = _few(list(one.cases))
            page.note(
                Text.assemble(
                    (printable(one.grader), "bold"),
                    f"  {one.lack}, {words.number(one.rows, 'row')}: {say.LACKS[one.lack]}",
                )
            )
            page.line(f"in {cases}", indent=4)
            if one.note:
                page.line(Text(printable(one.note), style="dim"), indent=4)
    if found.flaky:
        page.heading("Not stable over repeats")
        for grader, number in found.flaky.items():
            page.note(f"{grader}: {words.number(number, 'row')}; --repeats asks more often")


def _untested(page: Page, result: GradersResult) -> None:
    given = result.inventory.untested
    if not given:
        return
    page.heading(f"Found and not tested: {len(given)}")
    for code, reason, together in look.untested(given):
        names = list(dict.fromkeys(one.case or one.name for one in together))
        page.note(Text.assemble((_few(names), "bold"), f"  {code}: {reason}"))


def _contracts(page: Page, result: GradersResult) -> None:
    contracts = result.inventory.contracts
    if not contracts:
        return
    page.heading("Contracts derived from the cases' own data, to copy and correct")
    shown = view.first(look.contracts(contracts), _CONTRACTS, page.options.show_all)
    for code, cases in shown.items:
        page.note(Text(printable(_few(cases)), style="bold"))
        page.code(Text(f"right={printable(code)}"))
    page.more(shown)


def _warnings(page: Page, result: GradersResult) -> None:
    if not result.warnings:
        return
    page.heading(f"Warnings: {len(result.warnings)}")
    shown = view.first(result.warnings, _WARNINGS, page.options.show_all)
    for warning in shown.items:
        page.note(Text(warning, style="yellow"))
    page.more(shown)


def _footer(page: Page, result: GradersResult) -> None:
    page.line()
    page.pair("Ledger", say.ledger(result.ledger))
    for problem in result.ledger.problems:
        page.pair("", Text(f"doesn't balance: {problem}", style="red"))
    page.pair("Canaries", say.canaries(result.canaries))
    for canary in result.canaries:
        if canary.passed is not True:
            told = "not passed" if canary.passed is False else "not asked"
            style = "red" if canary.passed is False else "yellow"
            page.pair("", Text(f"{told}: {canary.name} ({canary.grader}): {canary.detail}", style))
    if not page.options.brief:
        page.pair("Proved", say.PROVES)
        page.pair("Not proved", say.PROVES_NOT)
        page.pair("Time", f"{result.seconds:.1f} s")
        page.pair("With", f"redhanded {result.redhanded}, Python {result.python}")
    _stored(page, page.options.stored)


def _stored(page: Page, path: Path | None) -> None:
    if path is None:
        return
    page.whole("Stored in", str(path))
    if not page.options.show_all:
        page.whole("See all", f"redhanded show {path} --all")
