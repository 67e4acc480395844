"""What the commands share: how a run is made and kept, and where its result goes."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import typer

from redhanded.errors import (
    InterruptedRunError,
    RedhandedError,
    UnavailableError,
    UsageError,
)
from redhanded.guard import close_stdout, complain, guarded

# Everything that takes time to import is imported where it is used: `redhanded --help` and a
# mistyped option should answer at once.
if TYPE_CHECKING:
    from redhanded.code.git import Repository
    from redhanded.code.options import RunOptions
    from redhanded.evidence.directory import RunDirectory
    from redhanded.evidence.stored import StoredRun
    from redhanded.model.result import Result

GATE = 1
"""Exit code of a gate that failed."""


@dataclass(frozen=True)
class Output:
    """Where a result goes, and how much of it is shown."""

    json: bool = False
    markdown: Path | None = None
    show_all: bool = False
    quiet: bool = False
    min_delta: float | None = None
    where: bool = True
    """Say where the run is kept."""
    as_tests: bool = False
    """Print holes as tests: graders only."""


# Runs


def run(options: RunOptions, output: Output, *, out: Path | None, resume: Path | None) -> None:
    """Run, keep, show, and end with the run's exit code."""
    from redhanded.evidence.directory import RunDirectory

    kept: list[Path] = []
    with guarded(kept):
        check_output(output)
        repository = _repository(options)
        if resume is not None:
            options = _restored(options, resume)
        _check_request(options)
        options = replace(_placed(options, repository.root), resume=resume)
        if resume is None:
            directory = RunDirectory.create(
                repository.root, options.command, out=out, invocation=_invocation(options)
            )
        else:
            directory = RunDirectory.resume(resume)
        kept.append(directory.path)
        options = replace(options, kept=directory.path)
        with directory:
            result, sources = _measure(options, directory, repository, output)
        show(result, output, sources=sources, stored=directory.path)
        if not result.complete:
            error = _interrupted(options, directory)
            complain(str(error), error.hint)
        raise typer.Exit(max(result.exit_code, gate(result, output.min_delta)))


def _measure(
    options: RunOptions, directory: RunDirectory, repository: Repository, output: Output
) -> tuple[Result, dict[str, str]]:
    from redhanded.code.run import run as measure
    from redhanded.report.console import Watch
    from redhanded.sources import read_sources

    try:
        with Watch(quiet=output.quiet) as watch, terminated_is_interrupted():
            for note in directory.notes:
                watch.note(note)
            result = measure(options, directory, watch)
    except (KeyboardInterrupt, InterruptedRunError):
        raise _interrupted(options, directory) from None
    except RedhandedError:
        raise
    except Exception:
        directory.crash(traceback.format_exc())
        raise
    commit = None if result.head is None else result.head.commit
    sources = read_sources(result.mutants, commit, repository)
    directory.keep_sources(sources)
    directory.finish(result)
    return result, sources


def _interrupted(options: RunOptions, directory: RunDirectory) -> InterruptedRunError:
    if not directory.resumable:
        return InterruptedRunError("interrupted before anything was done; nothing was kept")
    path = shown(directory.path)
    return InterruptedRunError(
        f"interrupted: what is finished is kept in {path}; it has no score",
        hint=f"Go on with: redhanded {options.command} --resume {path}",
    )


@contextlib.contextmanager
def terminated_is_interrupted() -> Iterator[None]:
    """End as on Ctrl-C where the process is told to end, so that its children end with it."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _repository(options: RunOptions) -> Repository:
    from redhanded.code.git import Repository

    return Repository.find(options.repository)


def one_of(**asked: bool) -> None:
    """Refuse two forms for the same stdout.

    Raises:
        UsageError: More than one is asked for.
    """
    given = [f"--{name.replace('_', '-')}" for name, wanted in asked.items() if wanted]
    if len(given) > 1:
        names = [f"--{name.replace('_', '-')}" for name in asked]
        raise UsageError(
            f"expected one of {', '.join(names[:-1])} and {names[-1]}, found {' and '.join(given)}"
        )


def check_output(output: Output) -> None:
    """Refuse now what would otherwise fail after minutes of work."""
    one_of(json=output.json, as_tests=output.as_tests)
    if output.markdown is not None and not output.markdown.absolute().parent.is_dir():
        raise UsageError(
            f"expected --markdown to name a file in an existing folder, found {output.markdown}",
            hint="Create the folder first.",
        )


def _check_request(options: RunOptions) -> None:
    if options.command == "delta" and options.base is None:
        raise UsageError(
            "expected --base REV, the revision before the change, found none",
            hint="For the last commit: redhanded delta --base HEAD~1 --head HEAD. "
            "For a suite without a change: redhanded tests.",
        )


def _invocation(options: RunOptions) -> dict[str, Any]:
    """What ``--resume`` need not be told again."""
    values = {field.name: getattr(options, field.name) for field in fields(options)}
    for name in ("repository", "resume", "kept", "jobs"):
        del values[name]
    if options.mutants_file is not None:
        values["mutants_file"] = str(options.mutants_file)
    return values


def _restored(options: RunOptions, path: Path) -> RunOptions:
    """The options of an interrupted run, where this command line doesn't say otherwise."""
    import msgspec

    from redhanded.evidence.stored import INVOCATION

    try:
        before = msgspec.json.decode((path / INVOCATION).read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.MsgspecError):
        return options
    default = type(options)(command=options.command)
    values: dict[str, Any] = {}
    for field in fields(options):
        name = field.name
        if name in before and name != "command":
            given = getattr(options, name)
            values[name] = given if given != getattr(default, name) else before[name]
    if isinstance(values.get("mutants_file"), str):
        values["mutants_file"] = Path(values["mutants_file"])
    for name in ("sources", "pytest_args", "operators", "families_off"):
        if isinstance(values.get(name), list):
            values[name] = tuple(values[name])
    return replace(options, **values)


