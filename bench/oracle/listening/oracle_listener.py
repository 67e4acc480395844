"""A pytest plugin that writes down what happens, one JSON object a line.

Runs in the subject's interpreter, loaded by ``-p oracle_listener``. It decides nothing: which word
the reports of a test amount to is said in one place, in ``bench/oracle/words.py``.

Lines, by their ``kind``: ``session`` · ``collect_error`` · ``collected`` · ``start`` · ``test``.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

REPORT = "ORACLE_REPORT"
"""Environment variable: the file to write to."""
WANTED = "ORACLE_WANTED"
"""Environment variable: a file with a JSON list of the only ids to run; unset: all."""
MEMORY = "ORACLE_MEMORY"
"""Environment variable: bytes of address space that the process may have."""


class Listener:
    """Writes the lines.

    What it calls is bound when it is made: subjects replace ``open`` and clocks. The file is
    opened for each line: subjects close descriptors that they don't know.
    """

    def __init__(self, path: str, wanted: str | None) -> None:
        self._path = path
        self._calls: dict[str, Callable[..., Any]] = {
            "dumps": json.dumps,
            "open": os.open,
            "write": os.write,
            "close": os.close,
            "clock": time.perf_counter,
            "pid": os.getpid,
        }
        self._pid = os.getpid()
        self._wanted: set[str] | None = None
        if wanted:
            with open(wanted, encoding="utf-8") as file:
                self._wanted = set(json.load(file))
        self._collected: list[str] = []
        self._phases: list[dict[str, Any]] = []
        self._started = 0.0

    def write(self, kind: str, **fields: Any) -> None:
        """Write one line; a process forked by the subject writes none."""
        calls = self._calls
        if calls["pid"]() != self._pid:
            return
        line = calls["dumps"]({"kind": kind, **fields}) + "\n"
        fd = calls["open"](self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            calls["write"](fd, line.encode())
        finally:
            calls["close"](fd)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionstart(self) -> None:
        """Say who runs; one fixed seed for Hypothesis, whatever a conftest chose."""
        self.write("session", python=sys.version.split()[0], pytest=pytest.__version__)
        hypothesis = sys.modules.get("hypothesis")
        if hypothesis is not None:
            hypothesis.settings.register_profile(
                "oracle", deadline=None, database=None, derandomize=True
            )
            hypothesis.settings.load_profile("oracle")

    def pytest_collectreport(self, report: Any) -> None:
        """Note a file or a class that could not be collected."""
        if report.failed:
            text = str(report.longrepr).strip().splitlines()
            self.write("collect_error", id=report.nodeid, text=text[-1][:200] if text else "")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Keep the wanted tests only, in the order that they were collected in."""
        self._collected = [item.nodeid for item in items]
        if self._wanted is not None:
            items[:] = [item for item in items if item.nodeid in self._wanted]

    def pytest_collection_finish(self) -> None:
        """Say what was collected, before any selection of the oracle's."""
        self.write("collected", ids=self._collected)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test starts."""
        self._phases = []
        self._started = self._calls["clock"]()
        self.write("start", id=nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """A phase of a test, or a subtest in it, was reported."""
        crash = getattr(report.longrepr, "reprcrash", None)
        self._phases.append(
            {
                "when": report.when,
                "outcome": report.outcome,
                "xfail": hasattr(report, "wasxfail"),
                "subtest": "context" in vars(report),
                "text": str(getattr(crash, "message", "") or "").split("\n", 1)[0][:200],
            }
        )

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """A test is over."""
        seconds = self._calls["clock"]() - self._started
        self.write("test", id=nodeid, phases=self._phases, seconds=round(seconds, 6))


def pytest_configure(config: Any) -> None:
    """Register the listener and bound what the process may use."""
    limit = int(os.environ.get(MEMORY, "0"))
    if limit:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        # Nothing that hangs outlives an oracle that was killed by more than this.
        resource.setrlimit(resource.RLIMIT_CPU, (7200, 7200))
    listener = Listener(os.environ[REPORT], os.environ.get(WANTED))
    config.pluginmanager.register(listener, "oracle-listener")
