"""Lets no test decide another test's verdict.

What a failing test leaves behind (a cache, a registry, a half-done teardown) must not decide the
next. The sure way is a fresh process after each failure, and a second look, first in a new
process, at each test that failed after others. That costs a fork per failure, which a mutant that
fails a hundred tests makes dear. So after a few failures of one mutant, the rest may be run twice
in two processes, where nothing is taken from either alone:

- a test that passes counts only if it also passes where no test that failed ran before it;
- a test that fails counts only if it fails in the same way with the tests that failed in the
  opposite order before it;
- whatever differs, what fails without having executed the mutant, and the last of the failing
  tests, is run alone; if that one passes alone, all of them are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from redhanded_worker.supervise import Batch, Supervisor

Ask = Callable[[dict[str, Any]], bool]
FEW: Final = 2
"""Failures of one mutant that are always decided one process each."""


def failed(facts: dict[str, Any]) -> bool:
    """Did the test do anything but pass or be skipped?"""
    return facts["verdict"] not in ("passed", "skipped", "xfailed")


def run(supervisor: Supervisor, batch: Batch, ask: Ask) -> Iterator[dict[str, Any]]:
    """Run all tests of a batch, in as many processes as it takes.

    Args:
        supervisor: Makes and watches processes.
        batch: What to run.
        ask: Called with the facts of each test that failed; False ends the run.

    Yields:
        Facts of each test, once.
    """
    if not batch.stop_on_failure:
        yield from _asking(_through(supervisor, batch), ask)
        return
    places = list(range(len(batch.tests)))
    failures = 0
    seen_to_fail = -1
    while places:
        if not batch.strict and failures >= FEW and len(places) > FEW:
            yield from _asking(_twice(supervisor, batch, places), ask)
            return
        ran = 0
        for facts in supervisor.process(batch.of(places, stop_on_failure=True)):
            if failed(facts) and ran:
                seen_to_fail = facts["test"]
                break  # again, first in a new process
            if not ran:
                facts["alone"] = True
                facts["again"] = failed(facts) and facts["test"] == seen_to_fail
            ran += 1
            yield facts
            if failed(facts):
                failures += 1
                if not ask(facts):
                    return
                break
        else:
            if not ran:
                return  # the process has said why it runs nothing
        del places[:ran]


def _asking(found: Iterator[dict[str, Any]], ask: Ask) -> Iterator[dict[str, Any]]:
    for facts in found:
        yield facts
        if failed(facts) and not ask(facts):
            return


def _through(supervisor: Supervisor, batch: Batch) -> Iterator[dict[str, Any]]:
    """All tests in one process, and what follows one that ended it in another."""
    places = list(range(len(batch.tests)))
    while places:
        ran = 0
        for facts in supervisor.process(batch.of(places, stop_on_failure=False)):
            ran += 1
            yield facts
        if not ran:
            return
        del places[:ran]


def _alone(supervisor: Supervisor, batch: Batch, place: int) -> dict[str, Any] | None:
    for facts in supervisor.process(batch.of([place], stop_on_failure=True)):
        facts["alone"] = True
        return facts
    return None


def _collect(supervisor: Supervisor, batch: Batch, places: list[int]) -> dict[int, dict[str, Any]]:
    """One process over ``places``; facts by place, as far as it got before one test ended it."""
    found = supervisor.process(batch.of(places, stop_on_failure=False))
    # A process that a test ended is no witness for that test: it is run alone later.
    return {
        place: facts
        for place, facts in zip(places, found, strict=False)
        if facts["verdict"] in ("passed", "skipped", "xfailed", "failed")
    }


def _way(facts: dict[str, Any]) -> tuple[object, ...]:
    """How a test went: two runs that went the same way compare equal."""
    failures = facts.get("failures", [])
    return (
        facts["verdict"],
        facts.get("entered", False),
        tuple((one["when"], one["type"], str(one["frames"][-1:])) for one in failures),
    )


_GONE: Final = {"verdict": "lost"}


def _twice(supervisor: Supervisor, batch: Batch, places: list[int]) -> Iterator[dict[str, Any]]:
    one = _collect(supervisor, batch, places)
    bad = [place for place in places if place in one and failed(one[place])]
    # Before the first that failed, nothing was left behind by any.
    clean = set(places[: places.index(bad[0])] if bad else places).intersection(one)
    good = [place for place in places if place in one and place not in clean.union(bad)]
    other = _collect(supervisor, batch, good + bad[::-1])
    agreed = {place for place in one if place in other and _way(one[place]) == _way(other[place])}
    # What fails and never entered the mutant fails for what others left behind, in any order.
    agreed -= {place for place in bad if not one[place].get("entered", False)}
    # A test that passed there after one that failed has a failed test before it once more.
    spoilt = next((at for at, place in enumerate(good) if failed(other.get(place, _GONE))), None)
    if spoilt is not None:
        agreed -= set(good[spoilt:])
    last = next((place for place in reversed(bad) if place in agreed), None)
    agreed |= clean
    final: dict[int, dict[str, Any]] = {}
    if last is not None:
        alone = _alone(supervisor, batch, last)
        if alone is None or _way(alone) != _way(one[last]):
            agreed -= set(bad)
        if alone is not None:
            final[last] = alone
    for place in places:
        facts: dict[str, Any] | None = final.get(place)
        if facts is None and place in agreed:
            facts = one[place]
            facts["twice"] = place not in clean
        if facts is None:
            facts = _alone(supervisor, batch, place)
        if facts is not None:
            yield facts
