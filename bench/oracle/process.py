"""One fresh pytest process on one fresh copy of the tree, watched from outside."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from bench.oracle import tree
from bench.oracle.words import Cell, cell_of

_LISTENING: Final = Path(__file__).parent / "listening"
_POLL: Final = 0.05
_MEMORY: Final = 4 << 30

_OPTIONS: Final = (
    "-p", "oracle_listener",
    "-p", "no:cacheprovider",
    # What distributes, stops, repeats, measures or reorders tests.
    "-p", "no:xdist",
    "-p", "no:xdist.looponfail",
    "-p", "no:pytest_cov",
    "-p", "no:randomly",
    "-p", "no:random_order",
    "-p", "no:rerunfailures",
    "-p", "no:timeout",
    "--maxfail=0",
    # A file that can't be collected leaves only its own tests out.
    "--continue-on-collection-errors",
    "--tb=no", "-q", "--color=no",
)  # fmt: skip

_NOT_INHERITED: Final = ("PYTHON", "PYTEST", "COVERAGE", "COV_", "HYPOTHESIS", "VIRTUAL_ENV", "XDG")


@dataclass(frozen=True)
class Subject:
    """What is run."""

    tree: Path
    python: str
    """The interpreter, with pytest and what the suite needs installed."""
    args: tuple[str, ...]
    """pytest's arguments."""
    roots: tuple[str, ...]
    """Source roots relative to the tree; they come before installed packages."""


@dataclass(frozen=True)
class Caps:
    """When something is said to hang.

    Processor seconds count, so that a busy machine makes nothing hang; the wall clock is there for
    what waits without working.
    """

    startup: float = 60.0
    """Processor seconds outside tests: to collect, to end; twice as many on the wall clock."""
    test_cpu: float = 10.0
    test_wall: float = 60.0
    factor: float = 20.0
    """A test may also take this many times its seconds on the unmutated tree."""

    def after(self, timeouts: int) -> Caps:
        """Shorter ones, once many tests have hung on one mutant."""
        if timeouts < 3:
            return self
        cpu, wall = (3.0, 15.0) if timeouts < 10 else (1.0, 10.0)
        return Caps(self.startup, min(cpu, self.test_cpu), min(wall, self.test_wall), self.factor)


Ended = Literal["exited", "timeout", "died"]


@dataclass
class Report:
    """What one process did."""

    python: str = ""
    pytest: str = ""
    collected: list[str] | None = None
    """None where it never came so far."""
    errors: dict[str, str] = field(default_factory=dict)
    """Files that could not be collected, and why."""
    cells: dict[str, Cell] = field(default_factory=dict)
    twice: set[str] = field(default_factory=set)
    """Ids that more than one test ran under."""
    running: str | None = None
    """The test that started last and did not finish."""
    ended: Ended = "exited"
    how: str = ""
    """``signal 9``, ``exit code 2``, ``10 s of processor time``."""
    seconds: float = 0.0
    startup: float = 0.0
    """Seconds until the tests were collected."""


