"""The processes that serve the driver, and the forks that run tests.

The *base* process has imported pytest and nothing of the project. From it are forked the *suite*
process, which collects and then only forks; the *scout*, which collects under a tracer and runs
the control; and, for a mutant that shows at import, a process that collects under an import hook
and then forks like the suite process. Where forking is not wanted, each batch gets a fresh
interpreter instead.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, Final

from redhanded_worker import isolate
from redhanded_worker.channel import Reader, raise_descriptor, send, write_all
from redhanded_worker.live import Hook
from redhanded_worker.plant import CannotSwapError
from redhanded_worker.plugin import Plugin, pytest_version
from redhanded_worker.scout import Scout
from redhanded_worker.suite import Setting, Suite, collect, map_tests, prepare
from redhanded_worker.supervise import (
    Batch,
    Child,
    DriverGoneError,
    Launch,
    NoGreetingError,
    Supervisor,
    kill_group,
    resident,
)
from redhanded_worker.witness import Witness

_GONE: Final = 3
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
            status = _GONE
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


class Base:
    """The process that has imported pytest and nothing of the project."""

    def __init__(self, reader: Reader, out: int, suite_in: int, suite_out: int) -> None:
        self.reader = reader
        self.out = out
        self._suite_channel = (suite_in, suite_out)
        self.hook = Hook()
        self.setting: Setting | None = None
        self.ids: list[str] = []

    def serve(self) -> None:
        """Answer until the driver is gone."""
        while True:
            request = self.reader.receive()
            if request is None:
                return
            getattr(self, "_" + request["op"])(request)

    def _open(self, request: Mapping[str, Any]) -> None:
        self.setting = prepare(request["setting"], self.hook)
        send(self.out, {"opened": {"python": sys.version.split()[0], "pytest": pytest_version()}})

    def _collect(self, request: Mapping[str, Any]) -> None:
        """Fork the suite process, which speaks to the driver on its own channel."""
        pid = os.fork()
        suite_in, suite_out = self._suite_channel
        if pid == 0:
            status = 70
            try:
                os.setpgid(0, 0)
                os.close(self.reader.fd)
                os.close(self.out)
                self._be_suite(Reader(suite_in), suite_out)
                status = 0
            except DriverGoneError:
                status = _GONE
            except BaseException:
                traceback.print_exc()
                sys.stderr.flush()
            finally:
                os._exit(status)
        os.close(suite_in)
        os.close(suite_out)
        send(self.out, {"suite": pid})

    def _be_suite(self, reader: Reader, out: int) -> None:
        suite = self._new_suite()

        def serve(plugin: Plugin) -> None:
            suite.index()
            send(out, {"collected": suite.description()})
            Server(suite, reader, out).serve()
            os._exit(0)

        code = collect(suite, serve)
        send(out, {"failed": f"pytest ended with exit code {code} before any test", "errors":
                   suite.plugin.errors if suite.plugin else []})  # fmt: skip

    def _new_suite(self) -> Suite:
        assert self.setting is not None
        return Suite(self.setting, Witness(), self.hook)

    def _suite_ids(self, request: Mapping[str, Any]) -> None:
        self.ids = request["ids"]
        send(self.out, {"done": True})

    def _control(self, request: Mapping[str, Any]) -> None:
        """Fork the scout: it collects under a tracer and runs the control."""
        scout = Scout(self._new_suite(), request, self.ids)
        self._watch(fork(lambda fd: self._be_scout(scout, fd), []), request)

    def _be_scout(self, scout: Scout, alive: int) -> None:
        def finished() -> None:
            os.write(alive, b"d")
            os._exit(0)

        scout.run(lambda message: send(self.out, message), lambda: write_all(alive, b"c"), finished)
        finished()

    def _import_trial(self, request: Mapping[str, Any]) -> None:
        """Fork a process that collects with the mutant planted at import, and serves one trial."""
        self._watch(fork(lambda fd: self._be_planted(request, fd), []), request)

    def _be_planted(self, request: Mapping[str, Any], alive: int) -> None:
        suite = self._new_suite()
        try:
            suite.plant_import(request["plant"])
        except SyntaxError as error:
            send(self.out, {"unviable": f"{type(error).__name__}: {error.msg}"})
            os.write(alive, b"d")
            return

        def serve(plugin: Plugin) -> None:
            os.write(alive, b"c")
            wanted_state = request.get("state")
            if wanted_state is not None and suite.state() == wanted_state:
                send(self.out, {"fallback": "no trace"})
                os.write(alive, b"d")
                os._exit(0)
            entered = suite.recorder.always_entered or suite.witness.entered
            suite.recorder.always_entered = entered
            mapped = map_tests(self.ids, [item.nodeid for item in plugin.items])
            wanted = request["batch"]["tests"]
            send(self.out, {"planted": {
                "path": "import", "entered": entered, "errors": plugin.errors,
                "refused": suite.hook.refused,
                "vanished": [index for index in wanted if index not in mapped]}})  # fmt: skip
            suite.prepare_tests()
            MappedServer(suite, self.reader, self.out, mapped).trials(request)
            os.write(alive, b"d")
            os._exit(0)

        code = collect(suite, serve)
        send(self.out, {"planted": {"path": "import", "entered": suite.witness.entered,
             "errors": [*(suite.plugin.errors if suite.plugin else []), f"pytest exit code {code}"],
             "refused": [], "vanished": request["batch"]["tests"]}})  # fmt: skip
        send(self.out, {"done": True})
        os.write(alive, b"d")

    def _process_trial(self, request: Mapping[str, Any]) -> None:
        """Run a trial in fresh interpreters."""
        assert self.setting is not None
        with tempfile.NamedTemporaryFile(prefix="redhanded-") as shared:
            shared.write(b"\0" * 65536)
            shared.flush()
            witness = Witness(shared.name)

            def launch(batch: Batch) -> Child:
                message = {
                    "setting": vars(self.setting),
                    "ids": self.ids,
                    "plant": request["plant"],
                    "at_import": request.get("at_import", False),
                    "batch": vars(batch),
                    "witness": shared.name,
                }
                return spawn(message)

            server = ProcessServer(witness, launch, self.setting, self.reader, self.out)
            server.trials(request)

    def _watch(self, child: Child, request: Mapping[str, Any]) -> None:
        """Wait for a forked process that speaks to the driver itself; end it if it hangs."""
        deadline = monotonic() + float(request.get("collect_limit", 120.0))
        state = b""
        setting = self.setting
        assert setting is not None
        while True:
            ready, _, _ = select.select([child.reports], [], [], 0.25)
            if ready:
                data = os.read(child.reports, 16)
                state += data
                if not data:
                    break
            elif b"c" not in state and (
                monotonic() > deadline or resident(child.pid) > setting.memory_limit
            ):
                kill_group(child.pid)
        os.close(child.reports)
        _, status = os.waitpid(child.pid, 0)
        if b"d" not in state:
            hung = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
            send(self.out, {"broken": "hung" if hung else "died", "collected": b"c" in state,
                            "status": status})  # fmt: skip


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


class ProcessServer(Server):
    """Serves trials by fresh interpreters."""

    def __init__(
        self, witness: Witness, launch: Launch, setting: Setting, reader: Reader, out: int
    ) -> None:
        self._witness = witness
        self._fresh = launch
        self._setting = setting
        self._greeted = False
        self.reader = reader
        self.out = out

    def _supervisor(self) -> Supervisor:
        return Supervisor(
            self._fresh, self._witness, self.reader.fd, self._setting.memory_limit, self._greet
        )

    def _greet(self, hello: Mapping[str, Any]) -> bool:
        """Pass on what the first process said of its planting; False: it can't run tests."""
        if not self._greeted:
            self._greeted = True
            send(self.out, dict(hello))
        return "planted" in hello

    def trials(self, request: Mapping[str, Any]) -> None:
        """Run a request's tests, each batch in an interpreter of its own."""
        try:
            super().trials(request)
        except NoGreetingError as reason:
            send(self.out, {"broken": str(reason), "collected": False, "status": None})


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


