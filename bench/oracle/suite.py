"""The whole suite on one mutant, in as many fresh processes as that takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bench.oracle.errors import RefusedError
from bench.oracle.process import Caps, Report, Slot
from bench.oracle.words import PASSING, Cell


@dataclass(frozen=True)
class Baseline:
    """What the tests do on the unmutated tree."""

    python: str
    pytest: str
    words: dict[str, str]
    """``pass`` or ``xfail``, of each test that is compared, in the order of collection."""
    excluded: dict[str, str]
    """The others, and what they did."""
    seconds: dict[str, float]
    total: float
    """Seconds of one whole process."""
    startup: float


@dataclass
class Outcomes:
    """What the compared tests did on one mutant."""

    cells: dict[str, Cell]
    seconds: float = 0.0
    processes: int = 0
    errors: dict[str, str] = field(default_factory=dict)
    strangers: int = 0
    """Collected tests that the unmutated tree doesn't have."""


def take_baseline(slot: Slot, caps: Caps) -> Baseline:
    """Run the unmutated tree twice.

    Raises:
        RefusedError: A run did not come to its end, or no test is stable.
    """
    first, second = (slot.run({}, None, caps, {}) for _ in range(2))
    for report in (first, second):
        if report.collected is None or report.ended != "exited":
            raise RefusedError(
                f"expected the unmutated suite to run to its end, found: {report.ended} "
                f"({report.how}); see {slot.place / 'output.txt'}"
            )
    assert first.collected is not None
    assert second.collected is not None
    words, excluded = {}, {}
    twice = {name for name in first.collected if first.collected.count(name) > 1}
    for name in dict.fromkeys([*first.collected, *second.collected]):
        did = [_control(report, name) for report in (first, second)]
        if name in twice:
            excluded[name] = "another test has the same id"
        elif did[0] != did[1]:
            excluded[name] = f"unstable: {did[0]}, then {did[1]}"
        elif did[0] in PASSING:
            words[name] = did[0]
        else:
            excluded[name] = did[0]
    if not words:
        raise RefusedError(
            f"expected at least one test that passes, found none of {len(excluded)}; "
            f"see {slot.place / 'output.txt'}"
        )
    seconds = {name: max(first.cells[name].seconds, second.cells[name].seconds) for name in words}
    return Baseline(
        first.python,
        first.pytest,
        words,
        excluded,
        seconds,
        max(first.seconds, second.seconds),
        max(first.startup, second.startup),
    )


def _control(report: Report, name: str) -> str:
    cell = report.cells.get(name)
    return "missing" if cell is None else cell.control


def run_suite(slot: Slot, planted: Mapping[str, bytes], baseline: Baseline, caps: Caps) -> Outcomes:
    """Run the whole suite with something planted.

    A test in which the process dies, or that hangs, has failed. The tests after it run in a fresh
    process, without those that are done.
    """
    outcomes = Outcomes({})
    pending = list(baseline.words)
    wanted: Sequence[str] | None = None
    timeouts = 0
    while pending:
        report = slot.run(planted, wanted, caps.after(timeouts), baseline.seconds)
        outcomes.processes += 1
        outcomes.seconds += report.seconds
        outcomes.errors |= report.errors
        if wanted is None:
            outcomes.strangers = len(set(report.collected or ()) - set(baseline.words)
                                     - set(baseline.excluded))  # fmt: skip
        before = len(pending)
        done = _settled(report)
        timeouts += report.ended == "timeout"
        for name in pending:
            cell = done.get(name) or _not_collected(report, name)
            if cell is not None:
                outcomes.cells[name] = cell
        pending = [name for name in pending if name not in outcomes.cells]
        if len(pending) == before and report.running is None:
            # Nothing new was learnt, and nothing is known that another process would avoid.
            for name in pending:
                outcomes.cells[name] = Cell("missing", f"not run: {report.how or report.ended}")
            break
        # The culprit may be a test that is not compared.
        wanted = pending
    return outcomes


def run_alone(
    slot: Slot, planted: Mapping[str, bytes], test: str, baseline: Baseline, caps: Caps
) -> Cell:
    """Run one test in a fresh process."""
    report = slot.run(planted, [test], caps, baseline.seconds)
    cell = _settled(report).get(test) or _not_collected(report, test)
    return cell or Cell("missing", f"not run: {report.how or report.ended}")


def _settled(report: Report) -> dict[str, Cell]:
    """The tests that a process has decided."""
    done = {name: cell for name, cell in report.cells.items() if name not in report.twice}
    if report.running is not None:
        ended = report.ended
        assert ended != "exited"
        done[report.running] = Cell("fail", f"{ended}: {report.how}", report.seconds, ended)
    return done


def _not_collected(report: Report, name: str) -> Cell | None:
    if report.collected is None:
        return Cell("missing", f"{report.ended} before collection ended: {report.how}")
    if name not in report.collected:
        errors = "; ".join(report.errors.values())
        return Cell("missing", errors or "not collected")
    return None
