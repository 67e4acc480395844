"""Loading a suite: a Python file, JSON Lines, a task or log of Inspect, a dataset."""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import json
import re
import sys
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from redhanded.errors import RedhandedError, UsageError
from redhanded.model.graders import Untested
from redhanded.outputs.case import Case
from redhanded.outputs.importers import evalmut, inspect_ai, jsonl, pydantic_evals
from redhanded.outputs.importers.found import Found, spread
from redhanded.outputs.operators.base import Operator

SUITE: Final = "suite"
OPERATORS: Final = "operators"
_GRADES = re.compile(r"(^|_)(grade|grader|score|scorer|judge|check|verify|match|matches)(_|$)")


@dataclass(frozen=True)
class Suite:
    """What is to be asked."""

    name: str
    """As the user named it."""
    cases: tuple[Case, ...]
    untested: tuple[Untested, ...] = ()
    """Graders and cases that were found, and why they aren't tested."""
    operators: tuple[Operator, ...] = ()
    """The suite's own."""
    notes: tuple[str, ...] = ()


def load(given: str, *, most: int | None = None) -> Suite:
    """Load a suite.

    Args:
        given: A file: Python, ``.jsonl``, or a log of Inspect (``.eval``, ``.json``).
            ``file@name``, or ``file:name``, takes one task, list or dataset of a Python file.
        most: How many cases are taken, at even distances; None: all, and of a dataset or a log
            as many as :data:`redhanded.outputs.importers.found.SAMPLE` for each grader.

    Raises:
        UsageError: It is no suite, or an odd one; says what and where.
    """
    from redhanded.outputs.adapters import quiet_environment

    quiet_environment()
    path, name = _split(given)
    if not path.is_file():
        there = f"the folder {path}" if given and path.is_dir() else f"no file {given!r}"
        raise UsageError(
            f"expected a suite, found {there}",
            hint="Give a Python file, a .jsonl file, or a task or log of Inspect.",
        )
    # What a suite prints while it is loaded must not get into what machines read.
    with contextlib.redirect_stdout(sys.stderr):
        found, own = _found(path, name, most)
    cases = _named(found.cases)
    if most is not None:
        cases = list(spread(cases, most))
    if not cases and not found.untested:
        raise UsageError(
            f"{given}: expected cases, found none",
            hint="A suite is a list named `suite` of rh.case(...); see docs/graders.md.",
        )
    return Suite(given, tuple(cases), tuple(found.untested), own, tuple(found.notes))


def _split(given: str) -> tuple[Path, str | None]:
    for sign in "@:":
        path, found, name = given.rpartition(sign)
        if found and name.isidentifier() and not Path(given).exists():
            return Path(path), name
    return Path(given), None


def _found(path: Path, name: str | None, most: int | None) -> tuple[Found, tuple[Operator, ...]]:
    kind = path.suffix.lower()
    if kind in (".jsonl", ".ndjson"):
        return jsonl.read(path), ()
    if kind == ".eval" or (kind == ".json" and _is_log(path)):
        return inspect_ai.read_log(path, most), ()
    if pydantic_evals.is_file(path):
        return pydantic_evals.read_file(path, most), ()
    if kind == ".py":
        module = _module(path)
        return _of_module(path, module, name, most), _operators(path, module)
    raise UsageError(
        f"{path}: expected a Python file, .jsonl, a log of Inspect, or a dataset of "
        f"pydantic-evals, found {kind or 'no suffix'}",
        hint="A suite of JSON Lines is named *.jsonl.",
    )


def _is_log(path: Path) -> bool:
    try:
        head = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(head, dict) and {"eval", "version", "status"} <= set(head)


def _module(path: Path) -> ModuleType:
    """Import a file, as ``python FILE`` would find its neighbours.

    Raises:
        UsageError: It can't be imported; names the line.
    """
    name = path.stem if path.stem.isidentifier() else "suite"
    if name in sys.modules or name in sys.builtin_module_names:
        name = f"_redhanded_suite_{name}"
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise UsageError(f"{path}: expected a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    with jsonl.importable(path.resolve().parent):
        try:
            spec.loader.exec_module(module)
        except RedhandedError:
            raise
        except (Exception, SystemExit) as error:
            raise UsageError(
                f"{_line(path, error)}: {type(error).__name__}: {error}", hint=_hint(error)
            ) from None
    return module


def _hint(error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError):
        return (
            "A suite is imported into redhanded's own environment: install redhanded into the "
            f"one that has {error.name}, and run it from there."
        )
    return "The suite can't be imported; `python` says more."


def _line(path: Path, error: BaseException) -> str:
    """The last line of the suite that was executed."""
    if isinstance(error, SyntaxError) and error.lineno is not None:
        return f"{path.name}:{error.lineno}"
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).name == path.name
    ]
    return f"{path.name}:{lines[-1]}" if lines else path.name


