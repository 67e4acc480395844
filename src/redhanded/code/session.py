"""Speaks to one worker: a scratch tree, a base process and a collected suite."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import msgspec

import redhanded
from redhanded.errors import UnavailableError, UnwitnessedError
from redhanded.model.facts import Facts
from redhanded.model.mutant import Mutant

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


@dataclass(frozen=True)
class Collected:
    """A collected suite."""

    tests: tuple[str, ...]
    """Node ids in collection order; equal ids are possible."""
    errors: tuple[str, ...]
    loaded: Mapping[str, bool]
    """Is the target file's module loaded once the suite is collected?"""
    strangers: Mapping[str, str]
    """Targets whose module was imported from elsewhere."""
    threads: int
    neutralised: tuple[str, ...] = ()


@dataclass(frozen=True)
class ControlFacts:
    """What one test did in the control."""

    facts: Facts
    hits: frozenset[int]
    """Points reached."""
    files: frozenset[str]
    """Files of the tree that its module's collection and its run opened."""
    reads: bool
    """Its run itself opened a target file."""
    spawned: bool
    """It started other programs."""
    children: frozenset[str]
    """Targets that Python processes started by it have loaded."""
    handlers: bool
    """Its file, or a conftest, catches exceptions."""
    lines: Mapping[str, tuple[tuple[int, int], ...]] | None = None


@dataclass
class Scouted:
    """A whole control."""

    tests: tuple[str, ...]
    errors: tuple[str, ...]
    import_points: frozenset[int]
    """Points that ran before the first test."""
    state: str | None
    """Fingerprint of what collection left in the tree's modules; None where it can't be told."""
    common_files: frozenset[str]
    """Files that configuration and conftests opened."""
    by_test: dict[int, ControlFacts] = field(default_factory=dict)


@dataclass(frozen=True)
class Planted:
    """How a trial's defect was planted, or why it was not."""

    path: str | None
    """``swap``, ``import`` or ``process``; None where it could not be planted."""
    error: str | None = None
    """``no trace``: see ``unless_state`` of :meth:`Session.trial`."""
    unviable: str | None = None
    vanished: tuple[int, ...] = ()
    """Selected tests that were not collected under the mutant."""
    collect_errors: tuple[str, ...] = ()
    entered_at_import: bool = False


Go = Callable[[Facts], bool]


