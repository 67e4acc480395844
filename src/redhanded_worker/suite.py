"""A collected suite in one process: what is planted in it, and tests run on that."""

from __future__ import annotations

import gc
import os
import random
import sys
import threading
import tokenize
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, ModuleType
from typing import Any

import pytest

from redhanded_worker import weave
from redhanded_worker.budget import Counter
from redhanded_worker.canary import Sentinel, sing
from redhanded_worker.channel import send
from redhanded_worker.live import Caches, Functions, Hook, live_filenames, pairs
from redhanded_worker.offspring import Offspring
from redhanded_worker.owners import Owners
from redhanded_worker.plant import CannotSwapError, Edit, Module, kinds_differ
from redhanded_worker.plugin import Plugin, Recorder, run_one
from redhanded_worker.private import separate
from redhanded_worker.state import fingerprint
from redhanded_worker.supervise import Batch
from redhanded_worker.swallow import Swallows
from redhanded_worker.witness import Witness


@dataclass(frozen=True)
class Setting:
    """What a session works on; the ``open`` message."""

    tree: str
    """Root of the scratch tree."""
    roots: list[str]
    """Source roots: first on ``sys.path``."""
    targets: list[str]
    """Files that mutants lie in, relative to the tree."""
    subject: list[str]
    """All files of the code under test, relative to the tree."""
    args: list[str]
    """pytest's arguments."""
    memory_limit: int = 2 << 30

    def path(self, name: str) -> str:
        """Real path of a file of the tree."""
        return os.path.realpath(os.path.join(self.tree, name))


class Sources:
    """The target files, parsed when first needed."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._modules: dict[tuple[str, str], Module] = {}

    def module(self, name: str, filename: str | None = None) -> Module:
        """A target file, compiled as if loaded under ``filename``."""
        path = self._setting.path(name)
        key = (name, filename or path)
        if key not in self._modules:
            with tokenize.open(path) as file:
                text = file.read()
            self._modules[key] = Module(text, filename or path)
        return self._modules[key]

    def edit(self, module: Module, spec: Mapping[str, Any]) -> Edit:
        """A message's span as offsets."""
        start, end = spec["start"], spec["end"]
        return Edit(
            module.offset(start["line"], start["column"]),
            module.offset(end["line"], end["column"]),
            spec["replacement"],
        )


