"""What base's source says: old tests that the change broke, and the real defect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from redhanded.code.messages import Collected
from redhanded.code.side import GREEN, Suite, open_suite
from redhanded.code.workshop import Workshop
from redhanded.errors import UnavailableError
from redhanded.model.mutant import Mutant
from redhanded.model.result import RealDefect


def broken_tests(reference: Suite) -> tuple[int, ...]:
    """Old tests that are red, or skipped, on head's source."""
    return tuple(
        test
        for test, seen in sorted(reference.scouted.by_test.items())
        if seen.facts.verdict not in GREEN
    )


def contested(
    shop: Workshop, reference: Suite | None, mutants: Sequence[Mutant]
) -> tuple[frozenset[str], tuple[str, ...], list[Suite]]:
    """Mutants of which it can't be told whether the old tests kill them.

    An old test that is green on base's source and red, skipped or gone on head's might have killed
    any mutant of a file that it entered on base.

    Returns:
        Ids of the mutants, the tests that the change broke, and the suite that was opened.
    """
    if reference is None:
        return frozenset(), (), []
    red = {reference.tests[test] for test in broken_tests(reference)}
    if not red and not reference.collected.errors:
        return frozenset(), (), []
    makers = shop.makers("base", shop.subject("base"), 1)
    if makers is None:
        return frozenset(), (), []
    known = set(reference.tests)

    def wanted(collected: Collected) -> Sequence[int]:
        return [
            index for index, name in enumerate(collected.tests) if name in red or name not in known
        ]

    suite = open_suite("base", makers, (), tests=wanted, lines=True)
    if suite.collected.errors:
        suite.close()
        raise UnavailableError(
            "expected the old suite to be collected on base's own source, found "
            + suite.collected.errors[0],
            hint="mend or install what that file needs, or leave it out: -- --ignore=FILE.",
        )
    renamed = {
        file.old_path: file.path
        for file in shop.change.files
        if file.old_path and file.status != "deleted"
    }
    files: set[str] = set()
    broken = []
    for test, seen in sorted(suite.scouted.by_test.items()):
        if seen.facts.verdict in GREEN:
            broken.append(suite.tests[test])
            files |= {renamed.get(file, file) for file in seen.lines or {}}
    suite.close()
    ids = frozenset(mutant.id for mutant in mutants if mutant.file in files)
    return ids, tuple(broken), [suite]


def real_defect(
    shop: Workshop, candidate: Suite | None, new: Iterable[int]
) -> tuple[RealDefect | None, list[Suite]]:
    """Do the new tests fail on base's source, as a test of a fix must?

    Args:
        shop: What the run works with.
        candidate: Head's tests on head's source.
        new: Added and modified tests.
    """
    if not any(file.category == "source" for file in shop.change.files):
        note = "the change touches no source: there is no defect to show"
        return RealDefect(caught=None, failing=(), note=note), []
    if candidate is None:
        return None, []
    green = [candidate.tests[test] for test in candidate.green(new)]
    if not green:
        note = "no new test passes on head's source"
        return RealDefect(caught=None, failing=(), note=note), []
    makers = shop.makers("defect", shop.subject("defect"), 1)
    if makers is None:
        return None, []
    wanted = set(green)
    try:
        suite = open_suite(
            "defect",
            makers,
            (),
            tests=lambda collected: [
                index for index, name in enumerate(collected.tests) if name in wanted
            ],
        )
    except UnavailableError:
        note = "the new tests can't be collected on base's source"
        return RealDefect(caught=True, failing=tuple(green), note=note), []
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
    return RealDefect(caught=bool(failing), failing=failing, note=note), [suite]
