"""One run at a time in a directory."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

from redhanded.errors import UsageError


class DirectoryLock:
    """Holds a lock file for the life of a process.

    The kernel lets go of the lock when its holder ends, however it ends, so a lock file left by
    a dead run never keeps anybody out; the process id in it is only there to be told.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd: int | None = None

    def acquire(self) -> None:
        """Take the lock.

        Raises:
            UsageError: Another run holds it, or this file system knows no locks.
        """
        fd = self._open()
        while not self._is_there(fd):
            # The holder took the file away between our opening and our locking it.
            os.close(fd)
            fd = self._open()
        os.ftruncate(fd, 0)
        os.pwrite(fd, f"{os.getpid()}\n".encode(), 0)
        self._fd = fd

    def _open(self) -> int:
        try:
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise UsageError(
                f"can't write to {self.path.parent}: {error.strerror}",
                hint="choose a folder that can be written to with --out DIR",
            ) from None
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(fd, 32).decode("ascii", "replace").strip() or "unknown"
            os.close(fd)
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                raise UsageError(
                    f"{self.path.parent} is in use by another run (process {holder})",
                    hint="wait until it ends, or choose another directory",
                ) from None
            raise UsageError(
                f"can't lock {self.path}: {error.strerror}",
                hint="choose a folder on a local file system with --out DIR",
            ) from None
        return fd

    def _is_there(self, fd: int) -> bool:
        try:
            return os.path.samestat(os.fstat(fd), os.stat(self.path))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Let go of the lock and take the file away."""
        if self._fd is None:
            return
        # Unlinked while still held: who opened it before must not lock a file nobody sees.
        self.path.unlink(missing_ok=True)
        os.close(self._fd)
        self._fd = None