class Suite:
    """Collected tests, and the live functions of the targets."""

    def __init__(self, setting: Setting, witness: Witness, hook: Hook, owners: Owners) -> None:
        self.setting = setting
        self.witness = witness
        self.hook = hook
        self.owners = owners
        self.sources = Sources(setting)
        self.recorder = Recorder(self.owners, witness)
        self.plugin: Plugin | None = None
        self._functions: Functions | None = None
        self._names: dict[str, str | None] = {}
        self._frozen = gc.get_freeze_count()

    def index(self) -> None:
        """Find the targets' live functions; call it once collection is over."""
        self._thaw()
        live = live_filenames(map(self.setting.path, self.setting.targets))
        self._names = {name: live.get(self.setting.path(name)) for name in self.setting.targets}
        self._functions = Functions(name for name in self._names.values() if name)
        self.prepare_tests()

    def prepare_tests(self) -> None:
        """Do what tests need, once collection is over."""
        self._thaw()
        live = live_filenames(map(self.setting.path, self.setting.subject))
        self.recorder.before_each = Caches(live.values()).clear
        self.freeze()

    def state(self) -> str | None:
        """A fingerprint of what collection left in the modules of the tree; None: untold."""
        found = []
        for module in list(sys.modules.values()):
            file = getattr(module, "__file__", None)
            if isinstance(module, ModuleType) and isinstance(file, str):
                if self.owners.of(file)[0] in ("subject", "test"):
                    found.append(module)
        return fingerprint(found)

    def _thaw(self) -> None:
        """Take back what a suite froze itself: the collector doesn't tell of frozen objects."""
        if gc.get_freeze_count() > self._frozen:
            gc.unfreeze()

    def freeze(self) -> None:
        """Do once what each fork would do again, and keep the collector off what is there."""
        self.owners.warm()
        if gc.isenabled():
            gc.collect()
        gc.freeze()
        gc.enable()

    def description(self) -> dict[str, Any]:
        """What was collected, for the driver."""
        assert self.plugin is not None
        return {
            "tests": [item.nodeid for item in self.plugin.items],
            "errors": self.plugin.errors,
            "loaded": {name: live is not None for name, live in self._names.items()},
            "strangers": self._strangers(),
            "threads": threading.active_count(),
            "neutralised": self.plugin.neutralised,
        }

    def _strangers(self) -> dict[str, str]:
        """Targets whose module was imported from another file: name -> that file."""
        found = {}
        by_name: dict[str, str] = {}
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if isinstance(file, str):
                by_name[name] = file
        for target, live in self._names.items():
            if live is not None:
                continue
            for dotted in self._dotted(target):
                other = by_name.get(dotted)
                if other is not None:
                    found[target] = other
        return found

    def _dotted(self, target: str) -> Iterator[str]:
        path = self.setting.path(target)
        for root in self.setting.roots:
            prefix = os.path.realpath(root) + os.sep
            if path.startswith(prefix):
                parts = path[len(prefix) :].removesuffix(".py").split(os.sep)
                yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @contextmanager
    def planted(self, spec: Mapping[str, Any]) -> Iterator[None]:
        """Have something planted in the live functions.

        Args:
            spec: ``kind`` is ``none``, ``mutant``, ``placebo`` or ``canary``.

        Raises:
            CannotSwapError: It has to be planted at import.
            SyntaxError: The mutated text doesn't compile.
        """
        kind = spec["kind"]
        if kind == "none":
            with self._in_children(spec, None):
                yield
            return
        functions = self._functions
        assert functions is not None
        if kind == "mutant":
            with self._mutant(functions, spec):
                yield
            return
        done = []
        names = spec["files"]
        for name in names:
            live = self._names.get(name)
            if live is None:
                continue
            module = self.sources.module(name, live)
            new = weave.bind(module.woven(_transformer(spec)), self._meanings(spec))
            done += functions.swap_where_possible(pairs(module.original(None), new))
        try:
            with self._in_children({}, None):
                yield
        finally:
            functions.restore(done)

    @contextmanager
    def _mutant(self, functions: Functions, spec: Mapping[str, Any]) -> Iterator[None]:
        name = spec["file"]
        live = self._names.get(name)
        if live is None:
            raise CannotSwapError("the module is not loaded when the suite is collected")
        module = self.sources.module(name, live)
        edit = self.sources.edit(module, spec)
        marked = [
            type(swap)(swap.old, weave.bind(swap.new, {weave.ENTER: self.witness.marker}))
            for swap in module.swaps(edit)
        ]
        done = functions.swap(marked)
        self.hook.plant({self.setting.path(name): lambda: self.whole(module, edit)})
        try:
            with self._in_children(spec, edit):
                yield
        finally:
            self.hook.plant({})
            functions.restore(done)

    @contextmanager
    def _in_children(self, spec: Mapping[str, Any], edit: Edit | None) -> Iterator[None]:
        """Plant the same, or the file as it is, in the processes that tests start; else nothing.

        Another process of this session may have something planted there for later.
        """
        offspring = self.witness.offspring
        if offspring is None:
            yield
            return
        before = offspring.plan()
        if spec.get("children"):
            self._hand_down(offspring, spec, edit)
        elif before is not None:
            offspring.clear()
        try:
            yield
        finally:
            if spec.get("children") or before is not None:
                offspring.restore(before)

    def _hand_down(self, offspring: Offspring, spec: Mapping[str, Any], edit: Edit | None) -> None:
        module = self.sources.module(spec["file"])
        code = module.original(None) if edit is None else module.planted(edit, None)
        offspring.plant(self.setting.path(spec["file"]), code)

    def whole(self, module: Module, edit: Edit) -> CodeType:
        """A mutated module's code, marked."""
        return weave.bind(module.planted(edit, None), {weave.ENTER: self.witness.marker})

    def _meanings(self, spec: Mapping[str, Any]) -> dict[str, object]:
        if spec["kind"] == "placebo":
            return {weave.ENTER: _nothing}
        value: object = None if spec.get("style") == "none" else Sentinel(True)
        return {weave.ENTER: self.witness.marker, weave.RAISE: sing, weave.VALUE: value}

    def plant_import(self, spec: Mapping[str, Any]) -> None:
        """Choose what the import hook plants; call it before collection.

        Raises:
            SyntaxError: The mutated text doesn't compile.
        """
        module = self.sources.module(spec["file"])
        edit = self.sources.edit(module, spec)
        code = self.whole(module, edit)
        if spec.get("children") and self.witness.offspring is not None:
            self._hand_down(self.witness.offspring, spec, edit)
        # A function that became another kind differs as soon as it is called, whether or not its
        # body then runs; the tests were selected for calling it.
        self.recorder.always_entered = kinds_differ(module.original(None), code)
        self.hook.plant({self.setting.path(spec["file"]): lambda: code})

    def run(self, batch: Batch, fd: int, names: Mapping[int, int] | None = None) -> None:
        """Run tests in this process and report each, to the end or to the first failure.

        Args:
            batch: Tests by their number here.
            fd: Where facts are written.
            names: What the driver calls each test, where it counts otherwise.
        """
        plugin = self.plugin
        assert plugin is not None
        for at, index in enumerate(batch.tests):
            following = batch.tests[at + 1] if at + 1 < len(batch.tests) else None
            name = index if names is None else names[index]
            facts = self._run_one(plugin, index, following, batch, fd, name)
            facts["test"] = name
            send(fd, facts)
            if batch.stop_on_failure and facts["verdict"] == "failed":
                return

    def _run_one(
        self,
        plugin: Plugin,
        index: int,
        following: int | None,
        batch: Batch,
        fd: int,
        name: int,
    ) -> dict[str, Any]:
        counter: Counter | None = None
        swallows: Swallows | None = None
        if batch.count or batch.count_limit is not None:

            def overrun() -> None:
                entered = self.witness.entered or self.recorder.always_entered
                send(fd, {"test": name, "verdict": "budget", "entered": entered})
                os._exit(0)

            counter = Counter(self.owners, batch.count_limit, overrun)
            counter.start()
        elif batch.swallowed:
            swallows = Swallows(self.owners)
            swallows.start()
        facts = run_one(plugin, index, following)
        if counter is not None:
            facts["count"] = counter.stop()
        if swallows is not None:
            taken = swallows.stop(self.recorder.final, self.recorder.expectations.satisfying)
            if taken is not None:
                facts["swallowed"] = taken
        return facts


