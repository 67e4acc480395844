"""The suites of a run: opened side by side, and the tests of a change told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from redhanded.code.messages import Collected
from redhanded.code.side import Suite, ThreadsError, open_suite
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
        shop, progress = self._shop, self._progress

        def wanted(collected: Collected) -> Sequence[int]:
            return self._diff.surely_new(collected.tests)

        tests = wanted if side == "candidate" else None
        makers = shop.makers(side, targets, shop.jobs)
        if makers is None:
            return None
        try:
            return open_suite(side, makers, points, tests=tests, progress=progress.advance)
        except ThreadsError as threads:
            self._warnings.append(
                f"{side}: the suite leaves {threads} threads running once it is collected, "
                "so that it can't be forked: each trial gets a fresh process, which is slower"
            )
            shop.fork = False
        makers = shop.makers(side, targets, shop.jobs)
        assert makers is not None
        return open_suite(side, makers, points, tests=tests, progress=progress.advance)

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


def classify(suites: Mapping[Side, Suite], diff: TestDiff, progress: Progress) -> dict[str, Change]:
    """Tell added, modified, deleted and unchanged tests apart.

    New tests of which only now it is known that they are have their control run.
    """
    reference, candidate = suites.get("reference"), suites.get("candidate")
    old = {} if reference is None else {name: at for at, name in enumerate(reference.tests)}
    changes: dict[str, Change] = dict.fromkeys(old, "deleted")
    if candidate is None:
        return changes
    late: list[int] = []
    for index, name in enumerate(candidate.tests):
        if name not in old:
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
