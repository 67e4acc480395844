"""The words for what a grader did to one planted output, and for the holes that this shows.

An output trial asks one grader about one output that was built to be wrong (a *defect*), right (an
*equivalent*) or as right as the reference in the defect's own frame (a *sham*). Outcomes and
holes are computed from recorded calls by the pure functions of
:mod:`redhanded.model.grading`; nothing here does I/O.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Final, Literal

import msgspec

from redhanded.model.output import Output, Part

Planted = Literal["defect", "floor", "equivalent"]
"""What an operator plants: a wrong output; blank or garbage; or a right one in other words."""


class _Word(str, Enum):
    def __str__(self) -> str:
        return str(self.value)


class Phase(_Word):
    """Why a grader is called."""

    CONTROL = "control"
    """The reference output, before any decision."""
    DECISION = "decision"
    """A planted output."""
    SHAM = "sham"
    """A defect's truthful twin: a decision about the frame."""
    CONTROL_AFTER = "control_after"
    """The reference output again, after all decisions."""
    PROBE = "probe"
    """Neither: recorded, counts for nothing."""


class Answer(_Word):
    """A grader's verdict on one output."""

    ACCEPT = "accept"
    REJECT = "reject"
    ABSTAIN = "abstain"
    """None or an empty result: red on a control, a miss on a defect."""
    SCORED = "scored"
    """A score without a bar: neither accepted nor rejected, only comparable."""
    ERROR = "error"
    """It raised, hung, or gave NaN or a type that says nothing."""


class OutputOutcome(_Word):
    """What one grader did to one planted output."""

    CAUGHT = "caught"
    """A defect was rejected, and its sham accepted (or none is possible: ``no_sham``)."""
    MISSED = "missed"
    """A defect was accepted, or abstained from."""
    CONFOUNDED = "confounded"
    """A defect was rejected, and so was its sham: the frame was noticed, not the defect."""
    HELD = "held"
    """An equivalent was accepted."""
    FLAGGED = "flagged"
    """An equivalent was rejected."""
    ERROR = "error"
    """The grader raised, hung, or gave NaN or a wrong type."""
    FLAKY = "flaky"
    """The verdict wasn't stable over repeats."""
    NOT_APPLICABLE = "n/a"
    """Whether the output is wrong can't be shown; a coded reason says why."""
    SEPARATED = "separated"
    """Without a bar: the defect scored strictly below every right output."""
    NOT_SEPARATED = "not_separated"
    """Without a bar: the defect scored as high as some right output."""
    INCOMPLETE = "incomplete"
    """Not witnessed; a :class:`Lack` says why."""


class Lack(_Word):
    """Why a row is ``incomplete``: it is no evidence about the grader."""

    RED_CONTROL = "red_control"
    """The grader doesn't accept the reference."""
    CONTROL_ERROR = "control_error"
    """The grader raised or hung on the reference."""
    UNSTABLE_CONTROL = "unstable_control"
    """The grader doesn't always accept the reference."""
    NOT_ENTERED = "not_entered"
    """The grader's own code was never entered in that call."""
    UPSTREAM_NOT_ENTERED = "upstream_not_entered"
    """The library function that it claims to wrap was never entered in that call."""
    OTHER_INSTANCE = "other_instance"
    """Another instance of that library function was entered, not the case's."""
    ANSWERS_FOR_LIBRARY = "answers_for_library"
    """With the library function broken the grader still gives a verdict."""
    UPSTREAM_IGNORED = "upstream_ignored"
    """The verdict is not the one that the library function returned."""
    UNATTRIBUTED = "unattributed"
    """Entries were seen that belong to no known call."""
    SELF_REPORT_MISSING = "self_report_missing"
    """A grader in another process gave no witness, or one that isn't of this call."""
    CACHED = "cached"
    """A repeat was answered from a cache."""
    ABORTED = "aborted"
    """The run ended before this row."""


class HoleKind(_Word):
    """What a wrong verdict shows about a grader, worst first."""

    VACUOUS = "vacuous"
    """It accepts a blank or garbage that the contract calls wrong."""
    FORGED = "forged"
    """It accepts an output that wrote its own verdict."""
    CRASH = "crash"
    """It raised, or hung, on a wrong output."""
    LAX = "lax"
    """It accepts what violates only a declared bar: its own bar is looser."""
    BLIND = "blind"
    """It accepts what is wrong in the very thing that it claims to judge."""
    BRITTLE = "brittle"
    """It rejects a right output."""
    STATEFUL = "stateful"
    """It accepts the reference first and rejects it after other calls."""
    COVERAGE_GAP = "coverage_gap"
    """It accepts what is wrong in a part that it doesn't claim to judge: a missing check."""


