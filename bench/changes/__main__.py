"""The command line; see ``python -m bench.changes --help``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.changes import measure, records, subjects
from bench.oracle.errors import RefusedError


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the command line says.

    Returns:
        0; 1 where engine and oracle disagree; 2 where something is refused; 130 if interrupted.
    """
    arguments = _parser().parse_args(argv)
    try:
        code: int = arguments.do(arguments)
    except RefusedError as error:
        print(f"changes: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("changes: interrupted; what was finished is kept", file=sys.stderr)
        return 130
    return code


def _run(arguments: argparse.Namespace) -> int:
    place, limits = _place(arguments), subjects.read_limits()
    for change in subjects.choose(subjects.read_changes(), arguments.wanted):
        record = measure.measure(change, place, limits)
        print(f"{change.label}: {record['ended']}, exit code {record['exit_code']}, "
              f"{record['seconds']['delta']} s", flush=True)  # fmt: skip
    return 0


def _place(arguments: argparse.Namespace) -> measure.Place:
    return measure.Place(
        clones=arguments.clones.resolve(),
        work=arguments.work.resolve(),
        python=arguments.python.absolute(),
        redhanded=arguments.redhanded.resolve(),
        results=arguments.results.resolve(),
        reports=arguments.reports,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.changes", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="the plain suite and redhanded on each change")
    run.set_defaults(do=_run)
    for command in (run,):
        command.add_argument("clones", type=Path, help="holds NAME or OWNER+NAME/repo")
        command.add_argument("work", type=Path, help="folder for working copies and runs")
        command.add_argument("wanted", nargs="*", help="repositories or commits; default: all")
        command.add_argument("--python", type=Path, required=True, help="the subjects' interpreter")
        command.add_argument("--redhanded", type=Path, default=measure.ROOT, metavar="CHECKOUT")
        command.add_argument("--results", type=Path, default=records.RESULTS, metavar="FOLDER")
    run.add_argument("--reports", type=Path, metavar="FOLDER", help="keep what redhanded prints")
    return parser


if __name__ == "__main__":
    sys.exit(main())
