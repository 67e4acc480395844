"""What a report shows of a result, in which order: chosen here once for all reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from redhanded.model.mutant import Mutant
from redhanded.model.result import MutantResult, Result, TestResult
from redhanded.report import words

FEW = 3
"""So many names are told in one line."""

OPEN = ("survived", "no_coverage")

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)


@dataclass(frozen=True)
class Shown(Generic[_T_co]):
    """The first of some items, and how many more there are."""

    items: tuple[_T_co, ...]
    hidden: int

    def more(self) -> str | None:
        """What is said instead of the hidden ones; None where nothing is hidden."""
        return f"… and {self.hidden} more (--all)" if self.hidden else None


def first(items: Sequence[_T], limit: int, show_all: bool) -> Shown[_T]:
    """The first ``limit`` items; all of them where all are asked for or one line would do."""
    if show_all or len(items) <= limit + 1:
        return Shown(tuple(items), 0)
    return Shown(tuple(items[:limit]), len(items) - limit)


def status(mutant: MutantResult) -> str | None:
    """The status that counts at the end: the candidate's; the reference's without a change."""
    return mutant.status.candidate or mutant.status.reference


@dataclass(frozen=True)
class Moves:
    """Mutants that the change moved, or might have."""

    gained: tuple[MutantResult, ...]
    lost: tuple[MutantResult, ...]
    demoted: tuple[MutantResult, ...]
    unresolved: tuple[MutantResult, ...]
    contested: tuple[MutantResult, ...]
    free: tuple[MutantResult, ...]


def moves(result: Result) -> Moves:
    """Which mutants were gained, lost, and so on."""
    killed = [m for m in result.mutants if m.status.reference == "killed"]
    opened = [m for m in result.mutants if m.status.reference in OPEN]
    return Moves(
        gained=tuple(m for m in result.mutants if m.gained),
        lost=tuple(m for m in killed if m.status.candidate in OPEN),
        demoted=tuple(m for m in killed if m.status.candidate in ("crashed", "hung")),
        unresolved=tuple(m for m in killed if m.status.candidate == "incomplete"),
        contested=tuple(m for m in result.mutants if m.status.reference == "contested"),
        free=tuple(m for m in opened if m.status.candidate in ("crashed", "hung")),
    )


@dataclass(frozen=True)
class Survivors:
    """Mutants that nobody noticed."""

    survived: tuple[MutantResult, ...]
    """Entered by a test that noticed nothing, string-only ones apart."""
    string_only: tuple[MutantResult, ...]
    no_coverage: tuple[MutantResult, ...]
    """Entered by no test."""


def survivors(result: Result) -> Survivors:
    """Which mutants nobody noticed, in the order of the source."""
    alive = sorted(
        (m for m in result.mutants if status(m) in OPEN), key=lambda m: (m.file, m.start, m.end)
    )
    return Survivors(
        survived=tuple(m for m in alive if status(m) == "survived" and not m.string_only),
        string_only=tuple(m for m in alive if status(m) == "survived" and m.string_only),
        no_coverage=tuple(m for m in alive if status(m) == "no_coverage"),
    )


def new_tests(result: Result) -> tuple[TestResult, ...]:
    """Tests of the candidate, those that gain first, then by verdict."""
    order = list(words.VERDICTS)
    new = (test for test in result.tests if test.cohort == "candidate")
    return tuple(
        sorted(
            new,
            key=lambda t: (order.index(words.verdict(t)), -(t.gained or 0), -(t.killed or 0), t.id),
        )
    )


def cases(tests: Sequence[TestResult], show_all: bool) -> tuple[tuple[TestResult, int], ...]:
    """Tests for a table: cases of one function of which the same is told become one row.

    Those that gain something keep a row of their own.

    Returns:
        The first case of each row, and how many cases the row stands for.
    """
    rows: dict[object, list[TestResult]] = {}
    for test in tests:
        told = (
            test.control, words.verdict(test), words.why(test), test.gained, test.killed,
            test.killed_alone, test.entered,
        )  # fmt: skip
        apart = show_all or bool(test.gained)
        rows.setdefault(test.id if apart else (function(test.id), told), []).append(test)
    return tuple((row[0], len(row)) for row in rows.values())


def functions(tests: Sequence[str], show_all: bool) -> list[str]:
    """Names of tests; where they are many, cases of one function become one name."""
    found: dict[str, list[str]] = {}
    apart = show_all or len(tests) <= FEW
    for test in tests:
        found.setdefault(test if apart else function(test), []).append(test)
    return [case_name(names[0], len(names)) for names in found.values()]


def function(test: str) -> str:
    """A test's name without its parameters."""
    return test.partition("[")[0]


def case_name(test: str, number: int) -> str:
    """A test, or the function of several cases and how many they are."""
    return test if number == 1 else f"{function(test)} ({number} cases)"


def old_tests(result: Result) -> tuple[TestResult, ...]:
    """Tests of the reference, those that kill most first."""
    old = (test for test in result.tests if test.cohort == "reference")
    return tuple(sorted(old, key=lambda t: (-(t.killed_alone or 0), -(t.killed or 0), t.id)))


def first_kills(result: Result) -> dict[str, int]:
    """How many mutants each test was seen to kill, those that kill most first.

    Where each mutant was run until its first kill, that is how often a test was the first.
    """
    counts = Counter(test for mutant in result.mutants for test in mutant.killers)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def left_out(result: Result) -> tuple[TestResult, ...]:
    """Old tests that are no judges, because their control is not green."""
    return tuple(test for test in old_tests(result) if test.control != "green")


def pragmas(result: Result) -> list[str]:
    """Warnings of pragmas that are not honoured, where the run itself doesn't warn of them."""
    return [
        words.pragma(place)
        for place in result.plan.ignored_pragmas
        if not any(place in warning for warning in result.warnings)
    ]


def touched(result: Result) -> list[tuple[str, list[str]]]:
    """Old tests that the change deleted or edited."""
    groups = []
    for change in ("deleted", "modified"):
        tests = [t.id for t in old_tests(result) if t.change == change]
        if tests:
            groups.append((change, tests))
    return groups


def outside(result: Result) -> tuple[MutantResult, ...]:
    """Mutants that the reference was not scored over."""
    return tuple(m for m in result.mutants if m.status.reference not in ("killed", *OPEN))


def place(mutant: Mutant | MutantResult) -> str:
    """Where a mutant stands."""
    return f"{mutant.file}:{mutant.start.line}"


def by_file(mutants: Iterable[MutantResult]) -> dict[str, list[int]]:
    """First lines of mutants by file."""
    lines: dict[str, set[int]] = {}
    for mutant in mutants:
        lines.setdefault(mutant.file, set()).add(mutant.start.line)
    return {file: sorted(found) for file, found in sorted(lines.items())}


def ranges(lines: Sequence[int]) -> str:
    """``3, 7-9, 12``."""
    parts: list[list[int]] = []
    for line in lines:
        if parts and line == parts[-1][-1] + 1:
            parts[-1] = [parts[-1][0], line]
        else:
            parts.append([line])
    return ", ".join("-".join(map(str, part)) for part in parts)


def short_test(test: str) -> str:
    """A test's name without its file."""
    return test.partition("::")[2] or test


def test_file(test: str) -> str:
    """The file of a test."""
    return test.partition("::")[0]


def killers(mutant: MutantResult, limit: int, show_all: bool) -> str:
    """Who kills a mutant, in one line."""
    shown = first(mutant.killers, limit, show_all)
    names = ", ".join(short_test(test) for test in shown.items)
    return f"{names} and {shown.hidden} more" if shown.hidden else names
