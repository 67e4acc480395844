"""Does every operator do something, and do the counts still fit what there is?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bench.operators import records
from bench.operators.catalogue import Operator
from bench.operators.subjects import Subject

_SHORT: Final = "run python -m bench.operators run"


def problems(
    kept: Sequence[records.Record], catalogue: Sequence[Operator], subjects: Sequence[Subject]
) -> list[str]:
    """What is wrong with the counts for one version of Python.

    Args:
        kept: The counts.
        catalogue: The operators that there are.
        subjects: All that has to have been run.
    """
    return [*_of_subjects(kept, subjects), *_of_operators(kept, catalogue)]


def _of_subjects(kept: Sequence[records.Record], subjects: Sequence[Subject]) -> Iterator[str]:
    by_name = {record["name"]: record for record in kept}
    listed = {subject.name: records.described(subject) for subject in subjects}
    for name in sorted(by_name.keys() - listed.keys()):
        yield f"{name}: counted, and no subject"
    for name, wanted in listed.items():
        if name not in by_name:
            yield f"{name}: not counted; {_SHORT} WORK {name}"
            continue
        found = {field: by_name[name].get(field) for field in wanted}
        differing = [field for field in wanted if found[field] != wanted[field]]
        for field in differing:
            yield (
                f"{name}: expected {field} {wanted[field]}, found {found[field]}; "
                f"{_SHORT} WORK {name}"
            )


def _of_operators(kept: Sequence[records.Record], catalogue: Sequence[Operator]) -> Iterator[str]:
    counts = records.summed(kept)
    known = {operator.name for operator in catalogue}
    for name in sorted(counts.keys() - known):
        yield f"{name}: counted, and no operator"
    for name in (operator.name for operator in catalogue):
        made = sum(counts.get(name, {}).values())
        run = made - sum(counts.get(name, {}).get(word, 0) for word in records.NOT_RUN)
        if not made:
            yield f"{name}: never applied: no subject has a place for it"
        elif not run:
            yield f"{name}: none of its {made} mutants could be run"
