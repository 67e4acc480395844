"""Graders in any language: a command that answers JSON Lines. See docs/grader-protocol.md."""

from __future__ import annotations

import asyncio
import secrets
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from redhanded.errors import UsageError
from redhanded.model.graded import Lack, WitnessKind
from redhanded.model.output import Output
from redhanded.outputs.adapters import reading
from redhanded.outputs.adapters.base import Asked, NoEvidenceError, Reported, Verdict
from redhanded.outputs.adapters.pipe import Pipe
from redhanded.outputs.adapters.prepared import Prepared
from redhanded.outputs.adapters.testimony import entries_of
from redhanded.outputs.case import Case

OBSERVERS: Final = Path(__file__).parent / "observers"
VERDICTS: Final = ("verdicts", "verdict", "score")
"""Fields of a response that hold its answer; the first that is there decides."""


@dataclass(frozen=True)
class Command:
    """A grader that runs as a process of its own."""

    argv: tuple[str, ...]
    name: str
    observed: bool = False
    """Our helper runs in the process, so that entries are seen and not only said."""
    cwd: str | None = None
    env: tuple[tuple[str, str], ...] = ()
    fresh: bool = False
    """A new process for each call."""


class CommandMaker:
    """``rh.command``: makes graders that run as processes of their own."""

    def __call__(
        self,
        *argv: str,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        fresh: bool = False,
    ) -> Command:
        """A command that speaks the protocol itself; its witness is what it says of itself."""
        if not argv:
            raise UsageError("a command needs at least the name of a program")
        settings = tuple(sorted((env or {}).items()))
        shown = " ".join(Path(part).name if Path(part).is_absolute() else part for part in argv)
        return Command(tuple(argv), shown, cwd=cwd, env=settings, fresh=fresh)

    def node(
        self,
        script: str,
        function: str = "grade",
        *,
        watch: Sequence[str] = (),
        cwd: str | None = None,
        fresh: bool = False,
    ) -> Command:
        """A JavaScript function, called by our helper in its own process.

        Args:
            script: A file that exports the function.
            function: Its name; ``default`` for the module's own or default export.
            watch: Library functions to be entered, as ``package`` or ``package:name``; found as
                the script finds them.
            cwd: The working directory.
            fresh: A new process for each call.
        """
        program = shutil.which("node")
        if program is None:
            raise UsageError(
                f"{script}: expected Node.js, and there is no node on the PATH",
                hint="Install Node.js, or give the whole command: rh.command('/path/node', ...).",
            )
        argv = (program, str(OBSERVERS / "observe.cjs"), script, function, *watch)
        name = f"node {Path(script).name}:{function}"
        return Command(argv, name, observed=True, cwd=cwd, fresh=fresh)

    def python(
        self,
        script: str,
        function: str = "grade",
        *,
        watch: Sequence[str] = (),
        interpreter: str | None = None,
        cwd: str | None = None,
        fresh: bool = False,
    ) -> Command:
        """A Python function in another interpreter, called by our helper there.

        Args:
            script: A file that defines the function.
            function: Its name.
            watch: Library functions to be entered, as ``module:name``.
            interpreter: The Python to run it with; this one if not given.
            cwd: The working directory.
            fresh: A new process for each call.
        """
        program = interpreter or sys.executable
        argv = (program, str(OBSERVERS / "observe.py"), script, function, *watch)
        name = f"python {Path(script).name}:{function}"
        return Command(argv, name, observed=True, cwd=cwd, fresh=fresh)


command = CommandMaker()


class Commands:
    """Graders that are commands."""

    framework = "command"

    def knows(self, grader: Any) -> bool:
        """Is it a :class:`Command`?"""
        return isinstance(grader, Command)

    def open(self, case: Case) -> Asked:
        """Make a command ready; its process starts with the first call."""
        grader = case.grader
        if not isinstance(grader, Command):
            raise UsageError(f"{case.id}: expected rh.command(...), found {grader!r}")
        if case.upstream is not None:
            raise UsageError(
                f"{case.id}: upstream can't be seen in another process",
                hint="Name it where the command is made: rh.command.node(..., watch=['package']).",
            )
        return _prepared(case, grader)


def _prepared(case: Case, grader: Command) -> Prepared:
    def make(rebuild: Callable[[], Prepared] | None) -> Prepared:
        pipe = Pipe(grader.argv, cwd=grader.cwd, env=dict(grader.env), signed=grader.observed)

        async def ask(output: Output) -> Any:
            try:
                return await _asked(pipe, grader, output, case)
            finally:
                if grader.fresh:
                    pipe.close()

        def read(raw: Any) -> dict[str, Verdict]:
            return reading.read(raw, case.pass_at)

        return Prepared(
            name=f"command:{grader.name}",
            watched=(),
            ask=ask,
            read=read,
            rebuild=rebuild,
            witness=WitnessKind.OBSERVED if grader.observed else WitnessKind.SELF_REPORTED,
        )

    return make((lambda: make(None)) if grader.fresh else None)


async def _asked(pipe: Pipe, grader: Command, output: Output, case: Case) -> Reported:
    request = {
        "id": pipe.next_id(),
        "nonce": secrets.token_hex(16),
        # A text is always there: a grader that looks into it needn't know of blank ones.
        "output": {"text": "", **_plain(output)},
        "target": _plain(case.target),
        "input": _plain(case.input),
    }
    response = await asyncio.to_thread(pipe.exchange, request)
    entries = entries_of(response, request, pipe.key)
    if response.get("error") is not None:
        raise GraderError(str(response["error"]))
    raw = _answer(response)
    kind = WitnessKind.OBSERVED if pipe.key is not None else WitnessKind.SELF_REPORTED
    return Reported(raw, entries, kind)


class GraderError(Exception):
    """A grader in another process said that it raised."""


def _answer(response: Mapping[str, Any]) -> Any:
    given = [name for name in VERDICTS if name in response]
    if not given:
        raise NoEvidenceError(
            Lack.SELF_REPORT_MISSING,
            f"expected one of {', '.join(VERDICTS)} in the response, found {sorted(response)}",
        )
    if given[0] == "verdict" and isinstance(response.get("score"), (int, float)):
        return {"passed": response["verdict"], "score": response["score"]}
    return response[given[0]]


def _plain(value: Any) -> Any:
    """A value as JSON can carry it."""
    try:
        return msgspec.to_builtins(value)
    except TypeError:
        return str(value)
