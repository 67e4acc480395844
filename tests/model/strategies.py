"""Hypothesis strategies for the model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

import msgspec
from hypothesis import strategies as st

from redhanded.model.delta import Delta, delta
from redhanded.model.facts import Facts, Failure, Family, Frame, Owner, Swallowed, Verdict
from redhanded.model.matrix import KillMatrix
from redhanded.model.mutant import Mutant
from redhanded.model.outcome import Outcome, Policy, Reason
from tests.model.making import cell, mutant


def any_failure() -> st.SearchStrategy[Failure]:
    """Any failure that a worker could report."""
    frame = st.builds(
        Frame, st.sampled_from(get_args(Owner)), st.just("f.py"), st.just(1), st.just("f")
    )
    return st.builds(
        Failure,
        when=st.sampled_from(["setup", "call", "teardown", "collect"]),
        type=st.just("builtins.Exception"),
        family=st.sampled_from(get_args(Family)),
        message=st.just(""),
        frames=st.lists(frame, max_size=4).map(tuple),
        contradicts=st.booleans(),
        canary=st.booleans(),
    )


def any_facts() -> st.SearchStrategy[Facts]:
    """Any facts that a worker could report."""
    swallowed = st.builds(Swallowed, st.sampled_from("AB"), st.just("t.py"), st.just(1))
    return st.builds(
        Facts,
        test=st.just(0),
        verdict=st.sampled_from(get_args(Verdict)),
        entered=st.booleans(),
        failures=st.lists(any_failure(), max_size=3).map(tuple),
        swallowed=st.none() | st.lists(swallowed, max_size=2).map(tuple),
    )


OUTCOMES: tuple[Outcome | Reason, ...] = (
    Outcome.CAUGHT,
    Outcome.CRASHED,
    Outcome.HUNG,
    Outcome.PASSED,
    Outcome.SKIPPED,
    Outcome.NOT_ENTERED,
    Reason.RED_CONTROL,
    Reason.FLAKY,
    Reason.LOST,
    Reason.CHILD_PROCESS,
)


class World(msgspec.Struct, frozen=True):
    """A change: tests before and after it, and what each does to each mutant."""

    mutants: tuple[Mutant, ...]
    deleted: tuple[str, ...]
    unchanged: tuple[str, ...]
    added: tuple[str, ...]
    cells: dict[tuple[str, str], Outcome | Reason]
    contested: frozenset[str]

    @property
    def old(self) -> tuple[str, ...]:
        return self.deleted + self.unchanged

    @property
    def new(self) -> tuple[str, ...]:
        return self.unchanged + self.added

    def matrix(self, tests: Iterable[str]) -> KillMatrix:
        """The matrix of some tests."""
        kept = tuple(tests)
        return KillMatrix.of(
            self.mutants,
            kept,
            [cell(*at, what) for at, what in self.cells.items() if at[1] in kept],
        )

    @property
    def reference(self) -> KillMatrix:
        return self.matrix(self.old)

    @property
    def candidate(self) -> KillMatrix:
        return self.matrix(self.new)

    def delta(self, policy: Policy = "judged") -> Delta:
        """What the change adds."""
        return delta(self.reference, self.candidate, contested=self.contested, policy=policy)

    def but(self, **changes: Any) -> World:
        """The same with some fields changed."""
        return msgspec.structs.replace(self, **changes)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Any small change."""
    viability = st.sampled_from(["viable"] * 6 + ["unviable", "equivalent", "duplicate"])
    mutants = tuple(
        mutant(f"m{index}", viability=draw(viability), string_only=draw(st.booleans()))
        for index in range(draw(st.integers(0, 6)))
    )
    tests = [f"t{index}" for index in range(draw(st.integers(0, 6)))]
    first, second = sorted((draw(st.integers(0, len(tests))), draw(st.integers(0, len(tests)))))
    places = [(one.id, test) for one in mutants for test in tests if one.viability == "viable"]
    filled = draw(st.lists(st.sampled_from(places), unique=True)) if places else []
    return World(
        mutants=mutants,
        deleted=tuple(tests[:first]),
        unchanged=tuple(tests[first:second]),
        added=tuple(tests[second:]),
        cells={place: draw(st.sampled_from(OUTCOMES)) for place in filled},
        contested=frozenset(
            draw(st.lists(st.sampled_from([one.id for one in mutants]), unique=True, max_size=2))
            if mutants
            else ()
        ),
    )
