"""Scores of a cohort: counts over one mutant set, and the ratio with its formula.

``score = killed / tried`` with ``tried = killed + survived + no_coverage``. The set is the one
that the reference leaves to be tried, for both cohorts, so that the candidate can't choose what
it is measured over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

import msgspec

from redhanded.model.matrix import KillMatrix
from redhanded.model.mutant import Mutant
from redhanded.model.outcome import TRIED, Policy, Status
from redhanded.model.result import CohortResult


class Tally(msgspec.Struct, frozen=True):
    """How many mutants of a set have which status."""

    tried: int
    """Mutants that the score is computed over."""
    killed: int
    survived: int
    """Without the string-only ones."""
    string_only: int
    """Survivors where only the text of a string literal changed."""
    no_coverage: int
    crashed: int
    hung: int
    incomplete: int
    contested: int
    unviable: int
    equivalent: int
    duplicate: int


def tally(
    mutants: Iterable[Mutant],
    statuses: Mapping[str, Status],
    *,
    over: Collection[str] | None = None,
) -> Tally:
    """Count statuses.

    Args:
        mutants: The mutant set.
        statuses: The status of each.
        over: Ids of the mutants that are tried, for a cohort that doesn't choose them itself:
            only these are counted. None: all are counted, and the statuses say which are tried.
    """
    counted = [mutant for mutant in mutants if over is None or mutant.id in over]
    found = Counter(statuses[mutant.id] for mutant in counted)
    strings = sum(
        mutant.string_only and statuses[mutant.id] is Status.SURVIVED for mutant in counted
    )
    tried = sum(found[status] for status in TRIED) if over is None else len(counted)
    return Tally(
        tried=tried,
        killed=found[Status.KILLED],
        survived=found[Status.SURVIVED] - strings,
        string_only=strings,
        no_coverage=found[Status.NO_COVERAGE],
        crashed=found[Status.CRASHED],
        hung=found[Status.HUNG],
        incomplete=found[Status.INCOMPLETE],
        contested=found[Status.CONTESTED],
        unviable=found[Status.UNVIABLE],
        equivalent=found[Status.EQUIVALENT],
        duplicate=found[Status.DUPLICATE],
    )


def ratio(part: int, whole: int) -> float | None:
    """A share of a population; None where there is no population."""
    return part / whole if whole else None


def fraction(words: str, part: int, whole: int) -> str:
    """A formula as text, with its counts."""
    told = f"{words} = {part} / {whole}"
    return told if whole else f"{told}: unavailable"


class Score(msgspec.Struct, frozen=True):
    """One cohort, scored."""

    statuses: dict[str, Status]
    """Of every mutant, under the policy."""
    tried: frozenset[str]
    """The mutants that the score is computed over."""
    tally: Tally
    value: float | None
    formula: str
    any_failure: float | None
    """The same under other tools' rule, by which a crash or a hang is a kill."""
    any_failure_formula: str
    any_failure_tried: frozenset[str]

    def result(self, *, tests: int, judges: int, label: str | None = None) -> CohortResult:
        """The cohort as a run's result shows it."""
        counts = self.tally
        return CohortResult(
            tests=tests,
            judges=judges,
            tried=counts.tried,
            killed=counts.killed,
            survived=counts.survived,
            string_only=counts.string_only,
            no_coverage=counts.no_coverage,
            crashed=counts.crashed,
            hung=counts.hung,
            incomplete=counts.incomplete,
            contested=counts.contested,
            score=self.value,
            score_any_failure=self.any_failure,
            formula=self.formula,
            label=label,
        )


def score(
    matrix: KillMatrix,
    *,
    contested: Collection[str] | None = None,
    reference: Score | None = None,
    policy: Policy = "judged",
) -> Score:
    """Score a cohort.

    Args:
        matrix: The cohort's matrix.
        contested: As :meth:`redhanded.model.matrix.KillMatrix.statuses` takes it.
        reference: The reference's score, where this cohort is the candidate: the mutants that
            it tried are the ones that this one is scored over.
        policy: What counts as a kill in ``value``.
    """
    statuses = matrix.statuses(contested=contested, policy=policy)
    over = None if reference is None else reference.tried
    counts = tally(matrix.mutants, statuses, over=over)
    loose = matrix.statuses(contested=contested, policy="any-failure")
    loose_over = None if reference is None else reference.any_failure_tried
    loose_counts = tally(matrix.mutants, loose, over=loose_over)
    words = "killed / tried"
    loose_words = "(killed + crashed + hung) / (tried + crashed + hung)"
    return Score(
        statuses=statuses,
        tried=_tried(statuses) if over is None else frozenset(over),
        tally=counts,
        value=ratio(counts.killed, counts.tried),
        formula=fraction(words if policy == "judged" else loose_words, counts.killed, counts.tried),
        any_failure=ratio(loose_counts.killed, loose_counts.tried),
        any_failure_formula=fraction(loose_words, loose_counts.killed, loose_counts.tried),
        any_failure_tried=_tried(loose) if loose_over is None else frozenset(loose_over),
    )


def _tried(statuses: Mapping[str, Status]) -> frozenset[str]:
    return frozenset(mutant for mutant, status in statuses.items() if status in TRIED)


def excluded(matrix: KillMatrix, statuses: Mapping[str, Status]) -> dict[str, int]:
    """Mutants outside ``tried``, counted by why; the reason stands for ``incomplete``."""
    counts: Counter[str] = Counter()
    for mutant, status in statuses.items():
        if status in TRIED:
            continue
        reason = matrix.reason(mutant) if status is Status.INCOMPLETE else None
        counts[str(reason or status)] += 1
    return dict(sorted(counts.items()))
