"""Messages as JSON Lines over inherited descriptors.

The suite under test may patch ``os``, ``json`` or ``time`` while it runs, so what is needed then
is bound here, when this module is imported.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
from typing import Any, Final

_encode: Final = json.JSONEncoder(separators=(",", ":")).encode
_decode: Final = json.JSONDecoder().decode
_HIGH: Final = 200
"""Descriptors are moved this high, out of the way of code that closes the low ones."""


def raise_descriptor(fd: int) -> int:
    """Move a descriptor out of the range that tests commonly close or count.

    Args:
        fd: An open descriptor; closed by this call.

    Returns:
        The descriptor's new number, not inherited by programs that the suite starts.
    """
    high = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _HIGH)
    os.close(fd)
    return high


def write_all(fd: int, data: bytes, *, _write: Any = os.write) -> None:
    """Write all of ``data``, however little the pipe takes at a time."""
    view = memoryview(data)
    while view:
        view = view[_write(fd, view) :]


def send(fd: int, message: dict[str, Any], *, _enc: Any = _encode) -> None:
    """Write one message."""
    write_all(fd, (_enc(message) + "\n").encode())


class Reader:
    """Reads messages from a descriptor, whole lines at a time."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._buffer = b""
        self._lines: list[bytes] = []
        self.closed = False

    def feed(self, *, _read: Any = os.read) -> None:
        """Read what is there; blocks where nothing is."""
        data = _read(self.fd, 1 << 16)
        if not data:
            self.closed = True
            return
        self._buffer += data
        if b"\n" in data:
            *lines, self._buffer = self._buffer.split(b"\n")
            self._lines.extend(lines)

    def pop(self) -> dict[str, Any] | None:
        """The next message that has arrived, or None."""
        if not self._lines:
            return None
        message: dict[str, Any] = _decode(self._lines.pop(0).decode())
        return message

    def wait(self, seconds: float, also: int | None = None) -> bool:
        """Wait for something to read.

        Args:
            seconds: How long, at most.
            also: A second descriptor; if it becomes readable first, that counts too.

        Returns:
            True if this reader's own descriptor is readable.
        """
        fds = [self.fd] if also is None else [self.fd, also]
        ready, _, _ = select.select(fds, [], [], max(0.0, seconds))
        return self.fd in ready

    def receive(self) -> dict[str, Any] | None:
        """The next message; None when the other side is gone."""
        while True:
            message = self.pop()
            if message is not None:
                return message
            if self.closed:
                return None
            self.feed()