def _of_module(path: Path, module: ModuleType, name: str | None, most: int | None) -> Found:
    there = {key: value for key, value in vars(module).items() if not key.startswith("__")}
    if name is not None and name not in there:
        near = [key for key, value in there.items() if _kind(value, path) is not None]
        raise UsageError(
            f"{path.name}: expected a suite, task or dataset named {name}, found none",
            hint=f"There is {', '.join(near) or 'none at all'}.",
        )
    wanted = {name: there[name]} if name is not None else _chosen(there, path)
    found = Found()
    for key, value in wanted.items():
        kind = _kind(value, path)
        if kind == "task":
            try:
                _merge(found, inspect_ai.read_task(_title(key, value), value, path.parent, most))
            except UsageError as error:
                if name is not None or len(wanted) == 1:
                    raise
                found.leave(key, "not_made", f"{error} {error.hint or ''}".strip())
        elif kind == "dataset":
            _merge(found, pydantic_evals.read(key, value, most))
        else:
            _merge(found, _of_list(path, key, value))
    _left_over(found, module, there)
    return found


def _chosen(there: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """``suite`` alone where there is one; else every list of cases, task and dataset."""
    if SUITE in there:
        return {SUITE: there[SUITE]}
    return {key: value for key, value in there.items() if _kind(value, path) is not None}


def _kind(value: Any, path: Path) -> str | None:
    """What a variable of a suite's module holds, if anything."""
    if isinstance(value, type):
        return None
    if isinstance(value, (Case, list, tuple)):
        items = list(value) if isinstance(value, (list, tuple)) else [value]
        some = any(isinstance(one, Case) or evalmut.is_case(one) for one in items)
        return "list" if some else None
    if inspect_ai.is_task(value):
        # A task that is only imported is another file's.
        code = getattr(inspect.unwrap(value), "__code__", None) if callable(value) else None
        own = code is None or Path(code.co_filename).name == path.name
        return "task" if own else None
    return "dataset" if pydantic_evals.is_dataset(value) else None


def _title(name: str, task: Any) -> str:
    info = getattr(task, "__registry_info__", None)
    return str(info.name).rpartition("/")[2] if info is not None else name


def _of_list(path: Path, name: str, value: Any) -> Found:
    """The cases of one variable; ids are made of its name and their place."""
    if isinstance(value, Case):
        items: list[Any] = [value]
    elif isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping)):
        items = list(value)
    else:
        raise UsageError(
            f"{path.name}: {name}: expected a list of cases, found {type(value).__name__}",
            hint=f"Such as {name} = [rh.case(...), rh.case(...)].",
        )
    found = Found()
    for place, one in enumerate(items):
        if isinstance(one, Case):
            found.cases.append(one if one.id else replace(one, id=f"{name}-{place}"))
        elif evalmut.is_case(one):
            _merge(found, evalmut.read([one]))
        else:
            raise UsageError(
                f"{path.name}: {name}[{place}]: expected a case, found {type(one).__name__}",
                hint="Make one with rh.case(...); rh.cases(...) makes a list: put a * before it.",
            )
    return found


def _merge(found: Found, more: Found) -> None:
    found.cases += more.cases
    found.untested += more.untested
    found.notes += more.notes


def _named(cases: list[Case]) -> list[Case]:
    """The cases, once each.

    Raises:
        UsageError: Two of them have one id.
    """
    once = list({id(one): one for one in cases}.values())
    known: dict[str, Case] = {}
    for one in once:
        if one.id in known:
            places = " and ".join(x.origin or "?" for x in (known[one.id], one))
            raise UsageError(
                f"expected each case to have an id of its own, found {one.id!r} twice ({places})",
                hint="Ids are given with id=...; else they are made of the list's name.",
            )
        known[one.id] = one
    return once


def _operators(path: Path, module: ModuleType) -> tuple[Operator, ...]:
    """The suite's own operators."""
    given = getattr(module, OPERATORS, ())
    if not isinstance(given, (list, tuple)) or not given:
        return ()
    odd = [one for one in given if not isinstance(one, Operator)]
    if odd:
        if len(odd) == len(given):
            return ()  # the name is a common one
        raise UsageError(
            f"{path.name}: {OPERATORS}: expected operators, found {type(odd[0]).__name__}",
            hint="An operator has id, planted, defect_class, part, provenance, summary and plant.",
        )
    return tuple(given)


def _left_over(found: Found, module: ModuleType, there: Mapping[str, Any]) -> None:
    """Graders that the module has and no case asks."""
    from redhanded.outputs.adapters import adapter_for

    asked = {id(one.grader) for one in found.cases}
    made = {_registered(one.grader) for one in found.cases}
    for name, value in there.items():
        if id(value) in asked or name.startswith("_") or isinstance(value, (type, ModuleType)):
            continue
        if isinstance(value, (list, tuple, dict, str)) or inspect_ai.is_task(value):
            continue
        adapter = adapter_for(value)
        if adapter is None or getattr(value, "__module__", None) == "redhanded":
            continue
        own = inspect.isfunction(value) and value.__module__ == module.__name__
        if adapter.framework == "python" and not (own and _GRADES.search(name)):
            continue
        named = _registered(value)
        if inspect.isfunction(value) and named is not None and (own or named in made):
            continue  # what it makes is asked, or not, by itself
        found.leave(name, "no_case", "no case of the suite asks it")


def _registered(thing: Any) -> str | None:
    """The name by which Inspect knows a scorer, and the factory that makes it."""
    info = getattr(thing, "__registry_info__", None)
    return None if info is None else str(info.name)


def _makes_graders(name: str, function: Any) -> bool:
    """Is it a factory, such as ``match`` of Inspect or ``create_json_match_evaluator``?"""
    return hasattr(function, "__registry_info__") or name.startswith("create_")
