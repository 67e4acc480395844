"""The record that a planted place was executed.

One shared byte stands for the planted defect of a trial. The marker that is woven into the
mutated code sets it; being shared memory, the byte can be read by the process that watches, even
where the one that ran the test died, and is set by children that the test forks.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable
from functools import partial

from redhanded_worker.offspring import Offspring


class Witness:
    """A byte that turns from 0 to 1 when the marker is called."""

    def __init__(self, path: str | None = None, offspring: Offspring | None = None) -> None:
        """Make the byte.

        Args:
            offspring: Speaks for the processes that tests start.
            path: A file to share the byte through with a process that is no child of this one;
                None shares it with forked children only.
        """
        self.offspring = offspring
        if path is None:
            self._memory = mmap.mmap(-1, mmap.PAGESIZE)
        else:
            with open(path, "r+b") as file:
                self._memory = mmap.mmap(file.fileno(), mmap.PAGESIZE)
        # A C callable without a Python frame: it takes no recursion depth, shows in no traceback
        # and returns None, so that ``marker() or expression`` is the expression.
        self.marker: Callable[[], None] = partial(struct.pack_into, "B", self._memory, 0, 1)

    @property
    def entered(self) -> bool:
        """The marker was called since the last :meth:`clear`."""
        if self.offspring is not None and self.offspring.entered:
            return True
        return self._memory[0] == 1

    def clear(self) -> None:
        """Forget."""
        self._memory[0] = 0
        if self.offspring is not None:
            self.offspring.forget()

    def restore(self, entered: bool) -> None:
        """Set the byte to what it was."""
        self._memory[0] = int(entered)
