"""The worked example of the documents: 342 mutants, and a candidate that adds no killing test."""

from __future__ import annotations

from collections.abc import Iterator

from redhanded.model.cells import Cell
from redhanded.model.matrix import KillMatrix
from redhanded.model.outcome import Outcome
from tests.model.making import cell, mutant

_PARTS = ((237, Outcome.CAUGHT), (56, Outcome.PASSED), (49, Outcome.CRASHED))


def _cells() -> Iterator[Cell]:
    at = 0
    for count, outcome in _PARTS:
        for index in range(at, at + count):
            yield cell(f"m{index}", "old", outcome)
        at += count


def worked_example(*new: Cell) -> KillMatrix:
    """The reference of the example; with cells of a test called ``new``, the candidate."""
    mutants = [mutant(f"m{index}", string_only=237 <= index < 245) for index in range(342)]
    tests = ["old", "new"] if new else ["old"]
    return KillMatrix.of(mutants, tests, [*_cells(), *new])
