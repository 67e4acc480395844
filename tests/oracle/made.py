"""A run directory of redhanded, made by hand from what is known of the tiny project."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.oracle import parcels
from tests.oracle.parcels import PARCELS, UNITS

TESTS: Final = (
    *parcels.COMPARED[:2],
    PARCELS + "test_skipped",
    PARCELS + "test_xfailed",
    PARCELS + "test_red",
    PARCELS + "test_unstable",
    *parcels.COMPARED[3:],
)
"""In collection order."""

_CONTROLS: Final = {
    "test_skipped": "skipped",
    "test_red": "red",
    "test_unstable": "flaky",
    "test_second": "order_dependent",
}

_REACH: Final = {
    "weighs less": (*(test for test in TESTS if "weigh" in test or "xfailed" in test),
                    *(PARCELS + f"test_numbers[{at}]" for at in range(3)),
                    UNITS + "test_subtest_skipped", UNITS + "test_subtests"),
    "lower": (PARCELS + "test_label_may_skip",),
    "waits for ever": (PARCELS + "test_wait",),
    "leaves": (PARCELS + "test_wait",),
    "interrupts": (PARCELS + "test_label_may_skip",),
    "looks only": (PARCELS + "test_put_and_take",),
    "raises at import": parcels.COMPARED,
    "one number less": parcels.COMPARED,
    "not seen": (),
}  # fmt: skip
"""Tests that reach each mutant; of one that shows at import, all."""

_STATUS: Final = {
    "weighs less": "killed",
    "lower": "survived",
    "waits for ever": "hung",
    "leaves": "crashed",
    "interrupts": "crashed",
    "looks only": "survived",
    "raises at import": "unviable",
    "one number less": "incomplete",
    "not seen": "no_coverage",
    "no Python": "unviable",
}

_RED: Final = {"waits for ever": "budget", "leaves": "died"}
_LISTS: Final = {"killed": "killers", "crashed": "crashers", "hung": "hangers"}


@dataclass
class Made:
    """The parts of a run directory, to be tampered with before they are written."""

    session: dict[str, Any]
    trials: dict[str, dict[str, Any]]
    mutants: list[dict[str, Any]]
    result: dict[str, Any]

    def facts(self, mutant: str, test: str) -> dict[str, Any]:
        """The facts of one cell."""
        index = TESTS.index(test)
        found: dict[str, Any] = next(
            facts for facts in self.trials[mutant]["facts"] if facts["test"] == index
        )
        return found

    def told(self, mutant: str) -> dict[str, Any]:
        """What the result says of a mutant."""
        found: dict[str, Any] = next(m for m in self.result["mutants"] if m["id"] == mutant)
        return found

    def write(self, folder: Path) -> Path:
        """Write the directory."""
        folder.mkdir()
        rows = [self.session, *self.trials.values()]
        for name, lines in (("rows.jsonl", rows), ("mutants.jsonl", self.mutants)):
            text = "".join(json.dumps(line) + "\n" for line in lines)
            (folder / name).write_text(text, encoding="utf-8")
        (folder / "result.json").write_text(json.dumps(self.result), encoding="utf-8")
        return folder


def made() -> Made:
    """A run that is right in every cell."""
    mutants = [_mutant(name) for name in parcels.MUTANTS]
    return Made(
        session={"row": "session", "side": "reference", "collect_errors": [],
                 "tests": [{"id": test, "change": None} for test in TESTS]},
        trials={name: _trial(name) for name in _REACH},
        mutants=mutants,
        result={"redhanded": "0", "python": "3", "pytest": "9",
                "tests": [_told_test(test) for test in TESTS],
                "mutants": [_told_mutant(mutant) for mutant in mutants]},
    )  # fmt: skip


def _mutant(name: str) -> dict[str, Any]:
    record = parcels.record(name)
    line = record["start"]["line"]
    # The engine has names of its own for mutants.
    return {**record, "id": f"m-{name}", "operator": "given", "function": "?",
            "lines": [line, line]}  # fmt: skip


def _trial(name: str) -> dict[str, Any]:
    error = "unviable: ZeroDivisionError" if name == "raises at import" else None
    reach = _REACH[name]
    return {
        "row": "trial", "mutant": f"m-{name}", "side": "reference", "path": "swap",
        "selected": [TESTS.index(test) for test in reach], "complete": error is None,
        "facts": [] if error else [_facts(name, test) for test in reach], "error": error,
    }  # fmt: skip


def _facts(name: str, test: str) -> dict[str, Any]:
    word = parcels.ALONE[name].get(test, parcels.usual(test))
    facts: dict[str, Any] = {"test": TESTS.index(test), "entered": True}
    if word == "fail":
        verdict = _RED.get(name, "failed")
    elif word == "skip":
        verdict = "xfailed" if test.endswith("xfailed") else "skipped"
    else:
        verdict = {"pass": "passed", "missing": "lost"}[word]
    if word == "missing":
        facts["detail"] = "vanished"
    return {**facts, "verdict": verdict}


def _told_test(test: str) -> dict[str, Any]:
    control = _CONTROLS.get(test.rpartition("::")[2], "green")
    return {"id": test, "cohort": "reference", "change": None, "control": control,
            "entered": None, "killed": None, "killed_alone": None, "gained": None,
            "can_judge": None}  # fmt: skip


def _told_mutant(mutant: dict[str, Any]) -> dict[str, Any]:
    name = mutant["id"][2:]
    status = _STATUS[name]
    fails = [test for test, word in parcels.ALONE[name].items() if word == "fail"]
    lists: dict[str, list[str]] = {kind: [] for kind in _LISTS.values()}
    if status in _LISTS:
        lists[_LISTS[status]] = fails
    kept = ("id", "file", "start", "end", "operator", "original", "replacement", "function")
    return {**{key: mutant[key] for key in kept}, **lists, "passers": 0, "complete": True,
            "status": {"reference": status, "candidate": None}}  # fmt: skip
