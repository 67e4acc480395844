"""The controls of a suite, and what they make of each of its tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from redhanded.code.messages import NOTHING
from redhanded.code.session import Session
from redhanded.code.side import GREEN, Suite, canary, placebo, reordered
from redhanded.code.workshop import Workshop
from redhanded.errors import RedhandedError, UnwitnessedError
from redhanded.model.facts import Facts
from redhanded.model.judgement import can_judge, judge
from redhanded.model.outcome import Reason
from redhanded.model.rows import ControlRow, Row

_REPEATED = ("control", "reordered", "placebo", "disk-placebo")
"""Controls in which a judge does what it did in the first."""


@dataclass(frozen=True)
class Asked:
    """What a suite's controls are asked about."""

    files: tuple[str, ...]
    """Targets with runnable mutants."""
    relevant: tuple[int, ...]
    """Green tests that reach a mutant."""
    suspects: tuple[int, ...]
    """Green tests that are shown the placebos, whether they reach a mutant or not."""
    canaries_for: frozenset[int]
    """Tests that are shown each canary; for the others one entry per file is enough."""


def run_controls(shop: Workshop, suite: Suite, asked: Asked) -> list[ControlRow]:
    """Run a suite's controls and note in it which tests can judge.

    Returns:
        A row for each control.

    Raises:
        UnwitnessedError: A canary shows that the tests run another copy of a target.
    """
    rows = [_control_row(suite)]
    if not asked.relevant and not asked.suspects:
        _note(suite, None, [])
        return rows
    with ThreadPoolExecutor(3) as pool:
        commented = pool.submit(_disk_placebo, shop, suite, asked)
        again = pool.submit(reordered, suite, asked.relevant, suite.sessions[-1])
        shown = sorted({*asked.relevant, *asked.suspects})
        plain = placebo(suite, asked.files, shown, suite.sessions[0])
        placebos = [plain, commented.result()]
    rows += [again.result(), *placebos]
    _note(suite, again.result(), placebos)
    canaries = _canaries(suite, asked)
    rows += canaries
    _see(suite, asked, canaries)
    return rows


def recall(suite: Suite, before: Iterable[Row]) -> None:
    """Take what the controls of an interrupted run showed, which its trials rest on.

    A test that does otherwise now than it did in any of them is flaky; one that failed alone
    depends on the tests before it.
    """
    for row in before:
        if not isinstance(row, ControlRow) or row.side != suite.side:
            continue
        suite.recall(row)
        for facts in row.facts:
            if row.name in _REPEATED and facts.verdict != _control_verdict(suite, facts.test):
                suite.usable[facts.test] = suite.usable.get(facts.test) or Reason.FLAKY
            if row.name == "alone" and facts.verdict not in GREEN:
                suite.usable[facts.test] = Reason.ORDER_DEPENDENT


def _control_row(suite: Suite) -> ControlRow:
    facts = tuple(seen.facts for _, seen in sorted(suite.scouted.by_test.items()))
    return ControlRow(side=suite.side, name="control", target=None, facts=facts)


def _disk_placebo(shop: Workshop, suite: Suite, asked: Asked) -> ControlRow:
    """Tests on source files that each got a comment, on disk."""
    facts: tuple[Facts, ...] = ()
    session = shop.commented_session(suite.side, asked.files, suite.sessions[0].setup.targets)
    try:
        collected = session.collect()
        if collected.tests == suite.collected.tests:
            tests = sorted({*asked.relevant, *asked.suspects})
            limits = [suite.clock(test) for test in tests]
            _, found, _ = session.trial(NOTHING, tests, limits)
            facts = tuple(found)
    except RedhandedError:
        facts = ()
    finally:
        session.close()
    return ControlRow(side=suite.side, name="disk-placebo", target=None, facts=facts)


def _note(suite: Suite, again: ControlRow | None, placebos: Sequence[ControlRow]) -> None:
    """Decide which tests are usable."""
    for test, seen in suite.scouted.by_test.items():
        if seen.facts.verdict not in GREEN:
            skipped = seen.facts.verdict == "skipped"
            suite.usable[test] = Reason.SKIPPED_CONTROL if skipped else Reason.RED_CONTROL
    for facts in () if again is None else again.facts:
        if facts.verdict != _control_verdict(suite, facts.test):
            suite.usable[facts.test] = _unstable(suite, facts.test)
    for row in placebos:
        for facts in row.facts:
            if facts.verdict != _control_verdict(suite, facts.test):
                suite.usable[facts.test] = suite.usable.get(facts.test) or Reason.PLACEBO_RED


def _control_verdict(suite: Suite, test: int) -> str:
    control = suite.control(test)
    return "" if control is None else control.facts.verdict


def _unstable(suite: Suite, test: int) -> Reason:
    """A test that differs in another order: flaky, unless it is stable alone."""
    verdicts = set()
    for _ in range(3):
        _, facts, _ = suite.sessions[0].trial(NOTHING, [test], [suite.clock(test)])
        verdicts.add(facts[0].verdict if facts else "lost")
    return Reason.ORDER_DEPENDENT if len(verdicts) == 1 else Reason.FLAKY


def _canaries(suite: Suite, asked: Asked) -> list[ControlRow]:
    """Stop each target's functions from working, and see who notices."""
    rows: list[ControlRow] = []
    tasks: list[tuple[str, str, tuple[int, ...], bool]] = []
    for file in asked.files:
        if not suite.collected.loaded.get(file):
            continue  # imported by a test later: nothing is live to be swapped yet
        covering = tuple(test for test in asked.relevant if file in suite.reached_files(test))
        shown = tuple(test for test in covering if test in asked.canaries_for)
        if shown:
            tasks += [(file, style, shown, False) for style in ("raise", "value", "none")]
        if covering and not shown:
            tasks.append((file, "raise", covering, True))
    if not tasks:
        return rows
    with ThreadPoolExecutor(len(suite.sessions)) as pool:
        free = list(suite.sessions)

        def one(task: tuple[str, str, tuple[int, ...], bool]) -> ControlRow:
            session: Session = free.pop()
            try:
                file, style, tests, first = task
                return canary(suite, file, style, tests, session, first=first)
            finally:
                free.append(session)

        rows = list(pool.map(one, tasks))
    for file in asked.files:
        here = [row for row in rows if row.target == file]
        if here and not any(facts.entered for row in here for facts in row.facts):
            raise UnwitnessedError(
                f"expected tests that execute {file} to enter its functions when they are "
                "swapped, found that none does",
                hint="the tests run another copy of that file, or in another process",
            )
    return rows


def _see(suite: Suite, asked: Asked, rows: Sequence[ControlRow]) -> None:
    """Which tests were caught out by any canary."""
    judged: dict[int, list[object]] = {}
    for row in rows:
        for facts in row.facts:
            control = suite.control(facts.test)
            plain = None if control is None else control.facts
            one = judge(facts, plain, usable=suite.usable.get(facts.test))
            judged.setdefault(facts.test, []).append(one)
    for test, found in judged.items():
        if test in asked.canaries_for:
            able = can_judge(found)  # type: ignore[arg-type]
            if able is not None:
                suite.sees[test] = able
