"""A run that answers at once, in place of the real one; and a command line that uses it.

``python -m tests.cli.fakes KIND ARGS`` is ``redhanded ARGS`` with the fake run of that kind.
"""

from __future__ import annotations

import sys
import time
import types
from typing import Any

from redhanded.code.options import RunOptions
from redhanded.errors import RedhandedError, UnwitnessedError
from redhanded.model.mutant import Mutant
from redhanded.model.result import PlanSummary, Result
from redhanded.model.sink import Progress, Sink
from tests import samples

MODULE = "redhanded.code.run"


class FakeRun(types.ModuleType):
    """Stands in for :mod:`redhanded.code.run`."""

    def __init__(self, kind: str = "ok", result: Result | None = None) -> None:
        super().__init__(MODULE)
        self.kind = kind
        self.result = result or samples.result()
        self.asked: list[RunOptions] = []
        self.finished: list[Any] = []

    def run(self, options: RunOptions, sink: Sink, progress: Progress) -> Result:
        self.asked.append(options)
        if self.kind == "refused":
            raise UnwitnessedError("expected the copy in src, found another", hint="Install it.")
        if self.kind == "early-bug":
            raise ValueError("before any row")
        self.finished = list(sink.finished())
        progress.stage("controls", None)
        sink.add(samples.RUN)
        sink.mutants(samples.PLANNED)
        progress.stage("trials", 2)
        sink.add(samples.PLAN)
        if not self.finished:
            sink.add(samples.TRIAL)
        progress.advance()
        progress.note("one test is slow")
        if self.kind == "bug":
            raise ValueError("after a row")
        if self.kind == "bare":
            raise RedhandedError("the worker answered nonsense")
        if self.kind == "interrupt":
            raise KeyboardInterrupt
        if self.kind == "wait":
            print("waiting", flush=True)
            time.sleep(60)
        sink.add(samples.TRIAL_2)
        return self.result

    def plan(
        self, options: RunOptions, progress: Progress
    ) -> tuple[PlanSummary, tuple[Mutant, ...]]:
        self.asked.append(options)
        return samples.result().plan, samples.PLANNED


if __name__ == "__main__":
    sys.modules[MODULE] = FakeRun(sys.argv.pop(1))
    from redhanded.cli import main

    main()
