"""Engine and oracle, cell by cell and status by status.

A cell on which they differ is settled by that test alone on that mutant. What a cell amounts to:

``agreed``      both say the same
``settled``     they differed, and the lone runs say what the engine says: in the oracle's run the
                tests before it decided
``disagreed``   the lone runs say otherwise than the engine, or the engine has no verdict where
                there is a stable one
``unsettled``   there is no stable word to compare with; never counted as agreement
``not_run``     the engine was not asked to run it (it stops at the first kill)

Nothing else is left out: a test or a mutant that only the oracle has disagrees in all its cells.

Two runs in the same order can be wrong in the same way: what one test leaves behind fails the
next in both. So a seeded sample of the failures on which they agree is settled too (``recheck``).
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from bench.oracle.engine import (
    NOT_PLANTED,
    NOT_RUN,
    NOT_SELECTED,
    UNVIABLE,
    VANISHED,
    EngineRun,
    Verdict,
)
from bench.oracle.errors import RefusedError
from bench.oracle.mutant import Mutant
from bench.oracle.run import StoredRun, read_run
from bench.oracle.settlement import Settlement, Settler
from bench.oracle.statuses import compare_statuses
from bench.oracle.words import Cell

FORMAT: Final = "redhanded/oracle-comparison/1"

Result = Literal["agreed", "settled", "disagreed", "unsettled", "not_run"]
RESULTS: Final[tuple[Result, ...]] = ("agreed", "settled", "disagreed", "unsettled", "not_run")


@dataclass(frozen=True)
class Difference:
    """A cell on which the two differ."""

    mutant: Mutant
    test: str
    engine: Verdict
    oracle: Cell
    result: Result
    settlement: Settlement | None
    reason: str

    def record(self) -> dict[str, Any]:
        """As it is written."""
        return {
            "mutant": self.mutant.id,
            "place": list(self.mutant.place),
            "test": self.test,
            "engine": self.engine.record(),
            "oracle": {"word": self.oracle.word, "note": self.oracle.note},
            "result": self.result,
            "reason": self.reason,
            "settlement": None if self.settlement is None else self.settlement.record(),
        }


@dataclass
class Tally:
    """What the cells amount to."""

    results: Counter[str] = field(default_factory=Counter)
    incomplete: Counter[str] = field(default_factory=Counter)
    """Cells without a verdict of the engine's, by its reason, whatever they amount to."""
    ended: Counter[str] = field(default_factory=Counter)
    """Cells that the oracle decided by a hang or a death."""
    words: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)
    both_fail: list[tuple[Mutant, str]] = field(default_factory=list)
    rechecked: int = 0


