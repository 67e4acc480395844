"""From source text to mutants: where operators apply, what is left out, what each is called."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import CodeType
from typing import Any

from redhanded_worker.compare import digest
from redhanded_worker.exclude import Excluded
from redhanded_worker.operators.base import Edit, Operator, Source
from redhanded_worker.plant import Edit as Span
from redhanded_worker.plant import Module, alike
from redhanded_worker.pragma import honoured

Lines = Sequence[Sequence[int]] | None
"""Pairs of first and last line; None is all."""


def apply(text: str, start: Mapping[str, int], end: Mapping[str, int], replacement: str) -> str:
    """The text with a span replaced.

    Args:
        text: The source.
        start: ``line`` from 1 and ``column`` in characters from 0.
        end: Exclusive, likewise.
        replacement: What comes in its place.
    """
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    first = starts[start["line"] - 1] + start["column"]
    last = starts[end["line"] - 1] + end["column"]
    return text[:first] + replacement + text[last:]


class FileMutants:
    """The mutants of one file."""

    def __init__(
        self,
        file: str,
        text: str,
        *,
        lines: Lines = None,
        base: str | None = None,
        families_off: Iterable[str] = (),
    ) -> None:
        """Read a file.

        Args:
            file: Its path, as mutants are to name it.
            text: Its text.
            lines: Lines in scope.
            base: Its text at base, from which pragmas are read.
            families_off: Kinds of places left alone.

        Raises:
            SyntaxError: It doesn't parse.
        """
        self.file = file
        self.source = Source(text)
        self.module = Module(text, file)
        self._excluded = Excluded(self.source, families_off)
        self._quiet, added = honoured(text, base)
        self.ignored_pragmas = [f"{file}:{line}" for line in sorted(added)]
        self._in_scope = None if lines is None else {
            number for first, last in lines for number in range(first, last + 1)
        }
        self._digests: dict[str, str] = {}
        self._ordinals: dict[tuple[str, ...], int] = {}
        self._codes = _Codes(self.module)

    def planned(self, operators: Iterable[Operator]) -> list[dict[str, Any]]:
        """The mutants of our own operators, in source order."""
        wanted: dict[type[ast.AST], list[Operator]] = {}
        for operator in operators:
            for kind in operator.node_types:
                wanted.setdefault(kind, []).append(operator)
        seen: set[tuple[int, int, str]] = set()
        found: list[tuple[int, int, str, str, Operator, ast.AST]] = []
        for node in self.source.walk():
            if node in self._excluded:
                continue
            for operator in wanted.get(type(node), ()):
                for edit in operator.edits(node, self.source):
                    key = (edit.start, edit.end, edit.replacement)
                    if key not in seen and self._wanted(edit):
                        seen.add(key)
                        found.append((*key, operator.name, operator, node))
        found.sort(key=lambda each: each[:4])
        return [
            self._mutant(Edit(start, end, new), name, node, operator.string_only)
            for start, end, new, name, operator, node in found
        ]

    def given(self, spans: Iterable[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], list[str]]:
        """Mutants from elsewhere.

        Returns:
            The mutants, and why others were refused.
        """
        mutants, refused = [], []
        for span in spans:
            try:
                edit = self._edit(span)
            except (IndexError, ValueError) as error:
                refused.append(str(error))
                continue
            before, after = alike(self.source.text[edit.start : edit.end], edit.replacement)
            node = self._innermost(Edit(edit.start + before, edit.end - after, ""))
            mutants.append(self._mutant(edit, str(span.get("operator") or "given"), node, False))
        mutants.sort(key=lambda m: (m["start"]["line"], m["start"]["column"]))
        return mutants, refused

    def _edit(self, span: Mapping[str, Any]) -> Edit:
        start, end = span["start"], span["end"]
        for place in (start, end):
            line, column = place["line"], place["column"]
            if not 1 <= line <= self.source.line_count():
                raise ValueError(f"{self.file} has no line {line}")
            if not 0 <= column <= len(self.source.line(line)):
                raise ValueError(f"line {line} of {self.file} has no column {column}")
        first = self.source.character_offset(start["line"], start["column"])
        last = self.source.character_offset(end["line"], end["column"])
        if last < first:
            raise ValueError(f"a span of {self.file} ends before it starts")
        return Edit(first, last, span["replacement"])

    def _innermost(self, edit: Edit) -> ast.AST:
        best: ast.AST = self.source.tree
        for node in self.source.walk():
            if hasattr(node, "lineno"):
                start, end = self.source.span(node)
                if start <= edit.start and edit.end <= end:
                    best = node
        return best

    def _wanted(self, edit: Edit) -> bool:
        if self._excluded.touches(edit.start, edit.end):
            return False
        if self.source.text[edit.start : edit.end] == edit.replacement:
            return False
        first, _ = self.source.position(edit.start)
        last, _ = self.source.position(max(edit.start, edit.end - 1))
        lines = range(first, last + 1)
        if any(line in self._quiet for line in lines):
            return False
        return self._in_scope is None or any(line in self._in_scope for line in lines)

    def _mutant(
        self, edit: Edit, operator: str, node: ast.AST, string_only: bool
    ) -> dict[str, Any]:
        source = self.source
        original = source.text[edit.start : edit.end]
        function = source.qualname(node)
        key = (function, operator, original, edit.replacement)
        ordinal = self._ordinals[key] = self._ordinals.get(key, -1) + 1
        name = "\0".join((self.file, *key, str(ordinal)))
        identity = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        (line, column), (last, end) = source.position(edit.start), source.position(edit.end)
        mutant: dict[str, Any] = {
            "id": identity,
            "file": self.file,
            "start": {"line": line, "column": column},
            "end": {"line": last, "column": end},
            "operator": operator,
            "original": original,
            "replacement": edit.replacement,
            "function": function,
            "lines": self._codes.reach(source, node, edit),
            "static": _is_static(source, node),
            "string_only": string_only,
            "viability": "viable",
            "duplicate_of": None,
            "reason": None,
        }
        self._judge(mutant, Span(edit.start, edit.end, edit.replacement))
        return mutant

    def _judge(self, mutant: dict[str, Any], edit: Span) -> None:
        """Say whether the mutant compiles, and whether to code seen before."""
        span = self.module.segment(edit)
        try:
            new = digest(self.module.changed(edit, span))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            told = getattr(error, "msg", None) or str(error)
            mutant.update(viability="unviable", reason=f"{type(error).__name__}: {told}")
            return
        if new == self._codes.original(span):
            mutant["viability"] = "equivalent"
            return
        known = self._digests.setdefault(f"{span}{new}", mutant["id"])
        if known != mutant["id"]:
            mutant.update(viability="duplicate", duplicate_of=known)


def _is_static(source: Source, node: ast.AST) -> bool:
    """Does the node run when the module is imported?"""
    inner = node
    for above in source.ancestors(node):
        if isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if any(inner is each for each in above.body):
                return False
        elif isinstance(above, ast.Lambda) and inner is above.body:
            return False
        inner = above
    return True


class _Codes:
    """Compiled originals, and which of their lines can be executed."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._original: dict[tuple[int, int] | None, str] = {}
        self._ranges: list[tuple[int, int, frozenset[int]]] = []
        for code in _flat(module.original(None)):
            lines = frozenset(line for _, _, line in code.co_lines() if line)
            if lines:
                self._ranges.append((min(lines), max(lines), lines))

    def original(self, span: tuple[int, int] | None) -> str:
        if span not in self._original:
            self._original[span] = digest(self._module.original(span))
        return self._original[span]

    def reach(self, source: Source, node: ast.AST, edit: Edit) -> list[int]:
        """First and last line of the place that has to be executed for the edit to count."""
        first, last = _statement_lines(source, node, edit)
        inner: tuple[int, int, frozenset[int]] | None = None
        for low, high, lines in self._ranges:
            if low <= first and last <= high:
                if inner is None or high - low <= inner[1] - inner[0]:
                    inner = (low, high, lines)
        if inner is not None and not any(line in inner[2] for line in range(first, last + 1)):
            return [inner[0], inner[1]]
        return [first, last]


def _statement_lines(source: Source, node: ast.AST, edit: Edit) -> tuple[int, int]:
    statement = source.enclosing_statement(node)
    if statement is None:
        return source.position(edit.start)[0], source.position(edit.end)[0]
    first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", ()))])
    last = statement.end_lineno or statement.lineno
    bodies = [
        child.lineno
        for name in ("body", "orelse", "finalbody")
        for child in getattr(statement, name, ())
        if isinstance(child, ast.stmt)
    ]
    for name in ("handlers", "cases"):
        for child in getattr(statement, name, ()):
            bodies.append(getattr(child, "lineno", 0) or child.pattern.lineno)
    if bodies:
        # The header only; an edit beyond it (a handler's type, a case) is reached through it.
        return first, max(first, min(bodies) - 1) if min(bodies) > first else first
    return first, last


def _flat(code: CodeType) -> Iterator[CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _flat(const)
