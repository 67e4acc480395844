"""The command line of the outputs instrument."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from redhanded import arguments as arg
from redhanded.graders_command import Request, run
from redhanded.graders_command import plan as count
from redhanded.shell import Output

_ASKED = "What is asked"
_GATE = "What fails the run"

Suite = Annotated[
    str,
    typer.Argument(
        metavar="SUITE",
        help="A Python file (FILE@NAME: one list, task or dataset of it), a .jsonl file, "
        "or a log of Inspect.",
        show_default=False,
    ),
]
Operators = Annotated[
    str | None,
    typer.Option(
        metavar="A,B",
        help="Operators or classes of defects; `redhanded operators --outputs` lists them.",
        show_default="all",
        rich_help_panel=_ASKED,
    ),
]
MaxCases = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        help="Take this many cases, at even distances.",
        show_default="all; 50 samples of a task, log or dataset",
        rich_help_panel=_ASKED,
    ),
]
Repeats = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=1,
        help="Ask each question up to N times: for graders that vary.",
        rich_help_panel=_ASKED,
    ),
]
Timeout = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        min=0.001,
        help="Time for one call; past it the grader has hung.",
        rich_help_panel=_ASKED,
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "-j",
        "--jobs",
        metavar="N",
        min=1,
        help="Cases at a time.",
        show_default="one per core",
        rich_help_panel=_ASKED,
    ),
]
Baseline = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="An earlier run: end with exit code 1 on holes that it doesn't have, only.",
        show_default=False,
        rich_help_panel=_GATE,
    ),
]
Waivers = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Holes that are tolerated, each with a reason and a last day (TOML or JSON).",
        show_default=False,
        rich_help_panel=_GATE,
    ),
]


Plan = Annotated[
    bool,
    typer.Option(
        "--plan",
        help="Count what would be planted and asked, and ask nothing.",
        rich_help_panel=_ASKED,
    ),
]
AsTests = Annotated[
    bool,
    typer.Option(
        "--as-tests",
        help="Print each hole as a test that fails on stdout, and everything else on stderr.",
        rich_help_panel=arg.SHOWN,
    ),
]


def grade_graders(
    suite: Suite,
    operators: Operators = None,
    max_cases: MaxCases = None,
    repeats: Repeats = 1,
    timeout: Timeout = 30.0,
    jobs: Jobs = None,
    plan: Plan = False,
    baseline: Baseline = None,
    waivers: Waivers = None,
    out: arg.Out = None,
    json: arg.Json = False,
    markdown: arg.MarkdownFile = None,
    as_tests: AsTests = False,
    show_all: arg.All = False,
    quiet: arg.Quiet = False,
) -> None:
    """Say which wrong outputs the graders of an eval accept, and which right ones they reject.

    Example: redhanded graders suite.py
    """
    request = Request(
        suite=suite,
        operators=arg.names(operators),
        max_cases=max_cases,
        repeats=repeats,
        timeout=timeout,
        jobs=jobs,
        baseline=baseline,
        waivers=waivers,
    )
    output = Output(json=json, markdown=markdown, as_tests=as_tests, show_all=show_all, quiet=quiet)
    if plan:
        count(request, output)
    else:
        run(request, output, out=out)
