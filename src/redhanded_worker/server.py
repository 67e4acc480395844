"""Answers trial requests with a collected suite: forks a process for each batch of tests."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any, Final

from redhanded_worker import isolate
from redhanded_worker.channel import Reader, raise_descriptor, send
from redhanded_worker.plant import CannotSwapError
from redhanded_worker.suite import Suite
from redhanded_worker.supervise import Batch, Child, DriverGoneError, Supervisor

GONE: Final = 3
"""Exit status of a process whose driver is gone."""


def fork(run: Callable[[int], None], close: list[int]) -> Child:
    """Fork a process that runs ``run`` with a descriptor to report on, and ends.

    Args:
        run: What to do there.
        close: Descriptors that are none of the child's business.
    """
    reports, reporting = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 70
        try:
            os.setpgid(0, 0)
            os.close(reports)
            for fd in close:
                os.close(fd)
            run(raise_descriptor(reporting))
            status = 0
        except DriverGoneError:
            status = GONE
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(status)
    os.close(reporting)
    try:
        os.setpgid(pid, pid)
    except OSError:
        pass  # it was quicker
    return Child(pid, reports)


class Server:
    """Answers trial requests on a channel, with a collected suite."""

    def __init__(self, suite: Suite, reader: Reader, out: int) -> None:
        self.suite = suite
        self.reader = reader
        self.out = out

    def _launch(self, batch: Batch) -> Child:
        return fork(lambda fd: self.suite.run(batch, fd), [self.reader.fd, self.out])

    def _supervisor(self) -> Supervisor:
        return Supervisor(
            self._launch, self.suite.witness, self.reader.fd, self.suite.setting.memory_limit
        )

    def ask(self, facts: dict[str, Any]) -> bool:
        """Let the driver say whether to go on after a test that did not pass."""
        answer = self.reader.receive()
        if answer is None:
            raise DriverGoneError
        return bool(answer.get("go"))

    def trials(self, request: Mapping[str, Any]) -> None:
        """Run a request's tests on what is planted, and report."""
        batch = Batch(**request["batch"])
        ask = self.ask if request.get("ask") else _always
        for facts in isolate.run(self._supervisor(), batch, ask):
            send(self.out, {"facts": facts})
        self.finish()

    def finish(self) -> None:
        """Say that all was run."""
        send(self.out, {"done": True})

    def serve(self) -> None:
        """Answer until the driver is gone."""
        while True:
            request = self.reader.receive()
            if request is None:
                return
            try:
                with self.suite.planted(request["plant"]):
                    send(self.out, {"planted": {"path": "swap"}})
                    self.trials(request)
            except CannotSwapError as reason:
                send(self.out, {"fallback": str(reason)})
            except SyntaxError as error:
                send(self.out, {"unviable": f"{type(error).__name__}: {error.msg}"})


class MappedServer(Server):
    """Serves a suite whose tests are numbered otherwise than the driver's."""

    def __init__(self, suite: Suite, reader: Reader, out: int, mapped: Mapping[int, int]) -> None:
        super().__init__(suite, reader, out)
        self._mapped = mapped

    def _launch(self, batch: Batch) -> Child:
        here = translated(batch, self._mapped)
        back = {ours: theirs for theirs, ours in self._mapped.items()}
        return fork(lambda fd: self.suite.run(here, fd, back), [self.reader.fd, self.out])

    def trials(self, request: Mapping[str, Any]) -> None:
        """Run the tests that are there."""
        super().trials(without_vanished(request, self._mapped))


def _always(_: dict[str, Any]) -> bool:
    return True


def without_vanished(request: Mapping[str, Any], mapped: Mapping[int, int]) -> dict[str, Any]:
    """The request without the tests that were not collected."""
    batch = request["batch"]
    kept = [at for at, index in enumerate(batch["tests"]) if index in mapped]
    return {**request, "batch": {**batch, "tests": [batch["tests"][at] for at in kept],
                                 "limits": [batch["limits"][at] for at in kept]}}  # fmt: skip


def translated(batch: Batch, mapped: Mapping[int, int]) -> Batch:
    """The batch with this process' numbers of the tests."""
    return Batch(**{**vars(batch), "tests": [mapped[index] for index in batch.tests]})