def _transformer(spec: Mapping[str, Any]) -> weave.Placebo | weave.Canary:
    if spec["kind"] == "placebo":
        return weave.Placebo()
    return weave.Canary("raise" if spec["style"] == "raise" else "value")


_nothing: Callable[[], None] = {}.clear


def prepare(message: Mapping[str, Any], hook: Hook) -> Setting:
    """Set this interpreter up for a project: paths, import hook, pytest's own copies.

    Args:
        message: The fields of :class:`Setting`.
        hook: Installed before all other import hooks.
    """
    setting = Setting(**message)
    os.chdir(setting.tree)
    separate(_tops(setting))
    for root in reversed(setting.roots):
        if root in sys.path:
            sys.path.remove(root)
        sys.path.insert(0, root)
    # Not before: pytest is to have imported its own libraries from its own environment.
    os.environ["PYTHONPATH"] = os.pathsep.join(setting.roots)
    hook.install()
    random.seed(0)
    return setting


def _tops(setting: Setting) -> list[str]:
    tops = set()
    for target in setting.targets:
        path = setting.path(target)
        for root in setting.roots:
            prefix = os.path.realpath(root) + os.sep
            if path.startswith(prefix):
                tops.add(path[len(prefix) :].split(os.sep)[0].removesuffix(".py"))
                break
    return sorted(tops)


def collect(suite: Suite, serve: Callable[[Plugin], None]) -> int:
    """Let pytest configure itself and collect, then hand over to ``serve``.

    Args:
        suite: Gets the plugin.
        serve: Called in the place of running the tests.

    Returns:
        pytest's exit code, where ``serve`` was never called or returned.
    """
    suite.plugin = Plugin(suite.recorder, serve)
    return int(pytest.main(suite.setting.args, plugins=[suite.plugin]))


def map_tests(there: list[str], here: list[str]) -> dict[int, int]:
    """Pair two numberings of tests by node id; equal ids in order of occurrence.

    Returns:
        Number here by number there, for the tests that are here.
    """
    places: dict[str, list[int]] = {}
    for index, name in enumerate(here):
        places.setdefault(name, []).append(index)
    mapped = {}
    for index, name in enumerate(there):
        if places.get(name):
            mapped[index] = places[name].pop(0)
    return mapped
