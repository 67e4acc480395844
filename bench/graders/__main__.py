"""Run a suite of stock graders, and keep what came of it."""

from __future__ import annotations

import argparse
import sys
from importlib.metadata import version
from pathlib import Path

from bench.graders import evalmut, records, verdicts
from bench.graders.subjects import ROOT, SUBJECTS, Subject
from redhanded.model.graders import GradersResult, MemorySink
from redhanded.outputs.case import Case
from redhanded.outputs.catalogue import chosen
from redhanded.outputs.options import Options
from redhanded.outputs.runner import run as measure
from redhanded.outputs.suites import Suite, load


class _Quiet:
    """A progress that nobody watches."""

    def stage(self, name: str, total: int | None) -> None:
        """Say nothing."""

    def advance(self, steps: int = 1) -> None:
        """Say nothing."""

    def note(self, message: str) -> None:
        """Tell."""
        print(message, file=sys.stderr)


def ask(suite: Suite) -> tuple[tuple[Case, ...], GradersResult]:
    """Ask a suite's graders everything, one case at a time."""
    options = Options(chosen(None, suite.operators), untested=suite.untested)
    return suite.cases, measure(suite.cases, options, MemorySink(), _Quiet())


def run(subject: Subject) -> records.Record:
    """Run one of the subjects.

    Raises:
        SystemExit: Another version of the framework is installed than the one to run.
    """
    versions = {one: version(one) for one in subject.distributions}
    found = versions[subject.distributions[0]]
    if subject.version not in (None, found):
        raise SystemExit(f"{subject.name}: expected version {subject.version}, found {found}")
    cases, result = ask(load(str(subject.path)))
    suite = subject.path.relative_to(ROOT).as_posix()
    return records.record(subject.name, suite, versions, cases, result)


def compare(suite: Path, rows: Path, commit: str) -> None:
    """Ask evalmut's suite, and keep both runs."""
    versions = {one: version(one) for one in ("gradecore", "evalmut")}
    folder = records.RESULTS / evalmut.NAME
    cases, result = ask(load(str(suite)))
    told = f"egnaro9/evalmut demos/dogfood_gradecore.py at {commit[:12]}"
    records.write(folder, records.record(evalmut.NAME, told, versions, cases, result))
    evalmut.keep_ours(result.rows, folder)
    evalmut.keep_theirs(rows, commit, versions, folder)


def main(arguments: list[str] | None = None) -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="bench.graders", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="the suites")
    one = commands.add_parser("run", help="run a suite in this environment")
    one.add_argument("name", choices=sorted(SUBJECTS))
    one.add_argument("--out", type=Path, help="a folder; else where results are kept")
    two = commands.add_parser("compare", help="ask evalmut's own suite, and keep its rows beside")
    two.add_argument("suite", type=Path)
    two.add_argument("--rows", type=Path, required=True, help="what evalmut printed")
    two.add_argument("--commit", required=True, help="evalmut's")
    unread = commands.add_parser("unread", help="holes that nobody has given a verdict on")
    unread.add_argument("name")
    given = parser.parse_args(arguments)
    if given.command == "list":
        for name, subject in SUBJECTS.items():
            print(f"{name}\t{subject.suite}")
        return 0
    if given.command == "unread":
        return verdicts.unread(given.name)
    if given.command == "compare":
        compare(given.suite, given.rows, given.commit)
        return 0
    kept = run(SUBJECTS[given.name])
    folder = given.out or records.RESULTS / given.name
    path = records.write(folder, kept)
    print(f"{path}: {len(kept['holes'])} holes in {len(kept['cases'])} cases")
    return 0


if __name__ == "__main__":
    sys.exit(main())
