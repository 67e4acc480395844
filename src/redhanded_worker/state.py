"""A fingerprint of what importing left behind in modules: to tell whether a mutant changed it.

A function that runs while the suite is imported, and again in tests, has to be mutated from the
import on, and then every test that imports it is a judge. But if the mutated function left the
modules as the original does, nothing of that is left for tests to notice, and only those that
run the function themselves can.
"""

from __future__ import annotations

import hashlib
import re
import types
from collections.abc import Iterable
from typing import Any, Final

_ATOMS: Final = (int, float, complex, bool, str, bytes, bytearray, type(None), type(...), range)
_BY_NAME: Final = (
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
)
_SKIPPED: Final = frozenset(
    {"__builtins__", "__loader__", "__spec__", "__file__", "__cached__", "__dict__", "__weakref__",
     "__doc__", "__firstlineno__", "__static_attributes__", "__annotate__", "@py_builtins",
     "@pytest_ar", "__annotations__"}
)  # fmt: skip
_UNTOLD_SAFELY: Final = frozenset(
    {"_thread", "_contextvars", "threading", "weakref", "_weakref", "random", "_random"}
)
"""Locks, references and random generators: how far these are is no work of the subject's."""
_MOST: Final = 300_000


class UntoldError(Exception):
    """Something holds state that can't be read."""


class _Walk:
    def __init__(self, owned: frozenset[str]) -> None:
        self._owned = owned
        self._seen: dict[int, int] = {}
        self._alive: list[object] = []
        self._digest = hashlib.sha256()
        self._count = 0

    def result(self) -> str:
        return self._digest.hexdigest()

    def tell(self, *words: object) -> None:
        self._digest.update(repr(words).encode("utf-8", "surrogatepass"))

    def value(self, value: object) -> None:
        """Read one value, and all that it holds."""
        stack: list[object] = [value]
        while stack:
            self._count += 1
            if self._count > _MOST:
                raise UntoldError("too much")
            stack.extend(reversed(list(self._parts(stack.pop()))))

    def _parts(self, value: object) -> Iterable[object]:
        """Tell what a value is by itself; give what it holds."""
        kind = type(value)
        if kind in _ATOMS:
            self.tell(kind.__name__, value)
            return ()
        known = self._seen.get(id(value))
        if known is not None:
            self.tell("seen", known)
            return ()
        self._seen[id(value)] = len(self._seen)
        self._alive.append(value)
        self.tell(kind.__module__, kind.__qualname__)
        if isinstance(value, types.ModuleType):
            self.tell(value.__name__)
            return ()
        if kind in _BY_NAME:
            self.tell(getattr(value, "__qualname__", ""), getattr(value, "__name__", ""))
            return ()
        if isinstance(value, re.Pattern):
            self.tell(value.pattern, value.flags)
            return ()
        if isinstance(value, type):
            return self._class(value)
        return self._held(value)

    def _class(self, value: type) -> Iterable[object]:
        self.tell(value.__module__, value.__qualname__)
        if value.__module__ not in self._owned:
            return ()
        return [*value.__bases__, *self._names(vars(value))]

    def _names(self, names: Any) -> list[object]:
        found: list[object] = []
        for name, held in list(names.items()):
            if name not in _SKIPPED and not name.startswith("_abc_"):
                found += [name, held]
        return found

    def _held(self, value: object) -> Iterable[object]:
        kind = type(value)
        if isinstance(value, types.FunctionType):
            cells = [_content(cell) for cell in value.__closure__ or ()]
            self.tell(value.__module__, value.__qualname__)
            return [value.__defaults__, value.__kwdefaults__, dict(vars(value)), *cells]
        if isinstance(value, types.MethodType):
            return [value.__func__, value.__self__]
        if isinstance(value, (staticmethod, classmethod)):
            return [value.__func__]
        if isinstance(value, property):
            return [value.fget, value.fset, value.fdel]
        if isinstance(value, types.CodeType):
            self.tell(value.co_name)
            return ()
        if kind in (list, tuple):
            return [len(value), *value]  # type: ignore[arg-type, misc]
        if isinstance(value, (dict, types.MappingProxyType)) and kind in (
            dict,
            types.MappingProxyType,
        ):
            return [part for item in value.items() for part in item]
        if kind in (set, frozenset):
            return [sorted(map(repr, value))]  # type: ignore[call-overload]
        return self._reduced(value)

    def _reduced(self, value: object) -> Iterable[object]:
        kind = type(value)
        if kind.__module__ in _UNTOLD_SAFELY:
            return ()
        if kind.__module__ == "functools" and hasattr(value, "cache_info"):
            return [str(value.cache_info()), getattr(value, "__wrapped__", None)]
        own = _own_state(value)
        if own and _reduces_itself(kind):
            return own  # what a class says of itself may leave things out
        try:
            reduced = value.__reduce_ex__(4)
        except Exception:
            reduced = None
        if isinstance(reduced, str):
            self.tell(reduced)
            return ()
        if reduced is None or (kind.__module__ == "builtins" and "iterator" in kind.__name__):
            raise UntoldError(kind.__qualname__)
        return [*own, *(list(part) if hasattr(part, "__next__") else part for part in reduced[1:])]


def _own_state(value: object) -> list[object]:
    """What an object holds by itself: attributes, slots, and the items of a container."""
    found: list[object] = []
    try:
        found.append(dict(object.__getattribute__(value, "__dict__")))
    except (AttributeError, TypeError):
        pass
    for base in type(value).__mro__:
        slots = vars(base).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else tuple(slots):
            slot = vars(base).get(name)
            if isinstance(slot, types.MemberDescriptorType):
                try:
                    found += [name, slot.__get__(value)]
                except AttributeError:
                    found += [name, "empty"]
    if isinstance(value, dict):
        found += [part for item in dict.items(value) for part in item]
    elif isinstance(value, list):
        found += list.__iter__(value)
    elif isinstance(value, tuple):
        found += tuple.__iter__(value)
    elif isinstance(value, (set, frozenset)):
        found.append(sorted(map(repr, value)))
    return found


def _reduces_itself(kind: type) -> bool:
    """Does a class written in Python say how it is pickled?"""
    names = ("__reduce__", "__reduce_ex__", "__getstate__")
    return any(
        isinstance(vars(base).get(name), types.FunctionType)
        for base in kind.__mro__
        for name in names
    )


def _content(cell: Any) -> object:
    try:
        return cell.cell_contents
    except ValueError:
        return "empty"


def fingerprint(modules: Iterable[types.ModuleType]) -> str | None:
    """Stands for all data that the modules hold, code aside.

    Args:
        modules: Those of the code under test and of the suite.

    Returns:
        None where something holds state that can't be read.
    """
    ordered = sorted(modules, key=lambda module: module.__name__)
    walk = _Walk(frozenset(module.__name__ for module in ordered))
    try:
        for module in ordered:
            walk.tell("module", module.__name__)
            for name, value in list(vars(module).items()):
                if name not in _SKIPPED:
                    walk.tell(name)
                    walk.value(value)
    except (UntoldError, RecursionError):
        return None
    return walk.result()
