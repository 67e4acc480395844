"""The words for what one test did to one mutant, and for what a cohort did to it.

An :class:`Outcome` belongs to a cell (this test on this mutant), a :class:`Status` to a mutant
under one cohort. Both are computed, never observed: see :mod:`redhanded.model.judgement` and
:mod:`redhanded.model.matrix`.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, Literal

Policy = Literal["judged", "any-failure"]
"""What counts as a kill: what a test judged, or (other tools' rule) any red verdict."""


class _Word(str, Enum):
    """A word that prints as itself on every Python."""

    def __str__(self) -> str:
        return str(self.value)


class Outcome(_Word):
    """What one test did in one trial of one mutant."""

    CAUGHT = "caught"
    """The test noticed by its own judgement."""
    CRASHED = "crashed"
    """An exception left the code under test and no test judged it, or the process died."""
    HUNG = "hung"
    """It ran past its budget of steps, time or memory."""
    PASSED = "passed"
    """The mutant was entered and the test noticed nothing."""
    SKIPPED = "skipped"
    """Skipped or xfailed under the mutant only."""
    NOT_ENTERED = "not_entered"
    """It passed, but the mutant was never executed: no evidence about this test."""
    INCOMPLETE = "incomplete"
    """No usable control or no witness; a :class:`Reason` says which."""


class Reason(_Word):
    """Why a cell is ``incomplete``."""

    # About the test, whichever the mutant: it is no judge.
    RED_CONTROL = "red_control"
    """It doesn't pass when nothing is planted."""
    SKIPPED_CONTROL = "skipped_control"
    """It is skipped when nothing is planted."""
    ORDER_DEPENDENT = "order_dependent"
    """Its verdict depends on which tests ran before it."""
    PLACEBO_RED = "placebo_red"
    """It fails on a change that alters no behaviour: it looks at the code."""

    # About the test where its controls differ (then it is no judge), else about the trial: the
    # test found itself to be non-deterministic under this mutant.
    FLAKY = "flaky"
    """Its verdict isn't stable."""

    # About the trial: a judge that should have answered didn't.
    NO_CONTROL = "no_control"
    """No control was recorded."""
    WRONG_COPY = "wrong_copy"
    """It runs another copy of the code than the one that was mutated."""
    CHILD_PROCESS = "child_process"
    """It runs the code in a process in which nothing was planted."""
    NOT_PLANTED = "not_planted"
    """The mutant could not be put in place."""
    HOOK_FAILED = "hook_failed"
    """The control through the same import hook didn't pass."""
    VANISHED = "vanished"
    """The test wasn't collected under this mutant."""
    NO_WITNESS = "no_witness"
    """The verdict changed though the mutant wasn't executed."""
    UNEXPLAINED = "unexplained"
    """It failed, and nothing was recorded that tells by what."""
    UNCONFIRMED = "unconfirmed"
    """It did something else when it was run again, alone."""
    ABORTED = "aborted"
    """The run ended before this trial."""
    LOST = "lost"
    """The harness can't tell what happened."""


class Status(_Word):
    """What a cohort of tests did to one mutant, or why it was not asked."""

    KILLED = "killed"
    CRASHED = "crashed"
    HUNG = "hung"
    SURVIVED = "survived"
    NO_COVERAGE = "no_coverage"
    UNVIABLE = "unviable"
    """It doesn't compile or import."""
    EQUIVALENT = "equivalent"
    """Its code object is the original's, line table aside."""
    DUPLICATE = "duplicate"
    """Its code object is another mutant's."""
    INCOMPLETE = "incomplete"
    CONTESTED = "contested"
    """It can't be told whether the old tests kill it."""


STATUS_PRECEDENCE: Final = (
    Status.UNVIABLE,
    Status.EQUIVALENT,
    Status.DUPLICATE,
    Status.KILLED,
    Status.CONTESTED,
    Status.INCOMPLETE,
    Status.CRASHED,
    Status.HUNG,
    Status.SURVIVED,
    Status.NO_COVERAGE,
)
"""The first that holds is the status.

A kill stands whatever else happened. After it comes not knowing: while a judge that should have
answered hasn't, nobody can say that the mutant isn't killed. Then a crash, a hang, and last the
two that say that nobody noticed.
"""

NO_JUDGE: Final = frozenset(
    {
        Reason.RED_CONTROL,
        Reason.SKIPPED_CONTROL,
        Reason.ORDER_DEPENDENT,
        Reason.PLACEBO_RED,
        Reason.FLAKY,
    }
)
"""Reasons that exclude a test by name: its cells weigh neither for nor against any mutant."""

ENTERED: Final = frozenset(
    {Outcome.CAUGHT, Outcome.CRASHED, Outcome.HUNG, Outcome.PASSED, Outcome.SKIPPED}
)
"""Outcomes that show that the mutant was executed."""

TRIED: Final = frozenset({Status.KILLED, Status.SURVIVED, Status.NO_COVERAGE})
"""Statuses that a score is computed over."""

OPEN: Final = frozenset({Status.SURVIVED, Status.NO_COVERAGE})
"""Statuses that leave a mutant for somebody else to kill."""

_KILLING: Final[dict[Policy, frozenset[Outcome]]] = {
    "judged": frozenset({Outcome.CAUGHT}),
    "any-failure": frozenset({Outcome.CAUGHT, Outcome.CRASHED, Outcome.HUNG}),
}


def killing(policy: Policy) -> frozenset[Outcome]:
    """The outcomes that kill a mutant under a policy."""
    return _KILLING[policy]
