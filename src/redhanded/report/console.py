"""Where people read: consoles, and what moves while a run goes on."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from rich.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID


def console(*, stderr: bool = False) -> Console:
    """A console that shows text as it is: no markup, no emoji codes, no guessed colours.

    Colours are off where the stream is no terminal or ``NO_COLOR`` is set.
    """
    return _Console(stderr=stderr, highlight=False, markup=False, emoji=False)


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the caller: rich would end the process with a code of its own."""
        error = sys.exc_info()[1]
        raise error if error is not None else BrokenPipeError


class Watch:
    """:class:`redhanded.model.sink.Progress` for a person: bars on a terminal, else lines.

    Use it as a context manager. It writes to stderr alone.
    """

    def __init__(
        self, *, quiet: bool = False, stream: TextIO | None = None, threads: bool = True
    ) -> None:
        """Watch a run.

        Args:
            quiet: Say nothing.
            stream: Where to; None: stderr.
            threads: Bars may move by a thread of their own, which keeps this process from being
                forked safely; else they move when something is done.
        """
        self._quiet = quiet
        self._threads = threads
        self._stream = stream if stream is not None else sys.stderr
        self._bars: Bars | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Watch:
        if not self._quiet and self._stream.isatty():
            self._bars = _bars(self._stream, threads=self._threads)
            self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._bars is not None:
            self._bars.stop()
            self._bars = None

    def stage(self, name: str, total: int | None) -> None:
        """Begin a stage of ``total`` steps (None: unknown)."""
        if self._bars is not None:
            if self._task is not None:
                self._bars.remove_task(self._task)
            self._task = self._bars.add_task(name, total=total)
            self._move()
        elif not self._quiet:
            steps = "" if total is None else f" ({total})"
            self._say(f"{name}{steps}")

    def advance(self, steps: int = 1) -> None:
        """Some steps of the stage are done."""
        if self._bars is not None and self._task is not None:
            self._bars.advance(self._task, steps)
            self._move()

    def _move(self) -> None:
        if self._bars is not None and not self._threads:
            self._bars.refresh()

    def note(self, message: str) -> None:
        """One line that stays."""
        if self._bars is not None:
            self._bars.console.print(message, soft_wrap=True)
        elif not self._quiet:
            self._say(message)

    def _say(self, message: str) -> None:
        print(f"redhanded: {message}", file=self._stream, flush=True)


def _bars(stream: TextIO, *, threads: bool) -> Bars:
    # Only runs on a terminal need it, and it takes its time to import.
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(file=stream, highlight=False, markup=False, emoji=False),
        transient=True,
        auto_refresh=threads,
    )
