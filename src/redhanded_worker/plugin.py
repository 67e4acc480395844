"""The pytest plugin: collects, listens, and records what each test did."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from time import perf_counter
from typing import Any

import pytest

from redhanded_worker import neutral
from redhanded_worker.facts import Expectations, failures_of, message_of
from redhanded_worker.owners import Owners
from redhanded_worker.witness import Witness


def _nothing() -> None:
    """Nothing to do."""


class Recorder:
    """Gathers the facts of one test at a time."""

    def __init__(self, owners: Owners, witness: Witness) -> None:
        self.owners = owners
        self.witness = witness
        self.expectations = Expectations()
        self.always_entered = False
        """The mutant ran at import in this process: every test is a judge."""
        self.before_each: Callable[[], None] = _nothing
        """Called before each test."""
        self.final: BaseException | None = None
        """The last exception that failed a phase."""
        self._failures: list[dict[str, Any]] = []
        self._why_skipped = ""
        self._outcomes: list[tuple[str, str, bool]] = []
        self._entering_fixtures: set[int] = set()

    def begin(self) -> None:
        """A test starts."""
        self._failures = []
        self._why_skipped = ""
        self._outcomes = []
        self.final = None
        self.expectations.clear()
        self.before_each()
        self.witness.clear()

    def phase(self, call: Any, report: Any) -> None:
        """A phase, or a subtest, has been reported."""
        if report.outcome == "skipped" and isinstance(report.longrepr, tuple):
            self._why_skipped = str(report.longrepr[-1]).removeprefix("Skipped: ").split("\n")[0]
        if report.outcome != "failed":
            return
        if call.excinfo is not None:
            self.final = call.excinfo.value
            self._failures += failures_of(
                call.when, call.excinfo.value, self.owners, self.expectations.contradicting
            )
        elif not self._failures:
            text = str(report.longrepr or "").split("\n", 1)[0][:200]
            kind = "xpass" if "XPASS" in text else "fail"
            self._failures.append(
                {"when": call.when, "type": "", "family": kind, "message": text, "frames": []}
            )

    def logged(self, report: Any) -> None:
        """A report has been logged."""
        self._outcomes.append((report.when, report.outcome, hasattr(report, "wasxfail")))

    def setup_of(self, fixture: Any, before: bool) -> None:
        """A fixture wider than a function has been set up; ``before``: entered before that."""
        if self.witness.entered:
            self._entering_fixtures.add(id(fixture))
        self.witness.restore(before or self.witness.entered)

    def end(self, item: Any, index: int, seconds: float) -> dict[str, Any]:
        """The test is over.

        Returns:
            Its facts, as ``redhanded.model.facts.Facts`` names them.
        """
        outcomes = self._outcomes
        if any(outcome == "failed" for _, outcome, _ in outcomes):
            verdict = "failed"
        elif any(outcome == "skipped" and xfail for _, outcome, xfail in outcomes):
            verdict = "xfailed"
        elif any(outcome == "skipped" and when != "teardown" for when, outcome, _ in outcomes):
            called = [o for when, o, _ in outcomes if when == "call"]
            verdict = "passed" if called and called[-1] == "passed" else "skipped"
        elif outcomes:
            verdict = "passed"
        else:
            verdict = "lost"
        entered = self.always_entered or self.witness.entered or self._by_fixture(item)
        facts: dict[str, Any] = {"test": index, "verdict": verdict, "seconds": round(seconds, 6)}
        if entered:
            facts["entered"] = True
        if verdict == "failed":
            facts["failures"] = self._failures
        offspring = self.witness.offspring
        if offspring is not None and offspring.loaded:
            facts["children"] = True
        if verdict == "skipped" and self._why_skipped:
            facts["detail"] = self._why_skipped[:200]
        return facts

    def _by_fixture(self, item: Any) -> bool:
        return bool(self._entering_fixtures) and not self._entering_fixtures.isdisjoint(
            fixtures_of(item)
        )


def fixtures_of(item: Any) -> list[int]:
    """Ids of the fixture definitions that a test uses."""
    info = getattr(item, "_fixtureinfo", None)
    found: list[int] = []
    for definitions in getattr(info, "name2fixturedefs", {}).values():
        found += [id(definition) for definition in definitions]
    return found


class Plugin:
    """Collects the suite, then hands over to ``serve`` instead of running it."""

    def __init__(self, recorder: Recorder, serve: Callable[[Plugin], None]) -> None:
        self.recorder = recorder
        self.serve = serve
        self.items: list[Any] = []
        self.session: Any = None
        self.errors: list[str] = []
        self.served = False
        self.neutralised: list[str] = []
        self.on_fixture: Callable[[Any, bool], None] | None = None
        """Called with a wide fixture before (True) and after (False) its setup."""
        self.on_collect: Callable[[Any, bool], None] | None = None
        """Called with a collector before (True) and after (False) it is collected."""
        self.before_collection: Callable[[], None] = _nothing

    @pytest.hookimpl(hookwrapper=True)
    def pytest_load_initial_conftests(self, early_config: Any) -> Generator[None, Any, None]:
        """Before anything of the suite is loaded."""
        neutral.before_parsing(early_config.known_args_namespace)
        yield

    @pytest.hookimpl(tryfirst=True)
    def pytest_cmdline_main(self, config: Any) -> None:
        """Options are read: overwrite what would break a per-test run."""
        self.neutralised = neutral.options(config)

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: Any) -> None:
        """All plugins are there."""
        neutral.protocols(config)
        neutral.hypothesis_profile()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_collection(self) -> Generator[None, Any, None]:
        """Everything is set up, nothing is collected."""
        self.before_collection()
        yield

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self, collector: Any) -> Generator[None, Any, None]:
        """Note what can't be collected."""
        if self.on_collect is not None:
            self.on_collect(collector, True)
        outcome = yield
        if self.on_collect is not None:
            self.on_collect(collector, False)
        report = outcome.get_result()
        if report.outcome == "failed":
            call = getattr(report, "call", None)
            error = getattr(getattr(call, "excinfo", None), "value", None)
            self.errors.append(f"{collector.nodeid}: {_describe(error, report)}")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        """Hand over in the place of running the tests."""
        self.session = session
        self.items = list(session.items)
        session.testsfailed = 0
        session.shouldfail = session.shouldstop = False
        neutral.hypothesis_items(self.items)
        neutral.rendering(self.items)
        neutral.memoise(session)
        neutral.listeners(session.config, self)
        self.recorder.expectations.install()
        self.served = True
        self.serve(self)
        return True

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Generator[None, Any, None]:
        """Take the facts of a phase once all other plugins have had their say."""
        outcome = yield
        self.recorder.phase(call, outcome.get_result())

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Take the verdict of a phase or a subtest."""
        self.recorder.logged(report)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Generator[None, Any, None]:
        """Credit what a wide fixture's setup enters to all tests that use it."""
        if fixturedef.scope == "function":
            yield
            return
        before = self.recorder.witness.entered
        self.recorder.witness.clear()
        if self.on_fixture is not None:
            self.on_fixture(fixturedef, True)
        yield
        if self.on_fixture is not None:
            self.on_fixture(fixturedef, False)
        self.recorder.setup_of(fixturedef, before)