class Comparer:
    """Compares one run of the oracle with one side of one run of redhanded."""

    def __init__(self, oracle: StoredRun, engine: EngineRun, settler: Settler, limit: int) -> None:
        """Take both.

        Args:
            oracle: The run to compare with.
            engine: The run to compare.
            settler: Settles cells.
            limit: How many cells may be settled; those beyond it disagree.
        """
        self.oracle = oracle
        self.engine = engine
        self.settler = settler
        self.ids = {
            mutant.id: engine.mutants[mutant.place].id
            for mutant in oracle.mutants
            if mutant.place in engine.mutants
        }
        """The engine's id of each of the oracle's mutants."""
        self._left = limit
        self._excluded = engine.excluded()
        self._known = frozenset(engine.tests)
        self.judges = self._known - frozenset(self._excluded)
        """Tests that the engine lets judge."""

    def cells(self) -> Tally:
        """Compare every cell."""
        tally = Tally()
        for mutant in self.oracle.mutants:
            for test in self.oracle.baseline.words:
                self._cell(mutant, test, tally)
        return tally

    def recheck(self, tally: Tally, number: int) -> None:
        """Settle a sample of the cells on which both fail."""
        chosen = random.Random(0).sample(tally.both_fail, min(number, len(tally.both_fail)))
        for mutant, test in chosen:
            tally.rechecked += 1
            settlement = self.settler.settle(mutant.id, test)
            if settlement.word == "fail":
                continue
            verdict, cell = self.verdict(mutant, test), self.oracle.cell(mutant.id, test)
            result: Result = "unsettled" if settlement.doubt else "disagreed"
            reason = settlement.doubt or f"both fail, alone {settlement.word}"
            tally.results["agreed"] -= 1
            tally.results[result] += 1
            tally.differences.append(
                Difference(mutant, test, verdict, cell, result, settlement, reason)
            )

    def verdict(self, mutant: Mutant, test: str) -> Verdict:
        """What the engine says of a cell of the oracle's."""
        if test not in self._known:
            return Verdict(None, "the engine does not have this test")
        if mutant.id not in self.ids:
            return Verdict(None, "the engine does not have this mutant")
        if test in self._excluded:
            return Verdict(None, f"no judge: {self._excluded[test]}")
        return self.engine.verdict(self.ids[mutant.id], test)

    def _cell(self, mutant: Mutant, test: str, tally: Tally) -> None:
        verdict = self.verdict(mutant, test)
        if verdict.reason == NOT_RUN:
            tally.results["not_run"] += 1
            return
        cell = self.oracle.cell(mutant.id, test)
        tally.words[cell.word] += 1
        if cell.ended:
            tally.ended[cell.ended] += 1
        if verdict.word is None and verdict.reason != NOT_SELECTED:
            tally.incomplete[verdict.reason] += 1
        if self._agree(mutant, test, verdict, cell.word):
            tally.results["agreed"] += 1
            if verdict.word == cell.word == "fail":
                tally.both_fail.append((mutant, test))
            return
        difference = self._settle(mutant, test, verdict, cell)
        tally.results[difference.result] += 1
        tally.differences.append(difference)

    def _agree(self, mutant: Mutant, test: str, verdict: Verdict, word: str) -> bool:
        usual = "skip" if self.oracle.baseline.words[test] == "xfail" else "pass"
        if verdict.reason == NOT_SELECTED:
            return word == usual
        if verdict.reason == UNVIABLE:
            # A module that can't be imported takes along the tests that import it, no others.
            return self._vanishes(mutant) and word in ("missing", usual)
        if verdict.reason in (VANISHED, NOT_PLANTED):
            return word == "missing"
        return verdict.word == word

    def _vanishes(self, mutant: Mutant) -> bool:
        cells = self.oracle.outcomes[mutant.id]["cells"].values()
        return any(cell["word"] == "missing" for cell in cells)

    def _settle(self, mutant: Mutant, test: str, verdict: Verdict, cell: Cell) -> Difference:
        def made(result: Result, reason: str, by: Settlement | None = None) -> Difference:
            return Difference(mutant, test, verdict, cell, result, by, reason)

        if test not in self._known or mutant.id not in self.ids:
            return made("disagreed", verdict.reason)
        if self._left <= 0:
            return made("disagreed", "not settled: too many cells differ")
        self._left -= 1
        settlement = self.settler.settle(mutant.id, test)
        if settlement.doubt:
            result: Result = "unsettled"
            if verdict.reason == "no judge: order_dependent" and settlement.fails_alone:
                result = "settled"
            return made(result, settlement.doubt, settlement)
        assert settlement.word is not None
        if self._agree(mutant, test, verdict, settlement.word):
            return made("settled", "other tests decided in the oracle's run", settlement)
        said = verdict.word or f"nothing ({verdict.reason})"
        return made("disagreed", f"engine {said}, alone {settlement.word}", settlement)


