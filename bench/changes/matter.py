"""Which test files the oracle runs where the whole suite would take too long.

Of the files that hold tests of the side, those

* that hold a test which redhanded selected for any mutant of its run, on either side,
* or that import a mutated module by its name (``import a.b``, ``from a.b import x``,
  ``from a import b``, anywhere in the file),
* or that the change itself touches.

The first clause takes redhanded's word for what reaches a mutant; a file that reaches one, isn't
selected, imports it only through another module and is not touched would go unseen. Where the
suite is fast all files are run, and that clause decides nothing.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Collection, Iterable
from pathlib import Path

from bench.changes.sides import Side


def files_that_matter(
    tree: Path, run: Path, side: Side, modules: Collection[str], touched: Collection[str]
) -> list[str]:
    """The files, relative to the tree.

    Args:
        tree: The side's tree.
        run: redhanded's run directory.
        side: Whose tests.
        modules: Names of the mutated modules.
        touched: Paths that the change touches.
    """
    held, selected = _tests(run, side)
    found = []
    for file in sorted(held):
        path = tree / file
        if not path.is_file():
            continue
        if file in selected or file in touched or imported(path.read_bytes()) & set(modules):
            found.append(file)
    return found


def module_names(files: Iterable[str], roots: Iterable[str]) -> set[str]:
    """The names that files are imported by."""
    names = set()
    for file in files:
        inside = [Path(file).relative_to(root) for root in roots if Path(file).is_relative_to(root)]
        if not inside:
            continue
        parts = min(inside, key=lambda path: len(path.parts)).with_suffix("").parts
        names.add(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return names


def imported(data: bytes) -> set[str]:
    """Modules that a file imports by name; for ``from a import b``, both ``a`` and ``a.b``."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(data)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def _tests(run: Path, side: Side) -> tuple[set[str], set[str]]:
    """Files that hold tests of the side, and files of tests that were selected on any side."""
    ids: dict[str, list[str]] = {}
    selected: set[str] = set()
    for line in (run / "rows.jsonl").read_text(encoding="utf-8").split("\n"):
        if not line:
            continue
        row = json.loads(line)
        if row["row"] == "session":
            ids[row["side"]] = [test["id"] for test in row["tests"]]
        elif row["row"] == "trial":
            selected |= {_file(ids[row["side"]][at]) for at in row["selected"]}
    return {_file(test) for test in ids.get(side, ())}, selected


def _file(test: str) -> str:
    return test.partition("::")[0]
