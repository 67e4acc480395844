"""From the raw facts of a trial to its outcome: the verdict logic, all of it.

Nothing else decides who caught a defect. A stranger who distrusts an outcome reads the facts in
the rows and this page.

A trial counts only if its control passed and the mutant was executed in it. Then a failing test
has *caught* the mutant where it noticed by its own judgement, which each failure shows by its
family and by whose frames its traceback holds:

========================  ================================  =====================================
the exception             raised                            is
========================  ================================  =====================================
contradicts an open       anywhere                          caught
expectation
doctest mismatch, strict  anywhere                          caught
xfail that passed
assertion or ``fail``     innermost frame that is the       caught, even below the code under
                          suite's or the subject's: suite   test (an assert in a callback)
assertion or ``fail``     ... : subject                     crashed: it left the code under test
``fail``                  by the runner alone               caught: the runner speaks for the
                                                            test (unittest's unexpected success)
assertion                 by neither                        crashed: no test made that judgement
Hypothesis's ``Flaky``    anywhere                          incomplete: flaky
anything else             below the code under test         crashed
anything else             in suite code, or in what it      caught: the test's own use of a wrong
                          called, outside of any call       value
                          into the code under test
anything else             by neither                        crashed: no test judged it
========================  ================================  =====================================

Innermost means nearest to the ``raise``, skipping frames of the runner and of other libraries:
``pytest.fail``, ``unittest``'s and ``numpy``'s assertion helpers judge for whoever called them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from redhanded.model.facts import Facts, Failure
from redhanded.model.outcome import NO_JUDGE, Outcome, Reason


class Judgement(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the facts of one trial amount to."""

    outcome: Outcome
    reason: Reason | None = None
    """Why, where ``outcome`` is ``incomplete``; else None."""
    failure: int | None = None
    """Index of the failure that decided, among the facts' failures."""
    no_judge: bool = False
    """The test is excluded by name: this cell weighs neither for nor against the mutant."""


def judge(facts: Facts, control: Facts | None, *, usable: Reason | None = None) -> Judgement:
    """Judge one trial.

    A control that is xfailed is a green one: the suite says that this test fails, it ran and it
    did. Under a mutant it notices by failing otherwise, or by passing where the xfail is strict;
    to be xfailed again is to have noticed nothing.

    A verdict that the control doesn't have needs an entry: a test can't fail, skip, die or hang
    because of code that it didn't execute.

    Args:
        facts: The decision: what the test did with the mutant planted.
        control: What the same test did in the same harness with nothing planted.
        usable: A reason, known from the controls, for which nothing that this test does is
            evidence; None if there is none.
    """
    if usable is not None:
        return _incomplete(usable)
    if control is None:
        return _incomplete(Reason.NO_CONTROL)
    if control.verdict not in ("passed", "xfailed"):
        return _incomplete(_UNFIT.get(control.verdict, Reason.RED_CONTROL))
    if facts.verdict == "lost":
        return Judgement(Outcome.INCOMPLETE, _LOST.get(facts.detail or "", Reason.LOST))
    if facts.verdict == "passed" or facts.verdict == control.verdict == "xfailed":
        return Judgement(Outcome.PASSED if facts.entered else Outcome.NOT_ENTERED)
    if not facts.entered:
        return Judgement(Outcome.INCOMPLETE, Reason.NO_WITNESS)
    if facts.verdict == "died":
        return Judgement(Outcome.CRASHED)
    if facts.verdict in ("budget", "clock", "memory"):
        return Judgement(Outcome.HUNG)
    if facts.verdict in ("skipped", "xfailed"):
        return Judgement(Outcome.SKIPPED)
    return _of_failures(facts, control)


_LOST: Final = {
    str(reason): reason
    for reason in (Reason.VANISHED, Reason.UNCONFIRMED, Reason.HOOK_FAILED, Reason.CHILD_PROCESS)
}
"""What ``detail`` may say of facts that were lost."""


_UNFIT: Final = {"lost": Reason.NO_CONTROL, "skipped": Reason.SKIPPED_CONTROL}
"""Controls that are neither green nor red."""


def _incomplete(reason: Reason) -> Judgement:
    """What a test amounts to that can't judge here."""
    return Judgement(Outcome.INCOMPLETE, reason, no_judge=reason in NO_JUDGE)


