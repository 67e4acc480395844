"""Exceptions that leave the code under test and that test code catches, going on."""

from __future__ import annotations

import sys
import threading
from types import CodeType, FrameType, TracebackType
from typing import Any, Final

from redhanded_worker.owners import Owners

_TOOL: Final = 5
_NEAR: Final = 50
"""Frames below the recursion limit at which tracing is about to end."""


class Swallows:
    """Notes each exception of the subject that a handler in test code takes.

    Nothing of this may run in frames of the subject: a callback at the recursion limit raises
    there, and if that is where a ``with`` is being left, its lock stays held for good. So only
    the instructions of test code are watched, for an exception being handled there.
    """

    def __init__(self, owners: Owners) -> None:
        self._owners = owners
        self._taken: dict[int, tuple[BaseException, str, str, int]] = {}
        self._watched: list[CodeType] = []
        self._lost = False

    def start(self) -> None:
        """Begin."""
        self._taken.clear()
        if sys.version_info >= (3, 12):
            monitoring = sys.monitoring
            events = monitoring.events
            monitoring.use_tool_id(_TOOL, "redhanded-swallow")
            monitoring.register_callback(_TOOL, events.PY_START, self._on_start)
            monitoring.register_callback(_TOOL, events.PY_RESUME, self._on_start)
            monitoring.register_callback(_TOOL, events.INSTRUCTION, self._on_instruction)
            monitoring.set_events(_TOOL, events.PY_START | events.PY_RESUME)
            monitoring.restart_events()
        else:
            threading.settrace(self._trace)
            sys.settrace(self._trace)

    def stop(self, final: BaseException | None, satisfying: set[int]) -> list[list[Any]] | None:
        """End.

        Args:
            final: The exception that failed the test, if one did: it wasn't swallowed.
            satisfying: Ids of exceptions that an expectation took: they weren't either.

        Returns:
            Type, file and line in test code of each swallowed exception; None where that was lost:
            before Python 3.12 tracing ends at the recursion limit.
        """
        if sys.version_info >= (3, 12):
            sys.monitoring.set_events(_TOOL, 0)
            for code in self._watched:
                sys.monitoring.set_local_events(_TOOL, code, 0)
            sys.monitoring.free_tool_id(_TOOL)
        else:
            sys.settrace(None)
            threading.settrace(None)
        if self._lost:
            return None
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

    def _on_start(self, code: CodeType, _: int) -> Any:
        if sys.version_info < (3, 12):
            return None
        if code.co_exceptiontable and self._owners.of(code.co_filename)[0] == "test":
            if code not in self._watched:
                self._watched.append(code)
                events = sys.monitoring.events
                sys.monitoring.set_local_events(_TOOL, code, events.INSTRUCTION)
        return sys.monitoring.DISABLE

    def _on_instruction(self, code: CodeType, _: int) -> None:
        error = sys.exc_info()[1]
        if error is None or id(error) in self._taken:
            return
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code is not code:
            trace = trace.tb_next
        self._take(code, error, trace)

    def _trace(self, frame: FrameType, event: str, arg: Any) -> Any:
        try:
            sys._getframe(sys.getrecursionlimit() - _NEAR)
            self._lost = True
        except ValueError:
            pass  # the stack isn't that deep
        if self._owners.of(frame.f_code.co_filename)[0] != "test":
            return None
        return self._inside

    def _inside(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "exception":
            self._take(frame.f_code, arg[1], arg[2])
        return self._inside
