"""A session with one worker: its tree, its collected suite, and the trials on it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from redhanded.code.channel import Channel
from redhanded.code.messages import (
    Collected,
    Planted,
    Scouted,
    read_collected,
    read_facts,
    read_planted,
)
from redhanded.code.scouting import run_control
from redhanded.code.worker import Setup, Worker
from redhanded.errors import UnavailableError
from redhanded.model.facts import Facts

Go = Callable[[Facts], bool]


class Session:
    """One worker process and what it collected.

    Raises:
        UnavailableError: The worker can't start, or the suite can't be collected.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._worker = Worker(setup)
        self._one_at_a_time = threading.Lock()
        self._held: Mapping[str, Any] | None = None
        self.collected: Collected | None = None
        self._open()

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
        self._worker.ask(self._worker.base, {"op": "open", "setting": setting})

    def collect(self) -> Collected:
        """Collect the suite in a process that runs nothing.

        Raises:
            UnavailableError: pytest ended before it could collect.
        """
        worker = self._worker
        worker.ask(worker.base, {"op": "collect"})
        message = worker.receive(worker.suite)
        if "failed" in message:
            errors = "; ".join(message.get("errors", ())) or worker.log_tail()
            raise UnavailableError(
                f"expected pytest to collect the suite, but {message['failed']}: {errors}",
                hint="run the project's own pytest command in a clean checkout; does it pass?",
            )
        self.collected = read_collected(message["collected"])
        worker.ask(worker.base, {"op": "suite_ids", "ids": list(self.collected.tests)})
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
        assert self.collected is not None
        self._release()
        return run_control(
            self._worker,
            [[numbers[file], first, last] for file, first, last in points],
            range(len(self.collected.tests)) if tests is None else tests,
            lines=lines,
            progress=progress,
        )

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
            channel = self._worker.base
            request["op"] = "process_trial"
        elif at_import:
            channel = self._worker.base
            request["op"] = "import_trial"
        else:
            channel = self._worker.suite
        with self._one_at_a_time:
            if channel is self._worker.base and self._held == plant:
                request["op"] = "again"
            elif channel is self._worker.base:
                self._release()
            self._held = plant if at_import and self.setup.fork else self._held
            channel.send(request)
            return self._follow(channel, request, go)

    def _release(self) -> None:
        """End the process that keeps the last mutant planted at import."""
        if self._held is not None:
            self._held = None
            self._worker.ask(self._worker.base, {"op": "release"})

    def _follow(
        self, channel: Channel, request: Mapping[str, Any], go: Go | None
    ) -> tuple[Planted, list[Facts], dict[int, int]]:
        planted = Planted(None, error="the worker said nothing")
        facts: list[Facts] = []
        counts: dict[int, int] = {}
        while True:
            message = self._worker.receive(channel)
            if "planted" in message:
                planted = read_planted(message["planted"])
            elif "facts" in message:
                one, count = read_facts(message["facts"])
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

    def _forget(self, channel: Channel) -> None:
        if channel is self._worker.base:
            self._held = None

    def close(self) -> None:
        """End the worker and all that it started."""
        self._worker.close()
