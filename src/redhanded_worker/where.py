"""Where an edit is: in which function, on which lines, run at import or not."""

from __future__ import annotations

import ast
import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType

from redhanded_worker.operators.base import TRUE_POSITIONS, Source

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


@dataclass(frozen=True)
class Place:
    """Where an edit is."""

    function: str
    """Qualified name of the innermost definition; ``<module>`` outside one."""
    lines: tuple[int, int]
    """First and last line of what has to be executed for the edit to be reached."""
    static: bool
    """The code runs when the module is imported."""


@dataclass
class _Path:
    """What is met on the way down to an edit."""

    names: list[str] = field(default_factory=list)
    codes: list[tuple[str, int]] = field(default_factory=list)
    """Name and first line of each definition's code object, outermost first."""
    in_function: bool = False


class Places:
    """Finds where edits are in one source."""

    def __init__(self, source: Source) -> None:
        """Prepare.

        Args:
            source: The text.
        """
        self._source = source
        self._lines: dict[tuple[str, int], set[int]] | None = None
        self._starts: dict[int, int] = {}
        self._bodies: dict[int, int | None] = {}
        self._lambdas = [
            (source.span(node.body)[0], source.span(node)[1])
            for node in source.walk()
            if isinstance(node, ast.Lambda) and (TRUE_POSITIONS or not source.in_fstring(node))
        ]

    def find(self, start: int, end: int) -> Place:
        """The place of an edit from one character offset to another."""
        path = _Path()
        owner: ast.AST = self._source.tree
        first, last = 1, self._source.line_count()
        while True:
            inner = self._block_of(owner, start, end)
            if inner is None:
                break
            name, block = inner
            self._enter(owner, name, path)
            held = self._holding(block, start, end)
            if held is None:
                first, last = self._touched(block, start, end)
                break
            owner = held
            first, last = self._header(held, start, end)
            if self._is_before_body(held, start, end):
                path.in_function = path.in_function or self._is_in_lambda(start, end)
                break
        return Place(
            ".".join(path.names) or "<module>",
            self._executable(path, first, last),
            not path.in_function,
        )

    def _start(self, node: ast.AST) -> int:
        """Where a statement, handler or case begins: decorators and keyword included."""
        known = self._starts.get(id(node))
        if known is None:
            known = self._starts[id(node)] = self._find_start(node)
        return known

    def _find_start(self, node: ast.AST) -> int:
        source = self._source
        decorators = getattr(node, "decorator_list", None)
        if decorators:
            return source.character_offset(decorators[0].lineno, 0)
        if not isinstance(node, ast.match_case):
            return source.span(node)[0]
        start = source.span(node.pattern)[0]
        keywords = [t.start for t in source.tokens_between(0, start) if t.text == "case"]
        return keywords[-1]

    def _end(self, node: ast.AST) -> int:
        if isinstance(node, ast.match_case):
            return self._source.span(node.body[-1])[1]
        return self._source.span(node)[1]

    def _block_of(
        self, owner: ast.AST, start: int, end: int
    ) -> tuple[str, Sequence[ast.AST]] | None:
        """The block of the node that holds the offsets; a module's holds all."""
        for name in _BLOCKS:
            block = getattr(owner, name, None)
            # A lambda's and a conditional expression's body is no list.
            if not isinstance(block, list) or not block:
                continue
            if isinstance(owner, ast.Module):
                return name, block
            if self._start(block[0]) <= start and end <= self._end(block[-1]):
                return name, block
        return None

    def _enter(self, owner: ast.AST, block: str, path: _Path) -> None:
        if isinstance(owner, (*_FUNCTIONS, ast.ClassDef)) and block == "body":
            line = min([owner.lineno, *(each.lineno for each in owner.decorator_list)])
            path.names.append(owner.name)
            path.codes.append((owner.name, line))
            path.in_function = path.in_function or isinstance(owner, _FUNCTIONS)

    def _holding(self, block: Sequence[ast.AST], start: int, end: int) -> ast.AST | None:
        """The member of the block that holds the offsets."""
        at = bisect.bisect_right(block, start, key=self._start)
        for index in (at - 1, at - 2):
            # An empty range may lie at the end of one and the start of the next.
            if 0 <= index < len(block):
                node = block[index]
                if self._start(node) <= start and end <= self._end(node):
                    return node
        return None

    def _touched(self, block: Sequence[ast.AST], start: int, end: int) -> tuple[int, int]:
        """First and last line of the members that an edit across several touches."""
        touched = [n for n in block if self._start(n) <= end and start <= self._end(n)]
        if not touched:
            after = [node for node in block if self._start(node) > end]
            touched = after[:1] or list(block[-1:])
        first, _ = self._source.position(self._start(touched[0]))
        last, _ = self._source.position(self._end(touched[-1]))
        return first, last

    def _body_start(self, node: ast.AST) -> int | None:
        """Where the first block of a node begins; None where it has none."""
        if id(node) not in self._bodies:
            blocks = (getattr(node, name, None) for name in _BLOCKS)
            starts = [self._start(each[0]) for each in blocks if isinstance(each, list) and each]
            self._bodies[id(node)] = min(starts, default=None)
        return self._bodies[id(node)]

    def _is_before_body(self, node: ast.AST, start: int, end: int) -> bool:
        """Whether the offsets are in a simple statement, or in a compound one's header."""
        body = self._body_start(node)
        return body is None or (start < body and end <= body)

    def _header(self, node: ast.AST, start: int, end: int) -> tuple[int, int]:
        """Lines of a simple statement, or from a compound one's beginning to its colon.

        What is beyond the colon and in no block is only reached with the whole statement.
        """
        first, _ = self._source.position(self._start(node))
        body = self._body_start(node)
        if body is None or not self._is_before_body(node, start, end):
            return first, self._source.position(self._end(node))[0]
        before = self._source.tokens_between(self._start(node), body)
        return first, self._source.position(before[-1].start)[0]

    def _is_in_lambda(self, start: int, end: int) -> bool:
        """Whether the offsets are in the body of a lambda."""
        return any(first <= start and end <= last for first, last in self._lambdas)

    def _executable(self, path: _Path, first: int, last: int) -> tuple[int, int]:
        """The lines, or all of the innermost code object's where none of them is executable."""
        if self._lines is None:
            self._lines = {}
            for code in _flat(compile(self._source.tree, "<mutants>", "exec", dont_inherit=True)):
                lines = {line for _, _, line in code.co_lines() if line}
                key = (code.co_name, code.co_firstlineno)
                self._lines.setdefault(key, set()).update(lines)
        for key in reversed([("<module>", 1), *path.codes]):
            found = self._lines.get(key)
            if found:
                if any(first <= line <= last for line in found):
                    return first, last
                return min(found), max(found)
        return first, last


def _flat(code: CodeType) -> Iterator[CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _flat(const)
