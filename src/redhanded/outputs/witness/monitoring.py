"""Watching code objects with ``sys.monitoring``: Python 3.12 and later."""

from __future__ import annotations

import sys
from types import CodeType
from typing import Any, Final

from redhanded.outputs.witness.recorder import Recorder

NAME: Final = "redhanded"


class Monitoring:
    """Local events on the watched code; unwinding is a global event, filtered by code."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._codes: frozenset[CodeType] = frozenset()
        self._tool: int | None = None

    def on(self) -> None:
        """Watch what the recorder watches; cheap where that is what is watched already."""
        if self._tool is None:
            self._begin()
        codes = self._recorder.codes
        for code in self._codes - codes:
            self._local(code, 0)
        events = sys.monitoring.events  # type: ignore[attr-defined,unused-ignore]
        for code in codes - self._codes:
            self._local(code, events.PY_START | events.PY_RETURN)
        self._codes = codes

    def off(self) -> None:
        """Nothing: between calls the events stay on, and belong to no call."""

    def close(self) -> None:
        """Watch nothing any more."""
        if self._tool is None:
            return
        for code in self._codes:
            self._local(code, 0)
        monitoring = _monitoring()
        monitoring.set_events(self._tool, 0)
        monitoring.free_tool_id(self._tool)
        self._codes, self._tool = frozenset(), None

    def _begin(self) -> None:
        monitoring = _monitoring()
        free = [tool for tool in (4, 3, 5, 2, 1, 0) if monitoring.get_tool(tool) is None]
        if not free:
            raise RuntimeError("expected a free tool id of sys.monitoring, found all six in use")
        self._tool = free[0]
        monitoring.use_tool_id(self._tool, NAME)
        events = monitoring.events
        for event, callback in (
            (events.PY_START, self._start),
            (events.PY_RETURN, self._return),
            (events.PY_UNWIND, self._unwind),
        ):
            monitoring.register_callback(self._tool, event, callback)
        monitoring.set_events(self._tool, events.PY_UNWIND)

    def _local(self, code: CodeType, events: int) -> None:
        _monitoring().set_local_events(self._tool, code, events)

    def _start(self, code: CodeType, offset: int) -> None:
        if self._recorder.watches(code):
            self._recorder.start(sys._getframe(1))

    def _return(self, code: CodeType, offset: int, returned: Any) -> None:
        if self._recorder.watches(code):
            self._recorder.finish(sys._getframe(1), returned)

    def _unwind(self, code: CodeType, offset: int, error: BaseException) -> None:
        if self._recorder.watches(code):
            self._recorder.unwind(sys._getframe(1), error)


def _monitoring() -> Any:
    return sys.monitoring  # type: ignore[attr-defined,unused-ignore]
