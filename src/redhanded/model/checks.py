"""Several checks on the same outputs: who catches what, and what an added check adds.

Cases of a group share their planted outputs. A planted output is *gained* where no old check
rejects it and a new one does; a new check that flags an equivalent of the group gains nothing
there, since rejecting everything would catch all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from redhanded.model.graded import OutputOutcome, Row, Score
from redhanded.model.grader_scores import UNMEASURED, counted


class Check(msgspec.Struct, frozen=True):
    """One judge of a group: a case's grader, or one of its verdicts."""

    case: str
    grader: str
    old: bool
    """It was there before the change that is graded."""


class Planted(msgspec.Struct, frozen=True):
    """One planted output of a group and who caught it."""

    output: str
    """``operator/variant``."""
    defect_class: str
    caught_by: tuple[Check, ...]
    asked: tuple[Check, ...]
    """All checks with a measured row about it."""
    gained: bool = False


class Flagged(msgspec.Struct, frozen=True):
    """An equivalent that a new check rejects and no old one does."""

    output: str
    by: tuple[Check, ...]


class Group(msgspec.Struct, frozen=True):
    """The kill matrix of one group of cases, by check."""

    name: str
    checks: tuple[Check, ...]
    defects: tuple[Planted, ...]
    """Wrong outputs, floor probes included."""
    open: int
    """Wrong outputs that no old check caught."""
    gained: tuple[str, ...]
    delta: Score
    """gained / open."""
    newly_flagged: tuple[Flagged, ...]
    disqualified: tuple[Check, ...]
    """New checks that flag an equivalent: they gain nothing."""


_CATCHES = (OutputOutcome.CAUGHT, OutputOutcome.SEPARATED)


def group(name: str, rows: Iterable[Row], old: Mapping[str, bool]) -> Group:
    """The matrix of one group.

    Args:
        name: The group's name.
        rows: All rows of its cases.
        old: By case, whether its check was there before the change.
    """
    measured = [row for row in rows if row.outcome not in UNMEASURED]
    checks = {
        (row.case, row.grader): Check(row.case, row.grader, old.get(row.case, False))
        for row in measured
    }
    flagged = _newly_flagged(measured, checks)
    disqualified = {check for one in _flags(measured, checks).values() for check in one
                    if not check.old}  # fmt: skip
    defects = tuple(
        _planted(name_, about, checks, disqualified)
        for name_, about in _by_output(measured, equivalents=False).items()
    )
    unopened = [one for one in defects if not any(check.old for check in one.caught_by)]
    gained = tuple(one.output for one in defects if one.gained)
    return Group(
        name=name,
        checks=tuple(sorted(checks.values(), key=_order)),
        defects=defects,
        open=len(unopened),
        gained=gained,
        delta=counted(len(gained), len(unopened)),
        newly_flagged=flagged,
        disqualified=tuple(sorted(disqualified, key=_order)),
    )


def _order(check: Check) -> tuple[bool, str, str]:
    return not check.old, check.case, check.grader


def _by_output(rows: Iterable[Row], *, equivalents: bool) -> dict[str, list[Row]]:
    """Rows about one and the same output: same operator and variant, and the same text."""
    found: dict[str, list[Row]] = {}
    seen: dict[str, list[bytes]] = {}
    for row in rows:
        if (row.planted == "equivalent") is not equivalents:
            continue
        whole = msgspec.msgpack.encode(row.output, enc_hook=repr)
        name = f"{row.operator}/{row.variant}"
        others = seen.setdefault(name, [])
        if whole not in others:
            others.append(whole)
        place = others.index(whole)
        found.setdefault(name if place == 0 else f"{name}#{place + 1}", []).append(row)
    return found


def _planted(
    output: str,
    about: list[Row],
    checks: Mapping[tuple[str, str], Check],
    disqualified: set[Check],
) -> Planted:
    caught = [checks[row.case, row.grader] for row in about if row.outcome in _CATCHES]
    gained = not any(check.old for check in caught) and any(
        check not in disqualified for check in caught
    )
    asked = [checks[row.case, row.grader] for row in about]
    return Planted(
        output=output,
        defect_class=about[0].defect_class,
        caught_by=tuple(sorted(caught, key=_order)),
        asked=tuple(sorted(asked, key=_order)),
        gained=gained,
    )


def _flags(rows: Iterable[Row], checks: Mapping[tuple[str, str], Check]) -> dict[str, list[Check]]:
    return {
        output: [
            checks[row.case, row.grader] for row in about if row.outcome is OutputOutcome.FLAGGED
        ]
        for output, about in _by_output(rows, equivalents=True).items()
    }


def _newly_flagged(
    rows: Iterable[Row], checks: Mapping[tuple[str, str], Check]
) -> tuple[Flagged, ...]:
    return tuple(
        Flagged(output, tuple(sorted(by, key=_order)))
        for output, by in _flags(rows, checks).items()
        if by and not any(check.old for check in by)
    )