def _placed(options: RunOptions, root: Path) -> RunOptions:
    """Options whose paths mean the same wherever one stands."""
    file = options.mutants_file
    return replace(
        options,
        repository=root,
        sources=_from_root(options.sources, root, options.repository),
        mutants_file=None if file is None else file.absolute(),
    )


def _from_root(sources: tuple[str, ...], root: Path, folder: Path) -> tuple[str, ...]:
    """Paths as given on the command line, relative to the repository's root."""
    found = []
    for source in sources:
        path = Path(os.path.normpath(folder.absolute() / source))
        if not path.exists() and (root / source).exists():
            path = Path(os.path.normpath(root / source))
        for candidate in (path, path.resolve()):
            if candidate.is_relative_to(root):
                found.append(candidate.relative_to(root).as_posix())
                break
        else:
            raise UsageError(
                f"expected sources inside the repository {root}, found {source}",
                hint="Give files or folders of the project.",
            )
    return tuple(found)


# Results


def show(
    result: Result,
    output: Output,
    *,
    sources: Mapping[str, str] | None = None,
    stored: Path | None = None,
) -> None:
    """Show a result: to machines on stdout where asked for, to people beside it."""
    from redhanded.report.console import console
    from redhanded.report.page import Options
    from redhanded.report.terminal import render

    options = Options(
        show_all=output.show_all,
        brief=output.quiet,
        sources=sources or {},
        stored=shown(stored) if stored is not None and output.where else None,
    )
    if output.markdown is not None:
        from redhanded.report.markdown import render as render_markdown

        output.markdown.write_text(render_markdown(result, options), encoding="utf-8")
    if output.json:
        from redhanded.evidence.directory import encode_result

        if not output.quiet:
            render(result, console(stderr=True), options)
        print_bytes(encode_result(result))
    else:
        with reader_may_leave():
            render(result, console(), options)


def print_bytes(data: bytes) -> None:
    """Write to stdout as it is."""
    with reader_may_leave():
        typer.echo(data, nl=False)


@contextlib.contextmanager
def reader_may_leave() -> Iterator[None]:
    """``redhanded ... | head`` is no error, and hides no exit code."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        close_stdout()


def gate(result: Result, least: float | None) -> int:
    """Exit code of ``--min-delta``."""
    if least is None or result.delta is None:
        return 0
    value = result.delta.value
    if value is not None and value >= least:
        return 0
    found = "unavailable" if value is None else f"{value:.4f}"
    complain(f"gate failed: expected a delta of at least {least}, found {found}", None)
    return GATE


def shown(path: Path) -> Path:
    """A path as short as it can be typed here."""
    absolute = path.absolute()
    here = Path.cwd()
    return absolute.relative_to(here) if absolute.is_relative_to(here) else absolute


# Stored runs


def home() -> Path:
    """The folder whose ``.redhanded`` keeps runs: the repository's root, else where one stands."""
    from redhanded.code.git import Repository

    try:
        return Repository.find(Path.cwd()).root
    except RedhandedError:
        return Path.cwd()


def run_folder(path: Path | None) -> Path:
    """A run's directory as given, or the latest one kept here."""
    from redhanded.evidence.home import latest_run

    if path is None or (str(path) == "latest" and not path.exists()):
        return latest_run(home())
    return path


def stored_run(path: Path) -> StoredRun:
    """A run of the code instrument, by its directory."""
    from redhanded.evidence.stored import read_run

    return read_run(path)


def unfinished(found: StoredRun) -> UnavailableError:
    """Why an interrupted run can't be shown."""
    path = shown(found.path)
    planned = "its mutants" if found.mutants is None else f"its {len(found.mutants)} mutants"
    command = "delta" if found.run is None else found.run.command
    return UnavailableError(
        f"the run in {path} was interrupted: it has trials of {found.tried} of {planned}, "
        "and no score",
        hint=f"Go on with: redhanded {command} --resume {path}",
    )


# Plans


def plan(options: RunOptions, *, as_json: bool, write: Path | None, quiet: bool) -> None:
    """List the mutants of a plan."""
    with guarded():
        import msgspec

        from redhanded.code.run import plan as planned
        from redhanded.evidence.directory import encode_mutants
        from redhanded.report.console import Watch, console
        from redhanded.report.mutants import render_plan
        from redhanded.report.page import Options
        from redhanded.sources import read_sources

        repository = _repository(options)
        options = _placed(options, repository.root)
        with Watch(quiet=quiet or as_json) as watch, terminated_is_interrupted():
            summary, mutants = planned(options, watch)
        if write is not None:
            write.write_bytes(encode_mutants(mutants))
        if as_json:
            data = msgspec.json.encode({"plan": summary, "mutants": mutants})
            print_bytes(msgspec.json.format(data, indent=2) + b"\n")
            return
        sources = read_sources(mutants, options.head, repository)
        with reader_may_leave():
            render_plan(summary, mutants, console(), Options(brief=quiet, sources=sources))
