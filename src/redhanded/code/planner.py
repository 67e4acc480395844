"""Asks the worker for mutants and operators; draws a sample; names the set."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from redhanded.code.given import Given
from redhanded.code.standins import normalised
from redhanded.code.worker import worker_main
from redhanded.errors import RedhandedError, UsageError
from redhanded.model.mutant import Mutant
from redhanded.model.result import FilePlan, PlanSummary, Scope

Range = tuple[int, int]
OLDEST = (3, 10)

# The folder that it is asked from leaves the import path: the project's files must not answer.
_DESCRIBE = """
import sys
sys.path[:] = [folder for folder in sys.path if folder]
import json, platform
try:
    import pytest
    found = pytest.__version__
except ImportError:
    found = None
try:
    from importlib.metadata import distributions
    names = sorted({each.metadata["Name"] or "" for each in distributions()})
except ImportError:
    names = []
print(json.dumps(
    [list(sys.version_info[:3]), found, platform.platform(), sys.executable, names]
))
"""


@dataclass(frozen=True)
class PythonInfo:
    """The project's interpreter."""

    path: Path
    """Of the interpreter itself, where a shim was named."""
    version: str
    pytest: str
    platform: str
    distributions: frozenset[str] = frozenset()
    """Normalised names of what is installed."""


@dataclass(frozen=True)
class Wanted:
    """One file to mutate."""

    file: str
    lines: tuple[Range, ...] | None
    """Lines in scope; None is all."""
    honour: str | None
    """Its text at base, from which pragmas are read; None where there is no base."""


@dataclass(frozen=True)
class Plan:
    """The mutant set."""

    mutants: tuple[Mutant, ...]
    summary: PlanSummary
    refused: tuple[str, ...]
    """Files that don't parse, and given mutants that don't fit."""


def find_python(asked: str | None) -> Path:
    """The project's interpreter: the one asked for, else ``python`` on PATH.

    Raises:
        UsageError: There is none.
    """
    for name in (asked,) if asked is not None else ("python", "python3"):
        assert name is not None
        found = shutil.which(name)
        if found is not None:
            return Path(found).absolute()
    inside = Path(asked or "") / "bin" / "python"
    if asked is not None and inside.exists():
        hint = f"Name the interpreter in it: --python {inside}."
    else:
        hint = "Name the project's own with --python, e.g. --python .venv/bin/python."
    message = f"expected a Python interpreter, found none named {asked or 'python or python3'}"
    raise UsageError(message, hint=hint)


def describe_python(path: Path, folder: Path) -> PythonInfo:
    """Ask an interpreter what it is.

    Args:
        path: The interpreter.
        folder: Where to ask it from.

    Raises:
        UsageError: It doesn't run, is too old, or has no pytest.
    """
    version, pytest, platform, executable, names = _described(path, folder)
    told = ".".join(map(str, version))
    if tuple(version) < OLDEST:
        raise UsageError(
            f"expected Python 3.10 or newer, found {told} at {path}",
            hint="Name a newer interpreter with --python.",
        )
    if pytest is None:
        raise UsageError(
            f"expected pytest in the project's interpreter, found none in {path}",
            hint="Name the interpreter that runs the project's tests with --python, "
            "or install pytest there.",
        )
    installed = frozenset(map(normalised, names))
    return PythonInfo(Path(executable or path), told, pytest, platform, installed)


def _described(path: Path, folder: Path) -> list[Any]:
    said = ""
    try:
        done = subprocess.run(
            [str(path), "-c", _DESCRIBE],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        said = f": {_last_line(done.stderr)}" if done.stderr.strip() else ""
        answer = json.loads(_last_line(done.stdout))
        if isinstance(answer, list) and len(answer) == 5:
            return answer
    except (OSError, subprocess.TimeoutExpired, ValueError):
        pass
    message = (
        f"expected {path} to be a Python interpreter, found that it doesn't answer as one{said}"
    )
    raise UsageError(message, hint="Name the project's own with --python.")


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2]


