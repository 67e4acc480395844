"""A plan of graders in a terminal: what would be asked, and how many calls that takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from redhanded.outputs.budget import Budget, CasePlanned
from redhanded.report import view, words
from redhanded.report.diff import printable
from redhanded.report.page import Options, Page

_CASES = 10


def render_plan(plan: Budget, console: Console, options: Options | None = None) -> None:
    """Print a plan."""
    page = Page(console, options or Options())
    page.line(Text(f"redhanded graders: {plan.suite}: the plan, nothing was asked", style="bold"))
    page.line(
        f"{words.number(len(plan.cases), 'case')}, {words.number(len(plan.graders), 'grader')}, "
        f"{words.number(plan.outputs, 'output')} to plant, {plan.least} to {plan.most} calls"
    )
    if not page.options.brief:
        page.heading("Graders")
        page.table(
            ("cases", "outputs", "calls", "grader"),
            [
                (
                    (str(one.cases), str(one.outputs), f"{one.least}-{one.most}"),
                    printable(one.grader),
                )
                for one in plan.graders
            ],
        )
        _cases(page, plan.cases)
    page.show()


def _cases(page: Page, cases: Sequence[CasePlanned]) -> None:
    page.heading("Cases, and how many outputs of each kind are planted")
    shown = view.first(cases, _CASES, page.options.show_all)
    for one in shown.items:
        name = printable(one.case)
        if one.refused is not None:
            page.note(Text(f"{name}: not asked: {printable(one.refused)}", style="red"))
            continue
        told = Counter(row.removeprefix(f"{one.case}/").split("/")[0] for row in one.rows)
        kinds = ", ".join(f"{operator} {number}" for operator, number in told.items())
        page.note(Text.assemble((name, "bold"), f"  {kinds or 'nothing to plant'}"))
    page.more(shown)
