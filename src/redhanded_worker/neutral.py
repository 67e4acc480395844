"""Settings of the suite that break a per-test run, put out of action."""

from __future__ import annotations

import functools
import sys
from contextlib import suppress
from typing import Any

_OPTIONS: dict[str, object] = {
    # pytest itself
    "maxfail": 0,
    "lf": False,
    "failedfirst": False,
    "newfirst": False,
    "stepwise": False,
    "stepwise_skip": False,
    "usepdb": False,
    "trace": False,
    "durations": None,
    "tbstyle": "no",
    "setuponly": False,
    "setupplan": False,
    "setupshow": False,
    "collectonly": False,
    # pytest-xdist
    "numprocesses": None,
    "dist": "no",
    "tx": [],
    "distload": False,
    "looponfail": False,
    # pytest-cov
    "no_cov": True,
    "cov_source": [],
    "cov_fail_under": None,
    # pytest-timeout
    "timeout": 0,
    # pytest-rerunfailures, flaky
    "reruns": 0,
    "force_flaky": False,
    # pytest-randomly, pytest-random-order, pytest-reverse
    "randomly_seed": 0,
    "randomly_reorganize": False,
    "random_order": False,
    "random_order_bucket": "none",
    "reverse": False,
    # pytest-benchmark
    "benchmark_disable": True,
}

_PROTOCOLS = ("rerunfailures", "flaky", "timeout", "pytest_timeout")
"""Plugins that wrap the protocol of a test to run it again or to stop it by the clock."""


def before_parsing(namespace: Any) -> None:
    """Switch off what starts before the command line is fully read.

    Args:
        namespace: Options known so far.
    """
    for name in ("no_cov", "cov_source", "cov_fail_under", "numprocesses", "dist"):
        if hasattr(namespace, name):
            setattr(namespace, name, _OPTIONS[name])


def options(config: Any) -> list[str]:
    """Overwrite options that would stop, repeat, reorder or distribute tests.

    Returns:
        Names of the options that had another value.
    """
    changed = []
    for name, value in _OPTIONS.items():
        if hasattr(config.option, name) and getattr(config.option, name) != value:
            setattr(config.option, name, value)
            changed.append(name)
    return changed


def protocols(config: Any) -> None:
    """Take away hooks that run a test again, and listeners that cost time for each test."""
    manager = config.pluginmanager
    hook = config.hook
    for name, plugin in list(manager.list_name_plugin()):
        if plugin is None:
            continue
        if name in _PROTOCOLS or getattr(plugin, "__name__", "") in (
            "pytest_rerunfailures",
            "pytest_timeout",
            "flaky.flaky_pytest_plugin",
        ):
            _remove(hook.pytest_runtest_protocol, plugin)
            _remove(hook.pytest_runtest_makereport, plugin)


def listeners(config: Any, ours: object) -> None:
    """Leave only ``ours`` to hear of reports: others print, count and write files."""
    for name in (
        "pytest_runtest_logreport",
        "pytest_runtest_logstart",
        "pytest_runtest_logfinish",
        "pytest_exception_interact",
        "pytest_warning_recorded",
        "pytest_assertrepr_compare",  # the long explanation of a failed comparison
    ):
        caller = getattr(config.hook, name)
        for implementation in list(caller.get_hookimpls()):
            if implementation.plugin is not ours:
                _remove(caller, implementation.plugin)


def _remove(caller: Any, plugin: object) -> None:
    try:
        caller._remove_plugin(plugin)
    except ValueError:
        pass  # the plugin has no implementation of this hook


def rendering(items: list[Any]) -> None:
    """Stub what is costly and seen by nobody: the rendering of failures."""

    def plain(*_: Any, **__: Any) -> str:
        return "not rendered"

    for item in items:
        item.repr_failure = plain
        item._repr_failure_py = plain


def memoise(session: Any) -> None:
    """Keep what pytest works out again and again for each test, and is settled by now.

    Which conftests apply to a folder, and the arguments of its own ``request`` fixture. Where
    another version of pytest has these otherwise, nothing happens.
    """
    with suppress(AttributeError):
        session.gethookproxy = functools.lru_cache(maxsize=None)(session.gethookproxy)
    fixtures = sys.modules.get("_pytest.fixtures")
    names_of = getattr(fixtures, "getfuncargnames", None)
    if fixtures is None or names_of is None:
        return
    known: dict[Any, Any] = {}

    def remembered(function: Any, *args: Any, **kwargs: Any) -> Any:
        code = getattr(function, "__code__", None)
        if code is None or code.co_name != "<lambda>" or code.co_filename != fixtures.__file__:
            return names_of(function, *args, **kwargs)
        if code not in known:
            known[code] = names_of(function, *args, **kwargs)
        return known[code]

    fixtures.getfuncargnames = remembered  # type: ignore[attr-defined]


def hypothesis_profile() -> None:
    """One fixed seed, no deadline, no database, no shrinking, for every Hypothesis test."""
    hypothesis = sys.modules.get("hypothesis")
    if hypothesis is None:
        return
    hypothesis.settings.register_profile("redhanded", **_hypothesis_settings(hypothesis))
    hypothesis.settings.load_profile("redhanded")


def hypothesis_items(items: list[Any]) -> None:
    """The same for tests whose own decorator chose otherwise."""
    hypothesis = sys.modules.get("hypothesis")
    if hypothesis is None:
        return
    for item in items:
        function = getattr(item, "obj", None)
        function = getattr(function, "__func__", function)
        own = getattr(function, "_hypothesis_internal_use_settings", None)
        if function is not None and own is not None:
            function._hypothesis_internal_use_settings = hypothesis.settings(
                own, **_hypothesis_settings(hypothesis)
            )


def _hypothesis_settings(hypothesis: Any) -> dict[str, Any]:
    phase = hypothesis.Phase
    return {
        "deadline": None,
        "database": None,
        "derandomize": True,
        "phases": (phase.explicit, phase.reuse, phase.generate),
        "suppress_health_check": list(hypothesis.HealthCheck),
    }
