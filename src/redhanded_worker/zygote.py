"""The processes that serve the driver.

The *base* process has set pytest up and nothing of the project is imported there. From it are
forked the *suite* process, which collects and then only forks; the *scout*, which collects under a
tracer and runs the control; and, for a mutant that shows at import, a process that collects under
an import hook and then forks like the suite process. Where setting pytest up imports code under
test (a conftest or a plugin may), the base process stops before that. Where forking is not wanted,
each batch gets a fresh interpreter instead.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

import pytest

from redhanded_worker.channel import Reader, raise_descriptor, send
from redhanded_worker.control import Audit
from redhanded_worker.fresh import ProcessServer, spawn
from redhanded_worker.live import Hook
from redhanded_worker.offspring import Offspring
from redhanded_worker.owners import Owners
from redhanded_worker.plugin import Plugin, pytest_version
from redhanded_worker.scout import Scout
from redhanded_worker.server import GONE, MappedServer, Server
from redhanded_worker.suite import Setting, Suite, map_tests, prepare
from redhanded_worker.supervise import Batch, Child, DriverGoneError, kill_group, resident
from redhanded_worker.witness import Witness

_COLLECTED, _BUSY, _IDLE, _DONE = b"c", b"b", b"i", b"d"
"""What a process that speaks to the driver itself tells the base process."""
_UNFIT: Final = 4
"""Exit status of a process in which setting pytest up went too far, or not far enough."""


@dataclass
class Start:
    """What a forked process is to do: collect the suite, then something with it."""

    suite: Suite
    serve: Callable[[Plugin], None]
    """Called in the place of running the tests; ends the process."""
    failed: Callable[[int], None]
    """Called with pytest's exit code where it ended before that."""
    on_collect: Callable[[Any, bool], None] | None = None

    def reach(self, plugin: Plugin) -> None:
        """Make a plugin serve this."""
        self.suite.plugin = plugin
        plugin.recorder = self.suite.recorder
        plugin.serve = self.serve
        plugin.on_collect = self.on_collect