class Slot:
    """A place on disk where processes run, one after the other."""

    def __init__(self, place: Path, subject: Subject) -> None:
        self.place = place
        self.subject = subject
        place.mkdir(parents=True, exist_ok=True)

    def run(
        self,
        planted: Mapping[str, bytes],
        wanted: Iterable[str] | None,
        caps: Caps,
        baseline: Mapping[str, float],
    ) -> Report:
        """Run pytest once.

        Args:
            planted: Contents of files that differ from the tree's.
            wanted: Ids of the only tests to run; None: all.
            caps: When to end it.
            baseline: Seconds of each test on the unmutated tree.
        """
        copied = self.place / "tree"
        tree.copy(self.subject.tree, copied, planted)
        for name in ("home", "tmp"):
            if (self.place / name).exists():
                tree.remove(self.place / name)
            (self.place / name).mkdir()
        report_file = self.place / "report.jsonl"
        report_file.write_bytes(b"")
        environment = self._environment(copied, report_file, wanted)
        with (self.place / "output.txt").open("wb") as output:
            process = subprocess.Popen(
                [self.subject.python, "-m", "pytest", *_OPTIONS, *self.subject.args],
                cwd=copied,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
            watch = _Watch(process, report_file, caps, baseline)
            try:
                return watch.to_the_end()
            finally:
                # Whatever it started goes with it.
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def _environment(
        self, copied: Path, report_file: Path, wanted: Iterable[str] | None
    ) -> dict[str, str]:
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(_NOT_INHERITED)
        }
        roots = [str((copied / root).resolve()) for root in self.subject.roots]
        kept |= {
            "HOME": str(self.place / "home"),
            "TMPDIR": str(self.place / "tmp"),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(self.place / "tmp" / "hypothesis"),
            "PYTHONPATH": os.pathsep.join([*roots, str(_LISTENING)]),
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "ORACLE_REPORT": str(report_file),
            "ORACLE_MEMORY": str(_MEMORY),
        }
        if wanted is not None:
            file = self.place / "wanted.json"
            file.write_text(json.dumps(sorted(wanted)), encoding="utf-8")
            kept["ORACLE_WANTED"] = str(file)
        return kept


class _Watch:
    """Reads the report as it is written, and ends the process when it hangs."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        file: Path,
        caps: Caps,
        baseline: Mapping[str, float],
    ) -> None:
        self._process = process
        self._file = file
        self._caps = caps
        self._baseline = baseline
        self._read = 0
        self._report = Report()
        self._begun = time.monotonic()
        self._since = self._begun
        """When what is going on now began."""
        self._cpu = 0.0
        """Processor seconds used until then."""

    def to_the_end(self) -> Report:
        """Wait for the process; end it if it hangs."""
        hangs = ""
        while not hangs:
            try:
                code = self._process.wait(_POLL)
            except subprocess.TimeoutExpired:
                self._take()
                hangs = self._hangs()
            else:
                break
        if hangs:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            code = self._process.wait()
        self._take()
        report = self._report
        report.seconds = time.monotonic() - self._begun
        if hangs:
            report.ended, report.how = "timeout", hangs
        elif code < 0 or report.running is not None or report.collected is None:
            report.ended = "died"
            report.how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return report

    def _hangs(self) -> str:
        """How long it has been at one thing, where that is too long."""
        wall = time.monotonic() - self._since
        busy = self._processor() - self._cpu
        if self._report.running is None:
            # Starting, collecting, tidying up.
            if busy > self._caps.startup or wall > 2 * self._caps.startup:
                return f"{wall:.0f} s outside tests"
            return ""
        usual = self._caps.factor * self._baseline.get(self._report.running, 0.0)
        if busy > max(self._caps.test_cpu, usual):
            return f"{busy:.0f} s of processor time"
        if wall > max(self._caps.test_wall, usual):
            return f"{wall:.0f} s"
        return ""

    def _processor(self) -> float:
        try:
            stat = Path(f"/proc/{self._process.pid}/stat").read_text(
                encoding="ascii", errors="replace"
            )
        except OSError:
            return self._cpu  # it has just ended
        fields = stat.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _take(self) -> None:
        """Take the lines that were written since the last time."""
        with self._file.open("rb") as file:
            file.seek(self._read)
            whole, line_feed, _ = file.read().rpartition(b"\n")
        if not line_feed:
            return
        self._read += len(whole) + 1
        for line in whole.split(b"\n"):
            self._line(json.loads(line))
        self._since = time.monotonic()
        self._cpu = self._processor()

    def _line(self, line: Mapping[str, Any]) -> None:
        report = self._report
        kind = line["kind"]
        if kind == "session":
            report.python, report.pytest = line["python"], line["pytest"]
        elif kind == "collect_error":
            report.errors[line["id"]] = line["text"]
        elif kind == "collected":
            report.collected = line["ids"]
            report.startup = time.monotonic() - self._begun
        elif kind == "start":
            report.running = line["id"]
        elif kind == "test":
            if line["id"] in report.cells:
                report.twice.add(line["id"])
            report.cells[line["id"]] = cell_of(line["phases"], line["seconds"])
            report.running = None
