"""The decision table: what a wrong verdict shows about a grader, and what it claims to judge."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import msgspec

from redhanded.model.graded import ClaimSource, HoleKind, OutputOutcome, Planted

NOT_CLAIMED: Final = (
    "nobody says that this grader judges this: write the contract by hand, or name it in claims=, "
    "to have a miss counted against the grader"
)
SHARED: Final = (
    "this clause could only be read from the grader itself: write it into the contract by hand to "
    "have a miss counted against the grader"
)
NARROWED: Final = "claims= leaves this out: no check of this case judges it"
UNDOCUMENTED: Final = "the framework's documentation doesn't say that this grader judges this"


class Claimed(msgspec.Struct, frozen=True):
    """Does a check claim to judge what is wrong with an output, and who says so?"""

    source: ClaimSource
    claimed: bool
    hint: str = ""
    """Where it isn't claimed: what to declare."""


def claim(
    *,
    derived: bool,
    claims: Collection[str] | None,
    documented: Collection[str] | None,
    shared: Collection[str],
    violated: Collection[str],
    parts: Collection[str],
) -> Claimed:
    """Decide whether a wrong output is wrong in what the check claims to judge.

    Args:
        derived: The contract was derived from the case's data, not written by hand.
        claims: What the case says that the check judges: kinds of clauses, or parts.
        documented: What the framework's documentation says; None where it says nothing.
        shared: Kinds of clauses that were read from the grader itself.
        violated: Kinds of the clauses that the output violates; a dotted kind is an aspect.
        parts: Parts of the output that are wrong.
    """
    if claims is not None:
        source, said, hint = ClaimSource.CLAIMS, claims, NARROWED
    elif not derived:
        source, said, hint = ClaimSource.CONTRACT, None, NOT_CLAIMED
    elif documented is not None:
        source, said, hint = ClaimSource.FRAMEWORK, documented, UNDOCUMENTED
    else:
        return Claimed(ClaimSource.NONE, claimed=False, hint=NOT_CLAIMED)
    own = [kind for kind in violated if not _covers(shared, kind)]
    if violated and not own:
        return Claimed(source, claimed=False, hint=SHARED)
    if said is None or any(_covers(said, kind) for kind in own) or set(parts) & set(said):
        return Claimed(source, claimed=True)
    return Claimed(source, claimed=False, hint=hint)


def _covers(said: Collection[str], kind: str) -> bool:
    """Is a kind among those said, itself or as an aspect of one?"""
    return kind in said or kind.partition(".")[0] in said


def hole(
    outcome: OutputOutcome,
    planted: Planted,
    *,
    forged: bool = False,
    bar: str | None = None,
    claimed: bool = False,
    at_fault: bool = True,
    sham_raised: bool = False,
) -> HoleKind | None:
    """What a row shows about its grader; the first that matches.

    Args:
        outcome: What the grader did.
        planted: What was planted.
        forged: The output wrote its own declared verdict channel.
        bar: The declared bar that alone is violated.
        claimed: What is wrong is in what the check claims to judge.
        at_fault: For scores without a bar: this row is the wrong verdict, not another.
        sham_raised: The grader raised on the sham.
    """
    if outcome is OutputOutcome.ERROR:
        return HoleKind.CRASH
    if outcome is OutputOutcome.FLAGGED:
        return HoleKind.BRITTLE
    if outcome is OutputOutcome.CONFOUNDED:
        return HoleKind.CRASH if sham_raised else HoleKind.BRITTLE
    if outcome is OutputOutcome.NOT_SEPARATED and not at_fault:
        return None
    if outcome not in (OutputOutcome.MISSED, OutputOutcome.NOT_SEPARATED):
        return None
    if planted == "equivalent":
        return HoleKind.BRITTLE
    if planted == "floor":
        return HoleKind.VACUOUS
    if forged:
        return HoleKind.FORGED
    if bar is not None:
        return HoleKind.LAX
    return HoleKind.BLIND if claimed else HoleKind.COVERAGE_GAP
