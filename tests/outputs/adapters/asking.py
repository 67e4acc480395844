"""Short ways to make cases, to ask graders, and to have a framework or be skipped."""

from __future__ import annotations

import asyncio
import importlib
import os
import warnings
from typing import Any

import pytest

from redhanded.model.graded import Answer, Basis
from redhanded.model.output import Message, Output, Part, ToolCall
from redhanded.outputs.adapters import open_case, quiet_environment
from redhanded.outputs.adapters.base import Asked, Reported, Verdict
from redhanded.outputs.case import Case
from redhanded.outputs.contract.base import Finding, Ruling


class Anything:
    """A contract that rules nothing: adapters never look at rulings."""

    kind = "anything"
    basis = Basis.DECLARED
    varies: frozenset[str] = frozenset()
    parts: frozenset[Part] = frozenset()

    def rule(self, output: Output) -> Finding:
        return Finding(Ruling.UNKNOWN, "nobody knows")

    def code(self) -> str:
        return "anything"


def need(name: str) -> Any:
    """A framework's module; the tests that need it are skipped where it isn't installed.

    Where all frameworks have to be there (``REDHANDED_FRAMEWORKS=all``), it is an error.
    """
    quiet_environment()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if os.environ.get("REDHANDED_FRAMEWORKS") == "all":
            return importlib.import_module(name)
        return pytest.importorskip(name)


def case(grader: Any, good: str | Output = "good", **given: Any) -> Case:
    output = good if isinstance(good, Output) else Output(text=good)
    return Case(id="case", grader=grader, good=output, right=Anything(), **given)


def asked(grader: Any, **given: Any) -> Asked:
    return open_case(case(grader, **given))


def verdicts(grader: Any, output: str | Output, **given: Any) -> dict[str, Verdict]:
    """What a grader says of an output, asked as a run asks it."""
    one = asked(grader, **given).fresh()
    shown = output if isinstance(output, Output) else Output(text=output)
    raw = asyncio.run(one.grade(shown))
    return dict(one.verdicts(raw.raw if isinstance(raw, Reported) else raw))


def answer(grader: Any, output: str | Output, **given: Any) -> Answer:
    """The one answer of a grader."""
    found = verdicts(grader, output, **given)
    assert len(found) == 1
    return next(iter(found.values())).answer


def accepts(grader: Any, output: str | Output, **given: Any) -> bool:
    """Does it accept? Anything but a plain yes or no fails the test."""
    found = answer(grader, output, **given)
    assert found in (Answer.ACCEPT, Answer.REJECT), found
    return found is Answer.ACCEPT


def called(*calls: str | ToolCall, text: str = "done") -> Output:
    """A conversation with these tool calls, each answered."""
    made = tuple(
        call if isinstance(call, ToolCall) else ToolCall(name=call, result="ok") for call in calls
    )
    return Output(
        text=text,
        messages=(
            Message("user", "go"),
            Message("assistant", "", made),
            Message("assistant", text),
        ),
    )


def witnessed(grader: Any, output: str | Output, **given: Any) -> dict[str, Any]:
    """Whose code a call entered, and whether its upstream's return reads as the verdict does."""
    from redhanded.model.graded import Phase
    from redhanded.outputs.witness.evidence import doubt, ignored
    from redhanded.outputs.witness.token import Token
    from redhanded.outputs.witness.watcher import Watcher

    one = asked(grader, **given).fresh()
    shown = output if isinstance(output, Output) else Output(text=output)
    watcher = Watcher()
    watcher.watch(one.watched)
    try:
        raw, error, seen = asyncio.run(watcher.call(Token(Phase.PROBE), lambda: one.grade(shown)))
    finally:
        watcher.close()
    found = None if error is not None else ignored(seen, one.verdicts(raw))
    return {
        "error": error,
        "doubt": doubt(seen, watcher.targets, watcher.unwatchable, answered=error is None),
        "ignored": found,
        "roles": {opened.target.role for opened in seen.opened},
    }
