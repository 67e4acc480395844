"""Mutants from a cosmic-ray session.

A session stores of each mutant the file, the operator, its arguments and which occurrence is
meant, but not what the text becomes. That is read from the diffs of those that cosmic-ray has
run; for the others its own operators are run, in an interpreter that has them.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import msgspec

from redhanded.code import external_diff
from redhanded.code.given import Given, MisfitError, Misfits, Sources, SourceText
from redhanded.errors import UsageError

# Those that cosmic-ray's filters have marked as not to be run are no part of the session's set.
_QUERY = """
    SELECT spec.module_path, spec.operator_name, spec.operator_args, spec.occurrence, result.diff
    FROM mutation_specs AS spec LEFT JOIN work_results AS result ON result.job_id = spec.job_id
    WHERE result.worker_outcome IS NULL OR result.worker_outcome != 'SKIPPED'
    ORDER BY spec.module_path, spec.start_pos_row, spec.start_pos_col, spec.operator_name,
        spec.occurrence
"""

# Runs in the other interpreter: source texts and mutants in; of each mutant, how much of the text
# stays at either end and what comes between. A whole file is parsed once, not once for each
# mutant: an operator changes one node, so it is given a copy of that, and the file stays.
_SCRIPT = """
import copy, json, random, sys
try:
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator
except ImportError:
    sys.exit(3)
sys.setrecursionlimit(20000)

class Module:
    def __init__(self, text):
        self.size = len(text)
        self.nodes = list(ast_nodes(get_ast(text)))
        self.starts, self.places, at = {}, {}, 0
        for node in self.nodes:
            if not hasattr(node, "children"):
                self.starts[id(node)] = at
                at += len(node.get_code())

    def start(self, node):
        while hasattr(node, "children"):
            node = node.children[0]
        return self.starts[id(node)]

    def change(self, job):
        operator = get_operator(job["operator"])(**job["args"])
        key = json.dumps([job["operator"], job["args"]], sort_keys=True)
        if key not in self.places:
            self.places[key] = [
                (node, index)
                for node in self.nodes
                for index, _ in enumerate(operator.mutation_positions(node))
            ]
        if job["occurrence"] >= len(self.places[key]):
            return {"error": "the operator changes nothing there"}
        node, index = self.places[key][job["occurrence"]]
        random.seed(0)
        parent = node.parent
        changed = operator.mutate(copy.deepcopy(node, {id(parent): parent}), index)
        old, new = node.get_code(), "" if changed is None else changed.get_code()
        if old == new:
            return {"error": "the operator changes nothing there"}
        head = self.start(node)
        return {"head": head, "tail": self.size - head - len(old), "new": new}

asked = json.load(sys.stdin)
modules = {}
for job in asked["jobs"]:
    try:
        if job["module"] not in modules:
            modules[job["module"]] = Module(asked["texts"][job["module"]])
        answer = modules[job["module"]].change(job)
    except Exception as error:
        answer = {"error": type(error).__name__ + ": " + str(error)}
    print(json.dumps(answer))