def spawn(message: Mapping[str, Any]) -> Child:
    """Start a fresh interpreter for one batch."""
    reports, reporting = os.pipe()
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "__main__.py")
    process = subprocess.Popen(
        [sys.executable, here, "batch", str(reporting)],
        stdin=subprocess.PIPE,
        pass_fds=[reporting],
        start_new_session=True,
    )
    os.close(reporting)
    assert process.stdin is not None
    process.stdin.write(json.dumps(message).encode())
    process.stdin.close()
    return Child(process.pid, reports)


def batch(fd: int, message: Mapping[str, Any]) -> None:
    """Be the fresh interpreter of one batch: collect, plant, run, report, end."""
    out = raise_descriptor(fd)
    hook = Hook()
    setting = prepare(message["setting"], hook)
    suite = Suite(setting, Witness(message["witness"]), hook)
    spec = message["plant"]
    at_import = bool(message["at_import"])
    wanted = Batch(**message["batch"])
    try:
        if at_import:
            suite.plant_import(spec)
    except SyntaxError as error:
        send(out, {"hello": {"unviable": f"{type(error).__name__}: {error.msg}"}})
        return

    def serve(plugin: Plugin) -> None:
        mapped = map_tests(message["ids"], [item.nodeid for item in plugin.items])
        back = {here: there for there, here in mapped.items()}
        kept = Batch(**without_vanished({"batch": vars(wanted)}, mapped)["batch"])
        planted: dict[str, Any] = {
            "path": "process", "entered": False, "errors": plugin.errors,
            "refused": hook.refused,
            "vanished": [index for index in wanted.tests if index not in mapped],
        }  # fmt: skip
        if at_import:
            suite.prepare_tests()
            entered = suite.recorder.always_entered or suite.witness.entered
            planted["entered"] = suite.recorder.always_entered = entered
            send(out, {"hello": {"planted": planted}})
            suite.run(translated(kept, mapped), out, back)
            os._exit(0)
        suite.index()
        try:
            with suite.planted(spec):
                send(out, {"hello": {"planted": planted}})
                suite.run(translated(kept, mapped), out, back)
        except CannotSwapError as reason:
            send(out, {"hello": {"fallback": str(reason)}})
        except SyntaxError as error:
            send(out, {"hello": {"unviable": f"{type(error).__name__}: {error.msg}"}})
        os._exit(0)

    code = collect(suite, serve)
    send(out, {"hello": {"planted": {
        "path": "process", "entered": suite.witness.entered, "refused": hook.refused,
        "errors": [*(suite.plugin.errors if suite.plugin else []), f"pytest exit code {code}"],
        "vanished": wanted.tests}}})  # fmt: skip


def main(argv: list[str]) -> None:
    """Serve: the base process.

    Args:
        argv: Descriptors: base in and out, suite in and out.
    """
    base_in, base_out, suite_in, suite_out = (raise_descriptor(int(fd)) for fd in argv)
    Base(Reader(base_in), base_out, suite_in, suite_out).serve()
