"""What a run of redhanded wrote, read as plain JSON and put into the oracle's words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.oracle.errors import RefusedError
from bench.oracle.mutant import Mutant, Place, read_mutants
from bench.oracle.words import Word

WORDS: Final[dict[str, Word]] = {
    "passed": "pass",
    "failed": "fail",
    "died": "fail",
    "budget": "fail",
    "clock": "fail",
    "memory": "fail",
    "skipped": "skip",
    "xfailed": "skip",
}
"""The oracle's word for a raw verdict; ``lost`` has none."""

NOT_SELECTED: Final = "not selected"
UNVIABLE: Final = "unviable"
NOT_RUN: Final = "not run"
VANISHED: Final = "vanished"
NOT_PLANTED: Final = "not planted"

_LISTS: Final = ("killers", "crashers", "hangers")


@dataclass(frozen=True)
class Verdict:
    """What redhanded says of one cell."""

    word: Word | None
    """None: no verdict, because of ``reason``; or, where that is :data:`NOT_SELECTED`, the word of
    the unmutated tree."""
    reason: str = ""
    detail: str = ""

    def record(self) -> dict[str, Any]:
        """As it is written."""
        pairs = {"word": self.word, "reason": self.reason, "detail": self.detail}
        return {name: value for name, value in pairs.items() if value or name == "word"}


@dataclass(frozen=True)
class Session:
    """The tests of one side."""

    ids: tuple[str, ...]
    unchanged: frozenset[str]
    """Tests whose cells may stand in the rows of the reference only."""


class EngineRun:
    """A run directory, on one side."""

    def __init__(self, path: Path, side: str | None = None) -> None:
        """Read it.

        Args:
            path: The directory.
            side: ``reference`` or ``candidate``; may be left out where there is only one.

        Raises:
            RefusedError: It is no finished run, or has no such side.
        """
        self.path = path
        rows = _read_rows(path / "rows.jsonl")
        self.result: Mapping[str, Any] = _read_json(path / "result.json")
        self.mutants: dict[Place, Mutant] = {}
        for mutant in read_mutants(path / "mutants.jsonl"):
            self.mutants.setdefault(mutant.place, mutant)
        self._by_id = {mutant.id: mutant for mutant in self.mutants.values()}
        self.sessions = {row["side"]: _session(row) for row in rows if row["row"] == "session"}
        self.side = self._choose(side)
        self._trials = {
            (row["side"], row["mutant"]): _Trial(row, self.sessions[row["side"]])
            for row in rows
            if row["row"] == "trial"
        }
        self._told = {told["id"]: told for told in self.result["mutants"]}

    def _choose(self, side: str | None) -> str:
        there = [name for name in ("reference", "candidate") if name in self.sessions]
        if side is None and len(there) == 1:
            return there[0]
        if side not in there:
            raise RefusedError(
                f"{self.path}: expected one side of {', '.join(there) or 'none'}, found "
                f"{side or 'no choice'}; choose with --side"
            )
        return str(side)

    @property
    def tests(self) -> tuple[str, ...]:
        """The tests of the side, in collection order."""
        return self.sessions[self.side].ids

    def excluded(self) -> dict[str, str]:
        """Tests of the side that redhanded says are no judges, and why."""
        controls: dict[str, str] = {}
        # The side's own entry of a test that both sides have is the last to be looked at.
        told = sorted(self.result["tests"], key=lambda test: test["cohort"] == self.side)
        for test in told:
            controls[test["id"]] = test["control"]
        return {
            name: controls.get(name, "absent from the result")
            for name in self.tests
            if controls.get(name) != "green"
        }

    def status(self, mutant: str) -> str | None:
        """The status of a mutant under the side's cohort."""
        told = self._told.get(mutant)
        return None if told is None else told["status"].get(self.side)

    def viability(self, mutant: str) -> str:
        """What the plan says of a mutant."""
        return self._by_id[mutant].viability

    def named(self, mutant: str) -> set[str]:
        """Tests that the result says noticed the mutant, in whichever way."""
        told = self._told.get(mutant, {})
        return {test for kind in _LISTS for test in told.get(kind, ())}

    def verdict(self, mutant: str, test: str) -> Verdict:
        """What redhanded says of one cell; row and result must say the same."""
        viability = self.viability(mutant)
        if viability == "duplicate":
            other = self._by_id[mutant].raw.get("duplicate_of")
            if other in self._by_id and self.viability(str(other)) == "viable":
                return self.verdict(str(other), test)
            return Verdict(None, "duplicate of a mutant that is not there")
        if viability == UNVIABLE or self.status(mutant) == UNVIABLE:
            return Verdict(None, UNVIABLE)
        if viability == "equivalent" or self.status(mutant) == "equivalent":
            return Verdict(None, NOT_SELECTED, "equivalent")
        if mutant not in self._told:
            return Verdict(None, "the result does not have this mutant")
        verdict = self._of_row(mutant, test)
        listed = test in self.named(mutant)
        if verdict.word == "fail" and not listed:
            return Verdict(None, "failed, and no killer, crasher or hanger", verdict.detail)
        if listed and verdict.word != "fail" and not self._fails_elsewhere(mutant, test):
            said = verdict.word or verdict.reason
            return Verdict(None, f"named in the result, {said} in its row", verdict.detail)
        return verdict

    def _fails_elsewhere(self, mutant: str, test: str) -> bool:
        """Does another side's row make the test one that noticed? Lists don't tell sides apart."""
        return any(
            trial.verdict(test).word == "fail"
            for (side, name), trial in self._trials.items()
            if name == mutant and side != self.side
        )

    def _of_row(self, mutant: str, test: str) -> Verdict:
        trial = self._trials.get((self.side, mutant))
        if trial is not None and (trial.error or test in trial.selected):
            return trial.verdict(test)
        reference = self._trials.get(("reference", mutant))
        borrowed = test in self.sessions[self.side].unchanged
        if self.side != "reference" and borrowed and reference is not None:
            return reference.verdict(test)
        if trial is not None or self.status(mutant) == "no_coverage":
            return Verdict(None, NOT_SELECTED)
        if self.side != "reference" and reference is not None:
            return Verdict(None, NOT_SELECTED)
        return Verdict(None, "no row")


