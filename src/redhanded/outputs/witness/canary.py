"""Canaries: does a grader's verdict come from the code that is watched?

Two faults are planted in that code, where no output is at stake: it raises, and a verdict that
comes all the same isn't its own; it returns the opposite, and the verdict has to move.
"""

from __future__ import annotations

import contextlib
import inspect
import warnings
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, Final, Literal, NoReturn

from redhanded.outputs.witness.opposite import Uninvertible, opposite
from redhanded.outputs.witness.recorder import Opened
from redhanded.outputs.witness.target import Target


class CanaryError(Exception):
    """Raised in watched code; nobody expects it."""


def raising(role: Literal["grader", "upstream"]) -> Callable[[Opened], None]:
    """A fault for :meth:`~redhanded.outputs.witness.watcher.Watcher.plant`."""

    def fault(opened: Opened) -> None:
        if opened.target.role == role:
            _raise(opened)

    return fault


def _raise(opened: Opened) -> NoReturn:
    raise CanaryError(f"canary: {opened.target.label} is broken on purpose")


class Inverter:
    """Makes a function return the opposite, and counts how often it did."""

    def __init__(self) -> None:
        self.inverted = 0
        self.failed: str | None = None

    @contextlib.contextmanager
    def planted(self, target: Target) -> Iterator[None]:
        """Invert what a function returns, in place: whoever holds it calls the inverted one."""
        function = target.function
        code = function.__code__
        function.__code__ = _trampoline(function, self._invert)
        try:
            yield
        finally:
            function.__code__ = code

    def _invert(self, value: Any) -> Any:
        try:
            found = opposite(value)
        except Uninvertible as error:
            self.failed = str(error)
            return value
        self.inverted += 1
        return found


_CALL: Final = "redhanded: the function"
_TURN: Final = "redhanded: the inverter"


def _trampoline(function: FunctionType, invert: Callable[[Any], Any]) -> Any:
    """Code that fits into a function's place and calls what was there.

    It has as many free variables as the function, since a function keeps its closure; the
    function itself goes on as a copy with its own code, which is what is watched.
    """
    copied = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copied.__kwdefaults__ = function.__kwdefaults__
    names = [f"v{place}" for place in range(len(function.__code__.co_freevars))]
    waits = inspect.iscoroutinefunction(function)
    source = "\n".join(
        [
            "def outer():",
            *(f"    {name} = None" for name in names),
            f"    {'async ' if waits else ''}def inner(*args, **kwargs):",
            *([f"        if 0 * len(args): {', '.join(names)}"] if names else []),
            f"        return {_TURN!r}({'await ' if waits else ''}{_CALL!r}(*args, **kwargs))",
            "    return inner",
        ]
    )
    space: dict[str, Any] = {}
    with _no_warnings():
        exec(compile(source, "<redhanded canary>", "exec"), space)
    inner = space["outer"]().__code__
    constants = tuple({_CALL: copied, _TURN: invert}.get(one, one) if isinstance(one, str) else one
                      for one in inner.co_consts)  # fmt: skip
    return inner.replace(co_consts=constants, co_name=function.__code__.co_name)


@contextlib.contextmanager
def _no_warnings() -> Iterator[None]:
    """The compiler warns that text can't be called; it is no text when it is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
