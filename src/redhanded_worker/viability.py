"""Does a mutant compile, and to what?

A file is compiled in units, the smallest parts that compile by themselves to the code that they
have in it: a top-level statement, a statement of a class under nothing but the class's head, or
an item of a long table.
"""

from __future__ import annotations
import __future__

import ast
import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Final

from redhanded_worker.compare import digest
from redhanded_worker.operators.base import Edit, Source

_REFUSALS = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError)


_TABLE: Final = 30
"""Lines from which on a statement outside functions is a long one."""


@dataclass
class _Unit:
    """A part of a file that compiles by itself."""

    begin: int
    end: int
    head: str = ""
    """What comes before it: the lines that open the classes it is in, or what makes a statement
    of an expression."""
    tail: str = ""
    parts: list[_Unit] = field(default_factory=list)
    """In source order; they don't overlap."""
    original: str | None = None
    """Digest of the unchanged code."""

    @property
    def is_item(self) -> bool:
        """Is it an expression, which something else than syntax may run on from?"""
        return bool(self.tail)


@dataclass(frozen=True)
class Verdict:
    """What became of an edit."""

    code: tuple[int, int, str] | None
    """Stands for the code that the edited unit, from one offset to another, compiles to; None
    where it doesn't."""
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
        self._whole = _Unit(0, len(source.text))
        self._whole.parts = list(self._cut(source.tree.body, ""))

    def judge(self, edit: Edit, *, own: bool = True) -> Verdict:
        """Compile an edit and compare it with the original.

        Args:
            edit: The change.
            own: It replaces a whole piece of syntax by another; any other change may join what it
                is in with what comes after.
        """
        unit = self._unit(edit, own)
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
        return Verdict((unit.begin, unit.end, code), equivalent=code == unit.original)

    def _digest(self, unit: _Unit, edit: Edit | None) -> str:
        text = self._source.text
        if edit is None:
            text = text[unit.begin : unit.end]
        else:
            text = text[unit.begin : edit.start] + edit.replacement + text[edit.end : unit.end]
        code: CodeType = compile(
            unit.head + text + unit.tail, "<mutant>", "exec", self._flags, dont_inherit=True
        )
        return digest(code)

    def _unit(self, edit: Edit, own: bool) -> _Unit:
        """The smallest unit that holds an edit."""
        unit = self._whole
        while True:
            at = bisect.bisect_right(unit.parts, edit.start, key=lambda part: part.begin) - 1
            if at < 0 or edit.end > unit.parts[at].end or (unit.parts[at].is_item and not own):
                return unit
            unit = unit.parts[at]

    def _cut(self, body: Sequence[ast.stmt], head: str) -> Iterator[_Unit]:
        for first, last, statements in _by_lines(body):
            end = self._source.character_offset(last, len(self._source.line(last)))
            unit = _Unit(self._source.character_offset(first, 0), end, head)
            only = statements[0] if len(statements) == 1 else None
            if isinstance(only, ast.ClassDef) and self._can_be_cut(only):
                start, _ = self._source.span(only)
                indent = self._source.text[self._source.character_offset(only.lineno, 0) : start]
                below = f"{head}{indent}class {only.name}:\n"
                unit.parts = list(self._cut(only.body, below))
            elif isinstance(only, (ast.Assign, ast.AnnAssign, ast.Expr)) and last - first > _TABLE:
                unit.parts = list(self._items(only.value))
            yield unit

    def _items(self, node: ast.expr | None) -> Iterator[_Unit]:
        """The items of a table: other code in one is other code in the whole."""
        items: list[ast.expr | None] = []
        if isinstance(node, ast.Dict):
            items = [each for pair in zip(node.keys, node.values, strict=True) for each in pair]
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            items = [*node.elts]
        elif isinstance(node, ast.Call):
            items = [*node.args, *(keyword.value for keyword in node.keywords)]
        units = []
        for item in items:
            if item is not None and not isinstance(item, ast.Starred):
                begin, end = self._source.outer_span(item)
                units.append(_Unit(begin, end, "_ = (", ")", list(self._items(item))))
        yield from sorted(units, key=lambda unit: unit.begin)

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
