"""What a run mutates: lines in scope, their mutants, or mutants from elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from redhanded.code.cohorts import collect
from redhanded.code.external import read_mutants
from redhanded.code.given import Given
from redhanded.code.planner import Plan, Wanted, make_plan
from redhanded.code.scope import all_sources, choose, self_selected
from redhanded.code.testdiff import TestDiff
from redhanded.code.workshop import Workshop
from redhanded.errors import UnavailableError, UsageError
from redhanded.model.sink import Progress

SELF_SELECTED: Final = 300
"""Mutants drawn, unless told otherwise, where the new tests choose the scope: what a few tests
execute may be most of a library, and the number is compared with no other."""


def aim(shop: Workshop, diff: TestDiff, progress: Progress, warnings: list[str]) -> Plan:
    """Choose the scope and list its mutants.

    Where the new tests choose the scope, their control is run to find it.

    Args:
        shop: What the run works with.
        diff: Tells new tests from old ones.
        progress: What a person watches.
        warnings: Takes what a reader of the result should know.

    Raises:
        UnavailableError: There is nothing to mutate.
        UsageError: What was asked for isn't there.
    """
    options, change = shop.options, shop.change
    warnings += change.warnings
    chosen = choose(
        change,
        options.sources or (() if change.base else change.configuration.sources),
        mutants_file=options.mutants_file is not None,
        source_from=options.source_from,
    )
    given, misfits = _given(shop)
    files, most = chosen.files, options.max_mutants
    if files is None:
        most = most or SELF_SELECTED
        files = _self_selected(shop, diff, progress, warnings)
    made = make_plan(
        shop.python.path,
        shop.tree(shop.main_side),
        chosen.scope,
        files,
        names=options.operators,
        families_off=options.families_off,
        given=given,
        most=most,
        seed=options.seed,
    )
    made = replace(made, refused=made.refused + misfits)
    warnings += made.refused
    if made.summary.ignored_pragmas:
        told = ", ".join(made.summary.ignored_pragmas)
        warnings.append(f"pragmas that the change adds are not honoured: {told}")
    if not made.mutants:
        raise UnavailableError(
            f"expected mutants in scope ({chosen.scope.why}), found none",
            hint="no operator applies to those lines; name more source, or other operators.",
        )
    return made


def _given(shop: Workshop) -> tuple[list[Given], tuple[str, ...]]:
    """Mutants from a file, and why some of them don't fit head's source.

    Raises:
        UsageError: The file is of no use, or none of its mutants fits.
    """
    path = shop.options.mutants_file
    if path is None:
        return [], ()
    misfits: list[str] = []
    tree = shop.tree(shop.main_side)
    given = read_mutants(path, tree, python=str(shop.python.path), misfits=misfits)
    if misfits and not given:
        raise UsageError(
            f"expected mutants of head's source in {path}, found none that fits: {misfits[0]}",
            hint="make the file anew with `redhanded mutants --write FILE`.",
        )
    return given, tuple(misfits)


def _self_selected(
    shop: Workshop, diff: TestDiff, progress: Progress, warnings: list[str]
) -> tuple[Wanted, ...]:
    """Run the new tests' control to find the lines that they execute."""
    suite = collect(shop, "candidate", all_sources(shop.change), 1, warnings)
    if suite is None:
        raise UnavailableError("expected tests at head, found none with these arguments")
    progress.stage("control of the new tests", None)
    try:
        suite.scout((), diff.surely_new(suite.tests), lines=True, progress=progress.advance)
    finally:
        suite.close()
    executed: dict[str, list[tuple[int, int]]] = {}
    for seen in suite.scouted.by_test.values():
        for file, lines in (seen.lines or {}).items():
            executed.setdefault(file, []).extend(lines)
    return self_selected(shop.change, executed)
