"""One suite on one source: its sessions, its control, and which of its tests can judge."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from redhanded.code.messages import (
    NOTHING,
    Collected,
    ControlFacts,
    Scouted,
    canary_plant,
    file_plant,
    placebo_plant,
)
from redhanded.code.session import Session
from redhanded.errors import UnwitnessedError
from redhanded.model.facts import Facts, Swallowed
from redhanded.model.outcome import Reason
from redhanded.model.rows import ControlRow, Side

GREEN = ("passed", "xfailed")
"""Verdicts of a control that make a test a judge."""
CLOCK = 30.0
"""Least seconds that a test may take before the clock ends it, where its jumps are counted."""
_SLOW = 0.5
"""Least seconds after which a test under a mutant is called slow and run again, counted."""
COUNT_FLOOR = 1_000_000
COUNT_FACTOR = 50


NOT_SCOUTED = Scouted(
    tests=(), errors=(), import_points=frozenset(), state=None, common_files=frozenset()
)
"""The control of a suite that has not run it."""


class ThreadsError(Exception):
    """A collected suite has threads running: forking it would lose them, and their locks."""


@dataclass
class Suite:
    """A side's tests and what their control said.

    Tests are named by their index in ``tests``, the same in every session of the side.
    """

    side: Side
    sessions: list[Session]
    """One per job slot."""
    collected: Collected
    scouted: Scouted
    usable: dict[int, Reason | None] = field(default_factory=dict)
    """Why a test is no judge; None: it is one. Tests that reach no mutant are not asked."""
    sees: dict[int, bool] = field(default_factory=dict)
    """Was the test ever caught out by a canary? Absent: not asked."""
    points: tuple[tuple[str, int, int], ...] = ()
    """The places that the control was asked about."""
    _alone: dict[int, Facts] = field(default_factory=dict)
    _counts: dict[int, int] = field(default_factory=dict)
    _swallowed: dict[int, Facts] = field(default_factory=dict)
    _inherits: dict[tuple[int, str], bool] = field(default_factory=dict)
    _kept: set[tuple[str, int]] = field(default_factory=set)
    """Which of the last two are among the run's rows."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def tests(self) -> tuple[str, ...]:
        """Node ids in collection order."""
        return self.collected.tests

    def control(self, test: int) -> ControlFacts | None:
        """What a test did in the control; None where it was not run."""
        return self.scouted.by_test.get(test)

    def limit(self, test: int) -> float:
        """Seconds after which a test under a mutant is called slow."""
        control = self.control(test)
        return _SLOW + 10 * (control.facts.seconds if control else 1.0)

    def clock(self, test: int) -> float:
        """Seconds after which the clock ends a test."""
        control = self.control(test)
        return CLOCK + 30 * (control.facts.seconds if control else 1.0)

    def green(self, tests: Iterable[int]) -> list[int]:
        """Those of the tests that pass in the control, or fail as they say they do."""
        found = []
        for test in tests:
            control = self.control(test)
            if control is not None and control.facts.verdict in GREEN:
                found.append(test)
        return found

    def reaching(self, points: Iterable[int]) -> list[int]:
        """Tests that reach any of the points in the control, in collection order."""
        wanted = frozenset(points)
        return [test for test, seen in sorted(self.scouted.by_test.items()) if seen.hits & wanted]

    def reached_files(self, test: int) -> set[str]:
        """Files of the points that a test itself reaches."""
        control = self.control(test)
        return set() if control is None else {self.points[point][0] for point in control.hits}

    def alone(self, test: int, session: Session) -> Facts:
        """The test by itself with no defect planted; asked once."""
        with self._lock:
            known = self._alone.get(test)
        if known is None:
            _, facts, _ = session.trial(NOTHING, [test], [self.clock(test)])
            known = facts[0] if facts else Facts(test=test, verdict="lost")
            with self._lock:
                self._alone[test] = known
        return known

    def count(self, test: int, session: Session) -> int:
        """Jumps and calls of the control in the code under test; asked once."""
        with self._lock:
            known = self._counts.get(test)
        if known is None:
            _, _, counts = session.trial(NOTHING, [test], [self.clock(test)], count=True)
            known = counts.get(test, 0)
            with self._lock:
                self._counts[test] = known
        return known

    def count_limit(self, test: int, session: Session) -> int:
        """Jumps and calls past which a test hangs."""
        return max(COUNT_FLOOR, COUNT_FACTOR * self.count(test, session))

    def inherits(self, test: int, file: str, session: Session) -> bool:
        """Is the test green where processes that it starts load a file from what is planted?

        Asked once, with the file as it is: the control through the same import hook.
        """
        with self._lock:
            known = self._inherits.get((test, file))
        if known is None:
            _, facts, _ = session.trial(file_plant(file), [test], [self.clock(test)])
            known = bool(facts) and facts[0].verdict in GREEN and facts[0].children
            with self._lock:
                self._inherits[(test, file)] = known
        return known

    def swallowed(self, test: int, session: Session) -> Facts:
        """The control, with what its test code swallows; asked once."""
        with self._lock:
            known = self._swallowed.get(test)
        if known is None:
            _, facts, _ = session.trial(NOTHING, [test], [self.clock(test)], swallowed=True)
            known = facts[0] if facts else Facts(test=test, verdict="lost")
            with self._lock:
                self._swallowed[test] = known
        return known

    def swallowed_in_control(self, test: int) -> tuple[Swallowed, ...] | None:
        """What :meth:`swallowed` found; None where it was not asked."""
        known = self._swallowed.get(test)
        return None if known is None else known.swallowed

    def later_rows(self) -> list[ControlRow]:
        """All that :meth:`alone` and :meth:`swallowed` were asked."""
        return self._rows(lambda name, test: True)

    def fresh_rows(self) -> list[ControlRow]:
        """What they were asked since this was last called."""
        with self._lock:
            rows = self._rows(lambda name, test: (name, test) not in self._kept)
            self._kept |= {(row.name, facts.test) for row in rows for facts in row.facts}
        return rows

    def recall(self, row: ControlRow) -> None:
        """Take what they were asked in the run that is resumed."""
        known = {"alone": self._alone, "swallowed": self._swallowed}.get(row.name)
        if known is not None and row.side == self.side:
            known.update({facts.test: facts for facts in row.facts})
            self._kept |= {(row.name, facts.test) for facts in row.facts}

    def _rows(self, wanted: Callable[[str, int], bool]) -> list[ControlRow]:
        rows = []
        for name, known in (("alone", self._alone), ("swallowed", self._swallowed)):
            facts = tuple(known[test] for test in sorted(known) if wanted(name, test))
            if facts:
                rows.append(ControlRow(side=self.side, name=name, target=None, facts=facts))  # type: ignore[arg-type]
        return rows

    def scout(
        self,
        points: Sequence[tuple[str, int, int]],
        tests: Sequence[int] | None = None,
        *,
        lines: bool = False,
        progress: Callable[[], None] = lambda: None,
    ) -> None:
        """Run the control in the first session.

        Args:
            points: Places to ask the control about.
            tests: Which tests to run; None: all.
            lines: Report executed lines.
            progress: Called after each test.
        """
        self.points = tuple(points)
        self.scouted = self.sessions[0].scout(points, tests, lines=lines, progress=progress)

    def close(self) -> None:
        """End all sessions."""
        for session in self.sessions:
            session.close()


