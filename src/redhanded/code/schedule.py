"""Which trials, in what order, and when a mutant needs no more of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from redhanded.code.imports import Imports
from redhanded.code.side import Suite
from redhanded.code.trials import Enough, Task
from redhanded.model.mutant import Mutant
from redhanded.model.outcome import Outcome
from redhanded.model.result import Change
from redhanded.model.rows import Side


def _children(suite: Suite, test: int) -> frozenset[str]:
    control = suite.control(test)
    return frozenset() if control is None else control.children


@dataclass
class Schedule:
    """The trials of a run.

    New tests meet every mutant in full. Old tests meet a mutant until the first that kills it,
    unless the whole matrix is asked for; the unchanged ones go first, since their cells count
    for both cohorts.
    """

    suites: Mapping[Side, Suite]
    mutants: Sequence[Mutant]
    point_of: Mapping[str, int]
    """The place that a test has to reach, by mutant."""
    changes: Mapping[str, Change]
    """How each test stands; empty where no change is graded."""
    matrix: bool
    _order: dict[Side, list[int]] = field(default_factory=dict)
    _imports: dict[Side, Imports] = field(default_factory=dict)

    def new_tests(self) -> tuple[int, ...]:
        """Added and modified tests of the candidate."""
        suite = self.suites["candidate"]
        return tuple(
            index for index, name in enumerate(suite.tests) if self.changes[name] != "unchanged"
        )

    def early(self, mutant: Mutant, suite: Suite) -> bool:
        """Does the edited code run before the first test?"""
        return mutant.static or self.point_of[mutant.id] in suite.scouted.import_points

    def relevant(self, side: Side) -> tuple[int, ...]:
        """Tests of a side that reach any mutant."""
        suite = self.suites[side]
        eligible = self._ordered(side)
        points = frozenset(self.point_of.values())
        reaching = set(suite.reaching(points))
        for file in {mutant.file for mutant in self.mutants if mutant.static}:
            reaching |= self._importing(side, file)
        files = {mutant.file for mutant in self.mutants}
        reaching |= {test for test in eligible if files & _children(suite, test)}
        return tuple(sorted(reaching.intersection(eligible)))

    def task(self, mutant: Mutant, side: Side) -> Task:
        """What to run for one mutant on one side."""
        suite = self.suites[side]
        early = self.early(mutant, suite)
        reaching = set(suite.reaching([self.point_of[mutant.id]]))
        ordered = self._ordered(side)
        tests = [test for test in ordered if test in reaching]
        if early:
            # Whoever imports the module is a judge; those that run its code come first.
            near = set(tests)
            nearer = {t for t in ordered if mutant.file in suite.reached_files(t)}
            importing = self._importing(side, mutant.file)
            rest = [t for t in ordered if t not in near and (t in nearer or t in importing)]
            tests += sorted(rest, key=lambda test: test not in nearer)
        usable = tuple(test for test in tests if suite.usable.get(test) is None)
        barred = tuple(test for test in tests if suite.usable.get(test) is not None)
        children = tuple(
            test
            for test in ordered
            if suite.usable.get(test) is None and mutant.file in _children(suite, test)
        )
        usable += tuple(test for test in children if test not in usable)
        near_usable = tuple(test for test in usable if test in reaching or test in children)
        strict = side == "candidate" or not self.matrix
        return Task(mutant, usable, barred, children, early, near_usable, strict)

    def _importing(self, side: Side, file: str) -> set[int]:
        """Tests whose file imports another, directly or by way of others."""
        if side not in self._imports:
            setup = self.suites[side].sessions[0].setup
            self._imports[side] = Imports(setup.tree, setup.roots)
        imports, suite = self._imports[side], self.suites[side]
        return {
            test
            for test in suite.scouted.by_test
            if imports.reaches(suite.tests[test].split("::", 1)[0], file)
        }

    def enough(self, mutant: Mutant, side: Side) -> Enough | None:
        """When a side needs no more tests on a mutant; None: never."""
        if self.matrix or side == "candidate":
            return None
        # The unchanged tests go first: once one of them kills, it has for both cohorts; once a
        # changed or deleted one does, they have all been asked.
        return lambda test, judged: judged.outcome is Outcome.CAUGHT

    def _ordered(self, side: Side) -> list[int]:
        """A side's judges, in the order in which they meet mutants."""
        if side in self._order:
            return self._order[side]
        suite = self.suites[side]
        tests = sorted(suite.scouted.by_test)
        if side == "candidate":
            new = set(self.new_tests())
            ordered = [test for test in tests if test in new]
        else:

            def rank(test: int) -> tuple[bool, int, int]:
                seen = suite.control(test)
                late = bool(self.changes) and self.changes[suite.tests[test]] != "unchanged"
                # A test that reaches little is about what it reaches.
                return late, len(seen.hits) if seen else 0, test

            ordered = tests if self.matrix and not self.changes else sorted(tests, key=rank)
        self._order[side] = ordered
        return ordered
