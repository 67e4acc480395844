"""Hand-built runs that reports, files and commands are tested with."""

from __future__ import annotations

from typing import Any

import msgspec

from redhanded.model.facts import Facts, Failure, Frame
from redhanded.model.mutant import Mutant, Position
from redhanded.model.result import (
    FORMAT,
    CohortResult,
    Control,
    DeltaResult,
    FilePlan,
    MutantResult,
    PlanSummary,
    RealDefect,
    Result,
    Revision,
    Scope,
    StatusPair,
    TestResult,
    Timings,
)
from redhanded.model.rows import ControlRow, PlanRow, Row, RunRow, SessionRow, TestRow, TrialRow

FILE = "src/shop/cart.py"
SOURCE = '''\
"""A shopping cart."""


def total(prices, discount=0, currency="EUR"):
    """Sum of all prices, less a discount in percent."""
    if discount < 0 or discount > 100:
        raise ValueError(f"discount out of range: {discount}")
    amount = sum(prices)
    if amount > 100 and discount == 0:
        discount = 5
    amount = amount * (100 - discount) / 100
    return round(amount, 2), currency


def label(name, width=20):
    """A name that fits into a column."""
    if len(name) <= width:
        return name
    return name[: width - 1] + "~"


def receipt(lines):
    log("printing")
    for line in lines:
        if not line:
            continue
        print(line.strip(), end="; ")
'''

BASE = Revision("1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d", "main~1")
HEAD = Revision("5d6e7f8a9b0c1d2e3f4a5d6e7f8a9b0c1d2e3f4a", "HEAD")

OLD = "tests/test_cart.py::test_total"
OLD_LABEL = "tests/test_cart.py::test_label"
GONE = "tests/test_cart.py::test_label_width"
NEW = "tests/test_discount.py::test_automatic_discount"
NEW_BOUND = "tests/test_discount.py::TestBounds::test_rejects[101]"
NEW_SMOKE = "tests/test_discount.py::test_smoke"
NEW_NOTHING = "tests/test_discount.py::test_sum_again"
NEW_RED = "tests/test_discount.py::test_broken"
NEW_SOURCE = "tests/test_discount.py::test_source_has_docstring"


def place(line: int, original: str, occurrence: int = 1) -> tuple[Position, Position]:
    """Where a piece of the sample source stands."""
    text = SOURCE.split("\n")[line - 1]
    column = -1
    for _ in range(occurrence):
        column = text.index(original, column + 1)
    return Position(line, column), Position(line, column + len(original))


def mutant(
    line: int, original: str, replacement: str, operator: str, occurrence: int = 1, **more: Any
) -> Mutant:
    """A planned mutant of the sample source."""
    start, end = place(line, original, occurrence)
    values: dict[str, Any] = {
        "id": f"{line:02}{start.column:02}{operator}",
        "file": FILE,
        "start": start,
        "end": end,
        "operator": operator,
        "original": original,
        "replacement": replacement,
        "function": "total" if line < 15 else "label" if line < 22 else "receipt",
        "lines": (line, line),
    }
    return Mutant(**{**values, **more})


def judged(
    line: int,
    original: str,
    replacement: str,
    operator: str,
    reference: str,
    candidate: str | None,
    killers: tuple[str, ...] = (),
    occurrence: int = 1,
    **more: Any,
) -> MutantResult:
    """A mutant of the sample source, and what became of it."""
    planned = mutant(line, original, replacement, operator, occurrence)
    values: dict[str, Any] = {
        "id": planned.id,
        "file": FILE,
        "start": planned.start,
        "end": planned.end,
        "operator": operator,
        "original": original,
        "replacement": replacement,
        "function": planned.function,
        "status": StatusPair(reference, candidate),
        "killers": killers,
        "crashers": (),
        "hangers": (),
        "passers": 0,
        "complete": False,
        "confirmed": killers[:1],
    }
    return MutantResult(**{**values, **more})


