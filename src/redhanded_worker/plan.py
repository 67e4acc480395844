"""Lists mutants and operators: one JSON object in, one out."""

from __future__ import annotations

import io
import json
import os
import platform
import sys
import tokenize
import warnings
from collections.abc import Mapping
from typing import Any

from redhanded_worker.exclude import KINDS
from redhanded_worker.mutants import FileMutants, order
from redhanded_worker.operators import ALL, by_name

_UNREADABLE = (OSError, SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError)


def plan(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a plan request; see the worker's protocol in the documentation.

    Raises:
        ValueError: The request names an operator or a kind of place that there isn't.
    """
    names = request.get("operators")
    operators = ALL if names is None else by_name(names)
    off = request.get("families_off") or ()
    for name in sorted(set(off) - set(KINDS)):
        raise ValueError(
            f"there is no kind of place named {name!r} that can be left alone: "
            f"expected {' or '.join(KINDS)}"
        )
    spans: dict[str, list[Mapping[str, Any]]] = {}
    for span in request.get("given") or ():
        spans.setdefault(span["file"], []).append(span)
    files = {entry["file"]: entry for entry in request.get("files") or ()}
    mutants: list[dict[str, Any]] = []
    pragmas: list[str] = []
    errors: list[dict[str, str]] = []
    for file in sorted({*files, *spans}):
        entry = files.get(file)
        try:
            here = FileMutants(
                file,
                _read(request["root"], file),
                lines=entry.get("lines") if entry else None,
                base=entry.get("honour") if entry else None,
                families_off=off,
            )
            found, refused = here.all(operators if entry else (), spans.get(file, ()))
        except _UNREADABLE as error:
            errors.append({"file": file, "message": _why(error, len(spans.get(file, ())))})
            continue
        mutants += found
        pragmas += here.ignored_pragmas if entry else []
        errors += [{"file": file, "message": f"mutant refused: {why}"} for why in refused]
    return {
        "python": platform.python_version(),
        "mutants": sorted(mutants, key=order),
        "ignored_pragmas": pragmas,
        "errors": errors,
    }


def listed() -> dict[str, Any]:
    """All operators, with what they change, examples, and the tools that share them."""
    return {
        "python": platform.python_version(),
        "operators": [
            {
                "name": each.name,
                "family": each.family,
                "description": each.description,
                "shared_with": list(each.shared_with),
                "string_only": each.string_only,
                "since": ".".join(map(str, each.since)),
                "examples": [{"before": e.before, "after": e.after} for e in each.examples],
            }
            for each in ALL
        ],
    }


def main(mode: str) -> int:
    """Run a mode on standard input and output.

    Returns:
        The exit code: 2 where the request is wrong.
    """
    warnings.simplefilter("ignore")
    try:
        answer = listed() if mode == "operators" else plan(json.load(sys.stdin))
    except ValueError as error:
        json.dump({"error": str(error)}, sys.stdout)
        return 2
    json.dump(answer, sys.stdout)
    return 0


def _read(root: str, file: str) -> str:
    """A source text as Python reads it.

    Raises:
        ValueError: The file lies outside the root, or isn't text in its encoding.
        SyntaxError: There is no such encoding.
    """
    top = os.path.realpath(root)
    path = os.path.realpath(os.path.join(top, file))
    if os.path.commonpath([top, path]) != top:
        raise ValueError("expected a file below the root, found one outside of it")
    with open(path, "rb") as stream:
        data = stream.read()
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")


def _why(error: BaseException, spans: int) -> str:
    """Why a file gives no mutants."""
    version = platform.python_version()
    if isinstance(error, SyntaxError) and error.lineno is not None:
        why = f"expected source that Python {version} reads, found in line {error.lineno}: "
        why += error.msg
    elif isinstance(error, OSError):
        why = f"expected a file to read, found: {error.strerror}"
    else:
        why = f"expected source that Python {version} reads, found: {_named(error)}"
    return f"{why} (so none of its {spans} given mutants is planned)" if spans else why


def _named(error: BaseException) -> str:
    told = str(error)
    return f"{type(error).__name__}: {told}" if told else type(error).__name__
