"""The operators in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from rich.console import Console
from rich.text import Text

from redhanded.outputs.operators.base import Operator as Planter
from redhanded.report import words
from redhanded.report.diff import printable
from redhanded.report.page import Options, Page


class Operator(msgspec.Struct, frozen=True):
    """One operator, as the worker lists it."""

    name: str
    family: str
    description: str
    examples: tuple[tuple[str, str], ...] = ()
    """Source before and after."""
    tools: tuple[str, ...] = ()
    """Other tools that have it."""


def render_operators(listed: Sequence[object], console: Console) -> None:
    """Print what each operator changes, with examples, and which other tools have it.

    Args:
        listed: As the worker answers.
        console: Where to, and how wide.
    """
    operators = msgspec.convert(listed, tuple[Operator, ...])
    page = Page(console, Options())
    families = dict.fromkeys(operator.family for operator in operators)
    page.line(
        f"{words.number(len(operators), 'operator')} in "
        f"{words.number(len(families), 'family', 'families')}. "
        "Choose some by name or family: --operators A,B"
    )
    for family in families:
        page.heading(family)
        for operator in operators:
            if operator.family == family:
                _operator(page, operator)
    page.show()


_PLANTED = {
    "floor": "Blanks and garbage, which are wrong",
    "defect": "Wrong outputs",
    "equivalent": "Right outputs in other words or forms",
}


def render_output_operators(operators: Sequence[Planter], console: Console) -> None:
    """Print what is planted in outputs, class by class, and where each class has happened.

    Args:
        operators: In the order in which they are listed.
        console: Where to, and how wide.
    """
    page = Page(console, Options())
    page.line(
        f"{words.number(len(operators), 'operator')} of outputs. "
        "Choose some: redhanded graders --operators A,B"
    )
    for planted, title in _PLANTED.items():
        here = [one for one in operators if one.planted == planted]
        page.heading(f"{title}: {len(here)}")
        for one in here:
            page.note(Text.assemble((one.id, "bold"), f"  {one.summary}"))
            kind = "" if one.defect_class == one.id else f", in the class {one.defect_class}"
            page.line(Text(f"changes {one.part}{kind}", "dim"), indent=4)
            for before in one.provenance:
                page.line(Text(f"happened: {before.fact} ({before.where})", "dim"), indent=4)
    page.show()


def _operator(page: Page, operator: Operator) -> None:
    page.note(Text.assemble((operator.name, "bold"), f"  {operator.description}"))
    for before, after in operator.examples:
        page.line(_example(before, after), indent=4)
    if operator.tools:
        page.line(Text(f"also in {', '.join(operator.tools)}", style="dim"), indent=4)


def _example(before: str, after: str) -> Text:
    """The lines that an example changes, before and after."""
    one, other = before.strip("\n").split("\n"), after.strip("\n").split("\n")
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    return Text.assemble((_squeezed(one), "red"), " → ", (_squeezed(other) or "(nothing)", "green"))


def _squeezed(lines: list[str]) -> str:
    return printable(" ⏎ ".join(line.strip() for line in lines))
