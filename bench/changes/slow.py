"""A change judged the slow and obvious way, and redhanded's statuses beside it.

Two trees are made on disk (:mod:`bench.changes.sides`). On each, for each mutant, ``bench.oracle``
does what it always does: the mutant is written to a copy, a fresh pytest without ``-x`` runs on it,
a test that hangs is ended by a cap of its own, outcomes are read from a report. What is compared
are statuses, by the mapping that ``bench/oracle/statuses.py`` states, of each side with the side's
own tree; a cell on which the two differ is settled by that test alone before it counts.

Nothing of redhanded is imported: what it wrote is read as JSON.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any

from bench.changes import clones, matter, records, sides
from bench.changes.measure import Place
from bench.changes.sample import stratified
from bench.changes.sides import Side
from bench.changes.subjects import Change, Limits
from bench.oracle import compare as comparing
from bench.oracle import run as running
from bench.oracle.engine import EngineRun
from bench.oracle.errors import RefusedError
from bench.oracle.mutant import Mutant, read_mutants, write_mutants
from bench.oracle.process import Subject
from bench.oracle.run import StoredRun
from bench.oracle.tree import remove


def judge(change: Change, place: Place, limits: Limits) -> records.Record:
    """Run the oracle on what redhanded measured, and add the comparison to the result.

    Raises:
        RefusedError: There is nothing to compare with.
    """
    record = records.read(place.results, change)
    if record is None or record["ended"] != "measured" or not record["mutants"]:
        said = "no result" if record is None else f"{record['ended']}: {record['reason']}"
        raise RefusedError(f"{change.label}: expected measured mutants, found {said}")
    _same_run(change, place, record)
    begun = time.monotonic()
    out = place.work / change.label / "oracle"
    given = out / "mutants.jsonl"
    mutants, duplicates = chosen(place.run(change), record, limits)
    if given.is_file() and read_mutants(given) != mutants:
        remove(out)  # of another sample; one of the same goes on where it stopped
    out.mkdir(parents=True, exist_ok=True)
    write_mutants(given, mutants)
    partial = limits.slow < median(record["seconds"]["plain"])
    record["oracle"] = {
        "mutants": len(mutants),
        "of": record["headline"]["mutants"],
        "duplicates": duplicates,
        "cap": limits.sample,
        "seed": limits.seed,
        "sides": {side: _side(change, place, limits, side, given, partial) for side in sides.SIDES},
    }
    record["seconds"]["oracle"] = round(time.monotonic() - begun, 1)
    kept: records.Record = records.without_paths(record, place.names())
    records.write(place.results, change, kept)
    return kept


def _same_run(change: Change, place: Place, record: records.Record) -> None:
    """Refuse to compare with another run than the one whose result is kept."""
    path = place.run(change) / "result.json"
    told = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    if told is None or records.mutants(told) != record["mutants"]:
        raise RefusedError(
            f"{change.label}: expected the run whose result is kept in {place.run(change)}, found "
            f"{'none' if told is None else 'other mutants or statuses'}; do `run` again"
        )


def chosen(run: Path, record: records.Record, limits: Limits) -> tuple[list[Mutant], int]:
    """The mutants to run, and how many are left out for being another one's twin."""
    every = read_mutants(run / "mutants.jsonl")
    alone = [mutant for mutant in every if mutant.viability != "duplicate"]
    statuses = {one["id"]: one["status"] for one in record["mutants"]}

    def kind(mutant: Mutant) -> tuple[str, str]:
        told = statuses.get(mutant.id, {})
        return str(told.get("reference")), str(told.get("candidate"))

    return stratified(alone, kind, limits.sample, limits.seed), len(every) - len(alone)


def _side(
    change: Change, place: Place, limits: Limits, side: Side, mutants: Path, partial: bool
) -> records.Record:
    """One side; what keeps it from being judged is told in its place."""
    folder = place.work / change.label / "oracle" / side
    tree = folder / "tree"
    try:
        sides.make(place.clones, change, side, tree)
        files = _files(change, place, side, tree, mutants) if partial else None
        suite = change.suite
        running.run(running.Order(
            subject=Subject(tree, str(place.python), (*suite.args, *(files or ())), suite.roots),
            name=suite.name,
            version=change.short,
            mutants=mutants,
            out=folder / "run",
            claims=True,
        ))  # fmt: skip
        told = comparing.compare(
            folder / "run", place.run(change), folder / "comparison", side=side, limit=limits.settle
        )
    except RefusedError as error:
        return {"refused": str(error)}
    oracle, engine = running.read_run(folder / "run"), EngineRun(place.run(change), side)
    return {
        **told_of(told),
        "files": files,
        "killers": killers(oracle, engine),
        "contested": contested(oracle, engine),
    }


def told_of(comparison: Mapping[str, Any]) -> records.Record:
    """What is kept of a comparison."""
    tests = comparison["tests"]
    return {
        "tests": tests["compared"],
        "excluded_tests": {why: list(tests["excluded"].values()).count(why)
                           for why in sorted(set(tests["excluded"].values()))},
        "cells": comparison["cells"],
        "statuses": comparison["statuses"],
        "timeouts": comparison["timeouts"],
        "seconds": comparison["oracle_seconds"],
    }  # fmt: skip


def killers(oracle: StoredRun, engine: EngineRun) -> records.Record:
    """Of the mutants that redhanded calls killed: does a test that it names as killer fail?"""
    named = {one["id"]: one["killers"] for one in engine.result["mutants"]}
    borne_out, not_borne_out = 0, []
    for mutant, its in _with_status(oracle, engine, "killed"):
        known = [test for test in named[its] if test in oracle.baseline.words]
        if any(oracle.cell(mutant.id, test).word == "fail" for test in known):
            borne_out += 1
        else:
            not_borne_out.append({"mutant": its, "killers": named[its][:20]})
    return {"fail": borne_out, "pass": not_borne_out}


def contested(oracle: StoredRun, engine: EngineRun) -> dict[str, int]:
    """Of the mutants of which redhanded can't tell: on how many does some test fail?"""
    counts = {"fail": 0, "pass": 0}
    for mutant, _ in _with_status(oracle, engine, "contested"):
        words = {oracle.cell(mutant.id, test).word for test in oracle.baseline.words}
        counts["fail" if "fail" in words else "pass"] += 1
    return counts


def _with_status(oracle: StoredRun, engine: EngineRun, status: str) -> Iterator[tuple[Mutant, str]]:
    """The oracle's mutants of a status, each with redhanded's id for it."""
    ids = {mutant.place: mutant.id for mutant in engine.mutants.values()}
    for mutant in oracle.mutants:
        its = ids.get(mutant.place, "")
        if engine.status(its) == status:
            yield mutant, its


def _files(change: Change, place: Place, side: Side, tree: Path, mutants: Path) -> list[str]:
    mutated = {mutant.file for mutant in read_mutants(mutants)}
    base = clones.parent(tree, change.commit)
    touched = {path for _, path in sides.changed(tree, base, change.commit)}
    modules = matter.module_names(mutated, change.suite.roots)
    files = matter.files_that_matter(tree, place.run(change), side, modules, touched)
    if not files:
        raise RefusedError(f"{change.label}: expected test files that matter, found none")
    return files
