"""Numbers and names in words, the same in every report."""

from __future__ import annotations

import re

from redhanded.model.result import (
    CohortResult,
    Control,
    DeltaResult,
    PlanSummary,
    Result,
    Revision,
    TestResult,
    Timings,
)

UNAVAILABLE = "unavailable"
NOT_MEASURED = "-"

VERDICTS = {
    "gains": "gains",
    "nothing": "gains nothing",
    "red": "born red",
    "flaky": "flaky",
    "order_dependent": "depends on order",
    "placebo_red": "looks at the code (placebo red)",
    "skipped": "skipped",
    "absent": "not collected",
    "cannot": "can't judge",
    "unknown": "not measured",
}
"""What a report says of a new test; in the order in which tests are listed."""

MAIN_REASONS = (
    "crashed",
    "hung",
    "contested",
    "unviable",
    "equivalent",
    "duplicate",
    "incomplete",
)
"""Reasons for being outside ``tried`` that are told even where there is none of the kind."""

FIRST_KILLS = "Each mutant ran until its first kill; --matrix runs every test on every mutant."

_CONTROLS = {"order_dependent": "order", "placebo_red": "placebo"}


def ratio(value: float | None) -> str:
    """A ratio with three digits that never looks like all or nothing unless it is."""
    if value is None:
        return UNAVAILABLE
    if 0 < value < 0.0005:
        return "<0.001"
    if 0.9995 <= value < 1:
        return ">0.999"
    return f"{value:.3f}"


def count(value: int | None) -> str:
    """A count; a dash where it was not measured."""
    return NOT_MEASURED if value is None else str(value)


def number(value: int, noun: str, plural: str | None = None) -> str:
    """``1 test``, ``2 tests``."""
    return f"{value} {noun if value == 1 else plural or noun + 's'}"


def counted(formula: str, counts: CohortResult | DeltaResult) -> str:
    """A formula with each count beside its name: ``4 killed / 12 tried``.

    A formula with a name that the result doesn't count is left as it is.
    """
    named = formula.partition(" = ")[0]
    names = re.findall(r"[a-z_]+", named)
    if any(type(getattr(counts, name, None)) is not int for name in names):
        return formula
    return re.sub(r"[a-z_]+", lambda match: f"{getattr(counts, match[0])} {match[0]}", named)


def without_crash_only(delta: DeltaResult) -> str:
    """The formula of the delta without open mutants that are only crashed or hung."""
    named = delta.formula.partition(" = ")[0]
    return counted(f"{named.removesuffix(')')} - free)", delta)


def sentence(text: str) -> str:
    """A text that begins like a sentence."""
    return text[:1].upper() + text[1:]


def revision(side: Revision | None) -> str:
    """A revision as the user named it, and which commit that is."""
    if side is None:
        return "nothing"
    short = None if side.commit is None else side.commit[:8]
    named = side.label if short is None or side.commit == side.label else f"{side.label} ({short})"
    if short is not None and side.commit == side.label:
        named = short
    return f"{named}, uncommitted changes included" if side.dirty else named


def title(result: Result) -> str:
    """What was run on what."""
    if result.command == "tests":
        return f"redhanded tests: {revision(result.head)}"
    return f"redhanded delta: {revision(result.base)} → {revision(result.head)}"


def scope(plan: PlanSummary) -> str:
    """Which source was mutated, why, and how to tell the same set again."""
    files = plan.files[0].file if len(plan.files) == 1 else number(len(plan.files), "file")
    mutants = number(plan.mutants, "mutant")
    if plan.sampled_from is not None:
        mutants = f"a sample of {plan.mutants} of {number(plan.sampled_from, 'mutant')}"
    odd = "" if plan.scope.comparable else ", chosen by the candidate: not comparable"
    return f"{plan.scope.kind}{odd} ({plan.scope.why}); {files}, {mutants}, set {plan.digest[:12]}"


def control(test: TestResult) -> str:
    """How a test did with no defect planted, in seven letters."""
    return _CONTROLS.get(test.control, test.control)


def verdict(test: TestResult) -> str:
    """Key of :data:`VERDICTS` for a new test."""
    if test.control != "green":
        return test.control
    if test.can_judge is False:
        return "cannot"
    if test.gained is None:
        return "unknown"
    return "gains" if test.gained else "nothing"


def why(test: TestResult) -> str | None:
    """Why a test is no judge, where its verdict doesn't say it already."""
    if test.reason is None or verdict(test) == "gains":
        return None
    said = (test.control, f"{test.control}_control")
    return None if test.reason in said else test.reason


def verdict_counts(tests: tuple[TestResult, ...]) -> str:
    """How many new tests there are of each verdict, in one line."""
    found = [verdict(test) for test in tests]
    parts = []
    for key, words in VERDICTS.items():
        if number_of := found.count(key):
            if key == "gains":
                words = "gain" if number_of > 1 else "gains"
            elif key == "nothing":
                words = "gain nothing" if number_of > 1 else "gains nothing"
            elif key == "placebo_red" and number_of > 1:
                words = "look at the code (placebo red)"
            elif key == "order_dependent" and number_of > 1:
                words = "depend on order"
            parts.append(f"{number_of} {words}")
    return ", ".join(parts)


def any_failure(result: Result) -> str:
    """The scores by other tools' rule, for comparison."""
    sides = [("reference", result.reference), ("candidate", result.candidate)]
    told = [f"{name} {ratio(side.score_any_failure)}" for name, side in sides if side is not None]
    return f"If a crash or a hang counted as a kill, as in other tools: {', '.join(told)}"


def excluded(result: Result) -> str:
    """What lies outside ``tried`` and why; the main reasons always."""
    left = dict(result.excluded)
    parts = [f"{reason} {left.pop(reason, 0)}" for reason in MAIN_REASONS]
    parts += [f"{reason.replace('_', ' ')} {left[reason]}" for reason in sorted(left)]
    return " · ".join(parts)


def moves(delta: DeltaResult) -> str:
    """What the change did to mutants that were not open, in one line."""
    names = ("lost", "demoted", "unresolved", "contested", "regained")
    return " · ".join(f"{name} {getattr(delta, name)}" for name in names)


def controls(checks: tuple[Control, ...]) -> str:
    """How many checks of the harness passed, and of which kinds they were."""
    if not checks:
        return "none was made"
    kinds = list(dict.fromkeys(check.name for check in checks))
    names = ", ".join(f"{kind} {sum(c.name == kind for c in checks)}" for kind in kinds)
    passed = sum(check.passed for check in checks)
    return f"{passed} of {len(checks)} passed ({names})"


def pragma(place: str) -> str:
    """What is said of a pragma that the change brings along."""
    return f"{place}: this pragma comes with the change itself and is not honoured"


def timings(timings: Timings) -> str:
    """Where the time went."""
    rate = ""
    if timings.mutants_per_second is not None:
        rate = f", {timings.mutants_per_second:.1f} mutants/s"
    return (
        f"{timings.total:.1f} s: setup {timings.setup:.1f}, controls {timings.controls:.1f}, "
        f"trials {timings.trials:.1f} ({number(timings.trials_run, 'trial')}{rate}, "
        f"{number(timings.jobs, 'job')})"
    )


def made_with(result: Result) -> str:
    """Versions and policy."""
    return (
        f"Python {result.python}, pytest {result.pytest}, redhanded {result.redhanded}, "
        f"{result.platform}, policy {result.policy}"
    )
