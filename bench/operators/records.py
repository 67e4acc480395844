"""The file that the counts are kept in: canonical JSON, one file a version of Python.

Of each subject: what was run (``distribution``, ``version``, ``files``, ``args``, and
``operators``, null for all), with what (``python``, ``pytest``, ``redhanded`` and its ``commit``),
the mutant set's ``digest``, how many tests were judges, and ``counts``: operator -> status ->
mutants, zeros left out. No path of the machine is kept, and no time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench.operators.subjects import Subject
from bench.oracle.errors import RefusedError

FORMAT: Final = "redhanded/operators/1"
RESULTS: Final = Path(__file__).with_name("results")
STATUSES: Final = (
    "killed", "survived", "string_only", "no_coverage", "crashed", "hung", "incomplete", "unviable",
    "equivalent", "duplicate",
)  # fmt: skip
"""What becomes of a mutant; ``string_only`` are the survivors in which only a text changed."""

NOT_RUN: Final = frozenset({"unviable", "equivalent", "duplicate"})
"""Mutants that no test is asked about."""

Record = dict[str, Any]
Counts = Mapping[str, int]


def path_of(results: Path, python: str) -> Path:
    """Where the counts for a version such as ``3.12`` are kept."""
    return results / f"{python}.json"


def versions(results: Path = RESULTS) -> list[str]:
    """The versions of Python that there are counts for, oldest first."""
    found = [path.stem for path in results.glob("*.json")]
    return sorted(found, key=lambda name: [int(part) for part in name.split(".")])


def read(results: Path, python: str) -> list[Record]:
    """What is kept of each subject, in the order of the file; nothing where there is no file.

    Raises:
        RefusedError: It is something else.
    """
    path = path_of(results, python)
    if not path.is_file():
        return []
    try:
        whole: Record = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise RefusedError(f"{path}: expected JSON, found: {error}") from None
    if whole.get("format") != FORMAT or whole.get("python") != python:
        raise RefusedError(
            f"{path}: expected {FORMAT} for {python}, found {whole.get('format')} for "
            f"{whole.get('python')}"
        )
    subjects: list[Record] = whole["subjects"]
    for record in subjects:
        _check_words(record, path)
    return subjects


def _check_words(record: Record, path: Path) -> None:
    for operator, counts in record["counts"].items():
        unknown = sorted(set(counts) - set(STATUSES))
        if unknown:
            raise RefusedError(
                f"{path}: {record['name']}, {operator}: expected one of {', '.join(STATUSES)}, "
                f"found {unknown[0]}"
            )


def put(results: Path, python: str, record: Record, order: Sequence[str]) -> None:
    """Keep one subject's counts, in place of what was kept of it before.

    Args:
        results: The folder.
        python: Version such as ``3.12``.
        record: The counts.
        order: All subjects' names; others are dropped.
    """
    kept = {one["name"]: one for one in read(results, python)}
    kept[record["name"]] = record
    whole = {
        "format": FORMAT,
        "python": python,
        "subjects": [kept[name] for name in order if name in kept],
    }
    path = path_of(results, python)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(whole, sort_keys=True, indent=1, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")


def described(subject: Subject) -> Record:
    """What a record says of the subject that it is about."""
    return {
        "name": subject.name,
        "distribution": subject.listed.distribution,
        "version": subject.listed.version,
        "files": list(subject.listed.files),
        "args": list(subject.listed.args),
        "operators": None if subject.operators is None else list(subject.operators),
    }


def count(result: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """Operator -> status -> mutants, out of what ``redhanded tests --json`` prints.

    Raises:
        RefusedError: They don't add up to the totals that it prints itself.
    """
    counts: dict[str, dict[str, int]] = {}
    for mutant in result["mutants"]:
        status = mutant["status"]["reference"]
        word = "string_only" if status == "survived" and mutant["string_only"] else status
        if word not in STATUSES:
            raise RefusedError(f"expected one of {', '.join(STATUSES)}, found {word}")
        mine = counts.setdefault(mutant["operator"], {})
        mine[word] = mine.get(word, 0) + 1
    _check_totals(counts, result)
    return counts


def _check_totals(counts: Mapping[str, Counts], result: Mapping[str, Any]) -> None:
    totals = {word: sum(one.get(word, 0) for one in counts.values()) for word in STATUSES}
    told = {word: result["reference"].get(word, totals[word]) for word in STATUSES}
    told |= {word: result["excluded"].get(word, 0) for word in NOT_RUN}
    differing = [word for word in STATUSES if totals[word] != told[word]]
    if differing or sum(totals.values()) != result["plan"]["mutants"]:
        raise RefusedError(
            f"expected the counts of {result['plan']['mutants']} mutants to be {told}, "
            f"found {totals}"
        )


def summed(records: Sequence[Record]) -> dict[str, Counts]:
    """Operator -> status -> mutants, over all subjects."""
    whole: dict[str, dict[str, int]] = {}
    for record in records:
        for operator, counts in record["counts"].items():
            mine = whole.setdefault(operator, {})
            for word, number in counts.items():
                mine[word] = mine.get(word, 0) + number
    return dict(whole)
