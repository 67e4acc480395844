"""Which call is running: a token that tasks and threads inherit."""

from __future__ import annotations

import contextlib
import contextvars
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final

from redhanded.model.graded import Phase


@dataclass(frozen=True, eq=False)
class Token:
    """One call of a grader; compared by identity, so that none can be made up."""

    phase: Phase
    row: str | None = None
    repeat: int = 0


TOKEN: Final[ContextVar[Token | None]] = ContextVar("redhanded_token", default=None)


@contextlib.contextmanager
def carried() -> Iterator[None]:
    """Let threads inherit the token too.

    Tasks and ``asyncio.to_thread`` do so anyhow; threads and pools that are started by hand don't,
    and what they enter could only be told by being alone.
    """
    start, submit = threading.Thread.start, ThreadPoolExecutor.submit

    def start_inheriting(self: threading.Thread) -> None:
        if "run" not in vars(self):
            context, run = contextvars.copy_context(), self.run
            self.run = lambda: context.run(run)  # type: ignore[method-assign]
        start(self)

    def submit_inheriting(
        self: ThreadPoolExecutor, fn: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Any:
        context = contextvars.copy_context()
        return submit(self, context.run, fn, *args, **kwargs)

    threading.Thread.start = start_inheriting  # type: ignore[method-assign]
    ThreadPoolExecutor.submit = submit_inheriting  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        threading.Thread.start = start  # type: ignore[method-assign]
        ThreadPoolExecutor.submit = submit  # type: ignore[method-assign]
