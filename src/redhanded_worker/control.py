"""What a test does when nothing is planted: lines it executes, files it opens, programs it starts.

Lines are recorded in the target files only: with ``sys.monitoring`` from Python 3.12 on, each
line once per test; with a trace function before.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterable, Iterator
from types import CodeType, FrameType
from typing import Any, Final

from redhanded_worker.plant import is_function

_TOOL: Final = 3
_SPAWNS: Final = frozenset(
    {"subprocess.Popen", "os.posix_spawn", "os.exec", "os.system", "os.spawn"}
)

_ENOUGH: Final = 400
"""Line events of one code object in one test after which, before Python 3.12, all of its lines
count as executed: a trace function is too dear for the rest, and too many tests are selected
rather than too few."""

Lines = set[tuple[int, int]]
"""Pairs of file number and line."""


class LineTracer:
    """Collects executed lines of chosen files into a set that can be exchanged."""

    def __init__(self, files: dict[str, int]) -> None:
        """Choose files.

        Args:
            files: Number of each target file by its real path.
        """
        self.lines: Lines = set()
        self.functions_only = False
        """Leave out module and class bodies."""
        self._files = files
        self._numbers: dict[str, int] = {}
        self._seen: dict[int, CodeType] = {}
        self._events: dict[CodeType, int] = {}

    def _number(self, code: CodeType) -> int:
        """Number of a code object's file; -1 where it is no target."""
        name = code.co_filename
        number = self._numbers.get(name)
        if number is None:
            path = os.path.realpath(name)
            number = self._numbers[name] = self._files.get(path, -1)
        return number

    def start(self) -> None:
        """Begin."""
        if sys.version_info >= (3, 12):
            monitoring = sys.monitoring
            monitoring.use_tool_id(_TOOL, "redhanded-control")
            monitoring.register_callback(_TOOL, monitoring.events.PY_START, self._on_start)
            monitoring.register_callback(_TOOL, monitoring.events.PY_RESUME, self._on_start)
            monitoring.register_callback(_TOOL, monitoring.events.LINE, self._on_line)
            monitoring.set_events(_TOOL, monitoring.events.PY_START | monitoring.events.PY_RESUME)
        else:
            threading.settrace(self._trace)
            sys.settrace(self._trace)

    def stop(self) -> None:
        """End."""
        if sys.version_info >= (3, 12):
            monitoring = sys.monitoring
            monitoring.set_events(_TOOL, 0)
            for code in self._seen.values():
                monitoring.set_local_events(_TOOL, code, 0)
            monitoring.free_tool_id(_TOOL)
        else:
            sys.settrace(None)
            threading.settrace(None)

    def fresh(self) -> Lines:
        """Start a new set.

        Returns:
            The one filled so far.
        """
        lines, self.lines = self.lines, set()
        self._events.clear()
        if sys.version_info >= (3, 12):
            sys.monitoring.restart_events()
        return lines

    def _on_start(self, code: CodeType, offset: int) -> Any:
        if sys.version_info < (3, 12):
            return None
        number = self._number(code)
        if number >= 0 and id(code) not in self._seen:
            self._seen[id(code)] = code
            sys.monitoring.set_local_events(_TOOL, code, sys.monitoring.events.LINE)
        if number >= 0 and not (self.functions_only and not is_function(code)):
            # A generator's or lambda's first line may have no line event of its own.
            self.lines.add((number, code.co_firstlineno))
        return sys.monitoring.DISABLE

    def _on_line(self, code: CodeType, line: int) -> Any:
        if sys.version_info < (3, 12):
            return None
        if not self.functions_only or is_function(code):
            self.lines.add((self._number(code), line))
        return sys.monitoring.DISABLE

    def _trace(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        number = self._number(code)
        if number < 0 or (self.functions_only and not is_function(code)):
            return None
        if self._events.get(code, 0) > _ENOUGH:
            return None
        self.lines.add((number, frame.f_lineno))
        frame.f_trace_lines = True  # a generator that was given up on in an earlier test
        return self._inside

    def _inside(self, frame: FrameType, event: str, _: Any) -> Any:
        if event != "line":
            return self._inside
        code = frame.f_code
        number = self._number(code)
        self.lines.add((number, frame.f_lineno))
        seen = self._events[code] = self._events.get(code, 0) + 1
        if seen <= _ENOUGH:
            return self._inside
        self.lines.update((number, line) for _, _, line in code.co_lines() if line)
        frame.f_trace_lines = False
        return None


class Audit:
    """Files below the tree that are opened, and programs that are started.

    An audit hook can't be removed, only told to do nothing.
    """

    def __init__(self, tree: str) -> None:
        self.opened: set[str] = set()
        self.spawned = False
        self._on = True
        self._tree = os.path.realpath(tree) + os.sep

    def install(self) -> None:
        """Begin."""
        sys.addaudithook(self._on_event)

    def off(self) -> None:
        """See nothing any more."""
        self._on = False

    def fresh(self) -> tuple[set[str], bool]:
        """Start anew.

        Returns:
            Relative paths opened, and whether a program was started, since the last call.
        """
        seen = self.opened, self.spawned
        self.opened, self.spawned = set(), False
        return seen

    def _note(self, name: str) -> None:
        try:
            path = os.path.join(os.getcwd(), name)
        except OSError:  # the working directory is gone
            return
        if not path.startswith(self._tree):
            return
        folder, base = os.path.split(path[len(self._tree) :])
        if os.path.basename(folder) == "__pycache__":
            folder, base = os.path.dirname(folder), base.split(".")[0] + ".py"
        self.opened.add(os.path.join(folder, base))

    def _on_event(self, event: str, args: tuple[Any, ...]) -> None:
        if not self._on:
            return
        if event == "open":
            name = args[0]
            if isinstance(name, (str, bytes)):
                self._note(os.fsdecode(name))
        elif event in _SPAWNS:
            self.spawned = True


class Children:
    """Files that Python processes started by tests have loaded.

    A ``sitecustomize`` of ours, on the path that children inherit, writes them down when a child
    ends. Children that ignore the environment are not seen.
    """

    def __init__(self, folder: str) -> None:
        """Prepare.

        Args:
            folder: A new folder of ours.
        """
        self._log = os.path.join(folder, "loaded.txt")
        with open(os.path.join(folder, "sitecustomize.py"), "w", encoding="utf-8") as file:
            file.write(_SITE.format(log=self._log))
        path = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = folder + (os.pathsep + path if path else "")

    def fresh(self) -> set[str]:
        """Real paths of files loaded since the last call."""
        try:
            with open(self._log, encoding="utf-8", errors="surrogateescape") as file:
                found = set(file.read().splitlines())
            os.remove(self._log)
        except OSError:
            return set()
        return found


_SITE: Final = """\
import atexit, os, sys

def _tell():
    names = [getattr(m, "__file__", None) for m in list(sys.modules.values())]
    lines = [os.path.realpath(n) for n in names if isinstance(n, str)]
    with open({log!r}, "a", encoding="utf-8", errors="surrogateescape") as file:
        file.write("".join(line + "\\n" for line in lines))

atexit.register(_tell)
"""


def ranges(lines: Iterable[int]) -> Iterator[list[int]]:
    """Lines as first and last of each run."""
    first = last = None
    for line in sorted(lines):
        if last is not None and line == last + 1:
            last = line
            continue
        if first is not None:
            yield [first, last or first]
        first = last = line
    if first is not None:
        yield [first, last or first]


class Points:
    """Places that a control is asked about."""

    def __init__(self, points: list[list[int]]) -> None:
        """Index them.

        Args:
            points: File number, first and last line of each.
        """
        self._by_line: dict[tuple[int, int], list[int]] = {}
        for index, (file, first, last) in enumerate(points):
            for line in range(first, last + 1):
                self._by_line.setdefault((file, line), []).append(index)

    def hit(self, lines: Lines) -> list[int]:
        """Indexes of the points of which some line was executed."""
        found: set[int] = set()
        for line in lines:
            found.update(self._by_line.get(line, ()))
        return sorted(found)
