"""Short ways to make facts, mutants and cells."""

from __future__ import annotations

from typing import Any

from redhanded.model.cells import Cell
from redhanded.model.facts import Facts, Failure, Family, Frame, Owner, Swallowed, Verdict
from redhanded.model.judgement import Judgement
from redhanded.model.mutant import Mutant, Position
from redhanded.model.outcome import NO_JUDGE, Outcome, Reason

_OWNERS: dict[str, Owner] = {"s": "subject", "t": "test", "r": "runner", "o": "other"}

GREEN = Facts(test=0, verdict="passed", entered=True)


def failure(family: Family, frames: str = "", **more: Any) -> Failure:
    """A failure whose frames are told by a letter each, outermost first: s, t, r, o."""
    return Failure(
        when=more.pop("when", "call"),
        type="builtins.Exception",
        family=family,
        message="",
        frames=tuple(Frame(_OWNERS[letter], "file.py", 1, "function") for letter in frames),
        **more,
    )


def failed(*failures: Failure, **more: Any) -> Facts:
    """A test that entered the mutant and failed."""
    return Facts(test=0, verdict="failed", entered=more.pop("entered", True),
                 failures=failures, **more)  # fmt: skip


def facts(verdict: Verdict, *, entered: bool = True, test: int = 0, **more: Any) -> Facts:
    """A test that entered the mutant and ended so."""
    return Facts(test=test, verdict=verdict, entered=entered, **more)


def swallowed(kind: str = "builtins.ValueError", line: int = 3) -> Swallowed:
    """An exception that test code swallowed."""
    return Swallowed(kind, "test_it.py", line)


def mutant(name: str, **more: Any) -> Mutant:
    """A mutant that nobody looks at closely."""
    return Mutant(
        id=name,
        file="pkg/mod.py",
        start=Position(1, 0),
        end=Position(1, 1),
        operator="op",
        original="a",
        replacement="b",
        function="f",
        lines=(1, 1),
        **more,
    )


def judged(outcome: Outcome | Reason) -> Judgement:
    """The judgement that an outcome, or a reason for none, stands for."""
    if isinstance(outcome, Reason):
        return Judgement(Outcome.INCOMPLETE, outcome, no_judge=outcome in NO_JUDGE)
    return Judgement(outcome)


def cell(name: str, test: str, outcome: Outcome | Reason) -> Cell:
    """One cell."""
    return Cell(name, test, judged(outcome))
