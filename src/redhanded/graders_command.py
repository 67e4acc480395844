"""``redhanded graders``: how a suite is asked, and where the result goes."""

from __future__ import annotations

import datetime
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from redhanded.errors import InterruptedRunError, RedhandedError, UsageError
from redhanded.guard import complain, guarded
from redhanded.shell import (
    Output,
    check_output,
    home,
    print_bytes,
    reader_may_leave,
    shown,
    terminated_is_interrupted,
)

# As in redhanded.shell: what takes time to import is imported where it is used.
if TYPE_CHECKING:
    from redhanded.evidence.graders import GradersDirectory
    from redhanded.model.graded import Row
    from redhanded.model.graders import GradersResult
    from redhanded.outputs.operators.base import Operator
    from redhanded.outputs.options import Options
    from redhanded.outputs.suites import Suite
    from redhanded.report.page import Options as Look


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
        known = {one.id: one for one in options.operators}
        show(result, output, suite=request.suite, stored=directory.path, operators=known)
        if not result.complete:
            complain("the run ended before it was done; its result is of no use")
        raise typer.Exit(result.exit_code)


def plan(request: Request, output: Output) -> None:
    """Say what would be asked, and ask nothing."""
    with guarded():
        from redhanded.outputs.budget import budget
        from redhanded.report.console import console
        from redhanded.report.graders_plan import render_plan

        suite, options = _loaded(request)
        made = budget(request.suite, suite.cases, options)
        if output.json:
            import msgspec

            print_bytes(msgspec.json.format(msgspec.json.encode(made), indent=2) + b"\n")
            return
        for note in suite.notes:
            complain(note)
        with reader_may_leave():
            render_plan(made, console(), _look(output, None))


def list_operators(*, as_json: bool) -> None:
    """List what is planted in outputs."""
    from redhanded.outputs.catalogue import every

    if as_json:
        import msgspec

        from redhanded.outputs.catalogue import told

        data = msgspec.json.encode([told(one) for one in every()])
        print_bytes(msgspec.json.format(data, indent=2) + b"\n")
        return
    from redhanded.report.console import console
    from redhanded.report.operators import render_output_operators

    with reader_may_leave():
        render_output_operators(every(), console())


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
    result: GradersResult,
    output: Output,
    *,
    suite: str | None = None,
    stored: Path | None = None,
    operators: Mapping[str, Operator] | None = None,
) -> None:
    """Show a result: to machines on stdout where asked for, to people beside it."""
    from redhanded.report.console import console
    from redhanded.report.graders import render

    known = _known_operators() if operators is None else operators
    if output.markdown is not None:
        text = _markdown(result, output, suite, stored, known)
        output.markdown.write_text(text, encoding="utf-8")
    look = _look(output, stored)
    machine = output.json or output.as_tests
    if not (machine and output.quiet):
        with reader_may_leave():
            to = console(stderr=machine)
            render(result, _rows(result, stored), to, look, suite=suite, operators=known)
    if output.json:
        import msgspec

        from redhanded.evidence.graders import encode_result

        whole = msgspec.structs.replace(result, rows=tuple(_rows(result, stored)))
        print_bytes(encode_result(whole))
    elif output.as_tests:
        from redhanded.report.graders_tests import render as as_tests

        print_bytes(as_tests(result, suite or "suite.py").encode("utf-8"))


def show_again(folder: Path, output: Output, *, markdown: bool) -> None:
    """Show a run that is kept."""
    from redhanded.evidence.graders import read_run, suite_of

    result, folder = read_run(folder)
    suite = suite_of(folder)
    if markdown:
        text = _markdown(result, output, suite, folder, _known_operators())
        print_bytes(text.encode("utf-8"))
    else:
        show(result, output, suite=suite, stored=folder)


def _markdown(
    result: GradersResult,
    output: Output,
    suite: str | None,
    stored: Path | None,
    operators: Mapping[str, Operator],
) -> str:
    from redhanded.report.graders_markdown import render

    rows = _rows(result, stored)
    return render(result, rows, _look(output, None), suite=suite, operators=operators)


def _look(output: Output, stored: Path | None) -> Look:
    from redhanded.report.page import Options as Look

    return Look(
        show_all=output.show_all,
        brief=output.quiet,
        stored=shown(stored) if stored is not None and output.where else None,
    )


def _known_operators() -> dict[str, Operator]:
    from redhanded.outputs.catalogue import every

    return {operator.id: operator for operator in every()}


def _rows(result: GradersResult, stored: Path | None) -> Iterator[Row]:
    """All rows, one by one: those of the result, or those that were kept beside it."""
    from redhanded.evidence.graders import read_rows

    if result.rows or stored is None:
        return iter(result.rows)
    return read_rows(stored)