class Session:
    """One worker process and what it collected.

    Raises:
        UnavailableError: The worker can't start, or the suite can't be collected.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        home = setup.home or setup.tree.parent / (setup.tree.name + ".home")
        for part in ("home", "tmp"):
            (home / part).mkdir(parents=True, exist_ok=True)
        self._home = home
        self.log = home / "worker.log"
        self._process, self._base, self._suite = self._start()
        self._one_at_a_time = threading.Lock()
        self._held: Mapping[str, Any] | None = None
        self.collected: Collected | None = None
        self.python = ""
        self.pytest = ""
        self._open()

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

    def _start(self) -> tuple[subprocess.Popen[bytes], _Channel, _Channel]:
        pipes = [os.pipe() for _ in range(4)]
        base_in, base_out, suite_in, suite_out = pipes
        theirs = [base_in[0], base_out[1], suite_in[0], suite_out[1]]
        log: IO[bytes]
        with open(self.log, "ab") as log:
            process = subprocess.Popen(
                [str(self.setup.python), str(worker_main()), "serve", *map(str, theirs)],
                cwd=self.setup.tree,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=theirs,
                start_new_session=True,
            )
        for fd in theirs:
            os.close(fd)
        return process, _Channel(base_out[0], base_in[1]), _Channel(suite_out[0], suite_in[1])

    def _open(self) -> None:
        setup = self.setup
        setting = {
            "tree": str(setup.tree),
            "roots": [str(root) for root in setup.roots],
            "targets": list(setup.targets),
            "subject": list(setup.subject),
            "args": list(setup.pytest_args),
            "memory_limit": setup.memory_limit,
        }
        answer = self._ask(self._base, {"op": "open", "setting": setting})
        self.python = answer["opened"]["python"]
        self.pytest = answer["opened"]["pytest"]

    def collect(self) -> Collected:
        """Collect the suite in a process that runs nothing.

        Raises:
            UnavailableError: pytest ended before it could collect.
        """
        self._ask(self._base, {"op": "collect"})
        message = self._receive(self._suite)
        if "failed" in message:
            errors = "; ".join(message.get("errors", ())) or self.log_tail()
            raise UnavailableError(
                f"expected pytest to collect the suite, but {message['failed']}: {errors}",
                hint="run the project's own pytest command in a clean checkout; does it pass?",
            )
        told = message["collected"]
        self.collected = Collected(
            tests=tuple(told["tests"]),
            errors=tuple(told["errors"]),
            loaded=told["loaded"],
            strangers=told["strangers"],
            threads=told["threads"],
            neutralised=tuple(told["neutralised"]),
        )
        self._ask(self._base, {"op": "suite_ids", "ids": told["tests"]})
        return self.collected

    def scout(
        self,
        points: Sequence[tuple[str, int, int]] = (),
        tests: Sequence[int] | None = None,
        *,
        lines: bool = False,
        progress: Callable[[], None] = lambda: None,
    ) -> Scouted:
        """Run the control under a tracer.

        Args:
            points: File, first and last line of places to ask about.
            tests: Numbers of tests; None: all.
            lines: Report the lines of the targets that each test executes.
            progress: Called after each test.
        """
        numbers = {name: at for at, name in enumerate(self.setup.targets)}
        asked = [[numbers[file], first, last] for file, first, last in points]
        assert self.collected is not None
        wanted = list(range(len(self.collected.tests))) if tests is None else list(tests)
        scouted: Scouted | None = None
        while True:
            request = {"op": "control", "tests": wanted, "points": asked, "lines": lines,
                       "state": self.setup.fork}  # fmt: skip
            part, broken = self._scout_once(request, progress)
            if scouted is None:
                scouted = part
            elif part is not None:
                scouted.by_test.update(part.by_test)
            if broken is None or scouted is None:
                break
            done = part.by_test if part is not None else {}
            rest = [index for index in wanted if index not in done]
            if not rest:
                break
            scouted.by_test[rest[0]] = _dead(rest[0], broken)
            wanted = rest[1:]
            if not wanted:
                break
        if scouted is None:
            raise UnavailableError(
                f"the control could not collect the suite: {self.log_tail()}",
                hint="run the project's own pytest command in a clean checkout; does it pass?",
            )
        return scouted

    def _scout_once(
        self, request: dict[str, Any], progress: Callable[[], None]
    ) -> tuple[Scouted | None, str | None]:
        self._release()
        self._base.send(request)
        scouted: Scouted | None = None
        while True:
            message = self._receive(self._base)
            if "scouting" in message:
                told = message["scouting"]
                scouted = Scouted(
                    tests=tuple(told["tests"]),
                    errors=tuple(told["errors"]),
                    import_points=frozenset(told["import_points"]),
                    state=told["state"],
                    common_files=frozenset(told["common_files"]),
                )
            elif "facts" in message and scouted is not None:
                facts, _ = _facts(message["facts"])
                lines = message.get("lines")
                scouted.by_test[facts.test] = ControlFacts(
                    facts=facts,
                    hits=frozenset(message["hits"]),
                    files=frozenset(message["files"]),
                    reads=message["reads"],
                    spawned=message["spawned"],
                    children=frozenset(message["children"]),
                    handlers=message["handlers"],
                    lines=None
                    if lines is None
                    else {name: tuple(map(tuple, found)) for name, found in lines.items()},
                )
                progress()
            elif "done" in message:
                return scouted, None
            elif "broken" in message:
                return scouted, str(message["broken"])
            elif "failed" in message:
                # the scout itself ends normally after this
                return scouted, None if scouted else str(message["failed"])

    def trial(
        self,
        plant: Mapping[str, Any],
        tests: Sequence[int],
        limits: Sequence[float],
        *,
        at_import: bool = False,
        unless_state: str | None = None,
        go: Go | None = None,
        stop_on_failure: bool = True,
        strict: bool = True,
        swallowed: bool = False,
        count: bool = False,
        count_limit: int | None = None,
    ) -> tuple[Planted, list[Facts], dict[int, int]]:
        """Run tests on something planted.

        Args:
            plant: What; see :func:`mutant_plant`, :func:`placebo_plant`, :func:`canary_plant`.
            tests: Their numbers, in the order to run them.
            limits: Seconds that each may take before it is called slow.
            at_import: Plant at import, in a process that collects anew.
            unless_state: Where planting at import leaves the modules in this state, run nothing.
            go: Called with each test that did not pass; False ends the trial.
            stop_on_failure: Run what follows a failing test in a fresh process.
            strict: Decide each failing cell alone; else, after a few, in two opposite orders.
            swallowed: Look for exceptions that test code swallows.
            count: Report jumps and calls in the code under test.
            count_limit: End a test past so many.

        Returns:
            How it was planted; facts in the order run; counts by test.
        """
        request: dict[str, Any] = {
            "plant": dict(plant),
            "ask": go is not None,
            "at_import": at_import,
            "state": unless_state,
            "batch": {
                "tests": list(tests),
                "limits": list(limits),
                "stop_on_failure": stop_on_failure,
                "strict": strict,
                "swallowed": swallowed,
                "count": count,
                "count_limit": count_limit,
            },
        }
        if not self.setup.fork:
            channel = self._base
            request["op"] = "process_trial"
        elif at_import:
            channel = self._base
            request["op"] = "import_trial"
        else:
            channel = self._suite
        with self._one_at_a_time:
            if channel is self._base and self._held == plant:
                request["op"] = "again"
            elif channel is self._base:
                self._release()
            self._held = plant if at_import and self.setup.fork else self._held
            channel.send(request)
            return self._follow(channel, request, go)

    def _release(self) -> None:
        """End the process that keeps the last mutant planted at import."""
        if self._held is not None:
            self._held = None
            self._ask(self._base, {"op": "release"})

    def _follow(
        self, channel: _Channel, request: Mapping[str, Any], go: Go | None
    ) -> tuple[Planted, list[Facts], dict[int, int]]:
        planted = Planted(None, error="the worker said nothing")
        facts: list[Facts] = []
        counts: dict[int, int] = {}
        while True:
            message = self._receive(channel)
            if "planted" in message:
                planted = _planted(message["planted"])
            elif "facts" in message:
                one, count = _facts(message["facts"])
                facts.append(one)
                if count is not None:
                    counts[one.test] = count
                if one.verdict not in ("passed", "skipped", "xfailed") and go is not None:
                    channel.send({"go": go(one)})
            elif "done" in message:
                return planted, facts, counts
            elif "fallback" in message:
                self._forget(channel)
                return Planted(None, error=message["fallback"]), facts, counts
            elif "unviable" in message:
                self._forget(channel)
                return Planted(None, unviable=message["unviable"]), facts, counts
            elif "broken" in message:
                what = message["broken"]
                self._forget(channel)
                if message["collected"]:
                    return planted, facts, counts
                return (
                    Planted(None, unviable=f"the process {what} while it collected the suite"),
                    facts,
                    counts,
                )

    def _forget(self, channel: _Channel) -> None:
        if channel is self._base:
            self._held = None

    def _ask(self, channel: _Channel, message: dict[str, Any]) -> dict[str, Any]:
        channel.send(message)
        return self._receive(channel)

    def _receive(self, channel: _Channel) -> dict[str, Any]:
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
            return self.log.read_bytes()[-size:].decode(errors="replace").strip()
        return ""

    def close(self) -> None:
        """End the worker and all that it started."""
        self._base.close()
        self._suite.close()
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


class _Channel:
    """JSON Lines over two pipes."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read, self._write = read_fd, write_fd
        self._buffer = bytearray()
        self._open = True

    def send(self, message: Mapping[str, Any]) -> None:
        data = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._write, view) :]
        except BrokenPipeError:
            pass  # the next read says that the worker is gone

    def receive(self, seconds: float) -> dict[str, Any] | None:
        while True:
            at = self._buffer.find(b"\n")
            if at >= 0:
                line = bytes(self._buffer[:at])
                del self._buffer[: at + 1]
                message: dict[str, Any] = msgspec.json.decode(line)
                return message
            ready, _, _ = select.select([self._read], [], [], seconds)
            data = os.read(self._read, 1 << 18) if ready else b""
            if not data:
                return None
            self._buffer += data

    def close(self) -> None:
        if self._open:
            self._open = False
            os.close(self._read)
            os.close(self._write)


