"""What base's source says: old tests that the change silenced, and the real defect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from redhanded.code import tree as trees
from redhanded.code.cohorts import collect
from redhanded.code.controls import Asked, run_controls
from redhanded.code.imports import Imports
from redhanded.code.side import GREEN, Suite
from redhanded.code.workshop import Workshop
from redhanded.errors import RedhandedError, UnavailableError
from redhanded.model.mutant import Mutant
from redhanded.model.outcome import Reason
from redhanded.model.result import RealDefect


@dataclass(frozen=True)
class Contest:
    """What can't be told of the old tests."""

    mutants: frozenset[str] = frozenset()
    """Ids of those that a silenced test might have killed."""
    silenced: tuple[str, ...] = ()
    """Old tests that judge on base's source and don't on head's."""


class OldSource:
    """Base's tests on base's own source: collected, and run only where that is asked."""

    def __init__(self, shop: Workshop) -> None:
        self._shop = shop
        self._suite: Suite | None = None
        self._error: RedhandedError | None = None

    def open(self) -> None:
        """Collect, where base's source isn't head's."""
        change = self._shop.change
        if trees.files_of(change, "base") == trees.files_of(change, "reference"):
            return
        try:
            self._suite = collect(self._shop, "base", self._shop.subject("base"), 1, [])
        except RedhandedError as error:
            # It matters only where something is asked of it.
            self._error = error

    def close(self) -> None:
        """End its session."""
        if self._suite is not None:
            self._suite.close()

    def gone(self, reference: Suite | None) -> tuple[str, ...]:
        """Old tests that are collected here and not on head's source."""
        if self._suite is None or reference is None:
            return ()
        known = set(reference.tests)
        return tuple(dict.fromkeys(name for name in self._suite.tests if name not in known))

    def needed(self, reference: Suite | None) -> Suite | None:
        """The old tests on their own source, where some don't judge on head's.

        Raises:
            UnavailableError: The old suite can't be collected here either.
        """
        if reference is None:
            return None
        errors = reference.collected.errors
        if not errors and not self.gone(reference) and not _no_judges(reference):
            return None
        if self._error is not None:
            raise self._error
        if self._suite is not None:
            errors = self._suite.collected.errors
        if errors:
            raise UnavailableError(
                f"expected the old suite to be collected on base's own source, found {errors[0]}",
                hint="mend or install what that file needs, or leave it out: -- --ignore=FILE.",
            )
        return self._suite

    def contest(self, reference: Suite | None, mutants: Sequence[Mutant]) -> Contest:
        """Mutants of which it can't be told whether the old tests kill them.

        An old test that judges on base's source and doesn't on head's (it is red, skipped, gone,
        unstable, or looks at the code there) might have killed any mutant of a file that it
        entered on base, and any that runs when such a file is imported.

        Args:
            reference: The old tests on head's source, once it is known which of them judge.
            mutants: The mutant set.

        Raises:
            UnavailableError: The old suite can't be collected on its own source.
        """
        suite = self.needed(reference)
        if suite is None or reference is None:
            return Contest()
        silent = {reference.tests[test] for test in _no_judges(reference)}
        silent.update(self.gone(reference))
        asked = [test for test, name in enumerate(suite.tests) if name in silent]
        self._run(suite, asked, _unstable(reference), mutants)
        silenced = [test for test in suite.green(asked) if suite.usable.get(test) is None]
        return Contest(
            self._reached(suite, silenced, mutants), tuple(suite.tests[test] for test in silenced)
        )

    def _run(
        self, suite: Suite, asked: Sequence[int], unstable: set[str], mutants: Sequence[Mutant]
    ) -> None:
        """Find out which of the tests judge here."""
        doubtful = [test for test in asked if suite.tests[test] in unstable]
        if not doubtful:
            # Red or gone is clear, whatever ran before.
            suite.scout((), asked, lines=True)
            return
        suite.scout((), None, lines=True)
        files = {
            self._before(mutant.file) for mutant in mutants
        } & self._shop.change.base_files.keys()
        green = suite.green(suite.scouted.by_test)
        reaching = tuple(test for test in green if _entered(suite, test) & files)
        doubtful = suite.green(doubtful)
        run_controls(
            self._shop,
            suite,
            Asked(tuple(sorted(files)), reaching, tuple(doubtful), canaries_for=frozenset()),
        )
        for test in doubtful:
            if suite.alone(test, suite.sessions[0]).verdict not in GREEN:
                suite.usable[test] = Reason.ORDER_DEPENDENT

    def _reached(
        self, suite: Suite, tests: Sequence[int], mutants: Sequence[Mutant]
    ) -> frozenset[str]:
        """Mutants in files that some of the tests enter, or import where importing runs them."""
        setup = suite.sessions[0].setup
        imports = Imports(setup.tree, setup.roots)
        entered = {file for test in tests for file in _entered(suite, test)}
        modules = {suite.tests[test].split("::", 1)[0] for test in tests}
        found = set()
        for mutant in mutants:
            file = self._before(mutant.file)
            if file in entered or (
                mutant.static and any(imports.reaches(module, file) for module in modules)
            ):
                found.add(mutant.id)
        return frozenset(found)

    def _before(self, path: str) -> str:
        """What a file of head's is called at base."""
        for file in self._shop.change.files:
            if file.path == path and file.old_path is not None:
                return file.old_path
        return path


def _no_judges(suite: Suite) -> list[int]:
    return [
        test
        for test, seen in sorted(suite.scouted.by_test.items())
        if seen.facts.verdict not in GREEN or suite.usable.get(test) is not None
    ]


def _unstable(suite: Suite) -> set[str]:
    """Tests that pass in the control and yet are no judges."""
    return {suite.tests[test] for test in suite.green(_no_judges(suite))}


def _entered(suite: Suite, test: int) -> set[str]:
    control = suite.control(test)
    return set() if control is None else set(control.lines or {})


def real_defect(shop: Workshop, candidate: Suite | None, new: Iterable[int]) -> RealDefect | None:
    """Do the new tests fail on base's source, as a test of a fix must?

    Args:
        shop: What the run works with.
        candidate: Head's tests on head's source.
        new: Added and modified tests.
    """
    if not any(file.category == "source" for file in shop.change.files):
        note = "the change touches no source: there is no defect to show"
        return RealDefect(caught=None, failing=(), note=note)
    if candidate is None:
        return None
    green = [candidate.tests[test] for test in candidate.green(new)]
    if not green:
        note = "no new test passes on head's source"
        return RealDefect(caught=None, failing=(), note=note)
    wanted = set(green)
    try:
        suite = collect(shop, "defect", shop.subject("defect"), 1, [])
    except UnavailableError:
        note = "the new tests can't be collected on base's source"
        return RealDefect(caught=True, failing=tuple(green), note=note)
    if suite is None:
        return None
    try:
        suite.scout((), [at for at, name in enumerate(suite.tests) if name in wanted])
    finally:
        suite.close()
    passing = {
        suite.tests[test]
        for test, seen in suite.scouted.by_test.items()
        if seen.facts.verdict in (*GREEN, "skipped")
    }
    failing = tuple(name for name in green if name not in passing)
    gone = sum(name not in suite.tests for name in failing)
    note = f"{len(failing)} of {len(green)} new tests fail on base's source" + (
        f", {gone} of them since their file can't be imported there" if gone else ""
    )
    return RealDefect(caught=bool(failing), failing=failing, note=note)
