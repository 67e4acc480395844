"""Watching code objects with ``sys.setprofile``: Python 3.10 and 3.11.

The profiler tells of returns, yields and unwinding by one and the same event; the instruction that
the frame stopped at tells them apart.
"""

from __future__ import annotations

import dis
import sys
import threading
from types import FrameType
from typing import Any, Final

from redhanded.outputs.witness.recorder import Recorder

_RETURN: Final = dis.opmap["RETURN_VALUE"]
_YIELDS: Final = frozenset(
    dis.opmap[name] for name in ("YIELD_VALUE", "YIELD_FROM") if name in dis.opmap
)
_YIELD_FROM: Final = dis.opmap.get("YIELD_FROM")


class Profiling:
    """A profile function in this thread, and in each that is begun while it is on."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def on(self) -> None:
        """Watch what the recorder watches."""
        threading.setprofile(self._event)
        sys.setprofile(self._event)

    def off(self) -> None:
        """Watch nothing until the next call."""
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type,unused-ignore]

    def close(self) -> None:
        """Nothing is left on between calls."""

    def _event(self, frame: FrameType, event: str, value: Any) -> None:
        if event == "call":
            if self._recorder.watches(frame.f_code) and not self._recorder.known(frame):
                self._recorder.start(frame)
        elif event == "return" and self._recorder.known(frame):
            self._left(frame, value)

    def _left(self, frame: FrameType, value: Any) -> None:
        code, last = frame.f_code.co_code, frame.f_lasti
        if code[last] == _RETURN:
            self._recorder.finish(frame, value)
        elif _waits(code, last):
            # A bare yield and an exception thrown into one look alike; what never comes back
            # is told at the end of the call.
            return
        else:
            self._recorder.unwind(frame, None)


def _waits(code: bytes, last: int) -> bool:
    """Does the frame stand at a yield? Before 3.11 ``yield from`` steps back to be run again."""
    if code[last] in _YIELDS:
        return code[last] != _YIELD_FROM
    return _YIELD_FROM is not None and code[last + 2 : last + 3] == bytes([_YIELD_FROM])