def _facts(message: dict[str, Any]) -> tuple[Facts, int | None]:
    count = message.pop("count", None)
    return msgspec.convert(message, Facts), count


def _planted(told: Mapping[str, Any]) -> Planted:
    refused = told.get("refused") or []
    return Planted(
        path=None if refused else told["path"],
        error="another import hook claims " + ", ".join(refused) if refused else None,
        vanished=tuple(told.get("vanished", ())),
        collect_errors=tuple(told.get("errors", ())),
        entered_at_import=bool(told.get("entered")),
    )


def _dead(index: int, how: str) -> ControlFacts:
    return ControlFacts(
        facts=Facts(test=index, verdict="died", detail=how),
        hits=frozenset(),
        files=frozenset(),
        reads=False,
        spawned=False,
        children=frozenset(),
        handlers=True,
    )


def mutant_plant(mutant: Mutant) -> dict[str, Any]:
    """The message that plants a mutant."""
    return {
        "kind": "mutant",
        "file": mutant.file,
        "start": {"line": mutant.start.line, "column": mutant.start.column},
        "end": {"line": mutant.end.line, "column": mutant.end.column},
        "replacement": mutant.replacement,
    }


NOTHING: Mapping[str, Any] = {"kind": "none"}


def placebo_plant(files: Sequence[str]) -> dict[str, Any]:
    """The message that plants code which does the same in other words."""
    return {"kind": "placebo", "files": list(files)}


def canary_plant(file: str, style: str) -> dict[str, Any]:
    """The message that stops a file's functions from working: ``raise``, ``value``, ``none``."""
    return {"kind": "canary", "files": [file], "style": style}


@contextlib.contextmanager
def session(setup: Setup) -> Iterator[Session]:
    """A session that is closed at the end."""
    one = Session(setup)
    try:
        yield one
    finally:
        one.close()