def compare(
    oracle_run: Path,
    engine_run: Path,
    out: Path,
    *,
    side: str | None = None,
    times: int = 2,
    limit: int = 1000,
    recheck: int = 0,
    settler: Settler | None = None,
) -> dict[str, Any]:
    """Compare a run directory of redhanded with a run of the oracle.

    Args:
        oracle_run: Folder of a finished run of the oracle.
        engine_run: Run directory of redhanded, over at least the oracle's mutants.
        out: Folder for ``comparison.json`` and ``cells.jsonl``.
        side: Which of the engine's suites the oracle ran.
        times: Lone runs on each side of a cell that is settled.
        limit: How many differing cells to settle at most.
        recheck: How many of the failures on which they agree to settle.
        settler: Settles cells, if it is to remember them; None: one of its own, by ``times``.

    Returns:
        What was written to ``comparison.json``.

    Raises:
        RefusedError: One of the two runs can't be used.
    """
    oracle = read_run(oracle_run)
    engine = EngineRun(engine_run, side)
    _same_sources(oracle, engine_run)
    out.mkdir(parents=True, exist_ok=True)
    settler = settler or Settler(oracle, out / "scratch", times)
    comparer = Comparer(oracle, engine, settler, limit)
    tally = comparer.cells()
    comparer.recheck(tally, recheck)
    statuses = compare_statuses(comparer, tally.differences)
    record = _summary(comparer, tally, statuses)
    lines = (json.dumps(difference.record()) + "\n" for difference in tally.differences)
    (out / "cells.jsonl").write_text("".join(lines), encoding="utf-8")
    (out / "comparison.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return record


def _same_sources(oracle: StoredRun, engine_run: Path) -> None:
    """Refuse to compare mutants of two texts."""
    for file in sorted({mutant.file for mutant in oracle.mutants}):
        kept = engine_run / "sources" / file
        if kept.is_file() and _text(kept) != _text(oracle.subject.tree / file):
            raise RefusedError(
                f"expected both to have run the same {file}, found that {kept} and "
                f"{oracle.subject.tree / file} differ"
            )


def _text(path: Path) -> bytes:
    return path.read_bytes().replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def agrees(record: Mapping[str, Any]) -> bool:
    """Is there nothing in a comparison that speaks against the engine?"""
    cells, statuses = record["cells"], record["statuses"]
    return not (
        cells["disagreed"]
        or cells["unsettled"]
        or statuses["disagreed"]
        or record["tests"]["only_engine"]
        or record["tests"]["only_oracle"]
        or record["mutants"]["only_oracle"]
    )


def _summary(comparer: Comparer, tally: Tally, statuses: Mapping[str, Any]) -> dict[str, Any]:
    oracle, engine, head = comparer.oracle, comparer.engine, comparer.oracle.head
    compared = len(oracle.mutants) * len(oracle.baseline.words)
    assert sum(tally.results.values()) == compared, "every cell has come to something"
    known = set(engine.tests)
    every = set(oracle.baseline.words) | set(oracle.baseline.excluded)
    places = {mutant.place for mutant in oracle.mutants}
    return {
        "format": FORMAT,
        "subject": head["subject"],
        "version": head["version"],
        "side": engine.side,
        "python": oracle.baseline.python,
        "pytest": oracle.baseline.pytest,
        "engine": {name: engine.result.get(name) for name in ("redhanded", "python", "pytest")},
        "mutants": {
            "compared": len(oracle.mutants),
            "available": head["available"],
            "cap": head["cap"],
            "seed": head["seed"],
            "only_oracle": sorted(place_of(m) for m in oracle.mutants if m.id not in comparer.ids),
            "only_engine": sum(place not in places for place in engine.mutants),
        },
        "tests": {
            "compared": len(oracle.baseline.words),
            "excluded": oracle.baseline.excluded,
            "skipped": sorted(t for t, why in oracle.baseline.excluded.items() if why == "skip"),
            "excluded_by_engine": engine.excluded(),
            "only_engine": sorted(known - every),
            "only_oracle": sorted(set(oracle.baseline.words) - known),
        },
        "cells": {"all": compared, **{name: tally.results[name] for name in RESULTS}},
        "rechecked": tally.rechecked,
        "words": dict(tally.words),
        "incomplete": dict(tally.incomplete),
        "timeouts": tally.ended["timeout"],
        "died": tally.ended["died"],
        "statuses": statuses,
        "oracle_seconds": round(sum(line["seconds"] for line in oracle.outcomes.values()), 1),
        "baseline_seconds": round(oracle.baseline.total, 3),
    }


def place_of(mutant: Mutant) -> str:
    """A mutant's place for people."""
    return f"{mutant.file}:{mutant.start[0]}:{mutant.start[1]} {mutant.replacement!r}"
