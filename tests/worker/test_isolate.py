"""No test decides another's verdict: shown with processes that are made up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from redhanded_worker import isolate
from redhanded_worker.supervise import Batch

Body = Callable[[int, list[int]], bool]
"""Given a test and the tests that ran before it in its process: does it pass?"""


class Processes:
    """Runs batches as the supervisor does; ``bodies`` says how tests go."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.batches: list[list[int]] = []

    def process(self, batch: Batch) -> Iterator[dict[str, Any]]:
        self.batches.append(batch.tests)
        before: list[int] = []
        for test in batch.tests:
            passed = self.body(test, before)
            before.append(test)
            yield {"test": test, "verdict": "passed" if passed else "failed", "entered": True}
            if batch.stop_on_failure and not passed:
                return


def verdicts(
    body: Body, count: int, *, strict: bool, ask: isolate.Ask = lambda facts: True
) -> tuple[dict[int, str], Processes]:
    processes = Processes(body)
    batch = Batch(tests=list(range(count)), limits=[1.0] * count, strict=strict)
    found = list(isolate.run(processes, batch, ask))  # type: ignore[arg-type]
    assert len({facts["test"] for facts in found}) == len(found)
    return {facts["test"]: facts["verdict"] for facts in found}, processes


@pytest.mark.parametrize("strict", [True, False])
def test_what_a_test_leaves_behind_fails_no_other(strict: bool) -> None:
    # Every test from 3 on fails where 2 ran before it, and passes alone.
    found, _ = verdicts(lambda t, before: not (2 in before and t > 2), 12, strict=strict)
    assert set(found.values()) == {"passed"}


@pytest.mark.parametrize("strict", [True, False])
def test_what_a_failing_test_leaves_behind_makes_no_other_pass(strict: bool) -> None:
    # All fail alone; those from 8 on pass where a failed test ran before them.
    found, _ = verdicts(lambda t, before: t >= 8 and bool(before), 14, strict=strict)
    assert set(found.values()) == {"failed"}


@pytest.mark.parametrize("strict", [True, False])
def test_what_fails_without_the_mutant_in_it_is_run_alone(strict: bool) -> None:
    # From 2 on all fail; 7 only where others ran before it, whichever, and it executes no mutant.
    class Spoilt(Processes):
        def process(self, batch: Batch) -> Iterator[dict[str, Any]]:
            for facts in super().process(batch):
                yield {**facts, "entered": facts["test"] != 7}

    processes = Spoilt(lambda t, before: t < 2 or (t == 7 and not before))
    batch = Batch(tests=list(range(12)), limits=[1.0] * 12, strict=strict)
    found = {facts["test"]: facts for facts in isolate.run(processes, batch, lambda facts: True)}  # type: ignore[arg-type]
    assert [test for test, facts in found.items() if facts["verdict"] == "passed"] == [0, 1, 7]


@pytest.mark.parametrize("strict", [True, False])
def test_each_test_has_one_verdict_and_keeps_it(strict: bool) -> None:
    found, _ = verdicts(lambda t, before: t % 3 == 0, 30, strict=strict)
    assert found == {t: "passed" if t % 3 == 0 else "failed" for t in range(30)}


def test_many_failures_cost_few_processes_unless_each_is_wanted_alone() -> None:
    _, strict = verdicts(lambda t, before: False, 40, strict=True)
    _, loose = verdicts(lambda t, before: False, 40, strict=False)
    assert len(strict.batches) == 40
    assert len(loose.batches) < 10


def test_a_run_ends_where_the_driver_has_seen_enough() -> None:
    found, processes = verdicts(lambda t, before: t != 2, 10, strict=True, ask=lambda facts: False)
    assert found == {0: "passed", 1: "passed", 2: "failed"}
    assert processes.batches == [list(range(10)), list(range(2, 10))]


def test_a_process_that_says_it_can_not_run_ends_the_batch() -> None:
    class Refusing(Processes):
        def process(self, batch: Batch) -> Iterator[dict[str, Any]]:
            self.batches.append(batch.tests)
            return iter(())

    processes = Refusing(lambda t, before: True)
    batch = Batch(tests=[0, 1], limits=[1.0, 1.0])
    assert list(isolate.run(processes, batch, lambda facts: True)) == []  # type: ignore[arg-type]
    assert len(processes.batches) == 1


def test_a_failure_seen_after_others_and_alone_is_told_apart_from_one_seen_once() -> None:
    processes = Processes(lambda t, before: t not in (0, 3))
    batch = Batch(tests=list(range(5)), limits=[1.0] * 5)
    found = {f["test"]: f for f in isolate.run(processes, batch, lambda facts: True)}  # type: ignore[arg-type]
    assert found[3]["again"]
    assert not found[0]["again"]


def test_what_ran_before_the_first_failure_is_not_run_a_second_time() -> None:
    _, processes = verdicts(lambda t, before: t not in (0, 1, 20, 30), 40, strict=False)
    assert 10 not in [test for batch in processes.batches[-2:] for test in batch]
