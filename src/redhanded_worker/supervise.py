"""Watches the process that runs tests: what it reports, how long it takes, how it ends."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Final

from redhanded_worker.channel import Reader
from redhanded_worker.witness import Witness

GREETING: Final = 120.0
"""Seconds that a fresh interpreter may take to import and collect."""
_TICK: Final = 0.1
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Batch:
    """Tests to run in one process, on whatever is planted there."""

    tests: list[int]
    """Indexes, in order."""
    limits: list[float]
    """Seconds that each may take before it is called slow."""
    stop_on_failure: bool = True
    """The process ends after the first failing test: what that left behind decides no other."""
    count_limit: int | None = None
    """Jumps and calls in the code under test, per test; None: not counted."""
    count: bool = False
    """Report the count, without a limit."""
    swallowed: bool = False
    """Look for exceptions that test code swallows."""
    strict: bool = True
    """Decide each failing cell alone, however many there are."""

    def of(self, places: Sequence[int], *, stop_on_failure: bool) -> Batch:
        """A part of the batch.

        Args:
            places: Positions in the batch, in the order to run them.
            stop_on_failure: For the part.
        """
        return replace(
            self,
            tests=[self.tests[at] for at in places],
            limits=[self.limits[at] for at in places],
            stop_on_failure=stop_on_failure,
        )


@dataclass
class Child:
    """A process that runs a batch."""

    pid: int
    reports: int
    """Descriptor that its messages come from."""
    reaped: bool = False

    def wait(self) -> int | None:
        """Wait for its end.

        Returns:
            Its status; None where it is gone without one.
        """
        self.reaped = True
        try:
            return os.waitpid(self.pid, 0)[1]
        except ChildProcessError:
            return None

    def end(self) -> None:
        """End it, and all that it started, at once."""
        if not self.reaped:
            kill_group(self.pid)
            self.wait()


Launch = Callable[[Batch], Child]


class NoGreetingError(Exception):
    """A process ended, or hung, before it could run tests; the message says which."""


class DriverGoneError(Exception):
    """The other end of the control channel closed."""


class Supervisor:
    """Runs batches in processes of their own until each test has a verdict of its own."""

    def __init__(
        self,
        launch: Launch,
        witness: Witness,
        channel: int,
        memory_limit: int,
        greet: Callable[[dict[str, Any]], bool] | None = None,
    ) -> None:
        """Choose how processes are made and what they may use.

        Args:
            launch: Starts a process for a batch.
            witness: Shared with the processes.
            channel: Descriptor of the driver's channel: when it closes, everything ends.
            memory_limit: Bytes that a process may hold resident.
            greet: Called with what a process says before its first test, where processes say
                something; False: it will run none.
        """
        self.launch = launch
        self.witness = witness
        self.channel = channel
        self.memory_limit = memory_limit
        self.greet = greet

    def process(self, batch: Batch) -> Iterator[dict[str, Any]]:
        """Run a batch in one process.

        Yields:
            Facts of each test, until the process ends; the last test may have ended it. Nothing
            where the process had said that it can't run tests.
        """
        child = self.launch(batch)
        reader = Reader(child.reports)
        try:
            if not self._greeted(child, reader):
                return
            for index, limit in zip(batch.tests, batch.limits, strict=True):
                facts = self._await(child, reader, limit)
                if facts is None or "killed" in facts:
                    yield self._ended(child, index, facts)
                    return
                yield facts
        finally:
            child.end()
            os.close(child.reports)

    def _greeted(self, child: Child, reader: Reader) -> bool:
        if self.greet is None:
            return True
        message = self._await(child, reader, GREETING)
        if message is None or "hello" not in message:
            raise NoGreetingError("hung" if message else "died")
        return self.greet(message["hello"])

    def _await(self, child: Child, reader: Reader, limit: float) -> dict[str, Any] | None:
        """The next message; None if the process ended; ``killed`` if it has to be."""
        started = monotonic()
        while True:
            message = reader.pop()
            if message is not None:
                return message
            if reader.closed:
                return None
            spent = monotonic() - started
            if spent > limit:
                return {"killed": "clock", "seconds": spent}
            if spent > _TICK and resident(child.pid) > self.memory_limit:
                return {"killed": "memory", "seconds": spent}
            if reader.wait(min(_TICK, limit - spent + 0.001), self.channel):
                reader.feed()
            elif _peer_closed(self.channel):
                raise DriverGoneError

    def _ended(self, child: Child, index: int, why: dict[str, Any] | None) -> dict[str, Any]:
        facts: dict[str, Any] = {"test": index, "entered": self.witness.entered}
        if why is not None:
            facts["verdict"] = why["killed"]
            facts["seconds"] = round(why["seconds"], 3)
            return facts
        status = child.wait()
        if status is None:
            return {**facts, "verdict": "lost", "detail": "the process is gone"}
        if os.WIFSIGNALED(status):
            return {**facts, "verdict": "died", "signal": os.WTERMSIG(status)}
        return {**facts, "verdict": "died", "detail": f"exit status {os.WEXITSTATUS(status)}"}


def _peer_closed(fd: int) -> bool:
    """Is the writing end of a pipe closed? There, reading would not block and gives nothing."""
    poller = select.poll()
    poller.register(fd, select.POLLIN | select.POLLHUP)
    return any(event & select.POLLHUP and not event & select.POLLIN for _, event in poller.poll(0))


def kill_group(pid: int) -> None:
    """Kill a process and its group."""
    for send in (os.killpg, os.kill):
        try:
            send(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


def resident(pid: int) -> int:
    """Bytes of memory that a process holds; 0 where the platform doesn't say."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, ValueError, IndexError):
        return 0
