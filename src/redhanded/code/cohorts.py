"""The suites of a run: opened side by side, and the tests of a change told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from redhanded.code.side import Suite, ThreadsError, collect_suite
from redhanded.code.testdiff import TestDiff
from redhanded.code.workshop import Workshop
from redhanded.errors import UnavailableError
from redhanded.model.result import Change
from redhanded.model.rows import Side
from redhanded.model.sink import Progress

Point = tuple[str, int, int]
"""File, first and last line of a place that tests may reach."""


class Opener:
    """Collects each side's suite and runs its control."""

    def __init__(
        self, shop: Workshop, diff: TestDiff, progress: Progress, warnings: list[str]
    ) -> None:
        """Open nothing yet.

        Args:
            shop: What the run works with.
            diff: Tells new tests from old ones.
            progress: What a person watches.
            warnings: Takes what a reader of the result should know.
        """
        self._shop, self._diff = shop, diff
        self._progress, self._warnings = progress, warnings

    def open(self, targets: Sequence[str], points: Sequence[Point]) -> dict[Side, Suite]:
        """Open all sides at a time.

        Returns:
            The suites; a side that has none, or whose new tests can't be collected, is left out.

        Raises:
            UnavailableError: The reference can't be collected.
        """
        sides: list[Side] = ["reference"]
        if self._shop.grades_change:
            sides.append("candidate")
        opening: dict[Side, Future[Suite | None]] = {}
        try:
            with ThreadPoolExecutor(len(sides)) as pool:
                for side in sides:
                    opening[side] = pool.submit(self._one, side, targets, points)
                suites = self._opened(opening)
            if not self._shop.grades_change:
                _refuse_uncollected(suites.get("reference"))
        except BaseException:
            for future in opening.values():
                if future.exception() is None and (suite := future.result()) is not None:
                    suite.close()
            raise
        return suites

    def _one(self, side: Side, targets: Sequence[str], points: Sequence[Point]) -> Suite | None:
        suite = collect(self._shop, side, targets, self._shop.jobs, self._warnings)
        if suite is None:
            return None
        tests = self._diff.surely_new(suite.tests) if side == "candidate" else None
        try:
            suite.scout(points, tests, progress=self._progress.advance)
        except BaseException:
            suite.close()
            raise
        return suite

    def _opened(self, opening: Mapping[Side, Future[Suite | None]]) -> dict[Side, Suite]:
        suites: dict[Side, Suite] = {}
        for side, future in opening.items():
            try:
                suite = future.result()
            except UnavailableError as error:
                if side == "reference":
                    raise
                self._warnings.append(f"the suite at head gains nothing: {error}")
                continue
            if suite is not None:
                suites[side] = suite
        for side, suite in suites.items():
            for problem in suite.collected.errors:
                self._warnings.append(f"{side}: not collected: {problem}")
        return suites


def collect(
    shop: Workshop, side: Side, targets: Sequence[str], jobs: int, warnings: list[str]
) -> Suite | None:
    """Collect a side's suite: in processes that can be forked, else in ones that need not be.

    Returns:
        None where the side has no tests.
    """
    makers = shop.makers(side, targets, jobs)
    if makers is None:
        return None
    try:
        return collect_suite(side, makers)
    except ThreadsError as threads:
        warnings.append(
            f"{side}: the suite leaves {threads} threads running once it is collected, "
            "so that it can't be forked: each trial gets a fresh process, which is slower"
        )
        shop.fork = False
    makers = shop.makers(side, targets, jobs)
    assert makers is not None
    return collect_suite(side, makers)


def classify(
    suites: Mapping[Side, Suite], gone: Sequence[str], diff: TestDiff, progress: Progress
) -> dict[str, Change]:
    """Tell added, modified, deleted and unchanged tests apart.

    New tests of which only now it is known that they are have their control run.

    Args:
        suites: Both sides'.
        gone: Old tests that are not collected on head's source.
        diff: Tells changed texts from unchanged ones.
        progress: What a person watches.
    """
    reference, candidate = suites.get("reference"), suites.get("candidate")
    old = {} if reference is None else {name: at for at, name in enumerate(reference.tests)}
    changes: dict[str, Change] = dict.fromkeys(old, "deleted")
    for name in gone:
        same = diff.same(name, frozenset({name.split("::", 1)[0]}))
        changes[name] = "unchanged" if same else "deleted"
    if candidate is None:
        return changes
    late: list[int] = []
    for index, name in enumerate(candidate.tests):
        if name in gone:
            changes[name] = "modified"
        elif name not in old:
            changes[name] = "added"
        else:
            assert reference is not None
            seen = reference.control(old[name])
            files = frozenset() if seen is None else seen.files
            files |= reference.scouted.common_files
            same = diff.same(name, files | {name.split("::", 1)[0]})
            changes[name] = "unchanged" if same else "modified"
        if changes[name] != "unchanged" and candidate.control(index) is None:
            late.append(index)
    if late:
        more = candidate.sessions[0].scout(candidate.points, late, progress=progress.advance)
        candidate.scouted.by_test.update(more.by_test)
    return changes


def _refuse_uncollected(suite: Suite | None) -> None:
    """A suite of which a part can't be collected is no reference.

    Raises:
        UnavailableError: It is so, or holds no test at all.
    """
    if suite is not None and suite.collected.errors:
        raise UnavailableError(
            f"expected the whole suite to be collected, found {suite.collected.errors[0]}",
            hint="mend or install what that file needs, or leave it out: -- --ignore=FILE.",
        )
    if suite is None or not suite.tests:
        raise UnavailableError(
            "expected tests to collect, found none",
            hint="name where they are after --, as for pytest.",
        )