def collect_suite(side: Side, make: Sequence[Callable[[], Session]]) -> Suite:
    """Start a side's sessions and collect in each; nothing is run.

    Args:
        side: Which.
        make: Starts a session; one for each job slot.

    Raises:
        UnavailableError: The suite can't be collected.
        ThreadsError: The suite can't be forked.
        UnwitnessedError: A target was imported from another place than its tree, or two sessions
            collected different tests.
    """
    with ThreadPoolExecutor(len(make)) as pool:
        sessions = list(pool.map(lambda start: start(), make))
    try:
        with ThreadPoolExecutor(len(make)) as pool:
            collections = list(pool.map(lambda session: session.collect(), sessions))
        collected = collections[0]
        _refuse_strangers(collected)
        if collected.threads > 1 and sessions[0].setup.fork:
            raise ThreadsError(str(collected.threads - 1))
        if any(other.tests != collected.tests for other in collections):
            raise UnwitnessedError(
                f"expected the {side} suite to collect the same tests each time, "
                "found that two collections differ",
                hint="look for test ids that depend on time, chance or the file system's order",
            )
    except BaseException:
        for session in sessions:
            session.close()
        raise
    return Suite(side, sessions, collected, NOT_SCOUTED)


def _refuse_strangers(collected: Collected) -> None:
    if collected.strangers:
        target, found = sorted(collected.strangers.items())[0]
        raise UnwitnessedError(
            f"expected the tests to import {target} from the scratch tree, found {found}",
            hint="an installed copy shadows the checkout; install the project in editable mode, "
            "or remove the code that puts the other copy on sys.path",
        )


def reordered(suite: Suite, tests: Sequence[int], session: Session) -> ControlRow:
    """The control again, in the opposite order, in one process."""
    order = list(reversed(tests))
    limits = [suite.clock(test) for test in order]
    _, facts, _ = session.trial(NOTHING, order, limits, stop_on_failure=False)
    return ControlRow(side=suite.side, name="reordered", target=None, facts=tuple(facts))


def placebo(
    suite: Suite, files: Sequence[str], tests: Sequence[int], session: Session
) -> ControlRow:
    """Tests on code that does the same in other words."""
    limits = [suite.clock(test) for test in tests]
    _, facts, _ = session.trial(placebo_plant(files), tests, limits)
    return ControlRow(side=suite.side, name="placebo", target=None, facts=tuple(facts))


def canary(
    suite: Suite, file: str, style: str, tests: Sequence[int], session: Session, *, first: bool
) -> ControlRow:
    """Tests on a file whose functions don't do their work.

    Args:
        suite: Whose tests.
        file: The target.
        style: ``raise``, ``value`` or ``none``.
        tests: Which.
        session: Where to run.
        first: Stop as soon as one test has entered the file and failed.
    """
    names: Mapping[str, str] = {"raise": "canary", "value": "sentinel", "none": "none-sentinel"}

    def go(facts: Facts) -> bool:
        return not (first and facts.entered)

    limits = [suite.limit(test) for test in tests]
    _, facts, _ = session.trial(
        canary_plant(file, style), tests, limits, go=go if first else None, strict=False
    )
    return ControlRow(side=suite.side, name=names[style], target=file, facts=tuple(facts))  # type: ignore[arg-type]
