"""Scores of graders: how many wrong outputs they reject, and how many right ones they keep.

The unit is a case and a class of defects: it is caught when every variant is. Rows that are
``n/a`` or ``incomplete`` are in no population; a crash, a flaky verdict and a confounded
rejection are in it and earn nothing. An interval is given only for one grader over one class,
whose cases may be a sample; the catalogue of classes is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from redhanded.model.graded import OutputOutcome, Row, Score
from redhanded.model.score import ratio
from redhanded.model.wilson import interval

UNMEASURED: Final = frozenset({OutputOutcome.NOT_APPLICABLE, OutputOutcome.INCOMPLETE})
"""Outcomes that are in no population."""
EARNS: Final = frozenset({OutputOutcome.CAUGHT, OutputOutcome.HELD, OutputOutcome.SEPARATED})
"""Right verdicts with a witness."""
OLDER: Final = "(caught + held) / applied"
"""The one-number ratio of older tools, by name: floor probes, equivalents and confounded
rejections all count as caught, rows where the grader raised count nowhere."""


class Scores(msgspec.Struct, frozen=True):
    """One grader, one class, or all: two numbers and the floor, never one."""

    grader: str | None
    """None: all graders."""
    defect_class: str | None
    """None: all classes."""
    detection: Score
    """Units of defects, caught."""
    detection_no_sham: int
    """Of ``detection.k``: units in which a variant has no sham to compare with."""
    preservation: Score
    """Units of equivalents, held."""
    floor: Score
    """Units of blanks and garbage, caught."""
    older: Score
    """Rows, by the formula :data:`OLDER`."""


def counted(k: int, n: int, *, sampled: bool = False) -> Score:
    """A count and its ratio; None where there is no population."""
    if not sampled or n == 0:
        return Score(k, n, ratio(k, n))
    low, high = interval(k, n)
    return Score(k, n, ratio(k, n), low, high)


Key = tuple[str | None, str | None]


class ScoreBook:
    """Adds up scores case by case; a unit lies within a case, so counts are all it keeps."""

    def __init__(self) -> None:
        self._counts: dict[Key, Counter[str]] = {}

    def add(self, rows: Iterable[Row]) -> None:
        """Add all rows of one or more whole cases."""
        measured = [row for row in rows if row.outcome not in UNMEASURED]
        self._count((None, None), measured)
        for grader in {row.grader for row in measured}:
            own = [row for row in measured if row.grader == grader]
            self._count((grader, None), own)
            for name in {row.defect_class for row in own}:
                self._count((grader, name), [row for row in own if row.defect_class == name])

    def _count(self, key: Key, rows: Sequence[Row]) -> None:
        counts = self._counts.setdefault(key, Counter())
        for planted in ("defect", "equivalent", "floor"):
            units = _units(rows, planted)
            earned = [unit for unit in units if all(row.outcome in EARNS for row in unit)]
            counts[f"{planted} k"] += len(earned)
            counts[f"{planted} n"] += len(units)
            if planted == "defect":
                counts["no sham"] += sum(any(row.no_sham for row in unit) for unit in earned)
        applied = older(rows)
        counts["older k"] += applied.k
        counts["older n"] += applied.n

    def scores(self) -> tuple[Scores, ...]:
        """Over all, then each grader, and each of its classes."""
        keys = {(None, None), *self._counts}
        return tuple(self._scores(key) for key in sorted(keys, key=_place))

    def _scores(self, key: Key) -> Scores:
        counts = self._counts.get(key, Counter())
        sampled = None not in key

        def score(name: str, *, sampled: bool = False) -> Score:
            return counted(counts[f"{name} k"], counts[f"{name} n"], sampled=sampled)

        return Scores(
            grader=key[0],
            defect_class=key[1],
            detection=score("defect", sampled=sampled),
            detection_no_sham=counts["no sham"],
            preservation=score("equivalent", sampled=sampled),
            floor=score("floor", sampled=sampled),
            older=score("older"),
        )


def _place(key: Key) -> tuple[str, str]:
    return key[0] or "", key[1] or ""


def scores(rows: Iterable[Row]) -> tuple[Scores, ...]:
    """All scores of a run's rows: see :class:`ScoreBook`."""
    book = ScoreBook()
    book.add(rows)
    return book.scores()


def _units(rows: Iterable[Row], planted: str) -> list[list[Row]]:
    """Rows by case, grader and class: a case whose grader gives several verdicts has several."""
    units: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        if row.planted == planted:
            units.setdefault((row.case, row.grader, row.defect_class), []).append(row)
    return list(units.values())


def older(rows: Iterable[Row]) -> Score:
    """The one number of older tools: see :data:`OLDER`."""
    applied = [row for row in rows if row.outcome in _APPLIED]
    kept = sum(row.outcome in EARNS or row.outcome is OutputOutcome.CONFOUNDED for row in applied)
    return counted(kept, len(applied))


_APPLIED: Final = frozenset(OutputOutcome) - UNMEASURED - {OutputOutcome.ERROR, OutputOutcome.FLAKY}
