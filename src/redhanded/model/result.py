"""The result of a run of the code instrument: what ``--json`` prints.

Counts are integers; what could not be measured is ``None``, never a number.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from redhanded.model.mutant import Position

FORMAT = "redhanded/code-run/1"

CohortName = Literal["reference", "candidate"]
Command = Literal["delta", "tests"]
Change = Literal["added", "modified", "unchanged", "deleted"]


class Revision(msgspec.Struct, frozen=True):
    """One side of a change."""

    commit: str | None
    """Full commit id; None for a working tree that is no commit."""
    label: str
    """As the user named it."""
    dirty: bool = False


class Scope(msgspec.Struct, frozen=True):
    """Which source was mutated, and why that."""

    kind: Literal["changed-lines", "self-selected", "paths", "mutants-file", "source-from", "all"]
    why: str
    comparable: bool
    """False where the candidate chose it (``self-selected``)."""


class FilePlan(msgspec.Struct, frozen=True):
    """One target file."""

    file: str
    lines: int | None
    """Lines in scope; None means all."""
    mutants: int


class PlanSummary(msgspec.Struct, frozen=True):
    """What was planned before the first trial."""

    scope: Scope
    files: tuple[FilePlan, ...]
    operators: tuple[str, ...]
    mutants: int
    """All that were written down, unviable, equivalent and duplicate ones included."""
    runnable: int
    sampled_from: int | None
    """How many there were before ``--max-mutants``; None where none were left out."""
    digest: str
    """sha256 over the mutant set."""
    ignored_pragmas: tuple[str, ...] = ()
    """Pragmas and exclusions that the change itself added: not honoured."""


class CohortResult(msgspec.Struct, frozen=True):
    """One cohort over the mutant set."""

    tests: int
    judges: int
    """Tests whose control is usable."""
    tried: int
    killed: int
    survived: int
    """Without the string-only ones."""
    string_only: int
    no_coverage: int
    crashed: int
    hung: int
    incomplete: int
    contested: int
    score: float | None
    score_any_failure: float | None
    """Other tools' rule: a crash or a hang counts as a kill, in both places."""
    formula: str
    label: str | None = None
    """``reference: empty`` where there were no old tests."""


class RealDefect(msgspec.Struct, frozen=True):
    """Does base's source fail under head's tests?"""

    caught: bool | None
    failing: tuple[str, ...]
    """New tests that pass on head's source and fail on base's."""
    note: str


class DeltaResult(msgspec.Struct, frozen=True):
    """What the candidate adds."""

    open: int
    contested: int
    gained: int
    free: int
    lost: int
    demoted: int
    unresolved: int
    regained: int
    value: float | None
    without_crash_only: float | None
    formula: str
    minimal_gain: tuple[str, ...]
    """The smallest set of new tests that gains as much."""
    minimal_gain_exact: bool
    dominators_open: int | None
    """Open mutants that no other open mutant's kill implies; needs the matrix of new tests."""
    dominators_gained: int | None
    real_defect: RealDefect | None
    reading: str
    """The number in a sentence."""
    unavailable: str | None = None
    """Why ``value`` is None."""


class TestResult(msgspec.Struct, frozen=True):
    """One test."""

    __test__ = False

    id: str
    cohort: CohortName
    """``reference`` for old tests, ``candidate`` for added and modified ones."""
    change: Change | None
    control: Literal["green", "red", "skipped", "flaky", "order_dependent", "placebo_red", "absent"]
    entered: int | None
    killed: int | None
    killed_alone: int | None
    """Mutants that this test kills and no other test of its cohort; None unless all were run."""
    gained: int | None
    can_judge: bool | None
    """False: never caught anything under a canary. None: not asked."""
    reason: str | None = None
    seconds: float | None = None


class StatusPair(msgspec.Struct, frozen=True):
    """A mutant's status under each cohort; None where the run has no such cohort."""

    reference: str | None
    candidate: str | None


class MutantResult(msgspec.Struct, frozen=True):
    """One mutant and who noticed it."""

    id: str
    file: str
    start: Position
    end: Position
    operator: str
    original: str
    replacement: str
    function: str
    status: StatusPair
    killers: tuple[str, ...]
    """Ids of all tests seen to kill it, both cohorts; complete where ``complete``."""
    crashers: tuple[str, ...]
    hangers: tuple[str, ...]
    passers: int
    """Tests that entered it and noticed nothing."""
    complete: bool
    """Every selected test was run against it; else the reference stopped at its first kill."""
    confirmed: tuple[str, ...] = ()
    """Killers seen to pass alone with the defect off and to fail alone with it on."""
    gained: bool = False
    string_only: bool = False
    static: bool = False
    reason: str | None = None


class Control(msgspec.Struct, frozen=True):
    """One check of the harness itself."""

    name: Literal["control", "reordered", "canary", "sentinel", "placebo", "disk-placebo", "alone"]
    cohort: CohortName
    target: str | None
    passed: bool
    detail: str


class Timings(msgspec.Struct, frozen=True):
    """Wall seconds, and the floor that the trial loop is measured against."""

    total: float
    setup: float
    controls: float
    trials: float
    trial_floor: float
    """Sum of the control durations of the trials that ran, divided by the jobs."""
    trials_run: int
    mutants_per_second: float | None
    jobs: int


class Result(msgspec.Struct, frozen=True):
    """A whole run."""

    format: str
    command: Command
    redhanded: str
    python: str
    pytest: str
    platform: str
    policy: Literal["judged", "any-failure"]
    base: Revision | None
    head: Revision | None
    plan: PlanSummary
    reference: CohortResult
    candidate: CohortResult | None
    delta: DeltaResult | None
    excluded: dict[str, int]
    """Reason -> number of mutants outside ``tried``."""
    tests: tuple[TestResult, ...]
    mutants: tuple[MutantResult, ...]
    controls: tuple[Control, ...]
    warnings: tuple[str, ...]
    timings: Timings
    complete: bool
    """False for an aborted run: it has no score."""
    exit_code: int = 0
