"""Raw facts of one trial, as the worker saw them: what a verdict is computed from.

Nothing here is a judgement. :mod:`redhanded.model.judgement` turns facts into an outcome,
so that a stranger who distrusts the outcome can compute it again.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Owner = Literal["subject", "test", "runner", "other"]
"""Whose code a frame runs: the code under test; the suite's files, conftests and test-support
modules; pytest, pluggy, unittest, hypothesis and redhanded's worker; anything else."""

Family = Literal["assertion", "fail", "doctest", "xpass", "skip", "exit", "flaky", "other"]
"""``assertion``: AssertionError and subclasses; ``fail``: pytest.fail and unittest's failure
exceptions; ``doctest``: a doctest mismatch; ``xpass``: a strict xfail that passed; ``exit``:
pytest.exit, SystemExit, KeyboardInterrupt; ``flaky``: Hypothesis says that the test itself is
not deterministic."""

Verdict = Literal[
    "passed", "failed", "skipped", "xfailed", "died", "budget", "clock", "memory", "lost"
]
"""pytest's own verdict, or why there is none: the process ``died``; a count of jumps and calls,
the ``clock`` or the ``memory`` ran past its budget; ``lost``: the harness can't tell."""


class Frame(msgspec.Struct, frozen=True, array_like=True):
    """One frame of a traceback."""

    owner: Owner
    file: str
    """Relative to the tree where it lies inside it; else the base name."""
    line: int
    function: str


class Failure(msgspec.Struct, frozen=True, omit_defaults=True):
    """One exception that failed a phase of a test; groups and subtests give one per leaf."""

    when: Literal["setup", "call", "teardown", "collect"]
    type: str
    """``module.QualName`` of the exception's class."""
    family: Family
    message: str
    """First line, at most 200 characters."""
    frames: tuple[Frame, ...] = ()
    """Outermost first. Runs of ``runner`` and ``other`` frames may be shortened to their ends."""
    contradicts: bool = False
    """The exception passed through an open expectation (``pytest.raises``, ``assertRaises``,
    ``pytest.warns``, ``assertWarns``) that it contradicts."""
    canary: bool = False
    """The exception is the canary's own."""


class Swallowed(msgspec.Struct, frozen=True, array_like=True):
    """An exception that left the code under test and that test code caught and went on."""

    type: str
    file: str
    line: int
    """The line in test code whose call the exception came out of."""


class Facts(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one test did in one trial."""

    test: int
    """Index of the test in its session."""
    verdict: Verdict
    entered: bool = False
    """The mutated place was executed in this very trial, by this test or in the setup of a wider
    fixture that it uses."""
    alone: bool = False
    """No other test ran before it in its process."""
    again: bool = False
    """Run alone because it had failed after others, and failed once more."""
    children: bool = False
    """A Python process that it started loaded the planted file as planted."""
    twice: bool = False
    """Not run alone, but seen to go the same way in two processes with other tests before it."""
    seconds: float = 0.0
    failures: tuple[Failure, ...] = ()
    swallowed: tuple[Swallowed, ...] | None = None
    """None where it was not looked for: no handler in test code that the test runs."""
    signal: int | None = None
    """What ended the process, where ``verdict`` is ``died`` by a signal."""
    detail: str | None = None
