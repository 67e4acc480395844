"""What a worker is told to plant, and what its answers say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from redhanded.model.facts import Facts
from redhanded.model.mutant import Mutant


@dataclass(frozen=True)
class Collected:
    """A collected suite."""

    tests: tuple[str, ...]
    """Node ids in collection order; equal ids are possible."""
    errors: tuple[str, ...]
    loaded: Mapping[str, bool]
    """Is the target file's module loaded once the suite is collected?"""
    strangers: Mapping[str, str]
    """Targets whose module was imported from elsewhere."""
    threads: int
    neutralised: tuple[str, ...] = ()


@dataclass(frozen=True)
class ControlFacts:
    """What one test did in the control."""

    facts: Facts
    hits: frozenset[int]
    """Points reached."""
    files: frozenset[str]
    """Files of the tree that its module's collection and its run opened."""
    reads: bool
    """Its run itself opened a target file."""
    spawned: bool
    """It started other programs."""
    children: frozenset[str]
    """Targets that Python processes started by it have loaded."""
    handlers: bool
    """Its file, or a conftest, catches exceptions."""
    lines: Mapping[str, tuple[tuple[int, int], ...]] | None = None


@dataclass
class Scouted:
    """A whole control."""

    tests: tuple[str, ...]
    errors: tuple[str, ...]
    import_points: frozenset[int]
    """Points that ran before the first test."""
    state: str | None
    """Fingerprint of what collection left in the tree's modules; None where it can't be told."""
    common_files: frozenset[str]
    """Files that configuration and conftests opened."""
    by_test: dict[int, ControlFacts] = field(default_factory=dict)


@dataclass(frozen=True)
class Planted:
    """How a trial's defect was planted, or why it was not."""

    path: str | None
    """``swap``, ``import`` or ``process``; None where it could not be planted."""
    error: str | None = None
    """``no trace``: see ``unless_state`` of :meth:`Session.trial`."""
    unviable: str | None = None
    vanished: tuple[int, ...] = ()
    """Selected tests that were not collected under the mutant."""
    collect_errors: tuple[str, ...] = ()
    entered_at_import: bool = False


def file_plant(file: str) -> dict[str, Any]:
    """The message that plants a file as it is, in the processes that tests start."""
    return {"kind": "none", "file": file, "children": True}


def mutant_plant(mutant: Mutant, *, children: bool = False) -> dict[str, Any]:
    """The message that plants a mutant.

    Args:
        mutant: What to plant.
        children: Also in the Python processes that tests start.
    """
    return {
        "children": children,
        "kind": "mutant",
        "file": mutant.file,
        "start": {"line": mutant.start.line, "column": mutant.start.column},
        "end": {"line": mutant.end.line, "column": mutant.end.column},
        "replacement": mutant.replacement,
    }


NOTHING: Mapping[str, Any] = {"kind": "none"}


def placebo_plant(files: Sequence[str]) -> dict[str, Any]:
    """The message that plants code which does the same in other words."""
    return {"kind": "placebo", "files": list(files)}


def canary_plant(file: str, style: str) -> dict[str, Any]:
    """The message that stops a file's functions from working: ``raise``, ``value``, ``none``."""
    return {"kind": "canary", "files": [file], "style": style}


def read_facts(message: dict[str, Any]) -> tuple[Facts, int | None]:
    """One test's facts, and its count of jumps and calls where one was asked for."""
    count = message.pop("count", None)
    return msgspec.convert(message, Facts), count


def read_planted(told: Mapping[str, Any]) -> Planted:
    """How a defect was planted."""
    refused = told.get("refused") or []
    return Planted(
        path=None if refused else told["path"],
        error="another import hook claims " + ", ".join(refused) if refused else None,
        vanished=tuple(told.get("vanished", ())),
        collect_errors=tuple(told.get("errors", ())),
        entered_at_import=bool(told.get("entered")),
    )


def read_collected(told: Mapping[str, Any]) -> Collected:
    """What was collected."""
    return Collected(
        tests=tuple(told["tests"]),
        errors=tuple(told["errors"]),
        loaded=told["loaded"],
        strangers=told["strangers"],
        threads=told["threads"],
        neutralised=tuple(told["neutralised"]),
    )


def read_scouting(told: Mapping[str, Any]) -> Scouted:
    """A control that begins: no test has run yet."""
    return Scouted(
        tests=tuple(told["tests"]),
        errors=tuple(told["errors"]),
        import_points=frozenset(told["import_points"]),
        state=told["state"],
        common_files=frozenset(told["common_files"]),
    )


def read_control(message: Mapping[str, Any]) -> ControlFacts:
    """What one test did in the control."""
    facts, _ = read_facts(message["facts"])
    lines = message.get("lines")
    return ControlFacts(
        facts=facts,
        hits=frozenset(message["hits"]),
        files=frozenset(message["files"]),
        reads=message["reads"],
        spawned=message["spawned"],
        children=frozenset(message["children"]),
        handlers=message["handlers"],
        lines=None
        if lines is None
        else {name: tuple(map(tuple, found)) for name, found in lines.items()},
    )


def died(index: int, how: str) -> ControlFacts:
    """Of a test in whose control the process ended."""
    return ControlFacts(
        facts=Facts(test=index, verdict="died", detail=how),
        hits=frozenset(),
        files=frozenset(),
        reads=False,
        spawned=False,
        children=frozenset(),
        handlers=True,
    )