def _of_failures(facts: Facts, control: Facts) -> Judgement:
    """Judge a failed test by its leaves: caught if any leaf is.

    A test that swallowed an exception from the code under test, which its control doesn't have,
    failed as a consequence of that crash: none of its failures is a judgement any more.
    """
    leaves = [_leaf(failure) for failure in facts.failures]
    swallowed = bool(set(facts.swallowed or ()) - set(control.swallowed or ()))
    if Outcome.CAUGHT in leaves:
        outcome = Outcome.CRASHED if swallowed else Outcome.CAUGHT
        return Judgement(outcome, failure=leaves.index(Outcome.CAUGHT))
    for reason in (Reason.FLAKY, Reason.UNEXPLAINED):
        if reason in leaves:
            return Judgement(Outcome.INCOMPLETE, reason, leaves.index(reason))
    if Outcome.CRASHED in leaves:
        return Judgement(Outcome.CRASHED, failure=leaves.index(Outcome.CRASHED))
    return Judgement(Outcome.INCOMPLETE, Reason.UNEXPLAINED)


def _leaf(failure: Failure) -> Outcome | Reason | None:
    """Judge one exception; None for a skip, which fails no test."""
    family = failure.family
    if family == "skip":
        return None
    if family == "flaky":
        return Reason.FLAKY
    if failure.contradicts or family in ("doctest", "xpass"):
        return Outcome.CAUGHT
    owned = [frame.owner for frame in failure.frames if frame.owner in ("subject", "test")]
    if family == "fail" and not owned:
        return Outcome.CAUGHT
    if not failure.frames:
        return Reason.UNEXPLAINED
    if family in ("assertion", "fail"):
        by_test = bool(owned) and owned[-1] == "test"
    else:
        by_test = bool(owned) and "subject" not in owned
    return Outcome.CAUGHT if by_test else Outcome.CRASHED


def can_judge(canaries: Iterable[Judgement]) -> bool | None:
    """Has a test shown that it can notice anything at all?

    Args:
        canaries: Its judgements under the canaries, which break every function of a file.

    Returns:
        False if it entered a canary and never caught one; None if it entered none, so that it
        was not asked.
    """
    asked = [judged.outcome for judged in canaries if judged.outcome in _ANSWERS]
    return Outcome.CAUGHT in asked if asked else None


_ANSWERS: Final = frozenset(set(Outcome) - {Outcome.NOT_ENTERED, Outcome.INCOMPLETE})

_OUTCOMES: Final = {
    Outcome.CAUGHT: "the test noticed, by its own judgement",
    Outcome.CRASHED: "the code broke, and no test judged that",
    Outcome.HUNG: "the test ran past its budget",
    Outcome.PASSED: "the test ran the mutant and noticed nothing",
    Outcome.SKIPPED: "the test was skipped under the mutant only",
    Outcome.NOT_ENTERED: "the test never ran the mutant",
    Outcome.INCOMPLETE: "there is no usable evidence",
}

_REASONS: Final = {
    Reason.RED_CONTROL: "the test doesn't pass without the mutant either",
    Reason.SKIPPED_CONTROL: "the test is skipped without the mutant too",
    Reason.ORDER_DEPENDENT: "the test's verdict depends on which tests ran before it",
    Reason.PLACEBO_RED: "the test fails on a change that alters no behaviour",
    Reason.FLAKY: "the test's verdict isn't stable",
    Reason.NO_CONTROL: "the test wasn't seen to pass without the mutant",
    Reason.WRONG_COPY: "the test runs another copy of the code",
    Reason.CHILD_PROCESS: "the test runs the code in a process that has no mutant in it",
    Reason.NOT_PLANTED: "the mutant could not be put in place",
    Reason.HOOK_FAILED: "the test doesn't pass when the unchanged code is loaded the same way",
    Reason.VANISHED: "the test wasn't collected under the mutant",
    Reason.NO_WITNESS: "the test's verdict changed though it never ran the mutant",
    Reason.UNEXPLAINED: "the test failed and nothing tells by what",
    Reason.UNCONFIRMED: "the test did something else when it was run again, alone",
    Reason.ABORTED: "the run ended before this trial",
    Reason.LOST: "the harness can't tell what happened",
}


def explain(judgement: Judgement) -> str:
    """One plain phrase for a judgement."""
    if judgement.reason is not None:
        return _REASONS[judgement.reason]
    return _OUTCOMES[judgement.outcome]