SERIOUS: Final = frozenset(HoleKind) - {HoleKind.COVERAGE_GAP}
"""Holes that fail the gate."""


class Basis(_Word):
    """How it is known that an output is wrong, or right."""

    ORACLE = "oracle"
    """The contract's decision procedure says so."""
    CONSTRUCTION = "construction"
    """It was built from a reviewed frame whose meaning is known."""
    DECLARED = "declared"
    """The case says so."""


class ClaimSource(_Word):
    """Where it is said what a check claims to judge."""

    CONTRACT = "contract"
    """A contract written by hand is the claim."""
    CLAIMS = "claims"
    """The case narrows it."""
    FRAMEWORK = "framework"
    """The framework's own documentation; the adapter's table names place and version."""
    NONE = "none"
    """Nobody says: a miss is a coverage gap, never blind."""


class WitnessKind(_Word):
    """What vouches for a call having entered the grader."""

    ENTERED = "entered"
    """Entry, return and unwinding were seen on the code objects themselves."""
    OBSERVED = "observed"
    """Our helper in the grader's own process saw the entry."""
    SELF_REPORTED = "self_reported"
    """The grader's process says so, with this call's nonce."""


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One call of a witnessed callable, as seen on its code object."""

    target: str
    """``module:qualname`` of the callable."""
    role: Literal["grader", "upstream"]
    instance: str | None = None
    """Which instance: see :mod:`redhanded.outputs.witness`; None for plain functions."""
    returned: Any = None
    """What came back, as data; ``repr`` without addresses where it is no data."""
    raised: str | None = None
    """Type and message of the exception that left it."""
    outermost: bool = True
    by_exclusivity: bool = False
    """It carried no token, but only one call was in flight."""


class Call(msgspec.Struct, frozen=True, omit_defaults=True):
    """One call of a grader: a line of the ledger."""

    id: int
    """From 0, in the order made."""
    case: str
    grader: str
    """The judge: the grader's name, and ``[key]`` where it gives several verdicts."""
    phase: Phase
    answer: Answer
    row: str | None = None
    """The row that asked; None for controls."""
    repeat: int = 0
    score: float | None = None
    raw: Any = None
    """What the grader returned, as data."""
    entries: tuple[Entry, ...] = ()
    witness: WitnessKind = WitnessKind.ENTERED
    lack: Lack | None = None
    """Why the call is no evidence; None where it is."""
    error: str | None = None
    seconds: float = 0.0


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """One planted output and one grader: a row of the results."""

    id: str
    """``case/operator/variant``, and the judge's key where a grader gives several verdicts."""
    case: str
    grader: str
    operator: str
    variant: str
    planted: Planted
    defect_class: str
    outcome: OutputOutcome
    hole: HoleKind | None = None
    basis: Basis | None = None
    claim_source: ClaimSource = ClaimSource.NONE
    part: Part = "text"
    """What the operator changed."""
    bar: str | None = None
    """The declared bar that alone is violated (``tolerance``, ``threshold``, ``order``,
    ``extras``); None where more is wrong."""
    why: str = ""
    """Why the output is wrong, or right, in one line."""
    output: Output | None = None
    """The whole planted output; None where none was planted."""
    sham: Output | None = None
    code: str | None = None
    """For ``n/a``: a code that stays the same from version to version."""
    unlock: str | None = None
    """For ``n/a``: what to declare, to be asked this."""
    lack: Lack | None = None
    calls: tuple[int, ...] = ()
    """Ids of the calls that decided it."""
    accepted: int | None = None
    """Over repeats: how many accepted, of ``repeats``."""
    repeats: int = 1
    no_sham: bool = False
    note: str = ""


class Score(msgspec.Struct, frozen=True):
    """A count of a population, and the ratio."""

    k: int
    n: int
    value: float | None
    """k / n; None where n is 0."""
    low: float | None = None
    """Wilson interval at 95%, where the population is one that may be sampled."""
    high: float | None = None
