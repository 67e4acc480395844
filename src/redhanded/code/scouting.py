"""The control: a suite's tests under a tracer, none of them on a mutant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from redhanded.code.messages import Scouted, died, read_control, read_scouting
from redhanded.code.worker import Worker
from redhanded.errors import UnavailableError


def run_control(
    worker: Worker,
    points: Sequence[Sequence[int]],
    tests: Sequence[int],
    *,
    lines: bool,
    progress: Callable[[], None],
) -> Scouted:
    """Run the control; a test that ends the process is noted, and the rest goes on after it.

    Args:
        worker: Who runs it.
        points: Number of the target, first and last line of places to ask about.
        tests: Numbers of tests.
        lines: Report the lines of the targets that each test executes.
        progress: Called after each test.

    Raises:
        UnavailableError: The suite can't be collected under the tracer.
    """
    wanted = list(tests)
    scouted: Scouted | None = None
    while True:
        request = {"op": "control", "tests": wanted, "points": points, "lines": lines}
        part, broken = _once(worker, request, progress)
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
        scouted.by_test[rest[0]] = died(rest[0], broken)
        wanted = rest[1:]
        if not wanted:
            break
    if scouted is None:
        raise UnavailableError(
            f"the control could not collect the suite: {worker.log_tail()}",
            hint="run the project's own pytest command in a clean checkout; does it pass?",
        )
    return scouted


def _once(
    worker: Worker, request: dict[str, Any], progress: Callable[[], None]
) -> tuple[Scouted | None, str | None]:
    """What one process told, and how it ended where it ended before its time."""
    worker.base.send(request)
    scouted: Scouted | None = None
    while True:
        message = worker.receive(worker.base)
        if "scouting" in message:
            scouted = read_scouting(message["scouting"])
        elif "facts" in message and scouted is not None:
            seen = read_control(message)
            scouted.by_test[seen.facts.test] = seen
            progress()
        elif "done" in message:
            return scouted, None
        elif "broken" in message:
            return scouted, str(message["broken"])
        elif "failed" in message:
            # the scout itself ends normally after this
            return scouted, None if scouted else str(message["failed"])
