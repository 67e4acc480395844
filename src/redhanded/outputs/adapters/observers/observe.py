"""Runs a Python grader in its own interpreter, and vouches for the functions that it enters.

    python observe.py SCRIPT FUNCTION [MODULE:NAME ...]

Standard library only: the interpreter is the grader's. The protocol is that of
docs/grader-protocol.md.
"""

from __future__ import annotations

import asyncio
import functools
import hashlib
import hmac
import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from json import dumps, loads  # bound here: the grader's json may be watched
from typing import Any


class Observer:
    """Sees calls of the functions that it was told to watch."""

    def __init__(self, key: str) -> None:
        self.key = key.encode()
        self.entered: list[dict[str, Any]] = []
        self.depth: dict[str, int] = {}

    def wrap(self, function: Callable[..., Any], target: str, role: str) -> Callable[..., Any]:
        """A function that does what the given one does, and is seen doing it."""

        @functools.wraps(function)
        def seen(*args: Any, **kwargs: Any) -> Any:
            entry: dict[str, Any] = {
                "target": target,
                "role": role,
                "outermost": not self.depth.get(target),
            }
            self.entered.append(entry)
            self.depth[target] = self.depth.get(target, 0) + 1
            try:
                value = function(*args, **kwargs)
                if inspect.iscoroutine(value):
                    value = asyncio.run(value) if role == "grader" else value
            except BaseException as error:
                entry["raised"] = f"{type(error).__name__}: {error}"
                raise
            finally:
                self.depth[target] -= 1
            entry["returned"] = plain(value)
            return value

        return seen

    def witness(self, request: dict[str, Any], watching: Sequence[str]) -> dict[str, str]:
        """What was seen since the last request, signed."""
        said = {
            "id": request["id"],
            "nonce": request["nonce"],
            "entered": self.entered,
            "watching": list(watching),
        }
        payload = dumps(said)
        mac = hmac.new(self.key, payload.encode(), hashlib.sha256).hexdigest()
        self.entered = []
        return {"payload": payload, "mac": mac}


def plain(value: Any) -> Any:
    """A value as JSON can carry it."""
    try:
        return loads(dumps(value, default=lambda thing: vars(thing)))
    except (TypeError, ValueError):
        return type(value).__name__


def load(script: str) -> Any:
    """The grader's module."""
    folder = os.path.dirname(os.path.abspath(script))
    sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location("redhanded_grader", script)
    if spec is None or spec.loader is None:
        raise ImportError(f"{script} can't be loaded as a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules["redhanded_grader"] = module
    spec.loader.exec_module(module)
    return module


def watch(observer: Observer, target: str) -> None:
    """Put an observed function in a library function's place, before the grader binds it."""
    name, _, qualname = target.partition(":")
    owner: Any = importlib.import_module(name)
    *path, last = qualname.split(".")
    for part in path:
        owner = getattr(owner, part)
    setattr(owner, last, observer.wrap(getattr(owner, last), target, "upstream"))


def call(grade: Callable[..., Any], request: dict[str, Any]) -> Any:
    """Call the grader with what its parameters ask for."""
    output = request["output"]
    text = output.get("text", "")
    answer = output.get("value", text)
    named = {
        "output": answer,
        "text": text,
        "target": request.get("target"),
        "expected": request.get("target"),
        "input": request.get("input"),
        "whole": output,
    }
    try:
        parameters = list(inspect.signature(grade).parameters)
    except (TypeError, ValueError):
        return grade(answer)
    given = [named.get(name, answer if at == 0 else None) for at, name in enumerate(parameters)]
    if len(parameters) > 1 and not set(parameters[1:]) & set(named):
        given[1] = request.get("target")
    return grade(*given)


def answer_of(value: Any) -> dict[str, Any]:
    """The fields of a response for what the grader returned."""
    if value is None or isinstance(value, bool):
        return {"verdict": value}
    if isinstance(value, (int, float)):
        return {"score": value}
    value = plain(value)
    if isinstance(value, dict):
        if "passed" in value or "verdict" in value:
            found = {"verdict": value.get("passed", value.get("verdict"))}
            return {**found, **({"score": value["score"]} if "score" in value else {})}
        return {"score": value["score"]} if "score" in value else {"verdicts": value}
    return {"error": f"the grader returned {type(value).__name__}"}


def main() -> None:
    """Serve requests until there are no more."""
    script, function, *watching = sys.argv[1:]
    observer = Observer(os.environ.pop("REDHANDED_WITNESS_KEY", ""))
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)  # whatever the grader prints is no response
    for target in watching:
        watch(observer, target)
    module = load(script)
    grade = observer.wrap(getattr(module, function), function, "grader")
    for line in sys.stdin:
        request = loads(line)
        response = {"id": request["id"], "nonce": request["nonce"]}
        try:
            response.update(answer_of(call(grade, request)))
        except Exception as error:
            response["error"] = f"{type(error).__name__}: {error}"
        response["witness"] = observer.witness(request, watching)
        channel.write(dumps(response) + "\n")
        channel.flush()


if __name__ == "__main__":
    main()
