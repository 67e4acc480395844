"""One run of the oracle over the tiny project, for all tests that read one."""

from __future__ import annotations

import sys

import pytest

from bench.oracle.process import Caps, Subject
from bench.oracle.run import Order, StoredRun, read_run, run
from bench.oracle.settlement import Settler
from tests.oracle import parcels


def _surround(patch: pytest.MonkeyPatch, order: Order) -> None:
    patch.setenv("PARCEL_FLIP", str(order.out.parent / "flip"))
    # Neither may reach the subject's processes.
    patch.setenv("PYTHONWARNINGS", "error")
    patch.setenv("PYTEST_ADDOPTS", "--collect-only")


@pytest.fixture(scope="session")
def order(tmp_path_factory: pytest.TempPathFactory) -> Order:
    folder = tmp_path_factory.mktemp("oracle")
    arguments = ("-p", "no:hypothesispytest", "tests")
    return Order(
        subject=Subject(parcels.PROJECT, sys.executable, arguments, (".",)),
        name="parcels",
        version="1",
        mutants=parcels.write_mutants(folder / "given.jsonl"),
        out=folder / "out",
        claims=True,
        caps=Caps(test_cpu=1.0, test_wall=20.0),
    )


@pytest.fixture(scope="session")
def oracle(order: Order) -> StoredRun:
    with pytest.MonkeyPatch.context() as patch:
        _surround(patch, order)
        assert run(order) == len(parcels.MUTANTS)
    return read_run(order.out)


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, order: Order) -> None:
    _surround(monkeypatch, order)


@pytest.fixture(scope="session")
def settler(oracle: StoredRun, tmp_path_factory: pytest.TempPathFactory) -> Settler:
    """One that remembers, so that no cell is settled twice over all tests."""
    return Settler(oracle, tmp_path_factory.mktemp("settler"), times=1)
