"""JSON Lines over two pipes: how the driver and a worker speak."""

from __future__ import annotations

import json
import os
import select
from collections.abc import Mapping
from typing import Any

import msgspec


class Channel:
    """JSON Lines over two pipes."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read, self._write = read_fd, write_fd
        self._buffer = bytearray()
        self._open = True

    def send(self, message: Mapping[str, Any]) -> None:
        """Write one message."""
        data = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._write, view) :]
        except BrokenPipeError:
            pass  # the next read says that the worker is gone

    def receive(self, seconds: float) -> dict[str, Any] | None:
        """Read one message; None where the other end is gone, or silent for so long."""
        while True:
            at = self._buffer.find(b"\n")
            if at >= 0:
                line = bytes(self._buffer[:at])
                del self._buffer[: at + 1]
                message: dict[str, Any] = msgspec.json.decode(line)
                return message
            ready, _, _ = select.select([self._read], [], [], seconds)
            data = os.read(self._read, 1 << 18) if ready else b""
            if not data:
                return None
            self._buffer += data

    def close(self) -> None:
        """Close both pipes."""
        if self._open:
            self._open = False
            os.close(self._read)
            os.close(self._write)
