"""From exceptions and reports to raw facts: types, frames, expectations; no judgement."""

from __future__ import annotations

import doctest
import sys
import unittest.case
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Final

from redhanded_worker.canary import CanaryError
from redhanded_worker.owners import Owners

_MESSAGE: Final = 200
_FRAMES: Final = 24
"""Frames kept from each end of a longer traceback."""


def leaves(error: BaseException) -> Iterator[tuple[BaseException, TracebackType | None]]:
    """The exceptions that an exception stands for, with their tracebacks.

    Groups stand for their members, a doctest's failure for what its example raised.
    """
    members = getattr(error, "exceptions", None)
    if (
        isinstance(members, tuple)
        and members
        and all(isinstance(m, BaseException) for m in members)
    ):
        if not _is_flaky(type(error)):
            for member in members:
                yield from leaves(member)
            return
    if isinstance(error, doctest.UnexpectedException):
        _, inner, trace = error.exc_info
        yield inner, trace
        return
    failures = getattr(error, "failures", None)  # _pytest.doctest.MultipleDoctestFailures
    if isinstance(failures, (list, tuple)) and failures and isinstance(failures[0], BaseException):
        for failure in failures:
            yield from leaves(failure)
        return
    yield error, error.__traceback__


def _is_flaky(kind: type[BaseException]) -> bool:
    return any(
        base.__module__.startswith("hypothesis.") and base.__name__ == "Flaky"
        for base in kind.__mro__
    )


def family(error: BaseException) -> str:
    """Which family an exception belongs to, as ``redhanded.model.facts`` names them."""
    kind = type(error)
    if isinstance(error, doctest.DocTestFailure):
        return "doctest"
    if _is_flaky(kind):
        return "flaky"
    if isinstance(error, AssertionError):
        return "assertion"
    # pytest's own outcomes say that they come from ``builtins``: names tell nothing.
    if _is_outcome(error, "Failed"):
        return "fail"
    if _is_outcome(error, "Skipped") or isinstance(error, unittest.case.SkipTest):
        return "skip"
    if _is_outcome(error, "Exit") or isinstance(error, (SystemExit, KeyboardInterrupt)):
        return "exit"
    return "other"


def _is_outcome(error: BaseException, name: str) -> bool:
    kind = getattr(sys.modules.get("_pytest.outcomes"), name, None)
    return isinstance(kind, type) and isinstance(error, kind)


def message_of(error: BaseException) -> str:
    """First line of an exception's text; subject code may compute it, and may fail at that."""
    try:
        text = str(error)
    except BaseException as problem:
        text = f"<no text: {type(problem).__name__}>"
    return text.split("\n", 1)[0][:_MESSAGE].encode("utf-8", "replace").decode()


def frames_of(trace: TracebackType | None, owners: Owners) -> list[list[Any]]:
    """Frames of a traceback, outermost first; runs of foreign frames shortened to their ends."""
    frames: list[list[Any]] = []
    while trace is not None:
        code = trace.tb_frame.f_code
        owner, name = owners.of(code.co_filename)
        frame = [owner, name, trace.tb_lineno or 0, getattr(code, "co_qualname", code.co_name)]
        foreign = owner in ("runner", "other")
        if foreign and len(frames) > 1 and frames[-1][0] == frames[-2][0] == owner:
            frames[-1] = frame
        else:
            frames.append(frame)
        trace = trace.tb_next
    if len(frames) > 2 * _FRAMES:
        frames = frames[:_FRAMES] + frames[-_FRAMES:]
    return frames


def failures_of(
    when: str, error: BaseException, owners: Owners, contradicting: set[int]
) -> list[dict[str, Any]]:
    """One failure per leaf of an exception that failed a phase of a test.

    Args:
        when: ``setup``, ``call`` or ``teardown``.
        error: The exception.
        owners: Whose files are whose.
        contradicting: Ids of exceptions that passed through an expectation they contradict.
    """
    found = []
    for leaf, trace in leaves(error):
        kind = type(leaf)
        failure: dict[str, Any] = {
            "when": when,
            "type": f"{kind.__module__}.{kind.__qualname__}",
            "family": family(leaf),
            "message": message_of(leaf),
            "frames": frames_of(trace, owners),
        }
        if id(leaf) in contradicting or id(error) in contradicting:
            failure["contradicts"] = True
        if isinstance(leaf, CanaryError):
            failure["canary"] = True
        found.append(failure)
    return found


class Expectations:
    """Notes exceptions that pass through, or satisfy, an open expectation."""

    def __init__(self) -> None:
        self.contradicting: set[int] = set()
        self.satisfying: set[int] = set()
        self._alive: list[BaseException] = []

    def clear(self) -> None:
        """Forget; called before each test."""
        self.contradicting.clear()
        self.satisfying.clear()
        self._alive.clear()

    def install(self) -> None:
        """Watch the expectations of pytest and unittest that are loaded."""
        for module, names in (
            ("_pytest.raises", ("RaisesExc", "RaisesGroup")),
            ("_pytest.python_api", ("RaisesContext",)),
            ("_pytest.recwarn", ("WarningsChecker",)),
            ("unittest.case", ("_AssertRaisesContext", "_AssertWarnsContext")),
        ):
            for name in names:
                kind = getattr(sys.modules.get(module), name, None)
                if isinstance(kind, type) and "__exit__" in vars(kind):
                    self._watch(kind)

    def _watch(self, kind: Any) -> None:
        inner = kind.__exit__

        def __exit__(context: Any, *about: Any) -> Any:  # noqa: N807
            error = about[1] if len(about) > 1 else None
            accepted = inner(context, *about)
            if error is not None:
                self._alive.append(error)
                (self.satisfying if accepted else self.contradicting).add(id(error))
            return accepted

        kind.__exit__ = __exit__
