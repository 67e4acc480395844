"""Counts jumps and calls in the code under test, so that endless loops end by count.

The count, not the clock, decides: the verdict is the same on a busy machine.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, Final

from redhanded_worker.owners import Owners

_TOOL: Final = 4
"""A tool number of ``sys.monitoring`` that no known tool takes."""


class Counter:
    """Counts events in the subject; calls ``overrun`` past a limit."""

    def __init__(self, owners: Owners, limit: int | None, overrun: Callable[[], None]) -> None:
        self.count = 0
        self._owners = owners
        self._limit = limit if limit is not None else sys.maxsize
        self._overrun = overrun

    def start(self) -> None:
        """Begin to count, from 0."""
        self.count = 0
        if sys.version_info >= (3, 12):
            self._start_monitoring()
        else:
            threading.settrace(self._trace)
            sys.settrace(self._trace)

    def stop(self) -> int:
        """Stop.

        Returns:
            The count.
        """
        if sys.version_info >= (3, 12):
            sys.monitoring.set_events(_TOOL, 0)
            sys.monitoring.free_tool_id(_TOOL)
        else:
            sys.settrace(None)
            threading.settrace(None)
        return self.count

    def _one(self) -> None:
        self.count += 1
        if self.count > self._limit:
            self._limit = sys.maxsize
            self._overrun()

    def _start_monitoring(self) -> None:
        if sys.version_info < (3, 12):
            return
        monitoring = sys.monitoring
        is_subject, one = self._owners.is_subject, self._one

        def on_event(code: CodeType, *_: Any) -> Any:
            if not is_subject(code.co_filename):
                return monitoring.DISABLE
            one()
            return None

        events = monitoring.events
        monitoring.use_tool_id(_TOOL, "redhanded")
        for event in (events.JUMP, events.BRANCH, events.PY_START):
            monitoring.register_callback(_TOOL, event, on_event)
        monitoring.register_callback(_TOOL, events.PY_RESUME, on_event)
        monitoring.set_events(
            _TOOL, events.JUMP | events.BRANCH | events.PY_START | events.PY_RESUME
        )

    def _trace(self, frame: FrameType, event: str, _: Any) -> Any:
        if not self._owners.is_subject(frame.f_code.co_filename):
            return None
        self._one()
        return self._inside

    def _inside(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            self._one()
        return self._inside