MUTANTS = (
    judged(6, "<", "<=", "compare-boundary", "survived", "killed", (NEW,), gained=True, passers=1),
    judged(6, ">", ">=", "compare-boundary", "survived", "survived", passers=3),
    judged(6, "100", "101", "integer", "survived", "killed", (NEW_BOUND,), gained=True),
    judged(
        7,
        "discount out of range: ",
        "XXdiscount out of range: XX",
        "string",
        "survived",
        "survived",
        string_only=True,
        passers=1,
    ),
    judged(8, "sum(prices)", "None", "assignment", "crashed", "crashed", crashers=(OLD,)),
    judged(
        9, ">", ">=", "compare-boundary", "no_coverage", "killed", (NEW, NEW_BOUND), gained=True
    ),
    judged(9, "and", "or", "boolean", "no_coverage", "crashed", crashers=(NEW,)),
    judged(11, "*", "/", "arithmetic", "killed", "killed", (OLD, NEW)),
    judged(11, "-", "+", "arithmetic", "killed", "killed", (OLD,)),
    judged(
        12, "2", "3", "integer", "contested", "killed", (NEW,), reason="old test is red on head"
    ),
    judged(17, "<=", "<", "compare-boundary", "killed", "survived", (GONE,), passers=1),
    judged(18, "name", "None", "return", "killed", "crashed", (OLD_LABEL,), crashers=(NEW,)),
    judged(19, "1", "2", "integer", "equivalent", "equivalent"),
    judged(23, 'log("printing")', "pass", "statement", "no_coverage", "no_coverage"),
    judged(25, "not ", "", "not", "no_coverage", "no_coverage"),
    judged(26, "continue", "break", "loop", "incomplete", "incomplete", reason="flaky"),
)


def _tests() -> tuple[TestResult, ...]:
    def old(test: str, change: str, killed: int | None, control: str = "green") -> TestResult:
        return TestResult(
            test,
            "reference",
            change,  # type: ignore[arg-type]
            control,  # type: ignore[arg-type]
            entered=9,
            killed=killed,
            killed_alone=None,
            gained=None,
            can_judge=None,
        )

    def new(
        test: str,
        control: str,
        numbers: tuple[int | None, int | None, int | None, int | None],
        can_judge: bool | None = True,
        reason: str | None = None,
    ) -> TestResult:
        entered, killed, alone, gained = numbers
        return TestResult(
            test,
            "candidate",
            "added",
            control,  # type: ignore[arg-type]
            entered,
            killed,
            alone,
            gained,
            can_judge,
            reason,
            0.01,
        )

    return (
        old(OLD, "unchanged", 2),
        old(OLD_LABEL, "unchanged", 1),
        old(GONE, "deleted", 1),
        old("tests/test_cart.py::test_clock", "unchanged", None, "flaky"),
        new(NEW, "green", (11, 5, 2, 2)),
        new(NEW_BOUND, "green", (6, 2, 1, 2)),
        new(NEW_SMOKE, "green", (12, 0, 0, 0), can_judge=False),
        new(NEW_NOTHING, "green", (5, 1, 0, 0)),
        new(NEW_RED, "red", (None, None, None, None), None, "AssertionError: assert 3 == 4"),
        new(NEW_SOURCE, "placebo_red", (3, 0, 0, 0), None),
    )


def cohort(**numbers: Any) -> CohortResult:
    """A cohort with the given counts; zero for the rest."""
    values: dict[str, Any] = dict.fromkeys(
        (
            "tests",
            "judges",
            "tried",
            "killed",
            "survived",
            "string_only",
            "no_coverage",
            "crashed",
            "hung",
            "incomplete",
            "contested",
        ),
        0,
    )
    values |= {"score": None, "score_any_failure": None, "formula": "killed / tried"}
    return CohortResult(**{**values, **numbers})


def delta_result(**more: Any) -> DeltaResult:
    """The delta of the sample run."""
    values: dict[str, Any] = {
        "open": 8,
        "contested": 1,
        "gained": 3,
        "free": 1,
        "lost": 1,
        "demoted": 1,
        "unresolved": 0,
        "regained": 1,
        "value": 3 / 9,
        "without_crash_only": 3 / 8,
        "formula": "gained / (open + contested) = 3 / 9",
        "minimal_gain": (NEW, NEW_BOUND),
        "minimal_gain_exact": True,
        "dominators_open": 5,
        "dominators_gained": 2,
        "real_defect": RealDefect(True, (NEW,), "base's source fails under 1 new test"),
        "reading": "the existing tests already kill 4, 8 were open, these tests kill 3 of them; "
        "of 1 more it can't be told whether the existing tests kill it, and these tests kill 1 "
        "of those; 1 was killed before and no longer",
    }
    return DeltaResult(**{**values, **more})