"""
_NOT_IMPORTABLE = 3


class _Spec(msgspec.Struct, frozen=True):
    """What a session stores of one mutant."""

    module: str
    operator: str
    args: dict[str, object]
    occurrence: int
    diff: str | None

    def __str__(self) -> str:
        return f"{self.module}, {self.operator}, occurrence {self.occurrence}"


class _Answer(msgspec.Struct):
    head: int = 0
    tail: int = 0
    new: str = ""
    error: str | None = None


def read(path: Path, sources: Sources, misfits: Misfits, python: str | None) -> list[Given]:
    """Read the mutants of a session, in the order of the source."""
    specs = _specs(path)
    if not specs:
        raise UsageError(
            f"{path}: expected mutants, found a cosmic-ray session without any.",
            hint="Fill it with 'cosmic-ray init CONFIG SESSION'.",
        )
    placed: list[tuple[_Spec, SourceText]] = []
    for spec in specs:
        with misfits.aside():
            placed.append((spec, sources.get(spec.module, f"{path}: {spec}")))
    asked = [(spec, source) for spec, source in placed if not spec.diff]
    answers = iter(_ask(path, asked, python) if asked else [])
    found = []
    for spec, source in placed:
        answer = None if spec.diff else next(answers)
        with misfits.aside():
            found.append(_mutant(spec, answer, source, f"{path}: {spec}"))
    return found


def _mutant(spec: _Spec, answer: _Answer | None, source: SourceText, where: str) -> Given:
    """The mutant that cosmic-ray answers with, or else the session's diff shows."""
    if answer is None:
        patches = external_diff.parse(spec.diff or "", where)
        if len(patches) != 1:
            raise UsageError(f"{where}: expected one diff, found {len(patches)}.")
        return external_diff.convert(patches[0], source, where, spec.operator)
    if answer.error is not None:
        raise MisfitError(
            f"{where}: cosmic-ray can't make this mutant: {answer.error}.",
            hint="Has the file changed since the session was made? Then make it again.",
        )
    text = source.text
    changed = text[: answer.head] + answer.new + text[len(text) - answer.tail :]
    return source.change_to(changed, spec.operator)


def _specs(path: Path) -> list[_Spec]:
    try:
        uri = f"{path.resolve().as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
            rows = connection.execute(_QUERY).fetchall()
    except sqlite3.Error as error:
        raise UsageError(
            f"{path}: expected a cosmic-ray session, found another SQLite file ({error}).",
            hint="Sessions of cosmic-ray 8.3 and later can be read.",
        ) from None
    return [_spec(path, row) for row in rows]


def _spec(path: Path, row: tuple[object, ...]) -> _Spec:
    module, operator, args, occurrence, diff = row
    try:
        # cosmic-ray keeps the arguments as JSON within JSON.
        while isinstance(args, str):
            args = json.loads(args)
        fields = {
            "module": module,
            "operator": operator,
            "args": args or {},
            "occurrence": occurrence,
            "diff": diff,
        }
        return msgspec.convert(fields, _Spec)
    except (ValueError, msgspec.ValidationError) as error:
        raise UsageError(f"{path}: a mutant of the session can't be read: {error}.") from None


def _ask(path: Path, asked: list[tuple[_Spec, SourceText]], python: str | None) -> list[_Answer]:
    """What the first interpreter that has cosmic-ray makes of some mutants."""
    request = {
        "texts": {spec.module: source.text for spec, source in asked},
        "jobs": [
            {
                "module": spec.module,
                "operator": spec.operator,
                "args": spec.args,
                "occurrence": spec.occurrence,
            }
            for spec, _ in asked
        ],
    }
    candidates = list(dict.fromkeys(filter(None, (python, sys.executable))))
    for candidate in candidates:
        answers = _run(path, candidate, json.dumps(request))
        if answers is not None:
            return answers
    raise UsageError(
        f"{path}: {len(asked)} mutants of the session have not been run, so it records no "
        f"diff for them, and cosmic-ray can't be imported in {' or '.join(candidates)}.",
        hint="Run 'cosmic-ray exec CONFIG SESSION' first, or install cosmic-ray in the "
        "project's environment.",
    )


def _run(path: Path, python: str, request: str) -> list[_Answer] | None:
    """What cosmic-ray in an interpreter answers; None where it isn't there."""
    try:
        done = subprocess.run(
            [python, "-I", "-c", _SCRIPT],
            input=request,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
    except OSError as error:
        raise UsageError(f"{python} can't be run: {error.strerror}.") from error
    if done.returncode == _NOT_IMPORTABLE:
        return None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise UsageError(
            f"{path}: cosmic-ray's operators could not be run with {python}: {last}",
            hint="Run 'cosmic-ray exec CONFIG SESSION' first: then the session records diffs.",
        )
    return [msgspec.json.decode(line, type=_Answer) for line in done.stdout.splitlines()]
