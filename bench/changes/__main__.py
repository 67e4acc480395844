"""The command line; see ``python -m bench.changes --help``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.changes import measure, records, slow, subjects, table
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


def _oracle(arguments: argparse.Namespace) -> int:
    place, limits, code = _place(arguments), subjects.read_limits(), 0
    for change in subjects.choose(subjects.read_changes(), arguments.wanted):
        try:
            record = slow.judge(change, place, limits)
        except RefusedError as error:
            # One that can't be judged keeps none of the others from being judged.
            print(f"changes: {error}", file=sys.stderr)
            continue
        equal, compared = table.statuses(record)
        differs = table.differs(record)
        told = "; there are differences, see the result" if differs else ""
        print(f"{change.label}: {equal} of {compared} statuses equal{told}", flush=True)
        code = max(code, int(differs))
    return code


def _table(arguments: argparse.Namespace) -> int:
    print(table.render(arguments.results), end="")
    return 0


def _place(arguments: argparse.Namespace) -> measure.Place:
    return measure.Place(
        clones=arguments.clones.resolve(),
        work=arguments.work.resolve(),
        python=arguments.python.absolute(),
        redhanded=arguments.redhanded.resolve(),
        results=arguments.results.resolve(),
        reports=getattr(arguments, "reports", None),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.changes", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="the plain suite and redhanded on each change")
    run.set_defaults(do=_run)
    oracle = commands.add_parser("oracle", help="the slow and obvious way on what was measured")
    oracle.set_defaults(do=_oracle)
    for command in (run, oracle):
        command.add_argument("clones", type=Path, help="holds NAME or OWNER+NAME/repo")
        command.add_argument("work", type=Path, help="folder for working copies and runs")
        command.add_argument("wanted", nargs="*", help="repositories or commits; default: all")
        command.add_argument("--python", type=Path, required=True, help="the subjects' interpreter")
        command.add_argument("--redhanded", type=Path, default=measure.ROOT, metavar="CHECKOUT")
    run.add_argument("--reports", type=Path, metavar="FOLDER", help="keep what redhanded prints")
    told = commands.add_parser("table", help="all results as Markdown")
    told.set_defaults(do=_table)
    for command in (run, oracle, told):
        command.add_argument("--results", type=Path, default=records.RESULTS, metavar="FOLDER")
    return parser


if __name__ == "__main__":
    sys.exit(main())