def _describe(error: BaseException | None, report: Any) -> str:
    if error is not None:
        cause = error.__cause__ or error
        return f"{type(cause).__name__}: {message_of(cause)}"
    lines = [line for line in str(report.longrepr).splitlines() if line.strip()]
    return lines[-1][:200] if lines else "collection failed"


def run_one(
    plugin: Plugin, index: int, following: int | None, *, _clock: Any = perf_counter
) -> dict[str, Any]:
    """Run one test through pytest's whole protocol.

    Args:
        plugin: Collected.
        index: Of the test.
        following: Index of the test that runs after it in this process: wider fixtures that it
            uses too stay up. None tears everything down.

    Returns:
        The test's facts.
    """
    item = plugin.items[index]
    after = None if following is None else plugin.items[following]
    recorder = plugin.recorder
    recorder.begin()
    started = _clock()
    escaped: BaseException | None = None
    try:
        item.ihook.pytest_runtest_protocol(item=item, nextitem=after)
    except BaseException as error:
        escaped = error
    facts = recorder.end(item, index, _clock() - started)
    if escaped is not None:
        recorder.final = escaped
        facts["verdict"] = "failed"
        facts["failures"] = failures_of(
            "call", escaped, recorder.owners, recorder.expectations.contradicting
        )
    return facts


def pytest_version() -> str:
    """The project's pytest."""
    return str(getattr(sys.modules["pytest"], "__version__", "unknown"))
