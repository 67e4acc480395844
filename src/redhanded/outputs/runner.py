"""A whole run: suite in, result out."""

from __future__ import annotations

import functools
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from redhanded import __version__
from redhanded.errors import UsageError
from redhanded.model.graded import Lack
from redhanded.model.graders import FORMAT, GraderSink, GradersResult
from redhanded.model.sink import Progress
from redhanded.outputs import selfcheck
from redhanded.outputs.assemble import assemble
from redhanded.outputs.books import Books
from redhanded.outputs.case import Case
from redhanded.outputs.conversation import converse
from redhanded.outputs.options import Options
from redhanded.outputs.planner import CasePlan, plan_case
from redhanded.outputs.pool import Forks, Here, Job
from redhanded.outputs.process import can_fork


def run(
    cases: Iterable[Case], options: Options, sink: GraderSink, progress: Progress
) -> GradersResult:
    """Ask the graders of a suite about the outputs that are planted in its cases.

    Args:
        cases: The suite; taken one by one, and given up once it is asked.
        options: What is planted, and how it is asked.
        sink: Takes calls and rows as each case ends.
        progress: Told how far the run is.

    Raises:
        UsageError: Two cases have the same id, or an option makes no sense.
    """
    _check(options)
    began = time.monotonic()
    pool, warnings = _pool(options)
    books = Books(options, sink, state=pool.state, warnings=warnings)
    _check_self(options, pool, books)
    progress.stage("cases", len(cases) if isinstance(cases, Sized) else None)
    wired = _Wired()
    for job in pool.run(_jobs(cases, options, wired, books, progress)):
        assert job.talk is not None
        key = _wiring(job.plan.case)
        if job.talk.canaries:
            wired.lacks[key] = job.talk.canary_lack
        elif job.talk.opened.error is not None:
            wired.asked.discard(key)
        job.talk.canary_lack = wired.lacks.get(key)
        books.enter(job.talk, assemble(job.talk, books.next_call))
        progress.advance()
    return books.result(
        GradersResult,
        format=FORMAT,
        redhanded=__version__,
        python=platform.python_version(),
        platform=platform.platform(),
        seconds=time.monotonic() - began,
    )


@dataclass
class _Wired:
    """Which graders had their canaries, and what came of it."""

    asked: set[Any] = field(default_factory=set)
    lacks: dict[Any, Lack | None] = field(default_factory=dict)


def _check(options: Options) -> None:
    for name, value, least in (
        ("repeats", options.repeats, 1),
        ("jobs", options.jobs, 1),
        ("timeout", options.timeout, 0.001),
    ):
        if value < least:
            raise UsageError(f"{name}: expected {least} or more, found {value}")


def _pool(options: Options) -> tuple[Forks | Here, list[str]]:
    """Who asks: processes where they can be forked, else this one."""
    if options.isolation == "fork" and not can_fork():
        raise UsageError(
            "isolation: expected a process that can be forked, found threads or no fork",
            hint="Ask for isolation 'auto' or 'none', or have the suite start no threads.",
        )
    if options.isolation != "none" and can_fork():
        return Forks(options.open, options.timeout, options.jobs), []
    why = "as asked" if options.isolation == "none" else "threads are alive, or there is no fork"
    return Here(options.open, options.timeout), [
        f"graders were asked in this process ({why}): their state is shared between cases, and "
        "what they left in it decided later calls too"
    ]


def _jobs(
    cases: Iterable[Case], options: Options, wired: _Wired, books: Books, progress: Progress
) -> Iterator[Job]:
    """The cases that can be asked, planned one by one."""
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise UsageError(
                f"two cases have the id {case.id!r}", hint="Give each case an id of its own."
            )
        seen.add(case.id)
        books.case(case)
        plan = plan_case(case, options.operators)
        if plan.refused is not None:
            books.refuse(case, *plan.refused)
            progress.note(f"{case.id}: {plan.refused[1]}")
            progress.advance()
            continue
        key = _wiring(case)
        first = key not in wired.asked
        wired.asked.add(key)
        yield Job(plan, converse(plan, options.repeats, canaries=first))


def _check_self(options: Options, pool: Forks | Here, books: Books) -> None:
    """The two graders of our own, by the same path."""
    own: Forks | Here = (
        Forks(selfcheck.opened, options.timeout, 1)
        if isinstance(pool, Forks)
        else Here(selfcheck.opened, options.timeout)
    )
    plans: list[CasePlan] = [plan_case(case, [selfcheck.BLANK]) for case in selfcheck.cases()]
    jobs = (Job(plan, converse(plan, 1, canaries=False)) for plan in plans)
    for job in own.run(jobs):
        assert job.talk is not None
        books.self_check(selfcheck.verdict(job.plan.case, assemble(job.talk, 0)))


def _wiring(case: Case) -> Any:
    """What makes two graders the same as far as their canaries go: code, not settings.

    Functions by their code and what they close over, objects by their type and what they hold;
    numbers and text, which differ from case to case, by their type.
    """
    return _shape(case.grader, 4), _shape(case.upstream, 2)


def _shape(value: Any, depth: int) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if depth == 0 or isinstance(value, (int, float, str, bytes)):
        return type(value)
    if isinstance(value, functools.partial):
        return "partial", _shape(value.func, depth - 1), len(value.args), tuple(value.keywords)
    code = getattr(value, "__code__", None)
    if isinstance(code, CodeType):
        return code, tuple(_shape(one, depth - 1) for one in _closed_over(value))
    bound = getattr(value, "__func__", None)
    if bound is not None:
        return _shape(bound, depth), _shape(value.__self__, depth - 1)
    held = getattr(value, "__dict__", None)
    if isinstance(value, type) or not isinstance(held, dict):
        return value if isinstance(value, type) else type(value)
    return type(value), tuple((name, _shape(held[name], depth - 1)) for name in sorted(held))


def _closed_over(function: Callable[..., Any]) -> Iterator[Any]:
    for cell in getattr(function, "__closure__", None) or ():
        try:
            yield cell.cell_contents
        except ValueError:
            yield None
    yield from getattr(function, "__defaults__", None) or ()
