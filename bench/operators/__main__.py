"""The command line; see ``python -m bench.operators --help``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.operators import catalogue, records, subjects, table
from bench.operators.check import problems
from bench.operators.measure import Place, measure
from bench.oracle.errors import RefusedError
from bench.oracle.subjects import LISTED, fetch


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the command line says.

    Returns:
        0; 1 where the check fails; 2 where something is refused; 130 if interrupted.
    """
    arguments = _parser().parse_args(argv)
    try:
        code: int = arguments.do(arguments)
    except RefusedError as error:
        print(f"operators: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("operators: interrupted; what was finished is kept", file=sys.stderr)
        return 130
    return code


def _fetch(arguments: argparse.Namespace) -> int:
    pythons = {arguments.python: str(arguments.interpreter)}
    fetch(arguments.work, pythons, [LISTED, subjects.FURTHER])
    return 0


def _run(arguments: argparse.Namespace) -> int:
    place = Place(
        work=arguments.work.resolve(),
        out=arguments.out.resolve(),
        python=arguments.python,
        jobs=arguments.jobs,
        redhanded=arguments.redhanded.resolve(),
    )
    order = [subject.name for subject in subjects.read(arguments.python)]
    code = 0
    for subject in subjects.choose(arguments.python, arguments.names):
        try:
            record = measure(subject, place)
        except RefusedError as error:
            # One that can't be run keeps none of the others from running.
            print(f"operators: {subject.name}: {error}", file=sys.stderr, flush=True)
            code = 2
            continue
        records.put(arguments.results, arguments.python, record, order)
        mutants = sum(sum(counts.values()) for counts in record["counts"].values())
        print(f"{subject.name}: {mutants} mutants", flush=True)
    return code


def _table(arguments: argparse.Namespace) -> int:
    kept = records.read(arguments.results, arguments.python)
    print(table.subjects(kept))
    print(table.results(kept, catalogue.read()), end="")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    found = records.versions(arguments.results)
    if not found:
        raise RefusedError(f"expected counts in {arguments.results}, found none")
    known, wrong = catalogue.read(), 0
    for python in found:
        kept = records.read(arguments.results, python)
        for problem in problems(kept, known, subjects.read(python)):
            print(f"{python}: {problem}", file=sys.stderr)
            wrong += 1
    return min(wrong, 1)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.operators", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    fetching = commands.add_parser("fetch", help="download the subjects, make their environment")
    fetching.add_argument("work", type=Path)
    fetching.add_argument("interpreter", type=Path, help="the Python of that environment")
    fetching.set_defaults(do=_fetch)

    run = commands.add_parser("run", help="run redhanded on the subjects, and keep the counts")
    run.add_argument("work", type=Path, help="what `fetch` filled")
    run.add_argument("names", nargs="*", help="default: all subjects")
    run.add_argument("--out", type=Path, required=True, help="folder for copies and runs")
    run.add_argument("--jobs", type=int, default=1)
    run.add_argument("--redhanded", type=Path, default=catalogue.ROOT, metavar="CHECKOUT")
    run.set_defaults(do=_run)

    show = commands.add_parser("table", help="the counts as Markdown tables")
    show.set_defaults(do=_table)

    check = commands.add_parser("check", help="fail for an operator that never applied")
    check.set_defaults(do=_check)

    for command in (fetching, run, show):
        command.add_argument("--python", default="3.12", help="version")
    for command in (run, show, check):
        command.add_argument("--results", type=Path, default=records.RESULTS, metavar="FOLDER")
    return parser


if __name__ == "__main__":
    sys.exit(main())
