"""Trials without forking: a fresh interpreter for each batch of tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from redhanded_worker.channel import Reader, raise_descriptor, send
from redhanded_worker.live import Hook
from redhanded_worker.offspring import Offspring
from redhanded_worker.owners import Owners
from redhanded_worker.plant import CannotSwapError
from redhanded_worker.plugin import Plugin
from redhanded_worker.server import Server, translated, without_vanished
from redhanded_worker.suite import Setting, Suite, collect, map_tests, prepare
from redhanded_worker.supervise import Batch, Child, Launch, NoGreetingError, Supervisor
from redhanded_worker.witness import Witness


class ProcessServer(Server):
    """Serves trials by fresh interpreters."""

    def __init__(
        self, witness: Witness, launch: Launch, setting: Setting, reader: Reader, out: int
    ) -> None:
        self._witness = witness
        self._fresh = launch
        self._setting = setting
        self._greeted = False
        self._planted = True
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
            self._planted = "planted" in hello
            send(self.out, dict(hello))
        return "planted" in hello

    def finish(self) -> None:
        """Say that all was run, unless the greeting said why nothing is: that ends the answer."""
        if self._planted:
            super().finish()

    def trials(self, request: Mapping[str, Any]) -> None:
        """Run a request's tests, each batch in an interpreter of its own."""
        try:
            super().trials(request)
        except NoGreetingError as reason:
            send(self.out, {"broken": str(reason), "collected": False, "status": None})


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
    owners = Owners(setting.tree, setting.subject)
    offspring = Offspring()
    offspring.inherit()
    suite = Suite(setting, Witness(message["witness"], offspring), hook, owners)
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
            if message["state"] is not None and suite.state() == message["state"]:
                send(out, {"hello": {"fallback": "no trace"}})
                os._exit(0)
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
