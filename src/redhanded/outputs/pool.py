"""Who carries the dialogues on: forked processes, several at a time, or this very process."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import selectors
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from typing import Final

from redhanded.model.graded import Entry, Lack, WitnessKind
from redhanded.outputs.adapters.base import Asked
from redhanded.outputs.case import Case
from redhanded.outputs.conversation import Dialogue, Step, Talk
from redhanded.outputs.desk import Desk
from redhanded.outputs.planner import CasePlan
from redhanded.outputs.process import Process
from redhanded.outputs.wire import Ask, Entered, Fresh, Open, Opened, Reply, failed

AHEAD: Final = 4
"""For each slot, how many cases may be done before an earlier one is."""

Opener = Callable[[Case], Asked]


@dataclass
class Job:
    """One case to talk about."""

    plan: CasePlan
    dialogue: Dialogue
    talk: Talk | None = None


def hung(timeout: float) -> str:
    """What is said of a call that didn't come back."""
    return f"hung: no answer within {timeout:g} s"


@dataclass
class _Slot:
    """One job under way."""

    job: Job
    opener: Opener
    timeout: float
    process: Process | None = None
    step: Step | None = None
    watched: bool = False
    """The grader's code runs in the process, where its entry can be seen."""
    deadline: float = 0.0
    entries: list[Entry] = field(default_factory=list)

    def begin(self) -> None:
        """Take the first step."""
        self._take(None)

    def _take(self, answer: Opened | Reply | None) -> None:
        """Go on with an answer, until something is to be waited for or all is said."""
        try:
            step = self.job.dialogue.send(answer)  # type: ignore[arg-type]
            while isinstance(step, Fresh):
                self.end()
                step = self.job.dialogue.send(None)  # type: ignore[arg-type]
        except StopIteration as stop:
            self.job.talk = stop.value
            self.end()
            return
        self.step = step
        self.entries = []
        if self.process is None:
            self.process = Process(self.job.plan, self.opener)
        self.process.send(step)
        self.deadline = time.monotonic() + self.timeout

    def ready(self) -> None:
        """Something has arrived, or the process has ended."""
        assert self.process is not None
        messages = self.process.receive()
        if messages is None:
            process, self.process = self.process, None
            self._lost(f"the grader's process {process.buried()}")
            return
        for message in messages:
            if isinstance(message, Entered):
                self.entries.append(message.entry)
                continue
            if isinstance(message, Opened):
                self.watched = message.witness is WitnessKind.ENTERED
            self._take(message)

    def expire(self) -> None:
        """Time is up: the process is killed, and the rest goes on in another."""
        self.end()
        self._lost(hung(self.timeout))

    def _lost(self, why: str) -> None:
        if isinstance(self.step, Open):
            self._take(Opened(error=f"while the grader was made ready: {why}", code="not_opened"))
            return
        # It tells at once when it is entered; without that, nobody knows what it was that hung.
        lack = Lack.NOT_ENTERED if self.watched and not self.entries else None
        self._take(failed(why, entries=tuple(self.entries), lack=lack))

    def end(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process = None


class Forks:
    """A process per case."""

    state: Final = "forked"

    def __init__(self, opener: Opener, timeout: float, jobs: int) -> None:
        self._opener = opener
        self._timeout = timeout
        self._jobs = max(1, jobs)
        self._slots: list[_Slot] = []

    def run(self, jobs: Iterator[Job]) -> Iterator[Job]:
        """Carry on all dialogues; give the jobs back in their order."""
        order: deque[Job] = deque()
        more = True
        try:
            while True:
                while order and order[0].talk is not None:
                    yield order.popleft()
                while more and len(self._slots) < self._jobs and len(order) < AHEAD * self._jobs:
                    job = next(jobs, None)
                    more = job is not None
                    if job is not None:
                        order.append(job)
                        self._begin(job)
                if self._slots:
                    self._wait()
                elif not more and not order:
                    return
        finally:
            self.close()

    def _begin(self, job: Job) -> None:
        slot = _Slot(job, self._opener, self._timeout)
        slot.begin()
        if job.talk is None:
            self._slots.append(slot)

    def _wait(self) -> None:
        """Wait for the first process that has something to say, or whose time is up."""
        with selectors.DefaultSelector() as selector:
            for slot in self._slots:
                assert slot.process is not None
                selector.register(slot.process, selectors.EVENT_READ, slot)
            first = min(slot.deadline for slot in self._slots)
            for key, _ in selector.select(max(0.0, first - time.monotonic())):
                key.data.ready()
        now = time.monotonic()
        for slot in self._slots:
            if slot.job.talk is None and slot.deadline <= now:
                slot.expire()
        self._slots = [slot for slot in self._slots if slot.job.talk is None]

    def close(self) -> None:
        """End what is under way."""
        for slot in self._slots:
            slot.end()
        self._slots = []


class Here:
    """This process: state is shared, and a call that hangs leaves a thread behind."""

    state: Final = "shared"

    def __init__(self, opener: Opener, timeout: float) -> None:
        self._opener = opener
        self._timeout = timeout
        self._room: _Room | None = None

    def run(self, jobs: Iterator[Job]) -> Iterator[Job]:
        """Carry on one dialogue after the other."""
        for job in jobs:
            try:
                self._carry_on(job)
            finally:
                self._leave()
            yield job

    def _carry_on(self, job: Job) -> None:
        answer: Opened | Reply | None = None
        while True:
            try:
                step = job.dialogue.send(answer)  # type: ignore[arg-type]
            except StopIteration as stop:
                job.talk = stop.value
                return
            if isinstance(step, Fresh):
                self._leave()
                answer = None
                continue
            if self._room is None:
                self._room = _Room(job.plan, self._opener)
            answer = self._room.ask(step, self._timeout)
            if answer is None:
                entries = tuple(self._room.entries)
                self._room.abandon()
                self._room = None
                why = hung(self._timeout)
                lack = None if entries else Lack.NOT_ENTERED
                answer = (
                    failed(why, entries=entries, lack=lack)
                    if isinstance(step, Ask)
                    else Opened(error=why, code="not_opened")
                )

    def _leave(self) -> None:
        if self._room is not None:
            self._room.leave()
            self._room = None


class _Room:
    """A thread with an event loop of its own, in which one case is asked."""

    def __init__(self, plan: CasePlan, opener: Opener) -> None:
        self.entries: list[Entry] = []
        self._questions: queue.Queue[Step | None] = queue.Queue()
        self._answers: queue.Queue[Opened | Reply] = queue.Queue()
        self._desk = Desk(plan, opener, self.entries.append)
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()

    def _live(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        while (question := self._questions.get()) is not None:
            printed = StringIO()
            with redirect_stdout(printed), redirect_stderr(printed):
                answer = (
                    await self._desk.call(question)
                    if isinstance(question, Ask)
                    else self._desk.open()
                )
            self._answers.put(answer)
        self._desk.close()

    def ask(self, step: Step, timeout: float) -> Opened | Reply | None:
        """An answer; None where there is none in time."""
        self.entries.clear()
        self._questions.put(step)
        with contextlib.suppress(queue.Empty):
            return self._answers.get(timeout=timeout)
        return None

    def abandon(self) -> None:
        """Let the thread end, should it ever come back."""
        self._questions.put(None)

    def leave(self) -> None:
        """Let the thread end, and wait for it."""
        self.abandon()
        self._thread.join(1.0)
