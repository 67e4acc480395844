"""Keeps pytest's own imports apart from a target that pytest itself uses.

If the project under test is, say, ``packaging``, pytest has imported the installed one, and
imports more of it later. Those stay pytest's: its own modules go on seeing them, while everything
else imports the project's copy.
"""

from __future__ import annotations

import builtins
import importlib
import sys
from collections.abc import Iterable
from types import ModuleType
from typing import Any, Final

_RUNNERS: Final = ("_pytest", "pytest", "pluggy", "iniconfig")
_LATER: Final = {
    "packaging": ("packaging.version", "packaging.requirements", "packaging.specifiers"),
    "pygments": ("pygments.formatters.terminal", "pygments.lexers.python", "pygments.util"),
}
"""What pytest imports inside functions."""


def separate(tops: Iterable[str]) -> list[str]:
    """Let pytest keep its own copy of the named top-level packages.

    Call it when pytest is imported and the project's source roots aren't on ``sys.path`` yet.

    Args:
        tops: Top-level names of the target's modules.

    Returns:
        Those that pytest uses.
    """
    tops = list(tops)
    for top in tops:
        for name in _LATER.get(top, ()):
            try:
                importlib.import_module(name)
            except ImportError:
                continue
    used = [top for top in tops if top in sys.modules and top not in _RUNNERS]
    kept: dict[str, ModuleType] = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in used:
            kept[name] = module
            del sys.modules[name]
    if kept:
        _divert(kept)
    return used


def _divert(kept: dict[str, ModuleType]) -> None:
    inner = builtins.__import__

    def __import__(  # noqa: A001, N807
        name: str,
        globals: Any = None,  # noqa: A002
        locals: Any = None,  # noqa: A002
        fromlist: Any = (),
        level: int = 0,
    ) -> Any:
        if level == 0 and name in kept and globals is not None:
            importer = str(globals.get("__name__", "")).partition(".")[0]
            if importer in _RUNNERS:
                return kept[name] if fromlist else kept[name.partition(".")[0]]
        return inner(name, globals, locals, fromlist, level)

    builtins.__import__ = __import__
