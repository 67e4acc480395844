"""Settling a cell: that one test on that one mutant, alone, in fresh processes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.oracle.mutant import mutated
from bench.oracle.process import Caps, Slot
from bench.oracle.run import StoredRun, caps_for
from bench.oracle.suite import run_alone
from bench.oracle.words import Cell


@dataclass(frozen=True)
class Settlement:
    """What a test did, run alone, each time in a fresh process."""

    mutated: tuple[str, ...]
    """Its words on the mutant; none where the next one is not what is expected."""
    unmutated: tuple[str, ...]
    """``pass``, ``xfail``, ... on the tree as it is."""
    expected: str
    """What it did in the whole suite on the tree as it is."""
    notes: tuple[str, ...] = ()

    @property
    def word(self) -> str | None:
        """The word of the cell; None where there is none to rely on."""
        return self.mutated[0] if not self.doubt else None

    @property
    def doubt(self) -> str:
        """Why there is none."""
        if set(self.unmutated) != {self.expected}:
            return f"alone on the unmutated tree it does: {', '.join(self.unmutated)}"
        if len(set(self.mutated)) != 1:
            return f"alone on the mutant it does not always do the same: {', '.join(self.mutated)}"
        return ""

    @property
    def fails_alone(self) -> bool:
        """The test depends on others: alone on the unmutated tree it does otherwise, each time."""
        return self.expected not in self.unmutated

    def record(self) -> dict[str, Any]:
        """As it is written."""
        record: dict[str, Any] = {
            "word": self.word,
            "mutated": list(self.mutated),
            "unmutated": list(self.unmutated),
        }
        if self.doubt:
            record["doubt"] = self.doubt
        if any(self.notes):
            record["notes"] = list(self.notes)
        return record


class Settler:
    """Settles cells of one run of the oracle; each cell, and each unmutated test, once."""

    def __init__(self, run: StoredRun, scratch: Path, times: int = 2) -> None:
        """Take a run.

        Args:
            run: Whose tree, interpreter and mutants.
            scratch: Where to work.
            times: Processes for each of the two sides of a cell.
        """
        self._run = run
        self._slot = Slot(scratch, run.subject)
        self._times = times
        self._caps = caps_for(Caps(**run.head["caps"]), run.baseline)
        self._mutants = {mutant.id: mutant for mutant in run.mutants}
        self._unmutated: dict[str, tuple[str, ...]] = {}
        self._known: dict[tuple[str, str], Settlement] = {}

    def settle(self, mutant: str, test: str) -> Settlement:
        """Run one test alone, on the mutant and on the unmutated tree."""
        if (mutant, test) not in self._known:
            self._known[mutant, test] = self._settle(mutant, test)
        return self._known[mutant, test]

    def _settle(self, mutant: str, test: str) -> Settlement:
        if test not in self._unmutated:
            self._unmutated[test] = tuple(cell.control for cell in self._alone({}, test))
        unmutated, expected = self._unmutated[test], self._run.baseline.words[test]
        if set(unmutated) != {expected}:
            # What it does on a mutant would say nothing.
            return Settlement((), unmutated, expected)
        chosen = self._mutants[mutant]
        data = (self._run.subject.tree / chosen.file).read_bytes()
        cells = self._alone({chosen.file: mutated(data, chosen)}, test)
        return Settlement(
            tuple(cell.word for cell in cells),
            unmutated,
            expected,
            tuple(cell.note for cell in cells),
        )

    def _alone(self, planted: Mapping[str, bytes], test: str) -> list[Cell]:
        return [
            run_alone(self._slot, planted, test, self._run.baseline, self._caps)
            for _ in range(self._times)
        ]
