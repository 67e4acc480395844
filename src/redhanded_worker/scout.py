"""The control: every test once, nothing planted, and what it executes, opens and starts."""

from __future__ import annotations

import linecache
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from redhanded_worker.control import Audit, Children, Lines, LineTracer, Points, ranges
from redhanded_worker.plugin import Plugin, fixtures_of, run_one
from redhanded_worker.suite import Suite, map_tests

Tell = Callable[[dict[str, Any]], None]


class Scout:
    """Collects under a tracer, then runs the control in the same process."""

    def __init__(
        self, suite: Suite, request: Mapping[str, Any], ids: list[str], audit: Audit
    ) -> None:
        """Take a request.

        Args:
            suite: Not collected yet.
            request: ``tests`` (numbers, or null for all), ``points`` (see
                :class:`~redhanded_worker.control.Points`), ``lines`` (report executed lines).
            ids: The driver's numbering of tests; empty: this process' own.
            audit: At work since before pytest was set up.
        """
        self.suite = suite
        self._tests: list[int] | None = request.get("tests")
        self._points = Points(request.get("points") or [])
        self._want_lines = bool(request.get("lines"))
        self._ids = ids
        self._targets = suite.setting.targets
        files = {suite.setting.path(name): at for at, name in enumerate(self._targets)}
        self._tracer = LineTracer(files)
        self._audit = audit
        self._fixture_lines: dict[int, Lines] = {}
        self._outer: list[Lines] = []
        self._module_files: dict[str, set[str]] = {}
        self._common_files: set[str] = set()

    def start(self) -> None:
        """Begin to trace; what is collected from now on is seen."""
        self._children = Children(tempfile.mkdtemp(prefix="redhanded-"))
        self._tracer.functions_only = True
        self._tracer.start()

    def run(self, plugin: Plugin, tell: Tell) -> None:
        """Run the control.

        Args:
            plugin: Has collected.
            tell: Receives each message.
        """
        state = self.suite.state()
        self.suite.prepare_tests()
        opened, _ = self._audit.fresh()
        self._common_files |= opened
        at_import = self._tracer.fresh()
        self._tracer.functions_only = False
        plugin.on_fixture = self._on_fixture
        ids = [item.nodeid for item in plugin.items]
        mapped = map_tests(self._ids or ids, ids)
        wanted = list(mapped) if self._tests is None else [t for t in self._tests if t in mapped]
        tell({"scouting": {
            "tests": ids,
            "errors": plugin.errors,
            "import_points": self._points.hit(at_import),
            "import_lines": self._by_file(at_import) if self._want_lines else None,
            "state": state,
            "common_files": sorted(self._common_files)}})  # fmt: skip
        handlers = _Handlers(self.suite)
        for at, index in enumerate(wanted):
            following = mapped[wanted[at + 1]] if at + 1 < len(wanted) else None
            message = self._one(plugin, index, mapped[index], following)
            message["handlers"] = handlers.in_files_of(plugin.items[mapped[index]])
            tell(message)
        tell({"done": True})

    def _one(self, plugin: Plugin, name: int, index: int, following: int | None) -> dict[str, Any]:
        linecache.clearcache()  # a test that reads source again is to be seen doing so
        self._audit.fresh()
        self._tracer.fresh()
        facts = run_one(plugin, index, following)
        facts["test"] = name
        lines = self._tracer.fresh()
        opened, spawned = self._audit.fresh()
        item = plugin.items[index]
        loaded = self._children.fresh() if spawned else set()
        for fixture in fixtures_of(item):
            lines |= self._fixture_lines.get(fixture, set())
        message: dict[str, Any] = {
            "facts": facts,
            "hits": self._points.hit(lines),
            "files": sorted(opened | self._files_of(item)),
            "reads": not opened.isdisjoint(self._targets),
            "spawned": spawned,
            "children": [name for name in self._targets if self.suite.setting.path(name) in loaded],
        }
        if self._want_lines:
            message["lines"] = self._by_file(lines)
        return message

    def _by_file(self, lines: Iterable[tuple[int, int]]) -> dict[str, list[list[int]]]:
        by_file: dict[str, list[int]] = {}
        for file, line in lines:
            by_file.setdefault(self._targets[file], []).append(line)
        return {name: list(ranges(found)) for name, found in by_file.items()}

    def _on_fixture(self, fixture: Any, before: bool) -> None:
        """Credit what a wide fixture's setup executes to all tests that use it."""
        if before:
            self._outer.append(self._tracer.fresh())
            return
        lines = self._tracer.fresh()
        self._fixture_lines.setdefault(id(fixture), set()).update(lines)
        self._tracer.lines = self._outer.pop() | lines

    def _files_of(self, item: Any) -> set[str]:
        return self._module_files.get(item.nodeid.split("::", 1)[0], set())

    def on_collect(self, collector: Any, before: bool) -> None:
        """Credit files opened while a module is collected to its tests."""
        opened, _ = self._audit.fresh()
        node = collector.nodeid.split("::", 1)[0]
        if before or not node.endswith(".py"):
            self._common_files |= opened
        else:
            self._module_files.setdefault(node, set()).update(opened)


class _Handlers:
    """Which files of test code catch exceptions by themselves."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._known: dict[str, bool] = {}
        self._shared = any(
            self._has(os.path.join(suite.setting.tree, name)) for name in self._support_files()
        )

    def _support_files(self) -> list[str]:
        found = []
        for module in list(sys.modules.values()):
            file = getattr(module, "__file__", None)
            if isinstance(file, str) and file.endswith("conftest.py"):
                if self._suite.owners.of(file)[0] == "test":
                    found.append(file)
        return found

    def in_files_of(self, item: Any) -> bool:
        """Does the test's own file, or a conftest, hold an ``except`` or ``suppress``?"""
        return self._shared or self._has(str(getattr(item, "path", None) or item.fspath))

    def _has(self, path: str) -> bool:
        if path not in self._known:
            try:
                with open(path, "rb") as file:
                    text = file.read()
                self._known[path] = b"except" in text or b"suppress" in text
            except OSError:
                self._known[path] = True
        return self._known[path]
