"""Finding the library function that a case says its grader wraps."""

from __future__ import annotations

import importlib
import inspect
from typing import Any, Final

from redhanded.errors import UsageError
from redhanded.outputs.adapters.base import Watched
from redhanded.outputs.adapters.prepared import code_of, owner_of

METHODS: Final = ("_run_eval_sync", "measure", "evaluate", "grade", "score", "__call__")
"""What gives the verdict in the graders of the frameworks that are classes."""


def declared(upstream: Any) -> list[Watched]:
    """What to watch for a case's ``upstream``.

    Raises:
        UsageError: Nothing of that name can be found.
    """
    if upstream is None:
        return []
    found = _named(upstream) if isinstance(upstream, str) else upstream
    if isinstance(found, type):
        return [Watched(_method(found), "upstream")]
    if not callable(found):
        raise UsageError(
            f"upstream: expected a callable or 'module:qualname', found {type(found).__name__}",
            hint="Name the library function that the grader calls for its verdict.",
        )
    return [Watched(code_of(found), "upstream", instance=owner_of(found))]


def _named(name: str) -> Any:
    module, colon, qualname = name.partition(":")
    if not colon or not qualname:
        raise UsageError(
            f"upstream: expected 'module:qualname', found {name!r}",
            hint="For instance upstream='autoevals.json:ValidJSON'.",
        )
    try:
        found: Any = importlib.import_module(module)
    except ImportError as error:
        raise UsageError(
            f"upstream {name!r}: the module {module!r} can't be imported: {error}",
            hint="Install the library, or correct the name.",
        ) from None
    for part in qualname.split("."):
        if not hasattr(found, part):
            raise UsageError(
                f"upstream {name!r}: {module!r} has nothing called {qualname!r}",
                hint="Functions made inside a function have no name to be found by; "
                "hand over the callable itself.",
            )
        found = getattr(found, part)
    return found


def _method(owner: type) -> Any:
    for name in METHODS:
        method = inspect.unwrap(getattr(owner, name)) if name in dir(owner) else None
        if method is not None and hasattr(method, "__code__"):
            return method
    raise UsageError(
        f"upstream: {owner.__qualname__} has no method that gives a verdict",
        hint="Name the method, such as 'package.module:Class.method'.",
    )
