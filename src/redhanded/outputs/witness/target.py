"""What is watched: the code object behind a callable, and whose entry counts."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import CodeType, FrameType, FunctionType
from typing import Any, Literal

from redhanded.outputs.adapters.base import Verdict, Watched


@dataclass(frozen=True)
class Target:
    """One watched callable."""

    function: FunctionType
    label: str
    """``module:qualname``."""
    role: Literal["grader", "upstream"]
    instance: Any = None
    via: Callable[[Any], Mapping[str, Verdict]] | None = None

    @property
    def code(self) -> CodeType:
        """What is watched."""
        return self.function.__code__

    def owns(self, frame: FrameType) -> bool:
        """Is this entry one of the instance's?

        Told by the bound self, or by the values in the closure; two closures over the very same
        values are one grader.
        """
        if self.instance is None:
            return True
        if isinstance(self.instance, FunctionType):
            return _same_cells(self.instance, frame)
        return _first_argument(frame) is self.instance


@dataclass(frozen=True)
class Unwatchable:
    """A callable whose entry can't be seen."""

    label: str
    role: Literal["grader", "upstream"]
    why: str


def resolve(watched: Iterable[Watched]) -> tuple[list[Target], list[Unwatchable]]:
    """Find the code objects; say which callables have none."""
    targets: list[Target] = []
    unwatchable: list[Unwatchable] = []
    for one in watched:
        function = function_of(one.function)
        if isinstance(function, FunctionType):
            targets.append(Target(function, label_of(function), one.role, one.instance, one.via))
        else:
            unwatchable.append(
                Unwatchable(
                    label_of(function),
                    one.role,
                    f"{label_of(function)} is implemented in C: no Python code is entered. "
                    "Wrap it in a Python function.",
                )
            )
    return targets, unwatchable


def function_of(thing: Any) -> Any:
    """The Python function that runs when a thing is called; the thing itself where none does."""
    for _ in range(32):
        if isinstance(thing, FunctionType):
            return thing
        if inspect.ismethod(thing):
            thing = thing.__func__
        elif isinstance(thing, functools.partial):
            thing = thing.func
        elif hasattr(thing, "__wrapped__"):
            thing = thing.__wrapped__
        elif not isinstance(thing, type) and isinstance(
            inspect.getattr_static(type(thing), "__call__", None), FunctionType
        ):
            return inspect.getattr_static(type(thing), "__call__")
        else:
            return thing
    return thing


def label_of(thing: Any) -> str:
    """``module:qualname``, as the callable says itself: for people, never for identity."""
    module = getattr(thing, "__module__", None) or type(thing).__module__
    name = getattr(thing, "__qualname__", None) or type(thing).__qualname__
    return f"{module}:{name}"


def _first_argument(frame: FrameType) -> Any:
    code = frame.f_code
    if code.co_argcount:
        return frame.f_locals.get(code.co_varnames[0])
    if code.co_flags & inspect.CO_VARARGS:
        given = frame.f_locals.get(code.co_varnames[code.co_kwonlyargcount])
        return given[0] if given else None
    return None


_EMPTY = object()


def _same_cells(function: FunctionType, frame: FrameType) -> bool:
    if function.__code__ is not frame.f_code:
        return False
    held = frame.f_locals
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            expected = cell.cell_contents
        except ValueError:
            expected = _EMPTY
        if held.get(name, _EMPTY) is not expected:
            return False
    return True
