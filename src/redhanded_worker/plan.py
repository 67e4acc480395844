"""Lists mutants and operators: one JSON object in, one out."""

from __future__ import annotations

import json
import os
import sys
import tokenize
import warnings
from collections.abc import Mapping
from typing import Any

from redhanded_worker.mutants import FileMutants
from redhanded_worker.operators import ALL, by_name


def plan(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a plan request; see the worker's protocol in the documentation."""
    names = request.get("operators")
    operators = ALL if names is None else by_name(names)
    given: dict[str, list[Mapping[str, Any]]] = {}
    for span in request.get("given") or ():
        given.setdefault(span["file"], []).append(span)
    answer: dict[str, Any] = {
        "python": sys.version.split()[0],
        "mutants": [],
        "ignored_pragmas": [],
        "errors": [],
    }
    files = {entry["file"]: entry for entry in request.get("files") or ()}
    for file in sorted({*files, *given}):
        entry = files.get(file)
        try:
            with tokenize.open(os.path.join(request["root"], file)) as stream:
                text = stream.read()
            mutants = FileMutants(
                file,
                text,
                lines=entry.get("lines") if entry else None,
                base=entry.get("honour") if entry else None,
                families_off=request.get("families_off") or (),
            )
        except (OSError, SyntaxError, ValueError, RecursionError) as error:
            answer["errors"].append({"file": file, "message": f"{type(error).__name__}: {error}"})
            continue
        if entry is not None:
            answer["mutants"] += mutants.planned(operators)
            answer["ignored_pragmas"] += mutants.ignored_pragmas
        found, refused = mutants.given(given.get(file, ()))
        answer["mutants"] += found
        answer["errors"] += [{"file": file, "message": why} for why in refused]
    answer["mutants"].sort(
        key=lambda m: (m["file"], m["start"]["line"], m["start"]["column"], m["end"]["line"],
                       m["end"]["column"], m["operator"], m["replacement"])
    )  # fmt: skip
    return answer


def listed() -> dict[str, Any]:
    """All operators, with what they change, examples, and the tools that share them."""
    return {
        "python": sys.version.split()[0],
        "operators": [
            {
                "name": each.name,
                "family": each.family,
                "description": each.description,
                "shared_with": list(each.shared_with),
                "string_only": each.string_only,
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
