"""Exceptions that leave the code under test and that test code catches, going on."""

from __future__ import annotations

import sys
from types import CodeType, FrameType, TracebackType
from typing import Any, Final

from redhanded_worker.owners import Owners

_TOOL: Final = 5


class Swallows:
    """Notes each exception of the subject that a handler in test code takes."""

    def __init__(self, owners: Owners) -> None:
        self._owners = owners
        self._taken: dict[int, tuple[BaseException, str, str, int]] = {}

    def start(self) -> None:
        """Begin."""
        self._taken.clear()
        if sys.version_info >= (3, 12):
            monitoring = sys.monitoring
            event = monitoring.events.EXCEPTION_HANDLED
            monitoring.use_tool_id(_TOOL, "redhanded-swallow")
            monitoring.register_callback(_TOOL, event, self._on_handled)
            monitoring.set_events(_TOOL, event)
        else:
            sys.settrace(self._trace)

    def stop(self, final: BaseException | None, satisfying: set[int]) -> list[list[Any]]:
        """End.

        Args:
            final: The exception that failed the test, if one did: it wasn't swallowed.
            satisfying: Ids of exceptions that an expectation took: they weren't either.

        Returns:
            Type, file and line in test code of each swallowed exception.
        """
        if sys.version_info >= (3, 12):
            sys.monitoring.set_events(_TOOL, 0)
            sys.monitoring.free_tool_id(_TOOL)
        else:
            sys.settrace(None)
        return [
            [kind, file, line]
            for error, kind, file, line in self._taken.values()
            if error is not final and id(error) not in satisfying
        ]

    def _take(self, code: CodeType, error: BaseException, trace: TracebackType | None) -> None:
        owner, name = self._owners.of(code.co_filename)
        if owner != "test" or trace is None:
            return
        line = trace.tb_lineno or 0
        inner = trace.tb_next
        while inner is not None:
            if self._owners.is_subject(inner.tb_frame.f_code.co_filename):
                kind = type(error)
                told = f"{kind.__module__}.{kind.__qualname__}"
                self._taken[id(error)] = (error, told, name, line)
                return
            inner = inner.tb_next

    def _on_handled(self, code: CodeType, _: int, error: BaseException) -> None:
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code is not code:
            trace = trace.tb_next
        self._take(code, error, trace)

    def _trace(self, frame: FrameType, event: str, arg: Any) -> Any:
        if self._owners.of(frame.f_code.co_filename)[0] != "test":
            return None
        return self._inside

    def _inside(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "exception":
            self._take(frame.f_code, arg[1], arg[2])
        return self._inside
