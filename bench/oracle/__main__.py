"""The command line of the oracle; see ``python -m bench.oracle --help``."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from bench.oracle import compare as comparing
from bench.oracle import run as running
from bench.oracle import subjects
from bench.oracle.errors import RefusedError
from bench.oracle.process import Caps, Subject
from bench.oracle.settlement import Settler
from bench.oracle.table import render
from bench.oracle.tree import source_roots


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the command line says.

    Returns:
        0; 1 where engine and oracle disagree; 2 where something is refused; 130 if interrupted.
    """
    signal.signal(signal.SIGTERM, _end)
    given = list(sys.argv[1:] if argv is None else argv)
    at = given.index("--") if "--" in given else len(given)
    arguments = _parser().parse_args(given[:at])
    arguments.pytest = given[at + 1 :]
    try:
        code: int = arguments.do(arguments)
    except RefusedError as error:
        print(f"oracle: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("oracle: interrupted; the same command goes on from here", file=sys.stderr)
        return 130
    return code


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """End as on Ctrl-C, so that no test process is left behind."""
    raise KeyboardInterrupt


def _run(arguments: argparse.Namespace) -> int:
    tree: Path = arguments.tree
    mutants: Path = arguments.mutants
    if not tree.is_dir():
        raise RefusedError(f"expected a folder, found none at {tree}")
    if not mutants.is_file():
        raise RefusedError(f"expected a file of mutants, found none at {mutants}")
    roots = arguments.root or source_roots(
        tree,
        {json.loads(line)["file"] for line in mutants.read_text(encoding="utf-8").splitlines()},
    )
    order = running.Order(
        subject=Subject(tree, arguments.python, tuple(arguments.pytest), tuple(roots)),
        name=arguments.name or tree.name,
        version=arguments.version,
        mutants=mutants,
        out=arguments.out,
        cap=arguments.sample,
        seed=arguments.seed,
        claims=arguments.claims,
        jobs=arguments.jobs,
        caps=Caps(arguments.startup_cap, arguments.test_cap, arguments.wall_cap),
    )
    running.run(order)
    return 0


def _subjects(arguments: argparse.Namespace) -> int:
    code = 0
    for listed in subjects.choose(arguments.python, arguments.names):
        try:
            code = max(code, arguments.each(arguments, listed))
        except RefusedError as error:
            # One that can't be run keeps none of the others from running.
            print(f"oracle: {listed.name}: {error}", file=sys.stderr)
            code = 2
    return code


def _subject(arguments: argparse.Namespace, listed: subjects.Listed) -> int:
    """Plan one, and run the oracle on it."""
    python = subjects.environment(arguments.work, arguments.python)
    out = arguments.out / listed.name / arguments.python
    if not (out / "plan" / "mutants.jsonl").is_file():
        subjects.plan(listed, arguments.work, python, out / "plan")
    if arguments.plan_only:
        return 0
    sampled = json.loads((out / "plan" / "sample.json").read_text(encoding="utf-8"))
    running.run(
        running.Order(
            subject=Subject(listed.tree(arguments.work), str(python), listed.args, listed.roots),
            name=listed.name,
            version=listed.version,
            mutants=out / "plan" / "mutants.jsonl",
            out=out / "oracle",
            cap=listed.cap,
            seed=listed.seed,
            available=sampled["available"],
            jobs=arguments.jobs,
        )
    )
    return 0


def _measure(arguments: argparse.Namespace, listed: subjects.Listed) -> int:
    """Have redhanded run what the oracle ran of one, and compare."""
    python = subjects.environment(arguments.work, arguments.python)
    out = arguments.out / listed.name / arguments.python
    running.read_run(out / "oracle")  # finished, or there is nothing to compare with
    engine = subjects.measure(listed, arguments.work, python, out, arguments.jobs)
    record = comparing.compare(
        out / "oracle", engine, out / "comparison", recheck=arguments.recheck
    )
    return _tell(record, listed.name, out / "comparison")


def _tell(record: Mapping[str, Any], name: str, out: Path) -> int:
    statuses = record["statuses"]["disagreed"]
    print(json.dumps({"subject": name, **record["cells"], "statuses": statuses}), flush=True)
    if comparing.agrees(record):
        return 0
    print(f"they disagree: see cells.jsonl and comparison.json in {out}", file=sys.stderr)
    return 1


def _fetch(arguments: argparse.Namespace) -> int:
    pairs = [pair.partition("=") for pair in arguments.python]
    wrong = [name for name, _, path in pairs if not path]
    if wrong:
        raise RefusedError(f"expected --python VERSION=PATH, found {wrong[0]}")
    subjects.fetch(arguments.work, {name: path for name, _, path in pairs})
    return 0


def _compare(arguments: argparse.Namespace) -> int:
    record = comparing.compare(
        arguments.oracle,
        arguments.engine,
        arguments.out,
        side=arguments.side,
        times=arguments.times,
        limit=arguments.limit,
        recheck=arguments.recheck,
    )
    return _tell(record, record["subject"], arguments.out)


def _settle(arguments: argparse.Namespace) -> int:
    oracle = running.read_run(arguments.oracle)
    known = {mutant.id for mutant in oracle.mutants}
    if arguments.mutant not in known or arguments.test not in oracle.baseline.words:
        raise RefusedError(f"expected a mutant and a test of the run in {arguments.oracle}, "
                           f"found {arguments.mutant} and {arguments.test}")  # fmt: skip
    settler = Settler(oracle, arguments.oracle / "scratch" / "settle", arguments.times)
    print(json.dumps(settler.settle(arguments.mutant, arguments.test).record(), indent=1))
    return 0


def _table(arguments: argparse.Namespace) -> int:
    print(render(arguments.comparisons), end="")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.oracle", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    run = commands.add_parser(
        "run",
        help="run the suite on each mutant; goes on where it stopped",
        epilog="pytest's arguments come after --",
    )
    run.add_argument("mutants", type=Path, help="one JSON object a line")
    run.add_argument("tree", type=Path)
    run.add_argument("--out", type=Path, required=True)
    run.add_argument("--python", default=sys.executable)
    run.add_argument("--root", action="append", help="source root; default: found by __init__.py")
    run.add_argument("--sample", type=int, metavar="N")
    run.add_argument("--seed", type=int, default=0)
    run.add_argument("--claims", action="store_true",
                     help="also mutants said to be unviable, equivalent, duplicate")  # fmt: skip
    run.add_argument("--jobs", type=int, default=1)
    run.add_argument("--name")
    run.add_argument("--version", default="")
    run.add_argument("--startup-cap", type=float, default=60.0, help="seconds to collect")
    run.add_argument("--test-cap", type=float, default=10.0, help="processor seconds of one test")
    run.add_argument("--wall-cap", type=float, default=60.0, help="seconds of one test")
    run.set_defaults(do=_run)

    subject = commands.add_parser("subjects", help="run the oracle on what subjects.toml lists")
    measure = commands.add_parser("measure", help="redhanded on the same, and the comparison")
    for command, each in ((subject, _subject), (measure, _measure)):
        command.add_argument("work", type=Path, help="what `fetch` filled")
        command.add_argument("names", nargs="*")
        command.add_argument("--out", type=Path, required=True)
        command.add_argument("--python", default="3.12", help="version")
        command.add_argument("--jobs", type=int, default=1)
        command.set_defaults(do=_subjects, each=each)
    subject.add_argument("--plan-only", action="store_true")
    measure.add_argument("--recheck", type=int, default=0, metavar="N",
                         help="also settle N of the failures on which they agree")  # fmt: skip

    fetch = commands.add_parser("fetch", help="download the subjects, make their environments")
    fetch.add_argument("work", type=Path)
    fetch.add_argument("--python", action="append", required=True, metavar="VERSION=PATH")
    fetch.set_defaults(do=_fetch)

    compare = commands.add_parser("compare", help="compare a run of redhanded with one of these")
    compare.add_argument("oracle", type=Path)
    compare.add_argument("engine", type=Path, help="run directory of redhanded")
    compare.add_argument("--out", type=Path, required=True)
    compare.add_argument("--side", choices=("reference", "candidate"))
    compare.add_argument("--times", type=int, default=2, help="lone runs for each side of a cell")
    compare.add_argument("--limit", type=int, default=1000, help="cells to settle at most")
    compare.add_argument("--recheck", type=int, default=0, metavar="N",
                         help="also settle N of the failures on which they agree")  # fmt: skip
    compare.set_defaults(do=_compare)

    settle = commands.add_parser("settle", help="one test alone on one mutant")
    settle.add_argument("oracle", type=Path)
    settle.add_argument("--mutant", required=True)
    settle.add_argument("--test", required=True)
    settle.add_argument("--times", type=int, default=2)
    settle.set_defaults(do=_settle)

    table = commands.add_parser("table", help="comparisons as a Markdown table")
    table.add_argument("comparisons", type=Path, nargs="+")
    table.set_defaults(do=_table)
    return parser


if __name__ == "__main__":
    sys.exit(main())
