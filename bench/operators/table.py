"""The counts, and the catalogue beside them, as Markdown tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from bench.operators import records
from bench.operators.catalogue import Operator

_HEADS: Final = ("applied", *(word.replace("_", " ") for word in records.STATUSES))


def operators(catalogue: Sequence[Operator]) -> str:
    """What each operator does, and which other tools have one like it."""
    rows = [
        [operator.family, f"`{operator.name}`", operator.description, ", ".join(operator.tools)]
        for operator in catalogue
    ]
    heads = ["family", "operator", "what it does", "also in"]
    return _table([heads, ["---"] * len(heads), *rows])


def results(kept: Sequence[records.Record], catalogue: Sequence[Operator]) -> str:
    """A row for each operator of the catalogue, applied or not, and a sum for each family."""
    counts = records.summed(kept)
    rows: list[list[str]] = []
    for family, members in groupby(catalogue, lambda operator: operator.family):
        mine = {operator.name: counts.get(operator.name, {}) for operator in members}
        rows += [[f"`{name}`", *_numbers(one)] for name, one in mine.items()]
        if len(mine) > 1:
            rows.append(_bold([f"all {family}", *_numbers(_added(mine))]))
    # What the catalogue doesn't have is told, too: nothing that was counted is left out.
    known = {operator.name for operator in catalogue}
    unknown = sorted(counts.keys() - known)
    rows += [[f"`{name}`, no operator", *_numbers(counts[name])] for name in unknown]
    rows.append(_bold(["all", *_numbers(_added(counts))]))
    rules = ["---", *["---:"] * len(_HEADS)]
    return _table([["operator", *_HEADS], rules, *rows])


def subjects(kept: Sequence[records.Record]) -> str:
    """What was run, and with what."""
    heads = [
        "subject", "files", "tests", "Python", "pytest", "redhanded", "operators", "judges",
        "mutants",
    ]  # fmt: skip
    rules = [*["---"] * 7, "---:", "---:"]
    return _table([heads, rules, *(_subject(record) for record in kept)])


def _subject(record: records.Record) -> list[str]:
    mutants = sum(sum(counts.values()) for counts in record["counts"].values())
    offered = record["operators"]
    return [
        f"{record['distribution'].replace('_', '-')} {record['version']}",
        ", ".join(f"`{file}`" for file in record["files"]),
        " ".join(f"`{argument}`" for argument in record["args"]),
        record["python"],
        record["pytest"],
        f"{record['redhanded']} ({record['commit']})",
        "all" if offered is None else f"{len(offered)} rare ones",
        str(record["judges"]),
        str(mutants),
    ]


def _added(counts: Mapping[str, records.Counts]) -> records.Counts:
    return {word: sum(one.get(word, 0) for one in counts.values()) for word in records.STATUSES}


def _numbers(counts: records.Counts) -> list[str]:
    return [str(sum(counts.values())), *(str(counts.get(word, 0)) for word in records.STATUSES)]


def _bold(cells: Sequence[str]) -> list[str]:
    return [f"**{cell}**" for cell in cells]


def _table(rows: Sequence[Sequence[str]]) -> str:
    return "".join(f"| {' | '.join(cells)} |\n" for cells in rows)
