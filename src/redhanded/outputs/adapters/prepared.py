"""A grader made ready for one case: what every adapter hands out, and how graders are called."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import functools
import importlib
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from redhanded.model.graded import WitnessKind
from redhanded.model.output import Output
from redhanded.outputs.adapters.base import Claim, Verdict, Watched


@dataclass(frozen=True)
class Prepared:
    """A grader made ready for one case."""

    name: str
    watched: Sequence[Watched]
    ask: Callable[[Output], Any]
    """Calls the grader; may return an awaitable."""
    read: Callable[[Any], Mapping[str, Verdict]]
    claim: Claim | None = None
    rebuild: Callable[[], Prepared] | None = None
    """Makes a grader for one call; None where every call asks the same one."""
    witness: WitnessKind = WitnessKind.ENTERED

    @property
    def state(self) -> Literal["fresh", "forked", "shared"]:
        """``fresh`` where each call can have a grader of its own."""
        return "shared" if self.rebuild is None else "fresh"

    def fresh(self) -> Prepared:
        """The grader for one call."""
        return self if self.rebuild is None else self.rebuild()

    async def grade(self, output: Output) -> Any:
        """Call the grader on a copy of an output."""
        with without_loop():
            raw = self.ask(own_copy(output))
        return await raw if inspect.isawaitable(raw) else raw

    def verdicts(self, raw: Any) -> Mapping[str, Verdict]:
        """Read a raw return."""
        return self.read(raw)


@contextlib.contextmanager
def without_loop() -> Iterator[None]:
    """Let plain code run as if no event loop did.

    A plain grader may call ``asyncio.run`` itself, as it could in its own eval; it stays in
    this thread and in this context, where its entry is seen.
    """
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(running)


def own_copy(value: Any) -> Any:
    """A copy that a grader may change; the thing itself where it can't be copied."""
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


def module(name: str) -> Any:
    """A framework's module, untyped: frameworks are optional and aren't there to type-check."""
    return importlib.import_module(name)


def code_of(thing: Any) -> Any:
    """The function that runs when a thing is called: of methods, partials, wrappers, objects."""
    for _ in range(32):
        if inspect.ismethod(thing):
            thing = thing.__func__
        elif isinstance(thing, functools.partial):
            thing = thing.func
        elif hasattr(thing, "__wrapped__"):
            thing = thing.__wrapped__
        elif hasattr(thing, "__code__") or isinstance(thing, type) or inspect.isbuiltin(thing):
            break
        else:
            call = getattr(type(thing), "__call__", None)  # noqa: B004 (the method itself)
            if not hasattr(call, "__code__") and not hasattr(call, "__wrapped__"):
                break
            thing = call
    return thing


def owner_of(thing: Any) -> Any:
    """Whose entry counts when a thing is called: a bound self, a callable object, a closure."""
    for _ in range(32):
        if inspect.ismethod(thing):
            return thing.__self__
        if isinstance(thing, functools.partial):
            thing = thing.func
        elif hasattr(thing, "__wrapped__"):
            thing = thing.__wrapped__
        else:
            break
    if hasattr(thing, "__code__"):
        return thing if thing.__closure__ else None
    return None if isinstance(thing, type) or inspect.isbuiltin(thing) else thing


def defined_within(function: Any, factory: Any) -> bool:
    """Is a function one that a factory's own source defines?

    Names and file names are only said; the code object is what the factory's code holds.
    """
    code = getattr(function, "__code__", None)
    outer = getattr(code_of(factory), "__code__", None)
    return code is not None and outer is not None and _holds(outer, code)


def _holds(outer: Any, wanted: Any) -> bool:
    return any(
        constant is wanted or _holds(constant, wanted)
        for constant in outer.co_consts
        if inspect.iscode(constant)
    )


def cells(function: Any) -> dict[str, Any]:
    """What a closure holds, by name."""
    names = function.__code__.co_freevars
    found: dict[str, Any] = {}
    for name, cell in zip(names, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):
            found[name] = cell.cell_contents
    return found


def call_text(name: str, given: Mapping[str, Any], signature: inspect.Signature | None) -> str:
    """``match(numeric=True)``: a construction as its user wrote it, defaults left out."""
    parts: list[str] = []
    parameters = signature.parameters if signature is not None else {}
    for key, value in given.items():
        parameter = parameters.get(key)
        if parameter is not None and _is_default(parameter, value):
            continue
        if parameter is not None and parameter.kind is parameter.VAR_POSITIONAL:
            parts += [short(one) for one in value]
        elif parameter is not None and _leads(key, parameters):
            parts.append(short(value))
        else:
            parts.append(f"{key}={short(value)}")
    return f"{name}({', '.join(parts)})"


def _is_default(parameter: inspect.Parameter, value: Any) -> bool:
    if parameter.default is parameter.empty:
        return parameter.kind is parameter.VAR_POSITIONAL and not value
    sequences = (list, tuple, set, frozenset)
    if isinstance(parameter.default, sequences) and isinstance(value, sequences):
        return list(parameter.default) == list(value)
    try:
        return type(parameter.default) is type(value) and bool(parameter.default == value)
    except Exception:
        return False


def _leads(key: str, parameters: Mapping[str, inspect.Parameter]) -> bool:
    """Is it a leading positional parameter without default, which users give by position?"""
    first = next(iter(parameters.values()), None)
    return (
        first is not None
        and first.name == key
        and first.kind in (first.POSITIONAL_OR_KEYWORD, first.POSITIONAL_ONLY)
        and first.default is first.empty
    )


def short(value: Any, limit: int = 60) -> str:
    """A value for a name: no addresses, not long, the same in every process."""
    if inspect.isfunction(value) or isinstance(value, type):
        return str(value.__qualname__)
    text = repr(value)
    if isinstance(value, (set, frozenset)) and value:
        # Their order differs from process to process.
        text = f"{{{', '.join(sorted(map(repr, value)))}}}"
    if " at 0x" in text:
        text = f"{type(value).__name__}(...)"
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
