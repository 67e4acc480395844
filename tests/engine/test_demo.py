"""The demo, as a newcomer runs it: what its closing words claim is what its result says."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest

from redhanded import demo
from redhanded.model.result import MutantResult, Result, TestResult


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """The demo's result; the demo is run once, in an empty folder."""
    done = subprocess.run(
        [sys.executable, "-m", "redhanded", "demo", "--json"],
        cwd=tmp_path_factory.mktemp("elsewhere"),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert demo.LOOK_AT in done.stderr.decode()
    return msgspec.json.decode(done.stdout, type=Result)


def new_tests(result: Result) -> dict[str, TestResult]:
    return {test.id.rpartition("::")[2]: test for test in result.tests if test.gained is not None}


def on_line(result: Result, text: str) -> list[MutantResult]:
    source = (demo.SAMPLE / "head" / "shop" / "pricing.py").read_text().split("\n")
    (line,) = [number for number, each in enumerate(source, start=1) if text in each]
    return [mutant for mutant in result.mutants if mutant.start.line == line]


def test_two_new_tests_kill_all_that_is_gained(result: Result) -> None:
    gaining = {name for name, test in new_tests(result).items() if test.gained}
    assert gaining == {"test_heavy_parcels_cost_more", "test_hundred_are_cheaper"}
    assert result.delta is not None
    assert len(result.delta.minimal_gain) == 2
    assert result.delta.gained == sum(test.gained or 0 for test in new_tests(result).values())


def test_the_rest_gain_nothing_each_for_its_reason(result: Result) -> None:
    tests = new_tests(result)
    repeats = tests["test_cheap_orders_pay_for_delivery"]
    assert (repeats.gained, repeats.can_judge) == (0, True)
    assert repeats.killed
    for express in (False, True):
        assert tests[f"test_delivery_works[{express}]"].can_judge is False
    assert tests["test_pricing_was_not_touched"].control == "placebo_red"


def test_what_the_weaker_test_killed_alone_is_lost(result: Result) -> None:
    assert result.delta is not None
    assert result.delta.lost == 1
    (lost,) = [
        mutant
        for mutant in result.mutants
        if (mutant.status.reference, mutant.status.candidate) == ("killed", "survived")
    ]
    assert [killer.rpartition("::")[2] for killer in lost.killers] == [
        "test_delivery_is_free_from_the_limit_on"
    ]


def test_what_express_costs_is_asked_by_nobody(result: Result) -> None:
    mutants = on_line(result, "cost += 800")
    assert mutants
    assert {mutant.status.candidate for mutant in mutants} == {"survived"}


def test_every_mutant_of_the_sample_is_tried(result: Result) -> None:
    assert result.reference.tried == result.plan.mutants
    assert result.warnings == ()
