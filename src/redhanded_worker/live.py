"""Mutated code in a live process: functions found by their code, and the import hook."""

from __future__ import annotations

import functools
import gc
import importlib.abc
import importlib.machinery
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import CodeType, FunctionType, ModuleType
from typing import Any

from redhanded_worker.plant import CannotSwapError, Swap, is_function


class Functions:
    """All live functions whose code comes from the target files."""

    def __init__(self, filenames: Iterable[str]) -> None:
        """Find them.

        Args:
            filenames: Paths, as code objects name them.
        """
        wanted = set(filenames)
        self._by_code: dict[CodeType, list[FunctionType]] = {}
        for thing in gc.get_objects():
            if type(thing) is FunctionType and thing.__code__.co_filename in wanted:
                self._by_code.setdefault(thing.__code__, []).append(thing)

    def having(self, code: CodeType) -> list[FunctionType]:
        """Live functions that run ``code``, or code equal to it."""
        return self._by_code.get(code, [])

    def swap(self, swaps: Sequence[Swap]) -> list[tuple[FunctionType, CodeType]]:
        """Put new code into live functions.

        Returns:
            What :meth:`restore` takes.

        Raises:
            CannotSwapError: None of the functions is live, or one is not as its source says;
                nothing has been changed then.
        """
        live = [(function, swap) for swap in swaps for function in self.having(swap.old)]
        if not live or not self.having(swaps[0].old):
            raise CannotSwapError("no live function runs the code that the source compiles to")
        done: list[tuple[FunctionType, CodeType]] = []
        try:
            for function, swap in live:
                before = function.__code__
                function.__code__ = swap.new
                done.append((function, before))
        except ValueError as error:
            self.restore(done)
            raise CannotSwapError(str(error)) from error
        return done

    def swap_where_possible(self, swaps: Iterable[Swap]) -> list[tuple[FunctionType, CodeType]]:
        """Put new code into the live functions that take it; leave the rest as they are."""
        done: list[tuple[FunctionType, CodeType]] = []
        for swap in swaps:
            for function in self.having(swap.old):
                before = function.__code__
                try:
                    function.__code__ = swap.new
                except ValueError:
                    continue
                done.append((function, before))
        return done

    @staticmethod
    def restore(done: Iterable[tuple[FunctionType, CodeType]]) -> None:
        """Take a swap back."""
        for function, code in done:
            function.__code__ = code


class Caches:
    """The subject's ``functools`` caches, emptied before each test.

    Else the first test that warms a cache is the only one seen to execute what the cache keeps,
    and under a mutant it decides what all later ones get.
    """

    def __init__(self, filenames: Iterable[str]) -> None:
        """Find the caches of functions that come from some files.

        Args:
            filenames: Paths, as code objects name them.
        """
        wanted = set(filenames)
        kind = type(functools.lru_cache(lambda: None))
        self._caches = [
            thing
            for thing in gc.get_objects()
            if type(thing) is kind
            and getattr(getattr(thing, "__wrapped__", None), "__code__", None) is not None
            and thing.__wrapped__.__code__.co_filename in wanted
        ]

    def clear(self) -> None:
        """Empty them."""
        for cache in self._caches:
            cache.cache_clear()


def live_filenames(paths: Iterable[str]) -> dict[str, str]:
    """What the code objects of loaded modules call the files they come from.

    Args:
        paths: Real paths.

    Returns:
        The file name in code objects, by path; without the files that no module was loaded from.
    """
    wanted = set(paths)
    names = {os.path.basename(path) for path in wanted}
    found: dict[str, str] = {}
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None) if isinstance(module, ModuleType) else None
        # A link of another name is not looked for: resolving every module's path costs too much.
        if not isinstance(file, str) or os.path.basename(file) not in names:
            continue
        path = os.path.realpath(file)
        if path in wanted:
            found[path] = _code_filename(module, path) or file
    return found


def _code_filename(module: ModuleType, path: str) -> str | None:
    for value in list(vars(module).values()):
        code = getattr(value, "__code__", None)
        if isinstance(code, CodeType) and os.path.realpath(code.co_filename) == path:
            return code.co_filename
    return None


def pairs(old: CodeType, new: CodeType) -> Iterable[Swap]:
    """Every function of ``old`` beside its counterpart in ``new``, which has the same shape."""
    if is_function(old):
        yield Swap(old, new)
    before = [const for const in old.co_consts if isinstance(const, CodeType)]
    after = [const for const in new.co_consts if isinstance(const, CodeType)]
    for one, other in zip(before, after, strict=False):
        yield from pairs(one, other)


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from planted code instead of its file's."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        return self._code


class Hook(importlib.abc.MetaPathFinder):
    """Import hook that gives planted code for chosen files, whoever imports them."""

    def __init__(self) -> None:
        self._planted: dict[str, Callable[[], CodeType]] = {}
        self._stems: set[str] = set()
        self._busy = False
        self.refused: list[str] = []
        """Files that another import hook claims."""

    def install(self) -> None:
        """Put this hook before all others."""
        sys.meta_path.insert(0, self)

    def plant(self, codes: Mapping[str, Callable[[], CodeType]]) -> None:
        """Choose what is planted from now on.

        Args:
            codes: What makes the whole module's code, by real path.
        """
        self._planted = dict(codes)
        self._stems = set()
        for path in codes:
            folder, name = os.path.split(path)
            stem = os.path.splitext(name)[0]
            self._stems.add(os.path.basename(folder) if stem == "__init__" else stem)
            self._stems.add(stem)

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        """Find a module as the other finders do; if its file is planted, load the planted code."""
        if self._busy or fullname.rpartition(".")[2] not in self._stems:
            return None
        self._busy = True
        try:
            for finder in sys.meta_path:
                if finder is self or not hasattr(finder, "find_spec"):
                    continue
                spec = finder.find_spec(fullname, path, target)
                if spec is not None:
                    break
            else:
                return None
        finally:
            self._busy = False
        origin = os.path.realpath(spec.origin) if isinstance(spec.origin, str) else ""
        code = self._planted.get(origin)
        if code is None or spec.loader is None or spec.origin is None:
            return spec
        if type(spec.loader) is not importlib.machinery.SourceFileLoader:
            self.refused.append(origin)
            return spec
        spec.loader = _Loader(fullname, spec.origin, code())
        return spec