def result(**more: Any) -> Result:
    """A whole run of ``delta``."""
    values: dict[str, Any] = {
        "format": FORMAT,
        "command": "delta",
        "redhanded": "0.1.0",
        "python": "3.12.1",
        "pytest": "9.0.0",
        "platform": "linux",
        "policy": "judged",
        "base": BASE,
        "head": HEAD,
        "plan": PlanSummary(
            scope=Scope("changed-lines", "the lines of source that the change touches", True),
            files=(FilePlan(FILE, 14, 16),),
            operators=("compare-boundary", "integer", "string"),
            mutants=16,
            runnable=15,
            sampled_from=None,
            digest="9f3a1c20b7d4e5f60718293a4b5c6d7e9f3a1c20b7d4e5f60718293a4b5c6d7e",
            ignored_pragmas=("src/shop/cart.py:23",),
        ),
        "reference": cohort(
            tests=4,
            judges=3,
            tried=12,
            killed=4,
            survived=3,
            string_only=1,
            no_coverage=4,
            crashed=1,
            incomplete=1,
            contested=1,
            score=4 / 12,
            score_any_failure=5 / 13,
            formula="killed / tried = 4 / 12",
        ),
        "candidate": cohort(
            tests=8,
            judges=5,
            tried=12,
            killed=5,
            survived=2,
            string_only=1,
            no_coverage=2,
            crashed=2,
            incomplete=0,
            score=5 / 12,
            score_any_failure=7 / 14,
            formula="killed / tried = 5 / 12",
        ),
        "delta": delta_result(),
        "excluded": {"crashed": 1, "contested": 1, "equivalent": 1, "incomplete": 1},
        "tests": _tests(),
        "mutants": MUTANTS,
        "controls": (
            Control("control", "reference", None, True, "4 tests"),
            Control("control", "candidate", None, True, "8 tests"),
            Control("reordered", "reference", None, True, "1 flaky test left out"),
            Control("canary", "candidate", FILE, True, "entered"),
            Control("placebo", "candidate", FILE, True, "1 test looks at the code"),
        ),
        "warnings": ("1 old test is flaky and was left out: tests/test_cart.py::test_clock",),
        "timings": Timings(12.34, 1.2, 3.4, 7.7, 2.5, 87, 11.3, 2),
        "complete": True,
    }
    return Result(**{**values, **more})


def suite_result(*, matrix: bool = False, **more: Any) -> Result:
    """A whole run of ``tests``: a suite without a change; to the first kill, or the matrix."""
    unknown = dict.fromkeys(("entered", "killed", "killed_alone"))
    known = {"entered": 9, "killed_alone": 1}
    idle = msgspec.structs.replace(_tests()[0], id="tests/test_cart.py::test_import", killed=0)
    mutants = tuple(
        msgspec.structs.replace(
            m,
            status=StatusPair(m.status.reference, None),
            gained=False,
            killers=tuple(test for test in m.killers if test in (OLD, OLD_LABEL, GONE)),
            crashers=tuple(test for test in m.crashers if test in (OLD, OLD_LABEL, GONE)),
        )
        for m in MUTANTS
        if m.status.reference != "contested"
    )
    values: dict[str, Any] = {
        "command": "tests",
        "base": None,
        "head": Revision(HEAD.commit, "working tree", dirty=True),
        "candidate": None,
        "delta": None,
        "mutants": mutants,
        "tests": tuple(
            msgspec.structs.replace(t, change=None, **(known if matrix else unknown))
            for t in (*_tests(), idle)
            if t.cohort == "reference"
        ),
        "excluded": {"crashed": 1, "equivalent": 1, "incomplete": 1},
    }
    return result(**{**values, **more})


RUN = RunRow(
    format=FORMAT,
    command="delta",
    redhanded="0.1.0",
    python="3.12.1",
    pytest="9.0.0",
    platform="linux",
    base=BASE,
    head=HEAD,
    options={"seed": 0, "pytest_args": ("-q",), "policy": "judged"},
    started="2026-01-02T03:04:05Z",
)
SESSION = SessionRow("reference", (TestRow(OLD, "unchanged"), TestRow(GONE, "deleted")))
CONTROL = ControlRow("reference", "control", None, (Facts(0, "passed", entered=True),))
PLAN = PlanRow(result().plan)
PLANNED = (
    mutant(6, "<", "<=", "compare-boundary"),
    mutant(11, "*", "/", "arithmetic"),
)
TRIAL = TrialRow(
    mutant=PLANNED[0].id,
    side="reference",
    selected=(0,),
    facts=(
        Facts(
            0,
            "failed",
            entered=True,
            failures=(
                Failure(
                    "call",
                    "builtins.AssertionError",
                    "assertion",
                    "assert 1 == 2",
                    (Frame("test", "tests/test_cart.py", 7, "test_total"),),
                ),
            ),
        ),
    ),
    path="swap",
    complete=True,
)
TRIAL_2 = TrialRow(PLANNED[1].id, "reference", (0,), (Facts(0, "passed"),), "swap", True)
ROWS: tuple[Row, ...] = (RUN, SESSION, CONTROL, PLAN, TRIAL, TRIAL_2)