def ask_worker(python: Path, mode: str, request: Mapping[str, Any] | None) -> dict[str, Any]:
    """Run a one-shot mode of the worker.

    Raises:
        UsageError: The worker refused the request.
    """
    try:
        done = subprocess.run(
            [str(python), str(worker_main()), mode],
            input=json.dumps(request or {}),
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        message = f"expected a Python interpreter at {python}: {error.strerror}"
        raise UsageError(message, hint="Name the project's own with --python.") from None
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        tail = done.stderr.strip()[-600:]
        raise RedhandedError(f"the worker's {mode} mode gave no answer: {tail}") from None
    if "error" in answer:
        raise UsageError(answer["error"], hint="`redhanded operators` lists what there is.")
    return answer


def operators(asked: str | None) -> list[dict[str, Any]]:
    """All operators, as the worker lists them.

    Args:
        asked: The interpreter to ask; some operators need a newer one.
    """
    found = ask_worker(find_python(asked), "operators", None)["operators"]
    return [
        {
            "name": each["name"],
            "family": each["family"],
            "description": each["description"],
            "string_only": each["string_only"],
            "examples": [(example["before"], example["after"]) for example in each["examples"]],
            "tools": each["shared_with"],
        }
        for each in found
    ]


def make_plan(
    python: Path,
    root: Path,
    scope: Scope,
    files: Sequence[Wanted],
    *,
    names: Collection[str] | None = None,
    families_off: Collection[str] = (),
    given: Sequence[Given] = (),
    most: int | None = None,
    seed: int = 0,
) -> Plan:
    """Make the mutant set.

    Args:
        python: The project's interpreter.
        root: A tree that holds head's source.
        scope: What was chosen, and why.
        files: Files to apply operators to.
        names: Operators or families; None: all.
        families_off: Kinds of places left alone.
        given: Mutants from elsewhere.
        most: How many to draw where more can be run.
        seed: Decides which are drawn.
    """
    request = {
        "root": str(root),
        "operators": None if names is None else sorted(names),
        "families_off": sorted(families_off),
        "files": [
            {"file": each.file, "lines": each.lines, "honour": each.honour} for each in files
        ],
        "given": [msgspec.to_builtins(each) for each in given],
    }
    answer = ask_worker(python, "plan", request)
    mutants = msgspec.convert(answer["mutants"], tuple[Mutant, ...])
    every = sum(mutant.viability == "viable" for mutant in mutants)
    if most is not None and every > most:
        mutants = sample(mutants, most, seed)
    runnable = sum(mutant.viability == "viable" for mutant in mutants)
    lines = {each.file: each.lines for each in files}
    counts: dict[str, int] = {each.file: 0 for each in files}
    for mutant in mutants:
        counts[mutant.file] = counts.get(mutant.file, 0) + 1
    summary = PlanSummary(
        scope=scope,
        files=tuple(
            FilePlan(file, _count(lines.get(file)), count) for file, count in sorted(counts.items())
        ),
        operators=tuple(sorted({mutant.operator for mutant in mutants})),
        mutants=len(mutants),
        runnable=runnable,
        sampled_from=every if runnable < every else None,
        digest=set_digest(mutants),
        ignored_pragmas=tuple(answer["ignored_pragmas"]),
    )
    refused = tuple(f"{each['file']}: {each['message']}" for each in answer["errors"])
    return Plan(mutants, summary, refused)


def _count(lines: tuple[Range, ...] | None) -> int | None:
    return None if lines is None else sum(last - first + 1 for first, last in lines)


def sample(mutants: Sequence[Mutant], most: int, seed: int) -> tuple[Mutant, ...]:
    """Draw mutants so that all lines are represented as evenly as can be.

    Each line's mutants are put in an order that the seed decides; then lines give one each, in
    turns, until there are enough. A digest decides, so that every Python draws the same. What is
    never run (unviable, equivalent, duplicate) is neither drawn nor kept.

    Args:
        mutants: All of them.
        most: How many to draw.
        seed: Decides which.
    """
    by_line: dict[tuple[str, int], list[Mutant]] = {}
    for mutant in mutants:
        if mutant.viability == "viable":
            by_line.setdefault((mutant.file, mutant.start.line), []).append(mutant)

    def rank(name: str) -> str:
        return hashlib.sha256(f"{seed}\0{name}".encode()).hexdigest()

    turns: list[tuple[int, str, str]] = []
    for (file, line), here in by_line.items():
        for turn, mutant in enumerate(sorted(here, key=lambda each: rank(each.id))):
            turns.append((turn, rank(f"{file}:{line}"), mutant.id))
    drawn = {name for _, _, name in sorted(turns)[:most]}
    return tuple(mutant for mutant in mutants if mutant.id in drawn)


def set_digest(mutants: Sequence[Mutant]) -> str:
    """sha256 over what the mutants change, in their order."""
    digest = hashlib.sha256()
    for each in mutants:
        told = (each.id, each.file, each.start.line, each.start.column, each.end.line,
                each.end.column, each.original, each.replacement)  # fmt: skip
        digest.update(json.dumps(told, ensure_ascii=True).encode() + b"\n")
    return digest.hexdigest()
