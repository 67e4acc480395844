"""The gate of a run of graders: which of its holes let it fail."""

from __future__ import annotations

import datetime
import fnmatch
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import msgspec

from redhanded.model.graded import SERIOUS
from redhanded.model.graders import Gate, GradersResult, Hole, hole_key

FAILED = 1
"""Exit code of a gate that failed."""


class Waiver(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Holes that somebody answers for, until a day. A pattern may hold ``*`` and ``?``."""

    reason: str
    """Why they are tolerated, for whoever reads the report."""
    expires: datetime.date
    """The last day on which they are."""
    hole: str | None = None
    """The key of a hole, as ``--json`` prints it: ``kind case/operator/variant``."""
    case: str | None = None
    grader: str | None = None
    kind: str | None = None
    operator: str | None = None
    defect_class: str | None = None
    variant: str | None = None

    def picks(self, hole: Hole) -> bool:
        """Does it speak of this hole?"""
        return all(
            pattern is None or fnmatch.fnmatchcase(found or "", pattern)
            for pattern, found in (
                (self.hole, hole_key(hole)),
                (self.case, hole.case),
                (self.grader, hole.grader),
                (self.kind, str(hole.kind)),
                (self.operator, hole.operator),
                (self.defect_class, hole.defect_class),
                (self.variant, hole.variant),
            )
        )

    def named(self) -> str:
        """What it picks, in short."""
        names = ("hole", "case", "grader", "kind", "operator", "defect_class", "variant")
        given = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return ", ".join(f"{name} {value}" for name, value in given.items())


@dataclass(frozen=True)
class Allowed:
    """What a run's holes are held against."""

    baseline: Collection[str] | None = None
    """Keys of the holes of an earlier run; None: there is none."""
    waivers: Sequence[Waiver] = field(default_factory=tuple)


def gated(result: GradersResult, allowed: Allowed, today: datetime.date) -> GradersResult:
    """A result whose exit code knows of a baseline and of waivers.

    Only a 1 can become a 0: neither mends a run that measured nothing, or isn't witnessed.
    """
    known: list[str] = []
    waived: dict[str, str] = {}
    failing = 0
    used: set[int] = set()
    for hole in result.holes:
        key = hole_key(hole)
        if allowed.baseline is not None and key in allowed.baseline:
            known.append(key)
        picked = [at for at, one in enumerate(allowed.waivers) if one.picks(hole)]
        used.update(picked)
        good = [allowed.waivers[at] for at in picked if allowed.waivers[at].expires >= today]
        if good:
            waived[key] = f"{good[0].reason} (until {good[0].expires.isoformat()})"
        if hole.kind in SERIOUS and not good and not (known and known[-1] == key):
            failing += 1
    notes = _notes(allowed.waivers, used, today)
    fixed = 0
    if allowed.baseline is not None:
        fixed = len(set(allowed.baseline) - set(known))
    code = result.exit_code
    if code in (0, FAILED):
        code = FAILED if failing else 0
    gate = Gate(
        failing=failing,
        baseline=allowed.baseline is not None,
        known=tuple(known),
        gone=fixed,
        waived=waived,
    )
    return msgspec.structs.replace(
        result, gate=gate, exit_code=code, warnings=(*result.warnings, *notes)
    )


def _notes(waivers: Sequence[Waiver], used: set[int], today: datetime.date) -> list[str]:
    found = []
    for place, one in enumerate(waivers):
        if one.expires < today:
            found.append(
                f"the waiver of {one.named()} expired on {one.expires.isoformat()}: {one.reason}"
            )
        elif place not in used:
            found.append(f"the waiver of {one.named()} fits no hole: take it out")
    return found
