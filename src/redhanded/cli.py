"""The command line: parse, call, render, exit code."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from redhanded import __version__
from redhanded import arguments as arg
from redhanded.cli_graders import AsTests, grade_graders
from redhanded.guard import guarded
from redhanded.shell import (
    Output,
    one_of,
    print_bytes,
    run,
    run_folder,
    show,
    stored_run,
    unfinished,
)

_PYTEST_ARGS = "redhanded.pytest_args"

app = typer.Typer(
    name="redhanded",
    help="Plant known defects, record who catches them, compared with what, and with what proof.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class _WithPytest(TyperCommand):
    """A command whose arguments after ``--`` are pytest's, whatever they look like."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if "--" in args:
            at = args.index("--")
            args, ctx.meta[_PYTEST_ARGS] = args[:at], args[at + 1 :]
        return super().parse_args(ctx, args)


def _pytest_args(context: typer.Context) -> tuple[str, ...]:
    return tuple(context.meta.get(_PYTEST_ARGS, ()))


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"redhanded {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    pass


@app.command("delta", cls=_WithPytest)
def grade_change(
    context: typer.Context,
    source: arg.Sources = None,
    base: arg.Base = None,
    head: arg.Head = None,
    python: arg.Python = None,
    matrix: arg.Matrix = False,
    jobs: arg.Jobs = None,
    isolate: arg.IsolateOption = arg.Isolate.fork,
    policy: arg.PolicyOption = arg.Policy.judged,
    operators: arg.Operators = None,
    families_off: arg.FamiliesOff = None,
    mutants: arg.MutantsFile = None,
    source_from: arg.SourceFrom = None,
    max_mutants: arg.MaxMutants = None,
    seed: arg.Seed = 0,
    out: arg.Out = None,
    resume: arg.Resume = None,
    json: arg.Json = False,
    markdown: arg.MarkdownFile = None,
    min_delta: arg.MinDelta = None,
    show_all: arg.All = False,
    quiet: arg.Quiet = False,
) -> None:
    """Say what a change's tests add to the tests that were there before.

    Example: redhanded delta --base main -- tests/unit
    """
    from redhanded.code.options import RunOptions

    options = RunOptions(
        command="delta",
        base=base,
        head=head,
        python=python,
        sources=tuple(source or ()),
        pytest_args=_pytest_args(context),
        matrix=matrix,
        jobs=jobs,
        operators=arg.names(operators),
        families_off=arg.names(families_off) or (),
        mutants_file=mutants,
        source_from=source_from,
        max_mutants=max_mutants,
        seed=seed,
        isolate=isolate.value,
        policy=policy.value,
    )
    output = Output(json, markdown, show_all, quiet, min_delta)
    run(options, output, out=out, resume=resume)


@app.command("tests", cls=_WithPytest)
def grade_suite(
    context: typer.Context,
    source: arg.Sources = None,
    python: arg.Python = None,
    matrix: arg.Matrix = False,
    jobs: arg.Jobs = None,
    isolate: arg.IsolateOption = arg.Isolate.fork,
    policy: arg.PolicyOption = arg.Policy.judged,
    operators: arg.Operators = None,
    families_off: arg.FamiliesOff = None,
    mutants: arg.MutantsFile = None,
    source_from: arg.SourceFrom = None,
    max_mutants: arg.MaxMutants = None,
    seed: arg.Seed = 0,
    out: arg.Out = None,
    resume: arg.Resume = None,
    json: arg.Json = False,
    markdown: arg.MarkdownFile = None,
    show_all: arg.All = False,
    quiet: arg.Quiet = False,
) -> None:
    """Say which test catches what, for a whole suite without a change.

    Example: redhanded tests --matrix src/package/module.py
    """
    from redhanded.code.options import RunOptions

    options = RunOptions(
        command="tests",
        python=python,
        sources=tuple(source or ()),
        pytest_args=_pytest_args(context),
        matrix=matrix,
        jobs=jobs,
        operators=arg.names(operators),
        families_off=arg.names(families_off) or (),
        mutants_file=mutants,
        source_from=source_from,
        max_mutants=max_mutants,
        seed=seed,
        isolate=isolate.value,
        policy=policy.value,
    )
    run(options, Output(json, markdown, show_all, quiet), out=out, resume=resume)


app.command("graders")(grade_graders)


