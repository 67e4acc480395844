"""``redhanded graders``: how a suite is asked, and where the result goes."""

from __future__ import annotations

import datetime
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from redhanded.command import (
    Output,
    check_output,
    home,
    print_bytes,
    reader_may_leave,
    shown,
    terminated_is_interrupted,
)
from redhanded.errors import InterruptedRunError, RedhandedError, UsageError
from redhanded.refusal import complain, guarded

# As in redhanded.command: what takes time to import is imported where it is used.
if TYPE_CHECKING:
    from redhanded.evidence.graders import GradersDirectory
    from redhanded.model.graded import Row
    from redhanded.model.graders import GradersResult
    from redhanded.outputs.operators.base import Operator
    from redhanded.outputs.options import Options
    from redhanded.outputs.suites import Suite


@dataclass(frozen=True)
class Request:
    """What the command line asks for."""

    suite: str
    operators: tuple[str, ...] | None = None
    max_cases: int | None = None
    repeats: int = 1
    timeout: float = 30.0
    jobs: int | None = None
    baseline: Path | None = None
    waivers: Path | None = None

    def told(self) -> dict[str, Any]:
        """What is kept of it beside the run."""
        return {
            "command": "graders",
            "suite": self.suite,
            "operators": self.operators,
            "max_cases": self.max_cases,
            "repeats": self.repeats,
            "timeout": self.timeout,
        }


def run(request: Request, output: Output, *, out: Path | None) -> None:
    """Ask, keep, show, and end with the run's exit code."""
    kept: list[Path] = []
    with guarded(kept):
        from redhanded.evidence.graders import GradersDirectory
        from redhanded.gates import allowed
        from redhanded.model.gate import gated

        check_output(output)
        excused = allowed(request.baseline, request.waivers)
        suite, options = _loaded(request)
        directory = GradersDirectory.create(home(), out=out, invocation=request.told())
        kept.append(directory.path)
        with directory:
            result = _measure(suite, options, directory, output)
            if request.baseline is not None or request.waivers is not None:
                result = gated(result, excused, datetime.date.today())
            directory.finish(result)
        show(result, output, suite=request.suite, stored=directory.path)
        if not result.complete:
            complain("the run ended before it was done; its result is of no use")
        raise typer.Exit(result.exit_code)


def _loaded(request: Request) -> tuple[Suite, Options]:
    """The suite and what it is asked with."""
    from redhanded.outputs.catalogue import chosen
    from redhanded.outputs.options import Options
    from redhanded.outputs.suites import load

    if request.operators is not None and not request.operators:
        raise UsageError("expected --operators to name some, found none")
    suite = load(request.suite, most=request.max_cases)
    return suite, Options(
        operators=chosen(request.operators, suite.operators),
        repeats=request.repeats,
        timeout=request.timeout,
        jobs=request.jobs or _cores(),
        keep_rows=False,
        untested=suite.untested,
    )


def _cores() -> int:
    import os

    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _measure(
    suite: Suite, options: Options, directory: GradersDirectory, output: Output
) -> GradersResult:
    from redhanded.outputs.runner import run as measure
    from redhanded.report.console import Watch

    try:
        # Graders run in forks, which a thread of a progress bar would forbid.
        with Watch(quiet=output.quiet, threads=False) as watch, terminated_is_interrupted():
            for note in suite.notes:
                watch.note(note)
            return measure(suite.cases, options, directory, watch)
    except (KeyboardInterrupt, InterruptedRunError):
        raise _interrupted(directory) from None
    except RedhandedError:
        raise
    except Exception:
        directory.crash(traceback.format_exc())
        raise


def _interrupted(directory: GradersDirectory) -> InterruptedRunError:
    if not directory.started:
        return InterruptedRunError("interrupted before any case was done; nothing was kept")
    return InterruptedRunError(
        f"interrupted: the rows of the cases that were done are in {shown(directory.path)}; "
        "there is no result",
        hint="Run `redhanded graders` again; --max-cases N takes fewer cases.",
    )


# Results


def show(
    result: GradersResult, output: Output, *, suite: str | None = None, stored: Path | None = None
) -> None:
    """Show a result: to machines on stdout where asked for, to people beside it."""
    from redhanded.report.console import console
    from redhanded.report.graders import render
    from redhanded.report.page import Options as Look

    look = Look(
        show_all=output.show_all,
        brief=output.quiet,
        stored=shown(stored) if stored is not None and output.where else None,
    )
    operators = _known_operators()
    if not output.json:
        with reader_may_leave():
            render(result, _rows(result, stored), console(), look, suite=suite, operators=operators)
        return
    from redhanded.evidence.graders import encode_result

    if not output.quiet:
        to = console(stderr=True)
        render(result, _rows(result, stored), to, look, suite=suite, operators=operators)
    import msgspec

    whole = msgspec.structs.replace(result, rows=tuple(_rows(result, stored)))
    print_bytes(encode_result(whole))


def show_again(folder: Path, output: Output, *, markdown: bool) -> None:
    """Show a run that is kept."""
    from redhanded.evidence.graders import read_run, suite_of

    result, folder = read_run(folder)
    show(result, output, suite=suite_of(folder), stored=folder)


def _known_operators() -> dict[str, Operator]:
    from redhanded.outputs.catalogue import every

    return {operator.id: operator for operator in every()}


def _rows(result: GradersResult, stored: Path | None) -> Iterator[Row]:
    """All rows, one by one: those of the result, or those that were kept beside it."""
    from redhanded.evidence.graders import read_rows

    if result.rows or stored is None:
        return iter(result.rows)
    return read_rows(stored)
