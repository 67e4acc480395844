"""One watched call after another."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from redhanded.outputs.adapters.base import Watched
from redhanded.outputs.witness.monitoring import Monitoring
from redhanded.outputs.witness.profiling import Profiling
from redhanded.outputs.witness.recorder import Opened, Recorder, Seen
from redhanded.outputs.witness.target import Target, Unwatchable, resolve
from redhanded.outputs.witness.token import TOKEN, Token


class Watcher:
    """Watches a grader and its upstream in the calls that are made of it."""

    def __init__(self, entered: Callable[[], None] | None = None) -> None:
        self._recorder = Recorder(entered)
        self._way: Monitoring | Profiling = (
            Monitoring(self._recorder) if sys.version_info >= (3, 12) else Profiling(self._recorder)
        )
        self.targets: list[Target] = []
        self.unwatchable: list[Unwatchable] = []

    def watch(self, watched: Iterable[Watched]) -> None:
        """Watch these callables from the next call on."""
        self.targets, self.unwatchable = resolve(watched)
        self._recorder.watch(self.targets)

    def plant(self, fault: Callable[[Opened], None] | None) -> None:
        """Raise in watched code at its entries (a canary); None: no more."""
        self._recorder.fault = fault

    async def call(
        self, token: Token, ask: Callable[[], Awaitable[Any]]
    ) -> tuple[Any, BaseException | None, Seen]:
        """Make one call under its token.

        Returns:
            What came back, or the exception that did, and what was seen.
        """
        self._recorder.begin(token)
        reset = TOKEN.set(token)
        raw: Any = None
        error: BaseException | None = None
        try:
            self._way.on()
            try:
                raw = await ask()
            finally:
                self._way.off()
        except BaseException as raised:
            self._recorder.name_errors(raised)
            error = raised
        finally:
            TOKEN.reset(reset)
            seen = self._recorder.end(token)
        return raw, error, seen

    def close(self) -> None:
        """Watch nothing any more."""
        self._way.close()
