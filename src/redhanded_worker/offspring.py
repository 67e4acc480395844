"""Plants a mutant also in the Python processes that tests start.

A ``sitecustomize`` of ours, on the path that such processes inherit, loads the mutated file from
planted code and sets the witness in a file that both sides map. A process that doesn't heed the
environment, or runs another version of Python, is left alone, and its test is then no evidence.
"""

from __future__ import annotations

import contextlib
import importlib.util
import marshal
import mmap
import os
import tempfile
from types import CodeType
from typing import Final

from redhanded_worker import weave

_ENTERED, _LOADED = 0, 1


class Offspring:
    """What the processes that tests of one session start are to plant, and what they report."""

    def __init__(self) -> None:
        self._folder = tempfile.mkdtemp(prefix="redhanded-")
        flags = os.path.join(self._folder, "flags")
        with open(flags, "wb") as file:
            file.write(b"\0" * mmap.PAGESIZE)
        with open(flags, "r+b") as file:
            self._memory = mmap.mmap(file.fileno(), mmap.PAGESIZE)
        with open(os.path.join(self._folder, "sitecustomize.py"), "w", encoding="utf-8") as text:
            text.write(_SITE)

    def inherit(self) -> None:
        """Let processes that are started from now on find this."""
        path = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = self._folder + (os.pathsep + path if path else "")

    def plant(self, path: str, code: CodeType) -> None:
        """Choose what they load a file from.

        Args:
            path: Real path of the file.
            code: The whole module's code, woven and not bound.
        """
        self.restore(importlib.util.MAGIC_NUMBER + marshal.dumps((path, code, weave.ENTER)))

    def plan(self) -> bytes | None:
        """What is planted now, for :meth:`restore`; None: nothing."""
        try:
            with open(os.path.join(self._folder, "plan"), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def restore(self, plan: bytes | None) -> None:
        """Plant what was planted before."""
        place = os.path.join(self._folder, "plan")
        if plan is None:
            with contextlib.suppress(FileNotFoundError):
                os.remove(place)
            return
        with open(place + ".new", "wb") as file:
            file.write(plan)
        os.replace(place + ".new", place)

    def clear(self) -> None:
        """Plant nothing."""
        self.restore(None)

    def forget(self) -> None:
        """A test starts: forget what earlier ones' processes did."""
        self._memory[_ENTERED] = self._memory[_LOADED] = 0

    @property
    def entered(self) -> bool:
        """A process executed the planted place since :meth:`forget`."""
        return self._memory[_ENTERED] == 1

    @property
    def loaded(self) -> bool:
        """A process loaded the planted file since :meth:`forget`."""
        return self._memory[_LOADED] == 1


_SITE: Final = """\
import sys


def _plant():
    import importlib.machinery
    import importlib.util
    import marshal
    import mmap
    import os
    import struct
    from functools import partial

    here = os.path.dirname(os.path.abspath(__file__))
    try:
        with open(os.path.join(here, "plan"), "rb") as file:
            data = file.read()
    except OSError:
        return
    if data[:4] != importlib.util.MAGIC_NUMBER:
        return
    path, code, enter = marshal.loads(data[4:])
    with open(os.path.join(here, "flags"), "r+b") as file:
        memory = mmap.mmap(file.fileno(), mmap.PAGESIZE)
    marker = partial(struct.pack_into, "B", memory, 0, 1)
    kind = type(code)

    def bind(code):
        consts = []
        for const in code.co_consts:
            if isinstance(const, kind):
                const = bind(const)
            elif isinstance(const, str) and const == enter:
                const = marker
            consts.append(const)
        return code.replace(co_consts=tuple(consts))

    bound = bind(code)
    folder, name = os.path.split(path)
    stem = os.path.splitext(name)[0]
    stems = {os.path.basename(folder), stem} if stem == "__init__" else {stem}
    realpath = os.path.realpath
    Source = importlib.machinery.SourceFileLoader

    class Loader(Source):
        def get_code(self, fullname):
            memory[1] = 1
            return bound

    class Finder:
        busy = False

        def find_spec(self, fullname, where, target=None):
            if self.busy or fullname.rpartition(".")[2] not in stems:
                return None
            self.busy = True
            try:
                for finder in sys.meta_path:
                    if finder is self or not hasattr(finder, "find_spec"):
                        continue
                    spec = finder.find_spec(fullname, where, target)
                    if spec is not None:
                        break
                else:
                    return None
            finally:
                self.busy = False
            if isinstance(spec.origin, str) and type(spec.loader) is Source:
                if realpath(spec.origin) == path:
                    spec.loader = Loader(fullname, spec.origin)
            return spec

    sys.meta_path.insert(0, Finder())


def _others():
    import importlib.machinery
    import importlib.util
    import os

    here = os.path.dirname(os.path.abspath(__file__))
    rest = [path for path in sys.path if os.path.abspath(path or os.curdir) != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", rest)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


_plant()
_others()
"""