class Base:
    """The process that others are forked from."""

    def __init__(self, reader: Reader, out: int, suite_in: int, suite_out: int) -> None:
        self.reader = reader
        self.out = out
        self._suite_channel = (suite_in, suite_out)
        self.hook = Hook()
        self.ids: list[str] = []
        self.setting: Setting
        self._owners: Owners
        self._audit: Audit
        self._offspring: Offspring

    def run(self) -> None:
        """Answer until the driver is gone."""
        opening = self.reader.receive()
        if opening is None:
            return
        self._open(opening)
        if self._run_configured():
            return
        self._audit.install()
        start = self._loop()
        if start is not None:
            _end_by(lambda: self._run_pytest(start))

    def _open(self, request: Mapping[str, Any]) -> None:
        self.setting = prepare(request["setting"], self.hook)
        self._owners = Owners(self.setting.tree, self.setting.subject)
        self._owners.warm()
        self._audit = Audit(self.setting.tree)
        self._offspring = Offspring()
        self._offspring.inherit()
        # Forks share what is here: the collector would only copy it, page by page.
        gc.collect()
        gc.freeze()
        send(self.out, {"opened": {"python": sys.version.split()[0], "pytest": pytest_version()}})

    def _run_configured(self) -> bool:
        """Let a process set pytest up and serve from there, if that imports no code under test.

        Returns:
            Once the driver is gone, True; False at once where this process has to serve.
        """
        ready, tell_ready = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(ready)
            _end_by(lambda: self._configure(raise_descriptor(tell_ready)))
        os.close(tell_ready)
        fit = bool(os.read(ready, 1))
        os.close(ready)
        if fit:
            # The driver is to notice when those who answer it are gone.
            for fd in (self.reader.fd, self.out, *self._suite_channel):
                os.close(fd)
        os.waitpid(pid, 0)
        return fit

    def _configure(self, tell_ready: int) -> None:
        begun: list[Start] = []
        plugin = Plugin(self._new_suite().recorder, lambda _: None)

        def before_collection() -> None:
            if self._went_too_far():
                os._exit(_UNFIT)
            os.write(tell_ready, b"r")
            os.close(tell_ready)
            start = self._loop()
            if start is None:
                os._exit(0)
            start.reach(plugin)
            begun.append(start)

        plugin.before_collection = before_collection
        self._audit.install()
        code = int(pytest.main(self.setting.args, plugins=[plugin]))
        if not begun:
            os._exit(_UNFIT)
        begun[0].failed(code)

    def _went_too_far(self) -> bool:
        """Does this process hold code under test, or threads, which a fork would lose?"""
        files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
        return threading.active_count() > 1 or any(
            isinstance(file, str) and self._owners.is_subject(file) for file in files
        )

    def _run_pytest(self, start: Start) -> None:
        plugin = Plugin(start.suite.recorder, start.serve)
        start.reach(plugin)
        start.failed(int(pytest.main(self.setting.args, plugins=[plugin])))

    def _loop(self) -> Start | None:
        """Answer the driver.

        Returns:
            In a new process, what that is to do; in this one None, once the driver is gone.
        """
        answers: dict[str, Callable[[Mapping[str, Any]], Start | None]] = {
            "collect": self._collect,
            "suite_ids": self._suite_ids,
            "control": self._control,
            "import_trial": self._import_trial,
            "again": self._import_trial,  # the process that had it planted is gone
            "release": self._release,
            "process_trial": self._process_trial,
        }
        while True:
            request = self.reader.receive()
            if request is None:
                return None
            start = answers[request["op"]](request)
            if start is not None:
                return start

    def _new_suite(self) -> Suite:
        return Suite(self.setting, Witness(offspring=self._offspring), self.hook, self._owners)

    def _collect(self, request: Mapping[str, Any]) -> Start | None:
        """Fork the suite process, which speaks to the driver on its own channel."""
        suite_in, suite_out = self._suite_channel
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)
            os.close(self.reader.fd)
            os.close(self.out)
            return self._suite_process(Reader(suite_in), suite_out)
        os.close(suite_in)
        os.close(suite_out)
        send(self.out, {"suite": pid})
        return None

    def _suite_process(self, reader: Reader, out: int) -> Start:
        suite = self._new_suite()
        self._audit.off()

        def serve(plugin: Plugin) -> None:
            suite.index()
            send(out, {"collected": suite.description()})
            Server(suite, reader, out).serve()
            os._exit(0)

        def failed(code: int) -> None:
            send(out, {"failed": f"pytest ended with exit code {code} before any test",
                       "errors": suite.plugin.errors if suite.plugin else []})  # fmt: skip

        return Start(suite, serve, failed)

    def _suite_ids(self, request: Mapping[str, Any]) -> None:
        self.ids = request["ids"]
        send(self.out, {"done": True})

    def _release(self, request: Mapping[str, Any]) -> None:
        """The process that had a mutant planted is gone already."""
        send(self.out, {"released": True})

    def _control(self, request: Mapping[str, Any]) -> Start | None:
        """Fork the scout: it collects under a tracer and runs the control."""
        alive = self._fork_watched(request)
        if alive is None:
            return None
        scout = Scout(self._new_suite(), request, self.ids, self._audit)

        def finished() -> None:
            os.write(alive, _DONE)
            os._exit(0)

        def serve(plugin: Plugin) -> None:
            os.write(alive, _COLLECTED)
            scout.run(plugin, lambda message: send(self.out, message))
            finished()

        def failed(code: int) -> None:
            send(self.out, {"failed": f"pytest ended with exit code {code} before any test"})
            finished()

        scout.start()
        return Start(scout.suite, serve, failed, scout.on_collect)

    def _import_trial(self, request: Mapping[str, Any]) -> Start | None:
        """Fork a process that collects with the mutant planted at import, and serves its trials."""
        alive = self._fork_watched(request)
        if alive is None:
            return None
        self._audit.off()
        suite = self._new_suite()
        try:
            suite.plant_import(request["plant"])
        except SyntaxError as error:
            send(self.out, {"unviable": f"{type(error).__name__}: {error.msg}"})
            os.write(alive, _DONE)
            os._exit(0)
        gc.disable()

        def serve(plugin: Plugin) -> None:
            os.write(alive, _COLLECTED)
            wanted_state = request.get("state")
            if wanted_state is not None and suite.state() == wanted_state:
                self._offspring.clear()
                send(self.out, {"fallback": "no trace"})
            else:
                self._serve_planted(suite, request, alive)
            os.write(alive, _DONE)
            os._exit(0)

        def failed(code: int) -> None:
            errors = [*(suite.plugin.errors if suite.plugin else []), f"pytest exit code {code}"]
            send(self.out, {"planted": {
                "path": "import", "entered": suite.witness.entered, "errors": errors,
                "refused": [], "vanished": request["batch"]["tests"]}})  # fmt: skip
            send(self.out, {"done": True})
            os.write(alive, _DONE)

        return Start(suite, serve, failed)

    def _serve_planted(self, suite: Suite, request: Mapping[str, Any], alive: int) -> None:
        """Run a trial, and what else is asked of the same mutant, until the driver lets go."""
        plugin = suite.plugin
        assert plugin is not None
        suite.recorder.always_entered |= suite.witness.entered
        mapped = map_tests(self.ids, [item.nodeid for item in plugin.items])
        suite.prepare_tests()
        server = MappedServer(suite, self.reader, self.out, mapped)
        following: Mapping[str, Any] | None = request
        while following is not None and following["op"] != "release":
            wanted = following["batch"]["tests"]
            send(self.out, {"planted": {
                "path": "import", "entered": suite.recorder.always_entered,
                "errors": plugin.errors, "refused": suite.hook.refused,
                "vanished": [index for index in wanted if index not in mapped]}})  # fmt: skip
            os.write(alive, _BUSY)
            server.trials(following)
            os.write(alive, _IDLE)
            following = self.reader.receive()
        self._offspring.clear()
        # Only now may the driver speak again: the base process listens next.
        send(self.out, {"released": True})

    def _process_trial(self, request: Mapping[str, Any]) -> None:
        """Run a trial in fresh interpreters."""
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
                    "state": request.get("state"),
                    "batch": vars(batch),
                    "witness": shared.name,
                }
                return spawn(message)

            server = ProcessServer(witness, launch, self.setting, self.reader, self.out)
            server.trials(request)

    def _fork_watched(self, request: Mapping[str, Any]) -> int | None:
        """Fork a process that speaks to the driver itself, and see it to its end.

        Returns:
            In the new process, where it tells how far it is; None in this one, once it has ended.
        """
        reports, reporting = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)
            os.close(reports)
            return raise_descriptor(reporting)
        os.close(reporting)
        try:
            os.setpgid(pid, pid)
        except OSError:
            pass  # it was quicker
        self._watch(Child(pid, reports), request)
        return None

    def _watch(self, child: Child, request: Mapping[str, Any]) -> None:
        """Wait for a process; end it if it hangs or grows while it collects."""
        deadline = monotonic() + float(request.get("collect_limit", 120.0))
        state = b""
        while True:
            ready, _, _ = select.select([child.reports], [], [], 0.25)
            if ready:
                data = os.read(child.reports, 16)
                state += data
                if not data:
                    break
            elif _COLLECTED not in state and (
                monotonic() > deadline or resident(child.pid) > self.setting.memory_limit
            ):
                kill_group(child.pid)
        os.close(child.reports)
        _, status = os.waitpid(child.pid, 0)
        if _DONE not in state and not state.endswith(_IDLE):
            hung = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
            send(self.out, {"broken": "hung" if hung else "died", "collected": _COLLECTED in state,
                            "status": status})  # fmt: skip


def _end_by(run: Callable[[], None]) -> None:
    """Do the last thing that a forked process does."""
    status = 70
    try:
        run()
        status = 0
    except DriverGoneError:
        status = GONE
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)


def main(argv: list[str]) -> None:
    """Serve: the base process.

    Args:
        argv: Descriptors: base in and out, suite in and out.
    """
    base_in, base_out, suite_in, suite_out = (raise_descriptor(int(fd)) for fd in argv)
    Base(Reader(base_in), base_out, suite_in, suite_out).run()
