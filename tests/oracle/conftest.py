"""One run of the oracle over the tiny project, for all tests that read one."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from bench.oracle.process import Caps, Subject
from bench.oracle.run import Order, StoredRun, read_run, run
from bench.oracle.settlement import Settler
from tests.oracle import parcels


@pytest.fixture(scope="session")
def order(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Order]:
    folder = tmp_path_factory.mktemp("oracle")
    patch = pytest.MonkeyPatch()
    patch.setenv("PARCEL_FLIP", str(folder / "flip"))
    # Neither may reach the subject's processes.
    patch.setenv("PYTHONWARNINGS", "error")
    patch.setenv("PYTEST_ADDOPTS", "--collect-only")
    yield Order(
        subject=Subject(
            parcels.PROJECT, sys.executable, ("-p", "no:hypothesispytest", "tests"), (".",)
        ),
        name="parcels",
        version="1",
        mutants=parcels.write_mutants(folder / "given.jsonl"),
        out=folder / "out",
        claims=True,
        caps=Caps(test_cpu=1.0, test_wall=20.0),
    )
    patch.undo()


@pytest.fixture(scope="session")
def oracle(order: Order) -> StoredRun:
    assert run(order) == len(parcels.MUTANTS)
    return read_run(order.out)


@pytest.fixture(scope="session")
def settler(oracle: StoredRun, tmp_path_factory: pytest.TempPathFactory) -> Settler:
    """One that remembers, so that no cell is settled twice over all tests."""
    return Settler(oracle, tmp_path_factory.mktemp("settler"), times=1)
