"""The options of the commands, each written once."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

_WHAT = "What is mutated"
_HOW = "How it is run"
SHOWN = "What comes out"


class Isolate(str, Enum):
    """How a mutant is kept apart from the next."""

    fork = "fork"
    process = "process"


class Policy(str, Enum):
    """What counts as a kill."""

    judged = "judged"
    any_failure = "any-failure"


Sources = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SOURCE",
        help="Mutate only these files and folders. Arguments after -- go to pytest.",
        show_default=False,
    ),
]
Base = Annotated[
    str | None,
    typer.Option(
        metavar="REV",
        help="The revision before the change: its tests are the reference.",
        show_default=False,
    ),
]
Head = Annotated[
    str | None,
    typer.Option(
        metavar="REV",
        help="The revision with the change.",
        show_default="the working tree",
    ),
]
Python = Annotated[
    str | None,
    typer.Option(
        metavar="PATH",
        help="The project's interpreter, with its dependencies and pytest.",
        show_default="python on PATH",
        rich_help_panel=_HOW,
    ),
]
Matrix = Annotated[
    bool,
    typer.Option(
        "--matrix",
        help="Run every test on every mutant, old tests too, not only until the first kill.",
        rich_help_panel=_HOW,
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "-j",
        "--jobs",
        metavar="N",
        min=1,
        help="Trials at a time.",
        show_default="one per core",
        rich_help_panel=_HOW,
    ),
]
IsolateOption = Annotated[
    Isolate,
    typer.Option(
        help="A fork per mutant, or a fresh interpreter: slower, the same verdicts.",
        rich_help_panel=_HOW,
    ),
]
PolicyOption = Annotated[
    Policy,
    typer.Option(
        help="What counts as a kill: what a test judged, or any failure, as in other tools.",
        rich_help_panel=_HOW,
    ),
]
Operators = Annotated[
    str | None,
    typer.Option(
        metavar="A,B",
        help="Operators or families to use; `redhanded operators` lists them.",
        show_default="all",
        rich_help_panel=_WHAT,
    ),
]
FamiliesOff = Annotated[
    str | None,
    typer.Option(
        metavar="A,B",
        help="Kinds of places to leave alone: logging, repr.",
        show_default=False,
        rich_help_panel=_WHAT,
    ),
]
MutantsFile = Annotated[
    Path | None,
    typer.Option(
        "--mutants",
        metavar="FILE",
        help="Use the mutants in this file: JSON Lines of spans, a unified diff, or a cosmic-ray "
        "session.",
        show_default=False,
        rich_help_panel=_WHAT,
    ),
]
SourceFrom = Annotated[
    str | None,
    typer.Option(
        metavar="REV",
        help="Mutate the lines that this revision touched.",
        show_default=False,
        rich_help_panel=_WHAT,
    ),
]
MaxMutants = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        help="Draw a sample of this many, spread over the lines.",
        show_default="all; 300 where the new tests choose the scope",
        rich_help_panel=_WHAT,
    ),
]
Seed = Annotated[
    int,
    typer.Option(metavar="N", help="Decides which sample is drawn.", rich_help_panel=_WHAT),
]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Keep the run here, in a new or empty folder.",
        show_default="a new folder under .redhanded/runs",
        rich_help_panel=SHOWN,
    ),
]
Resume = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Go on with an interrupted run, with the options that it was begun with.",
        show_default=False,
        rich_help_panel=SHOWN,
    ),
]
Json = Annotated[
    bool,
    typer.Option(
        "--json",
        help="Print one JSON object on stdout and everything else on stderr.",
        rich_help_panel=SHOWN,
    ),
]
MarkdownFile = Annotated[
    Path | None,
    typer.Option(
        "--markdown",
        metavar="FILE",
        help="Write the report as Markdown, too.",
        show_default=False,
        rich_help_panel=SHOWN,
    ),
]
All = Annotated[
    bool,
    typer.Option("--all", help="Show all of every list.", rich_help_panel=SHOWN),
]
Quiet = Annotated[
    bool,
    typer.Option(
        "-q", "--quiet", help="Show the headline alone, and no progress.", rich_help_panel=SHOWN
    ),
]
MinDelta = Annotated[
    float | None,
    typer.Option(
        metavar="X",
        min=0,
        max=1,
        help="End with exit code 1 where the delta is lower, or unavailable.",
        show_default=False,
        rich_help_panel=SHOWN,
    ),
]


def names(text: str | None) -> tuple[str, ...] | None:
    """A list of names separated by commas; None where the option was not given."""
    if text is None:
        return None
    return tuple(name.strip() for name in text.split(",") if name.strip())