class _Trial:
    """The row of one mutant on one side."""

    def __init__(self, row: Mapping[str, Any], session: Session) -> None:
        ids = session.ids
        self.selected = {ids[index] for index in row["selected"]}
        self.error: str | None = row.get("error")
        self._complete = bool(row["complete"])
        self._facts: dict[str, list[Mapping[str, Any]]] = {}
        self._again: dict[str, list[Mapping[str, Any]]] = {}
        for kept, given in ((self._facts, row["facts"]), (self._again, row.get("confirm", ()))):
            for facts in given:
                kept.setdefault(ids[facts["test"]], []).append(facts)

    def verdict(self, test: str) -> Verdict:
        if self.error:
            return Verdict(None, UNVIABLE if self.error.startswith(UNVIABLE) else NOT_PLANTED,
                           self.error)  # fmt: skip
        if test not in self.selected:
            return Verdict(None, NOT_SELECTED)
        found = self._facts.get(test)
        if not found:
            return Verdict(None, "lost" if self._complete else NOT_RUN)
        # Where a test was run again alone, that decides; runs that differ decide nothing.
        said = [_of_facts(facts) for facts in self._again.get(test) or found[-1:]]
        if len({verdict.word for verdict in said}) > 1:
            return Verdict(None, "unconfirmed")
        return said[-1]


def _of_facts(facts: Mapping[str, Any]) -> Verdict:
    raw = str(facts["verdict"])
    detail = str(facts.get("detail") or "")
    word = WORDS.get(raw)
    if word is None:
        return Verdict(None, VANISHED if detail == VANISHED else raw, detail)
    if word == "fail" and not facts.get("entered", False):
        return Verdict(None, "no_witness", raw)
    failures: Sequence[Mapping[str, Any]] = facts.get("failures", ())
    types = ", ".join(f"{one['type']}: {one['message']}" for one in failures)
    return Verdict(word, "", (f"{raw} {types} {detail}").strip()[:300])


def _session(row: Mapping[str, Any]) -> Session:
    tests: Sequence[Mapping[str, Any]] = row["tests"]
    unchanged = (test["id"] for test in tests if test.get("change") == "unchanged")
    return Session(tuple(test["id"] for test in tests), frozenset(unchanged))


def _read_json(path: Path) -> Any:
    if not path.is_file():
        raise RefusedError(f"expected a finished run of redhanded, found no {path}")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise RefusedError(f"{path}: expected JSON, found: {error}") from None


def _read_rows(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        raise RefusedError(f"expected a run directory of redhanded, found no {path}")
    rows = []
    for number, line in enumerate(_lines(path), start=1):
        try:
            rows.append(json.loads(line))
        except ValueError as error:
            raise RefusedError(f"{path}:{number}: expected a row, found: {error}") from None
    return rows


def _lines(path: Path) -> Iterable[str]:
    return [line for line in path.read_text(encoding="utf-8").split("\n") if line]
