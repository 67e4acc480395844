"""Render the generated parts of the documents, and check that they and all links hold.

A generated part lies between ``<!-- generated: NAME -->`` and ``<!-- end generated -->``.
``--write`` renders all, ``--check`` fails where one isn't what it would be rendered to.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from redhanded import cli, errors
from redhanded.model import outcome

ROOT = Path(__file__).resolve().parent.parent
_PART = re.compile(r"(<!-- generated: (?P<name>[\w-]+) -->\n).*?(<!-- end generated -->)", re.S)
_LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\((?P<target>[^)\s]+)\)|^\[[^\]\n]+\]:\s*(?P<far>\S+)", re.M)
_FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
_RUN_VARIES = ("Time ", "With ", "Stored in ", "See all ")


def documents() -> list[Path]:
    """All documents that people read."""
    return [
        *sorted(ROOT.glob("*.md")),
        *sorted((ROOT / "docs").rglob("*.md")),
        ROOT / "news" / "README.md",
        ROOT / "tests" / "projects" / "README.md",
    ]


def demo() -> str:
    """What the demo prints, without what differs between two runs of it."""
    return _console(_stable(run_demo()))


def demo_excerpt() -> str:
    """The sections of it that answer the question."""
    answers = ("redhanded delta", "Reference ", "New tests\n", "Lost ")
    told = []
    for section in _stable(run_demo()).split("\n\n"):
        if section.startswith(answers):
            told.append(section)
        elif told and told[-1] != "[...]":
            told.append("[...]")
    return _console("\n\n".join(told))


def _console(text: str) -> str:
    return f"```console\n$ redhanded demo\n{text}\n```\n"


@cache
def run_demo() -> str:
    """Run the demo as a reader of the README would.

    Raises:
        SystemExit: It failed.
    """
    plain = {"COLUMNS": "88", "NO_COLOR": "1", "TERM": "dumb", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "redhanded", "demo"],
        env={**os.environ, **plain},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(
            f"redhanded demo ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        )
    return done.stdout


def _stable(text: str) -> str:
    kept: list[str] = []
    left_out = False
    for line in text.rstrip().split("\n"):
        # A line that is wrapped goes on indented.
        left_out = line.startswith(_RUN_VARIES) or (left_out and line.startswith("  "))
        if not left_out:
            kept.append(line.rstrip())
    return "\n".join(kept)


def commands() -> str:
    """Each command, with the first sentence of its help."""
    told = {}
    for command in cli.app.registered_commands:
        text = (inspect.getdoc(command.callback) or "").split("\n\n")[0].replace("\n", " ")
        told[str(command.name)] = f"{text[0].lower()}{text[1:].rstrip('.')}"
    rows = [f"| `redhanded {name}` | {told[name]} |" for name in sorted(told, key=_Order().of)]
    return "\n".join(["| command | does |", "|---|---|", *rows]) + "\n"


class _Order:
    """Commands as a newcomer meets them; others follow by name."""

    _first = ("demo", "delta", "tests", "show", "mutants", "operators", "schema")

    def of(self, name: str) -> tuple[int, str]:
        """Sorting key of a command."""
        known = name in self._first
        return (self._first.index(name) if known else len(self._first), name)


def exit_codes() -> str:
    """Every code that a command ends with."""
    told = {0: "Measured, and no gate failed.", 1: "A gate failed (`--min-delta`)."}
    for kind in vars(errors).values():
        if isinstance(kind, type) and issubclass(kind, errors.RedhandedError):
            text = (inspect.getdoc(kind) or "").split("\n\n")[0].replace("\n", " ")
            told[kind.exit_code] = text
    told[errors.RedhandedError.exit_code] = "A bug in redhanded."
    rows = [f"| {code} | {told[code]} |" for code in sorted(told)]
    return "\n".join(["| code | means |", "|---|---|", *rows]) + "\n"


def reasons() -> str:
    """Why a cell is incomplete."""
    rows = ["| reason | |", "|---|---|"]
    for name, text in _described(outcome.Reason):
        rows.append(f"| `{outcome.Reason[name]}` | {text} |")
    return "\n".join(rows) + "\n"


def _described(kind: type) -> Iterator[tuple[str, str]]:
    """Members of a class with the docstring that follows each."""
    (tree,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(tree, ast.ClassDef)
    for node, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        text = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            text = inspect.cleandoc(str(after.value.value)).replace("\n", " ")
        yield node.targets[0].id, text


def _find_bench() -> None:
    # This script is started by its path.
    sys.path.insert(0, str(ROOT))


def oracle() -> str:
    """The comparisons of engine and oracle that are kept, all of them."""
    _find_bench()
    from bench.oracle.table import render

    kept = sorted((ROOT / "bench" / "oracle" / "results").glob("*/*"))
    return render(kept).rstrip() + "\n"


def changes() -> str:
    """What came of each of the real changes, and of the oracle on them."""
    _find_bench()
    from bench.changes.table import render

    return render()


def operators() -> str:
    """The catalogue of operators."""
    _find_bench()
    from bench.operators import catalogue, table

    return table.operators(catalogue.read())


def operator_results() -> str:
    """What became of each operator's mutants, for each Python that there are counts for."""
    _find_bench()
    from bench.operators import catalogue, records, table

    known, parts = catalogue.read(), []
    for python in records.versions():
        kept = records.read(records.RESULTS, python)
        parts += [f"### Python {python}\n", table.results(kept, known), table.subjects(kept)]
    return "\n".join(parts)


