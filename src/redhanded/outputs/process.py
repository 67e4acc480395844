"""A process for one case, forked from the one that has loaded the suite."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import signal
import socket
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from typing import IO, Final, NoReturn
from weakref import WeakSet

from redhanded.model.graded import Entry
from redhanded.outputs.adapters.base import Asked
from redhanded.outputs.case import Case
from redhanded.outputs.desk import Desk
from redhanded.outputs.planner import CasePlan
from redhanded.outputs.wire import (
    Ask,
    Buffer,
    Entered,
    Message,
    Question,
    decode_question,
    failed,
    framed,
)

TAIL: Final = 400
"""Characters of what a grader printed that are kept, where its process dies."""
PATIENCE: Final = 2.0
"""Seconds that a process which has hung up is given to end."""

_LINKS: Final[WeakSet[socket.socket]] = WeakSet()
"""Ends of ours to other processes: a child that kept them would keep these alive after us."""


def can_fork() -> bool:
    """Can a process be forked here that is safe to run graders in?

    Python's own threads hold locks that a fork would leave held for ever.
    """
    return hasattr(os, "fork") and threading.active_count() == 1


class Process:
    """One forked process, as its parent sees it."""

    def __init__(self, plan: CasePlan, opener: Callable[[Case], Asked]) -> None:
        ours, theirs = socket.socketpair()
        self.printed: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            # Threads that aren't Python's, of numerical libraries, take care of forks themselves.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.pid = os.fork()
        if self.pid == 0:
            for link in (ours, *_LINKS):
                link.close()
            _child(theirs, self.printed, plan, opener)
        theirs.close()
        ours.setblocking(False)
        _LINKS.add(ours)
        self._socket = ours
        self._buffer = Buffer()
        self._ended = False

    def fileno(self) -> int:
        """For select."""
        return self._socket.fileno()

    def send(self, question: Question) -> None:
        """Ask something; a process that died is noticed when it is read from."""
        self._socket.setblocking(True)
        with contextlib.suppress(OSError):
            self._socket.sendall(framed(question))
        self._socket.setblocking(False)

    def receive(self) -> list[Message] | None:
        """What has arrived; None where the process has ended."""
        try:
            data = self._socket.recv(1 << 16)
        except BlockingIOError:
            return []
        except OSError:
            return None
        return self._buffer.feed(data) if data else None

    def kill(self) -> None:
        """End it, and all that it started."""
        if not self._ended:
            _kill(self.pid)
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self._close()

    def buried(self) -> str:
        """Say how a process ended that has hung up by itself."""
        status = self._status()
        if status is None:
            self.kill()
            return "closed its end and was killed"
        _kill(self.pid)
        tail = self._tail()
        self._close()
        code = os.waitstatus_to_exitcode(status)
        ended = f"ended with exit code {code}" if code >= 0 else f"died of signal {-code}"
        return f"{ended}; it had printed: {tail}" if tail else ended

    def _status(self) -> int | None:
        """Its exit status; the end of its socket may be seen a moment before."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return status
            time.sleep(0.002)
        return None

    def _close(self) -> None:
        self._ended = True
        self._socket.close()
        self.printed.close()

    def _tail(self) -> str:
        with contextlib.suppress(OSError, ValueError):
            size = os.fstat(self.printed.fileno()).st_size
            found = os.pread(self.printed.fileno(), 4 * TAIL, max(0, size - 4 * TAIL))
            return " ".join(found.decode("utf-8", "replace").split())[-TAIL:]
        return ""


def _kill(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _child(
    link: socket.socket, printed: IO[bytes], plan: CasePlan, opener: Callable[[Case], Asked]
) -> NoReturn:
    """Be the process: never returns, and runs nothing that the parent has yet to run."""
    code = 70
    try:
        # A group of its own: what a grader starts ends with it, and a keyboard interrupt is
        # the parent's to deal with.
        os.setpgid(0, 0)
        _die_with_parent()
        _capture(printed)
        asyncio._set_running_loop(None)
        asyncio.run(_serve(link, printed.fileno(), plan, opener))
        code = 0
    except BaseException:
        with contextlib.suppress(BaseException):
            sys.excepthook(*sys.exc_info())
            sys.stderr.flush()
    finally:
        os._exit(code)


def _die_with_parent() -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def _capture(printed: IO[bytes]) -> None:
    """Whatever is printed, by Python or not, goes to the file; nothing can be read."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    for stream in (1, 2):
        os.dup2(printed.fileno(), stream)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", buffering=1, errors="replace", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="replace", closefd=False)  # noqa: SIM115


async def _serve(
    link: socket.socket, printed: int, plan: CasePlan, opener: Callable[[Case], Asked]
) -> None:
    """Answer questions until there are none."""
    lock = threading.Lock()

    def send(message: Message) -> None:
        with lock:
            link.sendall(framed(message))

    sent = False

    def entered(entry: Entry) -> None:
        nonlocal sent
        if not sent:
            sent = True
            send(Entered(entry))

    desk = Desk(plan, opener, entered)
    loop = asyncio.get_running_loop()
    while True:
        question = await _receive(loop, link)
        if question is None:
            return
        sent = False
        os.ftruncate(printed, 0)
        os.lseek(printed, 0, os.SEEK_SET)
        if isinstance(question, Ask):
            reply = await desk.call(question)
            try:
                send(reply)
            except (TypeError, ValueError, OverflowError) as error:
                send(failed(f"what came back can't be stored: {error}"))
        else:
            send(desk.open())


async def _receive(loop: asyncio.AbstractEventLoop, link: socket.socket) -> Question | None:
    """The next question; other tasks go on meanwhile."""
    head = await _exactly(loop, link, 4)
    if head is None:
        return None
    body = await _exactly(loop, link, int.from_bytes(head, "big"))
    return None if body is None else decode_question(body)


async def _exactly(loop: asyncio.AbstractEventLoop, link: socket.socket, size: int) -> bytes | None:
    found = b""
    while len(found) < size:
        link.setblocking(False)
        try:
            data = await loop.sock_recv(link, size - len(found))
        finally:
            link.setblocking(True)
        if not data:
            return None
        found += data
    return found
