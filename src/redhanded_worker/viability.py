"""Does a mutant compile, and to what?

A file is compiled in units, the smallest parts that compile by themselves to the code that they
have in it: a top-level statement, or a statement of a class under nothing but the class's head.
"""

from __future__ import annotations
import __future__

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType

from redhanded_worker.compare import digest
from redhanded_worker.operators.base import Edit, Source

_REFUSALS = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError)


@dataclass
class _Unit:
    """Lines of a file that compile by themselves."""

    first: int
    last: int
    head: str = ""
    """What comes before them: the lines that open the classes they are in."""
    parts: list[_Unit] = field(default_factory=list)
    original: str | None = None
    """Digest of the unchanged code."""


@dataclass(frozen=True)
class Verdict:
    """What became of an edit."""

    code: tuple[int, int, str] | None
    """Stands for the code that the edited unit compiles to; None where it doesn't."""
    equivalent: bool = False
    reason: str | None = None
    """Why it doesn't compile."""


class Compiler:
    """Compiles edits of one source."""

    def __init__(self, source: Source) -> None:
        """Cut the source into units.

        Args:
            source: The text.
        """
        self._source = source
        self._flags = _future_flags(source.tree)
        self._whole = _Unit(1, source.line_count())
        self._whole.parts = list(self._cut(source.tree.body, ""))

    def judge(self, edit: Edit, *, own: bool = True) -> Verdict:
        """Compile an edit and compare it with the original.

        Args:
            edit: The change.
            own: It replaces a whole piece of syntax by another; any other change may join what it
                is in with what comes after.
        """
        unit = self._unit(edit)
        try:
            code = self._digest(unit, edit)
        except _REFUSALS as error:
            if own or unit is self._whole:
                return Verdict(None, reason=_told(error))
            unit = self._whole
            try:
                code = self._digest(unit, edit)
            except _REFUSALS as whole:
                return Verdict(None, reason=_told(whole))
        if unit.original is None:
            unit.original = self._digest(unit, None)
        return Verdict((unit.first, unit.last, code), equivalent=code == unit.original)

    def _digest(self, unit: _Unit, edit: Edit | None) -> str:
        begin, end = self._offsets(unit)
        text = self._source.text
        if edit is None:
            text = text[begin:end]
        else:
            text = text[begin : edit.start] + edit.replacement + text[edit.end : end]
        code: CodeType = compile(
            unit.head + text, "<mutant>", "exec", self._flags, dont_inherit=True
        )
        return digest(code)

    def _offsets(self, unit: _Unit) -> tuple[int, int]:
        end = self._source.character_offset(unit.last, len(self._source.line(unit.last)))
        return self._source.character_offset(unit.first, 0), end

    def _unit(self, edit: Edit) -> _Unit:
        """The smallest unit that holds an edit."""
        unit = self._whole
        while True:
            for part in unit.parts:
                begin, end = self._offsets(part)
                if begin <= edit.start and edit.end <= end:
                    unit = part
                    break
            else:
                return unit

    def _cut(self, body: Sequence[ast.stmt], head: str) -> Iterator[_Unit]:
        for first, last, statements in _by_lines(body):
            unit = _Unit(first, last, head)
            only = statements[0] if len(statements) == 1 else None
            if isinstance(only, ast.ClassDef) and self._can_be_cut(only):
                start, _ = self._source.span(only)
                indent = self._source.text[self._source.character_offset(only.lineno, 0) : start]
                below = f"{head}{indent}class {only.name}:\n"
                unit.parts = list(self._cut(only.body, below))
            yield unit

    def _can_be_cut(self, node: ast.ClassDef) -> bool:
        """Whether nothing but the class's name matters to the statements in it."""
        if getattr(node, "type_params", None) or any(
            isinstance(each, (ast.Global, ast.Nonlocal)) for each in node.body
        ):
            return False
        before = self._source.line(node.body[0].lineno)[: node.body[0].col_offset]
        return not before.strip()


def _by_lines(body: Sequence[ast.stmt]) -> Iterator[tuple[int, int, list[ast.stmt]]]:
    """Statements that share no line with others, or together with those that they share with."""
    group: list[ast.stmt] = []
    last = 0
    for statement in body:
        if group and _first_line(statement) > last:
            yield _first_line(group[0]), last, group
            group = []
        group.append(statement)
        last = max(last, statement.end_lineno or statement.lineno)
    if group:
        yield _first_line(group[0]), last, group


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def _future_flags(tree: ast.Module) -> int:
    flags = 0
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            for alias in node.names:
                feature = getattr(__future__, alias.name, None)
                flags |= int(getattr(feature, "compiler_flag", 0))
    return flags


def _told(error: BaseException) -> str:
    told = (getattr(error, "msg", None) or str(error)).split("\n")[0]
    return f"{type(error).__name__}: {told}"
