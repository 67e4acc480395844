"""A process that answers one line of JSON with one line of JSON."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Mapping, Sequence
from typing import IO, Any, Final

from redhanded.errors import UsageError

KEY: Final = "REDHANDED_WITNESS_KEY"
"""Where our helper finds the key that it vouches with; it takes it away before the grader runs."""
TAIL: Final = 2000


class Pipe:
    """A grader's process.

    It starts with the first exchange, and again if it has died or a fork left it to another
    process.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        cwd: str | None,
        env: Mapping[str, str],
        signed: bool,
    ) -> None:
        self.argv = list(argv)
        self.cwd = cwd
        self.env = dict(env)
        self.key = secrets.token_hex(32) if signed else None
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._pid = 0
        self._number = 0
        self._errors: IO[bytes] | None = None

    def next_id(self) -> int:
        """A number for a request; never the same twice."""
        self._number += 1
        return self._number

    def exchange(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Send a request and wait for its response.

        Raises:
            ProtocolError: The process ended, or what it wrote is no response.
        """
        try:
            line = json.dumps(request, allow_nan=False)
        except ValueError:
            raise ProtocolError("this output holds NaN or an infinity, which JSON can't") from None
        with self._lock:
            process = self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(line + "\n")
                process.stdin.flush()
                line = process.stdout.readline()
            except (BrokenPipeError, OSError, ValueError) as error:
                raise self._ended(f"can't be spoken to: {error}") from None
            if not line:
                raise self._ended("ended without an answer")
        return _response(line)

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None and self._pid == os.getpid():
            _end(process, self._errors)

    def _running(self) -> subprocess.Popen[str]:
        process = self._process
        if process is not None and self._pid == os.getpid() and process.poll() is None:
            return process
        environment = {**os.environ, **self.env}
        environment.pop(KEY, None)
        if self.key is not None:
            environment[KEY] = self.key
        if self._errors is not None:
            self._errors.close()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (lives as long as the process)
        try:
            process = subprocess.Popen(
                self.argv,
                cwd=self.cwd,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                text=True,
                encoding="utf-8",
                bufsize=1,
            )
        except OSError as error:
            self._errors.close()
            raise UsageError(
                f"the grader {self.argv[0]!r} can't be started: {error}",
                hint="Check the command, and that its program is installed.",
            ) from None
        self._process, self._pid = process, os.getpid()
        weakref.finalize(self, _end, process, self._errors)
        return process

    def _ended(self, what: str) -> ProtocolError:
        process, self._process = self._process, None
        code = None
        if process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = process.wait(timeout=2)
        said = ""
        if process is not None and self._errors is not None:
            self._errors.seek(0)
            # On one line: of several, the first says least.
            said = " ".join(self._errors.read()[-TAIL:].decode("utf-8", "replace").split())
            _end(process, self._errors)
        status = "" if code is None else f" (exit status {code})"
        return ProtocolError(f"the grader's process {what}{status}" + (f": {said}" if said else ""))


class ProtocolError(Exception):
    """A grader's process doesn't speak the protocol, or has died."""


def _response(line: str) -> dict[str, Any]:
    try:
        response = json.loads(line)
    except ValueError:
        response = None
    if not isinstance(response, dict):
        raise ProtocolError(
            f"expected one JSON object on a line, found {line[:80]!r}; "
            "what a grader wants to say besides goes to stderr"
        )
    return response


def _end(process: subprocess.Popen[str], errors: IO[bytes] | None) -> None:
    if process.poll() is None:
        process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=5)
    for stream in (process.stdin, process.stdout, errors):
        if stream is not None:
            with contextlib.suppress(OSError, ValueError):
                stream.close()
