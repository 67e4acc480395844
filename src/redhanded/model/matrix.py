"""The kill matrix of one cohort: which test did what to which mutant.

One matrix per cohort. Cohorts may share tests (the unchanged ones) and then share their cells,
but a modified test is one judge before the change and another after it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from redhanded.model.cells import Cell
from redhanded.model.mutant import Mutant
from redhanded.model.outcome import ENTERED, Outcome, Policy, Reason, Status, killing


def status(
    mutant: Mutant,
    cells: Iterable[Cell],
    *,
    complete: bool = True,
    contested: bool | None = None,
    policy: Policy = "judged",
) -> Status:
    """Status of a mutant under one cohort.

    The order of the questions is :data:`redhanded.model.outcome.STATUS_PRECEDENCE`. A test that
    was skipped under the mutant let it live like one that passed: a suite can't lower its
    denominator by skipping what breaks.

    Args:
        mutant: The mutant.
        cells: The cohort's cells on it.
        complete: Every selected test was asked; else the tests stopped at the first kill.
        contested: For the reference of a change: an old test that could have entered the mutant
            was a usable judge before the change and isn't any more. None where no change is
            being graded, so that what can't be told is ``incomplete``, not ``contested``.
        policy: What counts as a kill.
    """
    if mutant.viability != "viable":
        return Status(mutant.viability)
    seen = list(cells)
    found = {cell.outcome for cell in seen}
    if found & killing(policy):
        return Status.KILLED
    if contested or not complete or any(cell.unanswered for cell in seen):
        return Status.INCOMPLETE if contested is None else Status.CONTESTED
    if Outcome.CRASHED in found:
        return Status.CRASHED
    if Outcome.HUNG in found:
        return Status.HUNG
    if found & {Outcome.PASSED, Outcome.SKIPPED}:
        return Status.SURVIVED
    # Only tests that are no judges enter it, or nobody does.
    return Status.INCOMPLETE if Outcome.INCOMPLETE in found else Status.NO_COVERAGE


@dataclass(frozen=True)
class KillMatrix:
    """Mutants by tests, for one cohort."""

    mutants: tuple[Mutant, ...]
    tests: tuple[str, ...]
    """In the order in which ties are settled."""
    unfinished: frozenset[str] = frozenset()
    """Mutants of which not every selected test was asked."""
    _rows: Mapping[str, tuple[Cell, ...]] = field(default_factory=dict, repr=False)
    _columns: Mapping[str, tuple[Cell, ...]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        mutants: Iterable[Mutant],
        tests: Iterable[str],
        cells: Iterable[Cell],
        *,
        unfinished: Collection[str] = (),
    ) -> KillMatrix:
        """Build a matrix.

        Args:
            mutants: The whole mutant set, in its order.
            tests: The cohort's tests, in their order.
            cells: In any order. A test without a cell on a mutant doesn't reach it.
            unfinished: Ids of mutants of which not every selected test was asked.

        Raises:
            ValueError: A cell names a mutant or a test that isn't there, or is given twice.
        """
        held, columns = tuple(mutants), tuple(tests)
        place = {test: index for index, test in enumerate(columns)}
        rows: dict[str, dict[str, Cell]] = {mutant.id: {} for mutant in held}
        if len(rows) != len(held) or len(place) != len(columns):
            raise ValueError("a kill matrix needs distinct mutants and distinct tests")
        for cell in cells:
            if cell.mutant not in rows or cell.test not in place:
                raise ValueError(f"no such place in the matrix: {cell.test} on {cell.mutant}")
            if cell.test in rows[cell.mutant]:
                raise ValueError(f"two cells in one place: {cell.test} on {cell.mutant}")
            rows[cell.mutant][cell.test] = cell
        ordered = {
            name: tuple(row[test] for test in sorted(row, key=place.__getitem__))
            for name, row in rows.items()
        }
        by_test: dict[str, list[Cell]] = {test: [] for test in columns}
        for row in ordered.values():
            for cell in row:
                by_test[cell.test].append(cell)
        frozen = {test: tuple(column) for test, column in by_test.items()}
        return cls(held, columns, frozenset(unfinished), ordered, frozen)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, by mutant and test."""
        return tuple(cell for row in self._rows.values() for cell in row)

    def row(self, mutant: str) -> tuple[Cell, ...]:
        """The cells on one mutant, in test order."""
        return self._rows[mutant]

    def column(self, test: str) -> tuple[Cell, ...]:
        """The cells of one test, in mutant order."""
        return self._columns[test]

    def with_outcome(self, mutant: str, outcomes: Collection[Outcome]) -> tuple[str, ...]:
        """Tests that did one of these to a mutant, in test order."""
        return tuple(cell.test for cell in self._rows[mutant] if cell.outcome in outcomes)

    def killers(self, mutant: str, policy: Policy = "judged") -> tuple[str, ...]:
        """Tests seen to kill a mutant."""
        return self.with_outcome(mutant, killing(policy))

    def crashers(self, mutant: str) -> tuple[str, ...]:
        """Tests that the mutant crashes."""
        return self.with_outcome(mutant, (Outcome.CRASHED,))

    def hangers(self, mutant: str) -> tuple[str, ...]:
        """Tests that the mutant hangs."""
        return self.with_outcome(mutant, (Outcome.HUNG,))

    def passers(self, mutant: str) -> tuple[str, ...]:
        """Tests that entered a mutant and noticed nothing."""
        return self.with_outcome(mutant, (Outcome.PASSED,))

    def entered(self, test: str) -> tuple[str, ...]:
        """Mutants that a test is known to have entered."""
        return tuple(cell.mutant for cell in self._columns[test] if cell.outcome in ENTERED)

    def kills(self, test: str, policy: Policy = "judged") -> tuple[str, ...]:
        """Mutants that a test was seen to kill."""
        wanted = killing(policy)
        return tuple(cell.mutant for cell in self._columns[test] if cell.outcome in wanted)

    def killed_alone(self, test: str, policy: Policy = "judged") -> int | None:
        """How many mutants a test kills and no other test of the cohort does.

        Returns:
            None where others were not asked that might kill one of them too.
        """
        alone = [
            mutant for mutant in self.kills(test, policy) if self.killers(mutant, policy) == (test,)
        ]
        return None if self.unfinished.intersection(alone) else len(alone)

    def statuses(
        self, *, contested: Collection[str] | None = None, policy: Policy = "judged"
    ) -> dict[str, Status]:
        """The status of every mutant, in mutant order.

        Args:
            contested: For the reference of a change: ids of mutants that an old test could have
                entered which was a usable judge before the change and isn't any more. None
                where no change is being graded.
            policy: What counts as a kill.
        """
        return {
            mutant.id: status(
                mutant,
                self._rows[mutant.id],
                complete=mutant.id not in self.unfinished,
                contested=None if contested is None else mutant.id in contested,
                policy=policy,
            )
            for mutant in self.mutants
        }

    def reason(self, mutant: str) -> Reason | None:
        """Why a mutant is incomplete or contested by its cells; None where they don't say.

        A judge that didn't answer is named before a test that is no judge.
        """
        row = self._rows[mutant]
        for cell in row:
            if cell.unanswered:
                return cell.reason
        if mutant in self.unfinished:
            return Reason.ABORTED
        return next((cell.reason for cell in row if cell.reason is not None), None)

    def kill_sets(
        self, mutants: Iterable[str], policy: Policy = "judged"
    ) -> dict[str, frozenset[str]]:
        """The tests that kill each of these mutants."""
        return {mutant: frozenset(self.killers(mutant, policy)) for mutant in mutants}


def dominators(kills: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """Mutants whose kill no other kill implies: the minimal ones of the subsumption order.

    One mutant subsumes another if every test that kills it kills the other. Mutants with equal
    kill sets count once, by the first of them. Mutants that nobody kills are in no order with
    the rest and are left out.

    Args:
        kills: The tests that kill each mutant.
    """
    firsts: dict[frozenset[str], str] = {}
    for mutant, tests in kills.items():
        if tests:
            firsts.setdefault(tests, mutant)
    return tuple(
        mutant for tests, mutant in firsts.items() if not any(other < tests for other in firsts)
    )
