"""What a change's tests add: differences between two kill matrices over one set of mutants.

``delta = gained / (open + contested)``: of the mutants that the tests as they were leave alive,
how many do the tests as they are now kill? Everything here is a set of mutants first and a number
second, so that each number can be traced to the mutants and tests that make it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import msgspec

from redhanded.model.cover import Cover, smallest_cover
from redhanded.model.matrix import KillMatrix, dominators
from redhanded.model.outcome import OPEN, Policy, Status
from redhanded.model.reading import Counts, cause_of_null, reading_of
from redhanded.model.result import DeltaResult, RealDefect
from redhanded.model.score import fraction, ratio

_BROKE: Final = frozenset({Status.CRASHED, Status.HUNG})
_ANY: Final = frozenset(Status)


class Delta(msgspec.Struct, frozen=True):
    """The difference that a change's tests make. Mutants are named in the order of their set."""

    open: tuple[str, ...]
    """Survived under the reference, or entered by none of its tests."""
    contested: tuple[str, ...]
    """It can't be told whether the reference kills them; in the denominator, never gained."""
    gained: tuple[str, ...]
    """Open mutants that the candidate kills."""
    free: tuple[str, ...]
    """Open mutants that the candidate notices only by a crash or a hang."""
    lost: tuple[str, ...]
    """Killed by the reference; the candidate's tests let them live or don't enter them."""
    demoted: tuple[str, ...]
    """Killed by the reference, only crashed or hung by the candidate."""
    unresolved: tuple[str, ...]
    """Killed by the reference; what the candidate does is not known."""
    regained: tuple[str, ...]
    """Contested mutants that the candidate kills."""
    value: float | None
    without_crash_only: float | None
    formula: str
    gained_by: dict[str, tuple[str, ...]]
    """Gained mutants by each test that kills some."""
    minimal_gain: Cover
    """The smallest set of tests that gains as much."""
    dominators_open: int | None
    """Open mutants that no other open mutant's kill is known to imply. One that nobody kills
    stands for itself, since nothing shows what its kill would imply. None where not every
    candidate test was asked about every open mutant."""
    dominators_gained: int | None
    """Gained mutants that no other's kill implies."""
    reading: str
    """The number in a sentence."""
    unavailable: str | None
    """Why ``value`` is None."""

    def result(self, real_defect: RealDefect | None = None) -> DeltaResult:
        """The delta as a run's result shows it."""
        return DeltaResult(
            open=len(self.open),
            contested=len(self.contested),
            gained=len(self.gained),
            free=len(self.free),
            lost=len(self.lost),
            demoted=len(self.demoted),
            unresolved=len(self.unresolved),
            regained=len(self.regained),
            value=self.value,
            without_crash_only=self.without_crash_only,
            formula=self.formula,
            minimal_gain=self.minimal_gain.tests,
            minimal_gain_exact=self.minimal_gain.exact,
            dominators_open=self.dominators_open,
            dominators_gained=self.dominators_gained,
            real_defect=real_defect,
            reading=self.reading,
            unavailable=self.unavailable,
        )


def delta(
    reference: KillMatrix,
    candidate: KillMatrix,
    *,
    contested: Collection[str] = (),
    inapplicable: int = 0,
    policy: Policy = "judged",
    unavailable: str | None = None,
) -> Delta:
    """Compare the tests as they are with the tests as they were.

    Args:
        reference: The old tests, on the new source.
        candidate: The tests as they are now, new and unchanged ones, on the same mutants. A test
            that is red, flaky or can't be collected gains nothing.
        contested: Ids of mutants that an old test could have entered which was a usable judge on
            the old source and isn't on the new one. Those that another old test kills are killed
            all the same.
        inapplicable: Mutants of a fixed set that the candidate's source no longer has a place
            for. They stay in the denominator, so that editing them away raises nothing.
        policy: What counts as a kill.
        unavailable: A cause on the reference's or the subject's side for which nothing could be
            measured: the old suite can't be collected, the run was aborted. Everything is empty
            then.

    Raises:
        ValueError: The two matrices are not over the same mutants.
    """
    if [one.id for one in reference.mutants] != [one.id for one in candidate.mutants]:
        raise ValueError("a delta needs two matrices over one and the same set of mutants")
    old: dict[str, Status] = {}
    new: dict[str, Status] = {}
    if unavailable is None:
        old = reference.statuses(contested=contested, policy=policy)
        new = candidate.statuses(policy=policy)

    def where(before: Collection[Status], after: Collection[Status]) -> tuple[str, ...]:
        return tuple(name for name in old if old[name] in before and new[name] in after)

    opened, disputed = where(OPEN, _ANY), where({Status.CONTESTED}, _ANY)
    gained, free = where(OPEN, {Status.KILLED}), where(OPEN, _BROKE)
    lost, demoted = where({Status.KILLED}, OPEN), where({Status.KILLED}, _BROKE)
    unresolved = where({Status.KILLED}, {Status.INCOMPLETE})
    regained = where({Status.CONTESTED}, {Status.KILLED})
    whole = len(opened) + len(disputed) + inapplicable
    if unavailable is not None:
        whole = 0
    gained_by = _gained_by(candidate, gained, policy)
    every = of_gained = None
    if unavailable is None:
        every, of_gained = _dominators(candidate, opened, gained, policy)
    counts = Counts(
        killed=sum(status is Status.KILLED for status in old.values()),
        open=len(opened),
        contested=len(disputed),
        inapplicable=inapplicable,
        gained=len(gained),
        lost=len(lost),
        regained=len(regained),
    )
    if whole == 0 and unavailable is None:
        unavailable = cause_of_null(old.values())
    words = "gained / (open + contested" + (" + inapplicable)" if inapplicable else ")")
    return Delta(
        open=opened,
        contested=disputed,
        gained=gained,
        free=free,
        lost=lost,
        demoted=demoted,
        unresolved=unresolved,
        regained=regained,
        value=ratio(len(gained), whole),
        without_crash_only=ratio(len(gained), whole - len(free)),
        formula=fraction(words, len(gained), whole),
        gained_by=gained_by,
        minimal_gain=smallest_cover(gained_by, candidate.tests),
        dominators_open=every,
        dominators_gained=of_gained,
        reading=reading_of(counts, unavailable, empty=not reference.tests),
        unavailable=unavailable,
    )


def _gained_by(
    candidate: KillMatrix, gained: tuple[str, ...], policy: Policy
) -> dict[str, tuple[str, ...]]:
    """Gained mutants by test, in test order."""
    by_test: dict[str, list[str]] = {test: [] for test in candidate.tests}
    for mutant in gained:
        for test in candidate.killers(mutant, policy):
            by_test[test].append(mutant)
    return {test: tuple(mutants) for test, mutants in by_test.items() if mutants}


def _dominators(
    candidate: KillMatrix, opened: tuple[str, ...], gained: tuple[str, ...], policy: Policy
) -> tuple[int | None, int | None]:
    """Dominators among the open mutants and among the gained ones."""
    if candidate.unfinished.intersection(opened):
        return None, None
    kills: Mapping[str, frozenset[str]] = candidate.kill_sets(gained, policy)
    minimal = len(dominators(kills))
    return minimal + len(opened) - len(gained), minimal
