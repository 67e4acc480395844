"""Suites as JSON Lines: one case a line. The fields are those of ``rh.case``.

See ``docs/graders.md`` for the schema.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from redhanded.errors import UsageError
from redhanded.outputs import api
from redhanded.outputs.case import Case
from redhanded.outputs.contract_code import read_contract
from redhanded.outputs.given import output_from_json
from redhanded.outputs.importers.found import Found

FIELDS: Final = frozenset(
    {
        *("grader", "good", "right", "target", "input", "pass_at", "upstream", "claims"),
        *("channel", "id", "group", "old", "hints"),
    }
)


def read(path: Path) -> Found:
    """The cases of a file.

    Raises:
        UsageError: A line is no case; names file and line.
    """
    found = Found()
    graders: dict[str, Any] = {}
    with importable(path.resolve().parent):
        for number, line in enumerate(_text(path).split("\n"), 1):
            if not line.strip():
                continue
            where = f"{path.name}:{number}"
            try:
                found.cases.append(_case(where, line, graders, f"{path.stem}-{number}"))
            except UsageError as error:
                said = str(error)
                raise UsageError(
                    said if said.startswith(where) else f"{where}: {said}", hint=error.hint
                ) from None
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"can't read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: expected text in UTF-8, found {error}") from None


def _case(where: str, line: str, graders: dict[str, Any], name: str) -> Case:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise UsageError(f"expected one JSON object, found: {error}") from None
    if not isinstance(row, dict) or not {"grader", "good"} <= set(row):
        raise UsageError(
            "expected an object with grader and good",
            hint='Such as {"grader": "graders:exact", "good": "Paris", '
            '"right": "rh.answer(\'Paris\')"}.',
        )
    odd = sorted(set(row) - FIELDS)
    if odd:
        raise UsageError(
            f"expected the fields {', '.join(sorted(FIELDS))}, found {', '.join(odd)}",
            hint="What operators and adapters are told beside that goes into hints.",
        )
    key = json.dumps(row["grader"], sort_keys=True)
    if key not in graders:
        graders[key] = grader(row["grader"])
    rest = {key: value for key, value in row.items() if key not in ("grader", "good", "right")}
    rest["id"] = str(rest.get("id", name))
    right = None if row.get("right") is None else read_contract(row["right"])
    made = api.case(graders[key], good=output_from_json(row["good"]), right=right, **rest)
    object.__setattr__(made, "origin", where)
    return made


def grader(given: Any) -> Any:
    """A grader by name: ``module:attribute``, the same with arguments, or a command.

    Raises:
        UsageError: There is none of that name.
    """
    if isinstance(given, Mapping) and isinstance(given.get("command"), list):
        from redhanded.outputs.adapters.command import command

        rest = {key: value for key, value in given.items() if key != "command"}
        try:
            return command(*map(str, given["command"]), **rest)
        except TypeError as error:
            raise UsageError(f"grader: {error}") from None
    if not isinstance(given, str) or ":" not in given:
        raise UsageError(
            f"grader: expected 'module:attribute' or an object with command, found {given!r}",
            hint='Such as "inspect_ai.scorer:match(numeric=True)" or '
            '{"command": ["node", "grader.js"]}.',
        )
    return _imported(given)


def _imported(given: str) -> Any:
    module, _, rest = given.partition(":")
    name, bracket, inside = rest.partition("(")
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except ImportError as error:
        raise UsageError(
            f"grader {given!r}: {module} can't be imported: {error}",
            hint="Modules are looked for beside the suite and where Python looks.",
        ) from None
    except AttributeError:
        raise UsageError(f"grader {given!r}: {module} has no {name}") from None
    return found if not bracket else _made(given, found, f"made({inside}")


def _made(given: str, factory: Any, code: str) -> Any:
    """What a factory makes of literal arguments."""
    try:
        call = ast.parse(code, mode="eval").body
        if not isinstance(call, ast.Call):
            raise ValueError
        arguments = [ast.literal_eval(one) for one in call.args]
        named = {str(one.arg): ast.literal_eval(one.value) for one in call.keywords}
    except (SyntaxError, ValueError):
        raise UsageError(
            f"grader {given!r}: expected arguments that are literals",
            hint="Define the grader in a module, and name it.",
        ) from None
    try:
        return factory(*arguments, **named)
    except Exception as error:
        raise UsageError(f"grader {given!r}: {type(error).__name__}: {error}") from None


@contextmanager
def importable(folder: Path) -> Iterator[None]:
    """What lies beside a suite, and where one stands, can be imported; also later, when asked."""
    for place in (str(Path.cwd()), str(folder)):
        if place not in sys.path:
            sys.path.insert(0, place)
    yield
