"""A result in a terminal: the answer in the first ten lines, then what it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from redhanded.model.result import DeltaResult, Result, TestResult
from redhanded.report import diff, view, words
from redhanded.report.page import Options, Page
from redhanded.report.terminal_mutants import moved, survivors
from redhanded.report.terminal_tests import names, new_tests, old_tests

__all__ = ["Options", "render"]

_WARNINGS = 8


def render(result: Result, console: Console, options: Options | None = None) -> None:
    """Print a result.

    Args:
        result: The result; nothing else is looked at but the sources in ``options``.
        console: Where to, and how wide.
        options: How much.
    """
    page = Page(console, options or Options())
    _headline(page, result)
    if not page.options.brief:
        _cohorts(page, result)
        if result.delta is not None:
            new_tests(page, result, result.delta)
            moved(page, result, result.delta)
        else:
            old_tests(page, result)
        survivors(page, result)
        _excluded(page, result)
        _warnings(page, result)
    _footer(page, result)
    page.show()


def _headline(page: Page, result: Result) -> None:
    page.line(Text(words.title(result), style="bold"))
    page.line(f"Scope: {words.scope(result.plan)}", hang=7)
    page.line()
    if not result.complete:
        page.pair("ABORTED", Text("the run was stopped: it has no score", style="bold red"))
    reference = result.reference
    label = f"   ({reference.label})" if reference.label else ""
    formula = words.counted(reference.formula, reference)
    page.pair("Reference", _score(reference.score, formula + label))
    if result.delta is None:
        page.pair("", "There is no change to grade: this ratio is the reference for later ones.")
    else:
        _delta(page, result, result.delta)


def _delta(page: Page, result: Result, delta: DeltaResult) -> None:
    page.pair("Delta", _score(delta.value, words.counted(delta.formula, delta)))
    if delta.unavailable is not None and delta.unavailable not in delta.reading:
        page.pair("", Text(f"Unavailable: {delta.unavailable}", style="yellow"))
    page.pair("", words.sentence(delta.reading))
    if delta.free:
        page.pair(
            "",
            f"without crash-only mutants {words.ratio(delta.without_crash_only)}: "
            f"{words.without_crash_only(delta)}",
        )
    moves = Text(words.moves(delta).removeprefix("lost "), style="red" if delta.lost else "")
    page.pair("Lost", moves)
    touched = view.touched(result)
    if touched:
        parts = (f"{change} {len(tests)} ({names(page, tests)})" for change, tests in touched)
        page.pair("Old tests", " · ".join(parts))
    if delta.real_defect is not None:
        caught, failing = delta.real_defect.caught, delta.real_defect.failing
        word = words.UNAVAILABLE if caught is None else "caught" if caught else "NOT caught"
        style = "green" if caught else "yellow" if caught is None else "red"
        told = Text.assemble((word, style), f": {delta.real_defect.note}")
        if failing:
            told.append(f" ({names(page, [view.short_test(test) for test in failing])})")
        page.pair("Real defect", told)
    new = view.new_tests(result)
    page.pair("New tests", f"{len(new)}: {words.verdict_counts(new)}" if new else "none")


def _score(value: float | None, formula: str) -> Text:
    return Text.assemble((words.ratio(value), "bold"), f"   {formula}")


def _cohorts(page: Page, result: Result) -> None:
    sides = [("reference", result.reference), ("candidate", result.candidate)]
    present = [(name, side) for name, side in sides if side is not None]
    which = "Both suites" if len(present) > 1 else "The suite"
    page.heading(f"{which} on the {words.number(result.reference.tried, 'mutant')} tried")
    rows = [
        (
            (
                name, str(side.judges), str(side.killed), str(side.survived),
                str(side.string_only), str(side.no_coverage), str(side.crashed), str(side.hung),
            ),
            words.ratio(side.score),
        )
        for name, side in present
    ]  # fmt: skip
    headers = (
        "", "judges", "killed", "survived", "string\nonly", "not\ncovered", "crashed", "hung",
        "score",
    )  # fmt: skip
    page.table(headers, rows)
    page.note(words.any_failure(result))


def _excluded(page: Page, result: Result) -> None:
    outside = sum(result.excluded.values())
    total = words.number(result.plan.mutants, "mutant")
    page.heading(f"Left out of the scores: {outside} of {total}")
    page.note(words.excluded(result))
    out = view.left_out(result)
    for kind in dict.fromkeys(test.control for test in out):
        tests: Sequence[TestResult] = [test for test in out if test.control == kind]
        what = words.number(len(tests), f"old test is {kind}", f"old tests are {kind}")
        told = names(page, [test.id for test in tests])
        page.note(f"{what.replace('_', ' ')} and no judge: {told}")
    if page.options.show_all:
        for mutant in view.outside(result):
            reason = f": {mutant.reason}" if mutant.reason else ""
            page.note(
                f"{view.place(mutant)}  {diff.one_line(mutant)}  {mutant.status.reference}{reason}"
            )


def _warnings(page: Page, result: Result) -> None:
    warnings = [*result.warnings, *view.pragmas(result)]
    if not warnings:
        return
    page.heading(f"Warnings: {len(warnings)}")
    shown = view.first(warnings, _WARNINGS, page.options.show_all)
    for warning in shown.items:
        page.note(Text(warning, style="yellow"))
    page.more(shown)


def _footer(page: Page, result: Result) -> None:
    page.line()
    page.pair("Controls", words.controls(result.controls))
    for check in result.controls:
        if not check.passed:
            target = f" {check.target}" if check.target else ""
            told = f"not passed: {check.name} ({check.cohort}{target}): {check.detail}"
            page.pair("", Text(told, style="yellow"))
    options = page.options
    if not options.brief:
        page.pair("Time", words.timings(result.timings))
        page.pair("With", words.made_with(result))
    if options.stored is not None:
        page.whole("Stored in", str(options.stored))
        if not options.show_all:
            page.whole("See all", f"redhanded show {options.stored} --all")
