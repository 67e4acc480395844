"""One worker process: how it is started, asked and ended."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redhanded
from redhanded.code.channel import Channel
from redhanded.errors import UnwitnessedError

_SILENCE = 3600.0
"""Seconds without any message after which a worker is taken for dead: a last resort, since the
worker itself ends tests that run too long."""

_NOT_PASSED_ON = (
    "PYTEST_ADDOPTS",
    "PYTEST_CURRENT_TEST",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONPYCACHEPREFIX",
    "VIRTUAL_ENV",
    "COVERAGE_PROCESS_START",
    "COV_CORE_SOURCE",
)
"""Variables that would change which code the worker imports, or what pytest runs."""


def worker_main() -> Path:
    """The worker's entry point; located, never imported."""
    return Path(redhanded.__file__).parent.parent / "redhanded_worker" / "__main__.py"


@dataclass(frozen=True)
class Setup:
    """What a session works on."""

    python: Path
    tree: Path
    """Its own scratch tree: tests may write there."""
    roots: tuple[Path, ...]
    """Source roots, first on the import path."""
    targets: tuple[str, ...]
    """Files with mutants, relative to the tree."""
    subject: tuple[str, ...]
    """All files of the code under test."""
    pytest_args: tuple[str, ...] = ()
    home: Path | None = None
    """A folder for HOME, TMPDIR and caches; beside the tree where None."""
    fork: bool = True
    memory_limit: int = 2 << 30


class Worker:
    """A process in the project's interpreter, with a channel to each of its two servers."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._home = setup.home or setup.tree.parent / (setup.tree.name + ".home")
        for part in ("home", "tmp"):
            (self._home / part).mkdir(parents=True, exist_ok=True)
        self._log = self._home / "worker.log"
        pipes = [os.pipe() for _ in range(4)]
        base_in, base_out, suite_in, suite_out = pipes
        theirs = [base_in[0], base_out[1], suite_in[0], suite_out[1]]
        self._process = self._start(theirs)
        for fd in theirs:
            os.close(fd)
        self.base = Channel(base_out[0], base_in[1])
        """To the process that has not collected."""
        self.suite = Channel(suite_out[0], suite_in[1])
        """To the process that has collected the suite and run nothing."""

    def _environment(self) -> dict[str, str]:
        environment = dict(os.environ)
        for name in _NOT_PASSED_ON:
            environment.pop(name, None)
        environment.update(
            HOME=str(self._home / "home"),
            TMPDIR=str(self._home / "tmp"),
            PYTHONHASHSEED="0",
        )
        return environment

    def _start(self, fds: list[int]) -> subprocess.Popen[bytes]:
        with open(self._log, "ab") as log:
            return subprocess.Popen(
                [str(self._setup.python), str(worker_main()), "serve", *map(str, fds)],
                cwd=self._setup.tree,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=fds,
                start_new_session=True,
            )

    def ask(self, channel: Channel, message: dict[str, Any]) -> dict[str, Any]:
        """Send a message that has one answer."""
        channel.send(message)
        return self.receive(channel)

    def receive(self, channel: Channel) -> dict[str, Any]:
        """The next message.

        Raises:
            UnwitnessedError: There is none: the worker is gone.
        """
        message = channel.receive(_SILENCE)
        if message is None:
            raise UnwitnessedError(
                "expected an answer from the worker, found it gone: " + self.log_tail(),
                hint="this may be a bug in redhanded; the worker's log is quoted above",
            )
        return message

    def log_tail(self, size: int = 1200) -> str:
        """The end of what the worker and the suite printed outside tests."""
        with contextlib.suppress(OSError):
            return self._log.read_bytes()[-size:].decode(errors="replace").strip()
        return ""

    def close(self) -> None:
        """End the worker and all that it started."""
        self.base.close()
        self.suite.close()
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
