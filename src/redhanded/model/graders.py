"""The result of a run of the outputs instrument: what ``--json`` prints.

Counts are integers; what could not be measured is ``None``, never a number. Everything here is
arithmetic over rows and calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, Literal, Protocol

import msgspec

from redhanded.model.checks import Group
from redhanded.model.graded import (
    SERIOUS,
    Basis,
    Call,
    ClaimSource,
    HoleKind,
    Lack,
    OutputOutcome,
    Row,
    WitnessKind,
)
from redhanded.model.grader_scores import Scores
from redhanded.model.ledger import Ledger
from redhanded.model.output import Output
from redhanded.model.separation import Separation

FORMAT: Final = "redhanded/graders-run/1"

RANK: Final = {kind: place for place, kind in enumerate(HoleKind)}
"""Holes, worst first: the order of the enumeration."""

HARNESS: Final = frozenset(
    {
        Lack.NOT_ENTERED,
        Lack.UPSTREAM_NOT_ENTERED,
        Lack.OTHER_INSTANCE,
        Lack.ANSWERS_FOR_LIBRARY,
        Lack.UPSTREAM_IGNORED,
        Lack.UNATTRIBUTED,
        Lack.SELF_REPORT_MISSING,
    }
)
"""Lacks that say that it isn't the grader which was measured."""
RED: Final = frozenset({Lack.RED_CONTROL, Lack.CONTROL_ERROR, Lack.UNSTABLE_CONTROL})
"""Lacks of the control."""


class Hole(msgspec.Struct, frozen=True, omit_defaults=True):
    """One wrong verdict, with what it takes to see it again."""

    case: str
    grader: str
    kind: HoleKind
    reference: Output
    """The output that the grader accepts, as it has to."""
    row: str | None = None
    """None for ``stateful``: it is about all calls of a case."""
    defect_class: str | None = None
    operator: str | None = None
    variant: str | None = None
    planted: Literal["defect", "floor", "equivalent", "sham"] | None = None
    basis: Basis | None = None
    claim_source: ClaimSource = ClaimSource.NONE
    output: Output | None = None
    """What it gave the wrong verdict on."""
    part: str = "text"
    bar: str | None = None
    why: str = ""
    hint: str = ""
    note: str = ""


class CanaryResult(msgspec.Struct, frozen=True):
    """One check of the harness, or of how a grader is wired to its library."""

    name: Literal["raises", "inverted", "accepts-all", "rejects-all"]
    """The upstream raises; the upstream's return is inverted; the run's own two graders."""
    grader: str
    target: str
    passed: bool | None
    """None: it could not be asked; ``detail`` says why."""
    detail: str


class GraderInfo(msgspec.Struct, frozen=True):
    """One grader that was asked."""

    name: str
    cases: int
    state: Literal["fresh", "forked", "shared"]
    witness: WitnessKind
    watched: tuple[str, ...]
    """``module:qualname`` of what is watched, the grader's own first."""
    claim: tuple[str, ...] | None = None
    """What the framework's documentation says that it judges; None where it says nothing."""
    claim_where: str | None = None
    unwatchable: tuple[str, ...] = ()
    """What can't be watched, and why."""


class Untested(msgspec.Struct, frozen=True):
    """A grader or a case that was found and not tested."""

    name: str
    code: str
    reason: str
    case: str | None = None


class Inventory(msgspec.Struct, frozen=True):
    """What was found: tested, and not."""

    cases: int
    tested: int
    """Cases with a measured row."""
    graders: tuple[GraderInfo, ...]
    untested: tuple[Untested, ...] = ()
    contracts: dict[str, str] = {}
    """Case -> its contract as code, where it was derived."""


class Gate(msgspec.Struct, frozen=True):
    """Which holes let the run fail, where an earlier run or waivers excuse some."""

    failing: int
    """Serious holes that nothing excuses."""
    baseline: bool = False
    """It was compared with an earlier run."""
    known: tuple[str, ...] = ()
    """Keys of the holes that the earlier run had too."""
    gone: int = 0
    """Holes that the earlier run had, and this one hasn't: mended, or not asked any more."""
    waived: dict[str, str] = {}
    """Key -> why, and until when."""


