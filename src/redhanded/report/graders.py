"""A run of graders in a terminal: the holes, worst first, then what they rest on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from redhanded.model.graded import HoleKind, Row
from redhanded.model.grader_scores import Scores
from redhanded.model.graders import GradersResult
from redhanded.report import graders_view as look
from redhanded.report import graders_words as say
from redhanded.report import view, words
from redhanded.report.graders_holes import holes
from redhanded.report.page import Options, Page

_WARNINGS: Final = 8
_UNLOCKS: Final = 8
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
    known: frozenset[str] = frozenset(),
) -> None:
    """Print a result.

    Args:
        result: The result.
        rows: All of its rows, looked at once.
        console: Where to, and how wide.
        options: How much.
        suite: What was run, as the user named it.
        operators: What is known of the operators, by id.
        known: Holes of the baseline, by :func:`redhanded.model.graders.hole_key`.
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
    if not result.complete:
        page.pair("ABORTED", Text("the run was stopped before its end", style="bold red"))
    style = "red" if any(hole.kind is not HoleKind.COVERAGE_GAP for hole in result.holes) else ""
    page.pair("Holes", Text(say.holes(result), style=style))
    total = _total(result)
    if total is None:
        return
    units = "units (one case, one class of defects)"
    detection = say.counted(total.detection, "caught", units) + say.no_sham(total)
    page.pair("Detection", _score(total.detection.value, detection))
    preserved = say.counted(total.preservation, "held", "units of right outputs")
    page.pair("Preservation", _score(total.preservation.value, preserved))
    floor = say.counted(total.floor, "caught", "units of blanks and garbage")
    page.pair("Floor", _score(total.floor.value, floor))
    page.pair("", Text(f"The one number of older tools, {say.older(total)}", style="dim"))


def _total(result: GradersResult) -> Scores | None:
    found = (one for one in result.scores if one.grader is None and one.defect_class is None)
    return next(found, None)


def _score(value: float | None, told: str) -> Text:
    return Text.assemble((words.ratio(value), "bold"), f"   {told}")


def _graders(page: Page, result: GradersResult) -> None:
    found = [one for one in result.scores if one.grader is not None and one.defect_class is None]
    if not found:
        return
    page.heading("Graders")
    count = {one.grader: 0 for one in found}
    for hole in result.holes:
        count[hole.grader] = count.get(hole.grader, 0) + 1
    ordered = sorted(found, key=lambda one: (-count.get(one.grader, 0), one.grader or ""))
    shown = view.first(ordered, 20, page.options.show_all)
    page.table(
        ("detection", "preservation", "floor", "holes", "grader"),
        [
            (
                (
                    say.cell(one.detection),
                    say.cell(one.preservation),
                    say.cell(one.floor),
                    str(count.get(one.grader, 0)),
                ),
                one.grader or "",
            )
            for one in shown.items
        ],
    )
    page.more(shown)


def _separations(page: Page, result: GradersResult) -> None:
    if not result.separations:
        return
    apart = [one for one in result.separations if one.separated]
    page.heading(f"Scores without a bar: {len(apart)} of {len(result.separations)} separate")
    page.note("A bar that tells right from wrong lies above the first number, up to the second.")
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
    total = sum(result.not_applicable.values())
    if not total:
        return
    page.heading(f"Not asked: {total} times an operator had nothing to plant")
    wanted = [one for one in found.to_unlock() if one.code != _NEEDS]
    shown = view.first(wanted, _UNLOCKS, page.options.show_all)
    for one in shown.items:
        many = words.number(len(one.operators), "operator")
        page.note(
            Text.assemble(
                (f"{one.unlock}", "bold"),
                f": unlocks {many} in {words.number(len(one.cases), 'case')} "
                f"({_few(list(one.operators))}; {one.code})",
            )
        )
    page.more(shown)
    kinds = [one for one in found.to_unlock() if one.code == _NEEDS]
    if kinds:
        told = "; ".join(f"{one.unlock} ({len(one.operators)})" for one in kinds)
        page.note(f"For outputs of other kinds there are more operators: {told}")
    for one in found.others():
        why = f": {one.why}" if one.why else ""
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
                    (one.grader, "bold"),
                    f"  {one.lack}, {words.number(one.rows, 'row')}: {say.LACKS[one.lack]}",
                )
            )
            page.line(f"in {cases}", indent=4)
            if one.note:
                page.line(Text(one.note, style="dim"), indent=4)
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
    shown = view.first(list(contracts.items()), _CONTRACTS, page.options.show_all)
    for case, code in shown.items:
        page.note(Text.assemble((case, "bold"), f"  right={code}"))
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
