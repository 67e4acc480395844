"""Scores of graders: how many wrong outputs they reject, and how many right ones they keep.

The unit is a case and a class of defects: it is caught when every variant is. Rows that are
``n/a`` or ``incomplete`` are in no population; a crash, a flaky verdict and a confounded
rejection are in it and earn nothing. An interval is given only for one grader over one class,
whose cases may be a sample; the catalogue of classes is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from redhanded.model.graded import OutputOutcome, Planted, Row, Score
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


def scores(rows: Iterable[Row]) -> tuple[Scores, ...]:
    """All scores of a run: over all, per grader, and per grader and class."""
    measured = [row for row in rows if row.outcome not in UNMEASURED]
    found = [one(measured, None, None)]
    for grader in sorted({row.grader for row in measured}):
        own = [row for row in measured if row.grader == grader]
        found.append(one(own, grader, None))
        for name in sorted({row.defect_class for row in own}):
            found.append(one([row for row in own if row.defect_class == name], grader, name))
    return tuple(found)


def one(rows: Sequence[Row], grader: str | None, defect_class: str | None) -> Scores:
    """The scores of some measured rows."""
    sampled = grader is not None and defect_class is not None
    detected = _units(rows, "defect")
    caught = [unit for unit in detected.values() if _earned(unit)]
    return Scores(
        grader=grader,
        defect_class=defect_class,
        detection=counted(len(caught), len(detected), sampled=sampled),
        detection_no_sham=sum(any(row.no_sham for row in unit) for unit in caught),
        preservation=_share(_units(rows, "equivalent"), sampled=sampled),
        floor=_share(_units(rows, "floor"), sampled=sampled),
        older=older(rows),
    )


def _units(rows: Iterable[Row], planted: Planted) -> Mapping[tuple[str, str, str], list[Row]]:
    """Rows by case, grader and class: a case whose grader gives several verdicts has several."""
    units: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        if row.planted == planted:
            units.setdefault((row.case, row.grader, row.defect_class), []).append(row)
    return units


def _earned(unit: Sequence[Row]) -> bool:
    return all(row.outcome in EARNS for row in unit)


def _share(units: Mapping[tuple[str, str, str], list[Row]], *, sampled: bool) -> Score:
    return counted(sum(map(_earned, units.values())), len(units), sampled=sampled)


def older(rows: Iterable[Row]) -> Score:
    """The one number of older tools: see :data:`OLDER`."""
    applied = [row for row in rows if row.outcome in _APPLIED]
    kept = sum(row.outcome in EARNS or row.outcome is OutputOutcome.CONFOUNDED for row in applied)
    return counted(kept, len(applied))


_APPLIED: Final = frozenset(OutputOutcome) - UNMEASURED - {OutputOutcome.ERROR, OutputOutcome.FLAKY}