def hole_key(hole: Hole) -> str:
    """What tells a hole from all others of a suite, and is the same in the next run."""
    return f"{hole.kind} {hole.row or f'{hole.case}/{hole.grader}'}"


class GradersResult(msgspec.Struct, frozen=True):
    """A whole run of the outputs instrument."""

    format: str
    redhanded: str
    python: str
    platform: str
    holes: tuple[Hole, ...]
    """Worst first."""
    scores: tuple[Scores, ...]
    """All; each grader; each grader and class."""
    rows: tuple[Row, ...]
    """Empty where the sink alone keeps them: see ``tally``."""
    tally: dict[str, int]
    """Outcome -> rows."""
    not_applicable: dict[str, int]
    """Code -> rows that were not planted."""
    lacks: dict[str, int]
    """Lack -> incomplete rows."""
    separations: tuple[Separation, ...]
    groups: tuple[Group, ...]
    ledger: Ledger
    canaries: tuple[CanaryResult, ...]
    inventory: Inventory
    seconds: float
    complete: bool
    """False for an aborted run."""
    warnings: tuple[str, ...] = ()
    exit_code: int = 0
    gate: Gate | None = None
    """None where nothing was excused: then every serious hole counts."""


class GraderSink(Protocol):
    """Takes what a run records, case by case; what it has taken survives the process."""

    def case(self, calls: Sequence[Call], rows: Sequence[Row]) -> None:
        """Keep one case: all calls of it, and all rows."""

    def canary(self, canary: CanaryResult) -> None:
        """Keep one check of the harness."""


class MemorySink:
    """Keeps everything in lists: for tests, and for runs that nothing is to be kept of."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.rows: list[Row] = []
        self.canaries: list[CanaryResult] = []

    def case(self, calls: Sequence[Call], rows: Sequence[Row]) -> None:
        """Keep one case."""
        self.calls += calls
        self.rows += rows

    def canary(self, canary: CanaryResult) -> None:
        """Keep one check."""
        self.canaries.append(canary)


def worst_first(holes: Iterable[Hole]) -> tuple[Hole, ...]:
    """Holes by kind, then in the order of cases."""
    return tuple(sorted(holes, key=lambda hole: RANK[hole.kind]))


def tallies(rows: Iterable[Row]) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Rows by outcome, those that don't apply by code, incomplete ones by lack."""
    outcomes: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    lacks: Counter[str] = Counter()
    for row in rows:
        outcomes[str(row.outcome)] += 1
        if row.outcome is OutputOutcome.NOT_APPLICABLE:
            codes[row.code or "unknown"] += 1
        if row.lack is not None:
            lacks[str(row.lack)] += 1
    return outcomes, codes, lacks


class Verdict(msgspec.Struct, frozen=True):
    """What the exit code rests on."""

    holes: tuple[HoleKind, ...]
    measured: int
    """Rows with an outcome that counts."""
    controls: int
    """Judges whose control was asked."""
    red: int
    """Of these, red, raising or unstable."""
    balanced: bool
    self_checks: bool
    """The run's own two graders came out as they must."""
    unwitnessed: int
    """Graders with nothing measured, for want of a witness."""
    complete: bool = True


def exit_code(found: Verdict) -> int:
    """0 no serious hole, 1 a serious one, 3 nothing measured, 4 all controls red, 5 unwitnessed.

    Where several apply the highest wins. A run that was cut short has measured what it has; its
    rows that were never asked are incomplete, and it doesn't pass.
    """
    code = 1 if any(kind in SERIOUS for kind in found.holes) else 0
    if found.measured == 0 or not found.complete:
        code = 3
    if found.controls and found.red == found.controls:
        code = 4
    if not found.balanced or not found.self_checks or found.unwitnessed:
        code = 5
    return code