def stock_scorers() -> str:
    """What the stock scorers of frameworks accept."""
    _find_bench()
    from bench.graders import pages

    return pages.stock().rstrip() + "\n"


def evalmut_comparison() -> str:
    """The run of another tool beside ours, row by row."""
    _find_bench()
    from bench.graders import pages

    return pages.comparison().rstrip() + "\n"


PARTS: dict[str, Callable[[], str]] = {
    "changes": changes,
    "commands": commands,
    "evalmut-comparison": evalmut_comparison,
    "stock-scorers": stock_scorers,
    "demo": demo,
    "operators": operators,
    "operator-results": operator_results,
    "oracle": oracle,
    "demo-excerpt": demo_excerpt,
    "exit-codes": exit_codes,
    "reasons": reasons,
}


def rendered(text: str, parts: dict[str, str]) -> str:
    """A document with its generated parts as they should be.

    Args:
        text: The document.
        parts: Those that have been rendered already; filled.

    Raises:
        ValueError: Nobody knows how to render a part.
    """

    def one(match: re.Match[str]) -> str:
        name = match["name"]
        if name not in parts:
            if name not in PARTS:
                raise ValueError(f"no such generated part: {name}; known are {', '.join(PARTS)}")
            parts[name] = PARTS[name]()
        return f"{match[1]}{parts[name]}{match[3]}"

    return _PART.sub(one, text)


def broken_links(path: Path, text: str) -> Iterator[str]:
    """Links inside the project that lead nowhere."""
    for match in _LINK.finditer(_FENCE.sub("", text)):
        target = match["target"] or match["far"]
        if "://" in target or target.startswith("mailto:"):
            continue
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        if not file.exists():
            yield f"{target}: no such file"
        elif anchor and file.suffix == ".md" and anchor not in _anchors(file):
            yield f"{target}: no such heading"


def _anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", _FENCE.sub("", path.read_text(encoding="utf-8")), re.M)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.strip().replace(" ", "-") for heading in plain}


def main(arguments: list[str] | None = None) -> int:
    """Write or check.

    Returns:
        How many documents are wrong.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", action="store_true", help="render the generated parts")
    what.add_argument("--check", action="store_true", help="fail where one isn't current")
    write = parser.parse_args(arguments).write
    parts: dict[str, str] = {}
    wrong = 0
    for path in documents():
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8")
        current = rendered(text, parts)
        problems = [f"{name}: {problem}" for problem in broken_links(path, current)]
        if current != text and write:
            path.write_text(current, encoding="utf-8")
            print(f"{name}: rendered")
        elif current != text:
            lines = difflib.unified_diff(
                text.split("\n"), current.split("\n"), name, f"{name}, as rendered", lineterm=""
            )
            problems.append("\n".join([*lines, f"{name}: not current; run: make docs"]))
        wrong += bool(problems)
        for problem in problems:
            print(problem, file=sys.stderr)
    return wrong


if __name__ == "__main__":
    sys.exit(min(main(), 1))
