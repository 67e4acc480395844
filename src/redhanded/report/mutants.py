"""Plans and operators in a terminal: what would be planted, unrun."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from redhanded.model.mutant import Mutant
from redhanded.model.result import PlanSummary
from redhanded.report import words
from redhanded.report.page import Options, Page
from redhanded.report.snippets import snippets


def render_plan(
    plan: PlanSummary,
    mutants: Sequence[Mutant],
    console: Console,
    options: Options | None = None,
) -> None:
    """Print the mutants of a plan as diffs, and how many there are of each kind."""
    page = Page(console, options or Options())
    page.line(Text("redhanded mutants: the plan, nothing is run", style="bold"))
    page.line(f"Scope: {words.scope(plan)}", hang=7)
    kinds = Counter(mutant.viability for mutant in mutants)
    idle = " · ".join(f"{kind} {kinds[kind]}" for kind in ("unviable", "equivalent", "duplicate"))
    page.line(f"Would be run: {plan.runnable} of {plan.mutants}; not run: {idle}", hang=7)
    if not page.options.brief:
        for file in plan.files:
            here = [mutant for mutant in mutants if mutant.file == file.file]
            if here:
                lines = "all lines" if file.lines is None else words.number(file.lines, "line")
                page.heading(f"{file.file}: {words.number(file.mutants, 'mutant')} in {lines}")
                snippets(page, here, _told)
        _by_operator(page, mutants)
    for place in plan.ignored_pragmas:
        page.line()
        page.line(words.pragma(place))
    page.show()


def _told(mutant: Mutant) -> str:
    told = [mutant.operator, mutant.id]
    if mutant.viability == "duplicate":
        told.append(f"duplicate of {mutant.duplicate_of}")
    elif mutant.viability != "viable":
        told.append(mutant.viability + (f": {mutant.reason}" if mutant.reason else ""))
    flags = ("at import", mutant.static), ("string only", mutant.string_only)
    return ", ".join([*told, *(name for name, on in flags if on)])


def _by_operator(page: Page, mutants: Sequence[Mutant]) -> None:
    if not mutants:
        return
    page.heading("By operator")
    counts = Counter(mutant.operator for mutant in mutants)
    rows = [((str(n),), name) for name, n in sorted(counts.items(), key=lambda c: (-c[1], c[0]))]
    page.table(("mutants", "operator"), rows)