@app.command("mutants", cls=_WithPytest)
def list_mutants(
    context: typer.Context,
    source: arg.Sources = None,
    base: arg.Base = None,
    head: arg.Head = None,
    python: arg.Python = None,
    operators: arg.Operators = None,
    families_off: arg.FamiliesOff = None,
    mutants: arg.MutantsFile = None,
    source_from: arg.SourceFrom = None,
    max_mutants: arg.MaxMutants = None,
    seed: arg.Seed = 0,
    json: arg.Json = False,
    write: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the mutants as JSON Lines, for --mutants: a fixed set to grade with.",
            show_default=False,
        ),
    ] = None,
    quiet: arg.Quiet = False,
) -> None:
    """List the mutants that would be planted, and run nothing.

    With --base those of the change, else those of the whole source.
    """
    from redhanded.code.options import RunOptions
    from redhanded.shell import plan

    options = RunOptions(
        command="tests" if base is None else "delta",
        base=base,
        head=head,
        python=python,
        sources=tuple(source or ()),
        pytest_args=_pytest_args(context),
        operators=arg.names(operators),
        families_off=arg.names(families_off) or (),
        mutants_file=mutants,
        source_from=source_from,
        max_mutants=max_mutants,
        seed=seed,
    )
    plan(options, as_json=json, write=write, quiet=quiet)


@app.command("operators")
def list_operators(
    python: arg.Python = None,
    outputs: Annotated[
        bool,
        typer.Option(
            "--outputs", help="Those of `redhanded graders`: what is planted in outputs of models."
        ),
    ] = False,
    json: arg.Json = False,
) -> None:
    """List the operators: what each changes, with examples, and which other tools have it."""
    with guarded():
        if outputs:
            from redhanded.graders_command import list_operators as list_outputs

            list_outputs(as_json=json)
            return
        from redhanded.code.planner import operators

        found = operators(python)
        if json:
            import msgspec

            print_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
        else:
            from redhanded.report.console import console
            from redhanded.report.operators import render_operators

            render_operators(found, console())


@app.command("show")
def show_run(
    run_directory: Annotated[
        Path | None,
        typer.Argument(
            metavar="DIR", help="Where a run is kept.", show_default="the latest run here"
        ),
    ] = None,
    json: arg.Json = False,
    markdown: Annotated[
        bool,
        typer.Option(
            "--markdown", help="Print it as Markdown on stdout.", rich_help_panel=arg.SHOWN
        ),
    ] = False,
    as_tests: AsTests = False,
    show_all: arg.All = False,
    quiet: arg.Quiet = False,
) -> None:
    """Show a stored run again.

    The exit code says whether it could be shown, not what the run said.
    """
    with guarded():
        from redhanded.errors import UsageError

        one_of(json=json, markdown=markdown, as_tests=as_tests)
        from redhanded.evidence.graders import is_run

        folder = run_folder(run_directory)
        if is_run(folder):
            from redhanded.graders_command import show_again

            output = Output(json=json, as_tests=as_tests, show_all=show_all, quiet=quiet)
            show_again(folder, output, markdown=markdown)
            return
        if as_tests:
            raise UsageError(f"expected a run of graders for --as-tests, found {folder}")
        found = stored_run(folder)
        result = found.result
        if result is None:
            raise unfinished(found)
        if markdown:
            from redhanded.report.markdown import render
            from redhanded.report.page import Options

            text = render(result, Options(show_all=show_all, sources=found.sources))
            print_bytes(text.encode("utf-8"))
            return
        output = Output(json=json, show_all=show_all, quiet=quiet)
        show(result, output, sources=found.sources, stored=found.path)


@app.command("demo")
def grade_sample(
    keep: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Set the sample up in this new or empty folder and leave it there.",
            show_default="a temporary folder",
        ),
    ] = None,
    python: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="The interpreter to run the sample's tests with.",
            show_default="the first that has pytest; else pytest is installed in a new one",
        ),
    ] = None,
    json: arg.Json = False,
    show_all: arg.All = False,
    quiet: arg.Quiet = False,
) -> None:
    """Grade the tests of a small sample change, and say what to look at."""
    from redhanded import demo

    demo.run(keep, python, Output(json=json, show_all=show_all, quiet=quiet))


@app.command("schema")
def print_schema(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="result, mutant or row; graders, graders-row or graders-call."
        ),
    ] = "result",
) -> None:
    """Print the JSON Schema of what redhanded writes."""
    with guarded():
        import msgspec

        from redhanded.errors import UsageError
        from redhanded.evidence.schema import NAMES, schema

        if name not in NAMES:
            raise UsageError(f"expected one of {', '.join(NAMES)}, found {name}")
        print_bytes(msgspec.json.format(msgspec.json.encode(schema(name)), indent=2) + b"\n")


def main() -> None:
    """Entry point of the ``redhanded`` command."""
    for stream in (sys.stdout, sys.stderr):
        # A stream that can't show a character shows its number; it is no reason to fail.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    app()
