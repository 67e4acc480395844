"""All trials of a run, a mutant at a time on each job slot."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence

from redhanded.code.schedule import Schedule
from redhanded.code.trials import Trial
from redhanded.errors import InterruptedRunError, UsageError
from redhanded.model.rows import Row, SessionRow, Side, TrialRow
from redhanded.model.sink import Progress

Rows = dict[tuple[str, Side], TrialRow]
"""Trials by mutant and side."""


class Loop:
    """Works off a schedule."""

    def __init__(
        self, tasks: Schedule, jobs: int, add: Callable[[Row], None], progress: Progress
    ) -> None:
        """Start nothing yet.

        Args:
            tasks: What to run.
            jobs: How many mutants at a time; each suite has a session for each.
            add: Keeps a row; called by several threads, one at a time.
            progress: What a person watches.
        """
        self._tasks, self._jobs = tasks, jobs
        self._add, self._progress = add, progress
        self._lock = threading.Lock()
        self._stop = threading.Event()

    def run(self, done: Rows) -> Rows:
        """Run all trials that are not done.

        Raises:
            InterruptedRunError: The user stopped it.
        """
        rows = dict(done)
        self._progress.stage("trials", len(self._tasks.mutants))
        queue = iter(self._tasks.mutants)

        def work(slot: int) -> None:
            while not self._stop.is_set():
                with self._lock:
                    mutant = next(queue, None)
                if mutant is None:
                    return
                for side, suite in self._tasks.suites.items():
                    if (mutant.id, side) in done:
                        continue
                    task = self._tasks.task(mutant, side)
                    enough = self._tasks.enough(mutant, side)
                    row = Trial(suite, suite.sessions[slot], task, enough).run()
                    with self._lock:
                        for control in suite.fresh_rows():
                            self._add(control)
                        self._add(row)
                        rows[mutant.id, side] = row
                self._progress.advance()

        try:
            _in_threads([lambda slot=slot: work(slot) for slot in range(self._jobs)])  # type: ignore[misc]
        except KeyboardInterrupt:
            raise InterruptedRunError("interrupted: what is finished is kept") from None
        finally:
            self._stop.set()
        return rows


def resumed(before: Iterable[Row], tests: dict[Side, tuple[str, ...]]) -> Rows:
    """Trials that an interrupted run left.

    Args:
        before: Its rows.
        tests: What this run collected.

    Raises:
        UsageError: It collected other tests.
    """
    found: Rows = {}
    for row in before:
        if isinstance(row, SessionRow) and row.side in tests:
            if tuple(test.id for test in row.tests) != tests[row.side]:
                raise UsageError(
                    f"expected the {row.side} suite to collect the tests that the interrupted "
                    "run collected, found others",
                    hint="start a new run: the trials done so far are of other tests.",
                )
        if isinstance(row, TrialRow):
            found[row.mutant, row.side] = row
    return found


def _in_threads(work: Sequence[Callable[[], None]]) -> None:
    """Run each in a thread of its own; the first error is raised once all have ended."""
    errors: list[BaseException] = []

    def guarded(one: Callable[[], None]) -> None:
        try:
            one()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(one,), daemon=True) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive():
            thread.join(0.2)  # in steps: an interrupt is noticed between them
    if errors:
        raise errors[0]
