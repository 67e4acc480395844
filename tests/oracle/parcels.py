"""What is known of the tiny project ``oracle_mixed``: its mutants, and what each test does.

Written by hand, from reading the project; neither the oracle's nor the engine's word.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

PROJECT: Final = Path(__file__).resolve().parent.parent / "projects" / "oracle_mixed"
FILE: Final = "parcel/__init__.py"

PARCELS: Final = "tests/test_parcels.py::"
SEQUENCE: Final = "tests/test_sequence.py::"
UNITS: Final = "tests/test_units.py::Weights::"

_IMPORTING: Final = (
    PARCELS + "test_weigh",
    PARCELS + "test_label_may_skip",
    PARCELS + "test_xfailed",
    PARCELS + "test_wait",
    PARCELS + "test_put_and_take",
    PARCELS + "test_shelf_is_empty",
    PARCELS + "test_numbers[0]",
    PARCELS + "test_numbers[1]",
    PARCELS + "test_numbers[2]",
    UNITS + "test_subtest_skipped",
    UNITS + "test_subtests",
)
COMPARED: Final = (
    *_IMPORTING[:-2],
    SEQUENCE + "test_first",
    SEQUENCE + "test_second",
    *_IMPORTING[-2:],
)
EXCLUDED: Final = {
    PARCELS + "test_skipped": "skip",
    PARCELS + "test_red": "fail",
    PARCELS + "test_unstable": "unstable: fail, then pass",
}

_WEIGHERS: Final = (
    PARCELS + "test_weigh",
    PARCELS + "test_xfailed",
    PARCELS + "test_numbers[0]",
    PARCELS + "test_numbers[1]",
    PARCELS + "test_numbers[2]",
    UNITS + "test_subtests",
)

MUTANTS: Final = {
    # name: original, replacement
    "weighs less": ("sum(items) + 1", "sum(items) + 0"),
    "lower": ("upper", "lower"),
    "waits for ever": ("days - 1", "days - 0"),
    "leaves": ("return days", "return __import__('os')._exit(0)"),
    "interrupts": ("name.upper()", "(x for x in [1]).throw(KeyboardInterrupt)"),
    "looks only": ("self.items.pop()", "self.items[-1]"),
    "raises at import": ("LIMIT = 3", "LIMIT = 3 // 0"),
    "one number less": ("LIMIT = 3", "LIMIT = 2"),
    "not seen": ("value * 2", "value * 3"),
    "no Python": ("return name.upper()", "return name.upper("),
}

IN_SUITE: Final[dict[str, dict[str, str]]] = {
    # name: what tests do in the whole suite, where it is not what they do on the unmutated tree
    "weighs less": dict.fromkeys(_WEIGHERS, "fail"),
    "lower": {PARCELS + "test_label_may_skip": "skip"},
    "waits for ever": {PARCELS + "test_wait": "fail"},
    "leaves": {PARCELS + "test_wait": "fail"},
    "interrupts": {PARCELS + "test_label_may_skip": "fail"},
    "looks only": {PARCELS + "test_shelf_is_empty": "fail"},
    "raises at import": dict.fromkeys(_IMPORTING, "missing"),
    "one number less": {PARCELS + "test_numbers[2]": "missing"},
    "not seen": {},
    "no Python": dict.fromkeys(_IMPORTING, "missing"),
}

ALONE: Final[dict[str, dict[str, str]]] = {**IN_SUITE, "looks only": {}}
"""The same for each test run alone, which is what a cell means."""


def usual(test: str) -> str:
    """What a test does on the unmutated tree."""
    return "skip" if test == PARCELS + "test_xfailed" else "pass"


def record(name: str) -> dict[str, Any]:
    """A mutant as a line of a file."""
    original, replacement = MUTANTS[name]
    text = (PROJECT / FILE).read_text(encoding="utf-8")
    at = text.index(original)
    assert text.count(original) == 1, original
    line, column = text[:at].count("\n") + 1, at - text.rfind("\n", 0, at) - 1
    return {
        "id": name,
        "file": FILE,
        "start": {"line": line, "column": column},
        "end": {"line": line, "column": column + len(original)},
        "original": original,
        "replacement": replacement,
        "viability": "unviable" if name == "no Python" else "viable",
    }


def write_mutants(path: Path) -> Path:
    """Write the file of mutants."""
    lines = (json.dumps(record(name)) + "\n" for name in MUTANTS)
    path.write_text("".join(lines), encoding="utf-8")
    return path
