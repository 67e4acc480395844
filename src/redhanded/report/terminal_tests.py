"""The tests of a result, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from redhanded.model.result import DeltaResult, Result, TestResult
from redhanded.report import view, words
from redhanded.report.page import Page

_TESTS = 15

_STYLES = {
    "gains": "green",
    "red": "red",
    "placebo_red": "red",
    "cannot": "red",
    "flaky": "yellow",
    "order_dependent": "yellow",
}


def names(page: Page, tests: Sequence[str]) -> str:
    """Some tests by name, in one line."""
    named = view.functions(tests, page.options.show_all)
    shown = view.first(named, view.FEW, page.options.show_all)
    more = f" … and {shown.hidden} more (--all)" if shown.hidden else ""
    return ", ".join(shown.items) + more


def new_tests(page: Page, result: Result, delta: DeltaResult) -> None:
    """What each new test does, and how few of them would do."""
    new = view.new_tests(result)
    if not new:
        return
    page.heading("New tests")
    shown = view.first(view.cases(new, page.options.show_all), _TESTS, page.options.show_all)
    _table(page, shown.items, ("gained", "killed", "killed_alone", "entered"))
    page.more(shown)
    if delta.minimal_gain:
        least = words.number(len(delta.minimal_gain), "test")
        kind = "The smallest set" if delta.minimal_gain_exact else "A small set (found greedily)"
        page.note(f"{kind} of new tests that gains as much: {least}")
        fewest = view.first(delta.minimal_gain, _TESTS, page.options.show_all)
        for test in fewest.items:
            page.line(test, indent=4)
        page.more(fewest)
    if delta.dominators_open is not None:
        page.note(
            "Counting only open mutants that no other one implies: "
            f"{words.count(delta.dominators_gained)} gained of {delta.dominators_open}"
        )


def old_tests(page: Page, result: Result) -> None:
    """What each test of a suite without a change does."""
    judges = [test for test in view.old_tests(result) if test.control == "green"]
    if not judges:
        return
    page.heading("Tests")
    if all(test.killed is None for test in judges):
        _first_kills(page, result, len(judges))
        return
    killing = [test for test in judges if test.killed != 0]
    rows = view.cases(killing, page.options.show_all)
    shown = view.first(rows, _TESTS, page.options.show_all)
    _table(page, shown.items, ("killed", "killed_alone", "entered"))
    page.more(shown)
    idle = [test.id for test in judges if test.killed == 0]
    if idle:
        what = "kills nothing" if len(idle) == 1 else "kill nothing"
        page.note(f"{words.number(len(idle), 'test')} {what}: {names(page, idle)}")


def _first_kills(page: Page, result: Result, judges: int) -> None:
    """Which tests were the first to kill something, where that is all that was asked."""
    kills = view.first_kills(result)
    shown = view.first(list(kills), _TESTS, page.options.show_all)
    rows: list[tuple[Sequence[str], str | Text]] = []
    for file in dict.fromkeys(map(view.test_file, shown.items)):
        rows.append(((), Text(file, style="dim")))
        here = [test for test in shown.items if view.test_file(test) == file]
        rows += [((str(kills[test]),), view.short_test(test)) for test in here]
    if rows:
        page.table(("first to kill", "test"), rows)
    page.more(shown)
    rest = judges - len(kills)
    if rest > 0:
        page.note(f"{words.number(rest, 'other test')} killed nothing first")
    page.note(words.FIRST_KILLS)


def _table(page: Page, tests: Sequence[tuple[TestResult, int]], columns: tuple[str, ...]) -> None:
    """Tests by file; a file comes where its first test does."""
    headers = [column.replace("killed_alone", "alone") for column in columns]
    rows: list[tuple[Sequence[str], str | Text]] = []
    for file in dict.fromkeys(view.test_file(test.id) for test, _ in tests):
        rows.append(((), Text(file, style="dim")))
        for test, number in tests:
            if view.test_file(test.id) == file:
                numbers = [words.count(getattr(test, column)) for column in columns]
                last = Text(view.short_test(view.case_name(test.id, number)))
                if "gained" in columns:
                    last.append_text(_verdict(test))
                rows.append(((*numbers, words.control(test)), last))
    page.table([*headers, "control", "test"], rows)


def _verdict(test: TestResult) -> Text:
    key = words.verdict(test)
    told = Text("  " + words.VERDICTS[key], style=_STYLES.get(key, "bold"))
    if why := words.why(test):
        told.append(f": {why}", style="dim")
    return told
