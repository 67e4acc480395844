"""What an operator is, and the source text it works on."""

from __future__ import annotations

import ast
import bisect
import io
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final


@dataclass(frozen=True)
class Edit:
    """Replace the text from ``start`` to ``end`` (character offsets) by ``replacement``."""

    start: int
    end: int
    replacement: str

    def apply(self, text: str) -> str:
        """The edited text."""
        return text[: self.start] + self.replacement + text[self.end :]


@dataclass(frozen=True)
class Example:
    """One edit that an operator makes: among its edits of ``before``, one gives ``after``."""

    before: str
    after: str


@dataclass(frozen=True)
class Token:
    """A token of the source, by character offsets."""

    start: int
    end: int
    text: str
    kind: int
    """As :mod:`token` numbers them."""


_LAYOUT = frozenset({tokenize.NEWLINE, tokenize.NL, tokenize.COMMENT, tokenize.INDENT,
                     tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER})  # fmt: skip

TRUE_POSITIONS: Final = sys.version_info >= (3, 12)
"""Does the interpreter know where things are inside f-strings?"""

_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SHARED = (ast.expr_context, ast.operator, ast.boolop, ast.cmpop, ast.unaryop)


class Source:
    """A source text with its syntax tree, and the ways between nodes and offsets.

    ``ast`` counts columns in UTF-8 bytes; everything here counts characters.

    Raises:
        SyntaxError: The text doesn't parse.
    """

    def __init__(self, text: str) -> None:
        """Parse a text.

        Args:
            text: Its lines end in one newline character each, as Python itself reads them.
        """
        self.text = text
        self.tree = ast.parse(text)
        self._lines = text.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._ascii = [line.isascii() for line in self._lines]
        self._parents: dict[int, ast.AST] = {}
        self._nodes: list[ast.AST] = []
        self._index(self.tree)
        self._tokens: list[Token] | None = None
        self._token_starts: list[int] = []

    def _index(self, root: ast.AST) -> None:
        stack = [root]
        while stack:
            node = stack.pop()
            self._nodes.append(node)
            below = list(ast.iter_child_nodes(node))
            for child in below:
                # Contexts and operators are shared objects: their parent means nothing.
                if not isinstance(child, _SHARED):
                    self._parents[id(child)] = node
            stack.extend(reversed(below))

    def walk(self) -> Iterator[ast.AST]:
        """All nodes, each before what it contains, in source order."""
        return iter(self._nodes)

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node that directly contains this one; None for the module."""
        return self._parents.get(id(node))

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes that contain this one, innermost first."""
        above = self.parent(node)
        while above is not None:
            yield above
            above = self.parent(above)

    def offset(self, line: int, byte_column: int) -> int:
        """Character offset of a position as ``ast`` gives it."""
        if self._ascii[line - 1]:
            return self._starts[line - 1] + byte_column
        before = self._lines[line - 1].encode()[:byte_column]
        return self._starts[line - 1] + len(before.decode(errors="replace"))

    def character_offset(self, line: int, column: int) -> int:
        """Character offset of a line (from 1) and a column in characters (from 0)."""
        return self._starts[line - 1] + column

    def position(self, offset: int) -> tuple[int, int]:
        """Line (from 1) and column in characters (from 0) of an offset."""
        line = bisect.bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1]

    def line_count(self) -> int:
        """How many lines the text has."""
        return len(self._lines)

    def line(self, number: int) -> str:
        """A line's text, from 1."""
        return self._lines[number - 1]

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Offsets of a positioned node; decorators are no part of what they decorate."""
        start = self.offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]
        end = self.offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
        return start, end

    def holds(self, node: ast.AST, start: int, end: int) -> bool:
        """Does a positioned node hold what is between two offsets?"""
        first, last = self.span(node)
        return first <= start and end <= last

    def text_of(self, node: ast.AST) -> str:
        """The source text of a positioned node."""
        start, end = self.span(node)
        return self.text[start:end]

    def edit(self, node: ast.AST, replacement: str) -> Edit:
        """Replace a node's text."""
        start, end = self.span(node)
        return self.replace(start, end, replacement)

    def replace(self, start: int, end: int, replacement: str) -> Edit:
        """Replace what is between two offsets, apart from the words beside it.

        ``if(a)or b:`` becomes ``if True:``, and not ``ifTrue:``.
        """
        before, after = self.text[max(start - 1, 0) : start], self.text[end : end + 1]
        if _is_word(replacement[-1:]) and _is_word(after):
            replacement += " "
        if _is_word(before) and _is_word((replacement or after)[:1]):
            replacement = " " + replacement
        return Edit(start, end, replacement)

    def comments(self) -> Iterator[tuple[int, str]]:
        """Line and text of each comment."""
        for kind, word, (line, _), _, _ in self._generate():
            if kind == tokenize.COMMENT:
                yield line, word

    def _generate(self) -> Iterator[tokenize.TokenInfo]:
        return tokenize.generate_tokens(io.StringIO(self.text).readline)

    def tokens(self) -> list[Token]:
        """All tokens but comments and line ends, in order."""
        if self._tokens is None:
            self._tokens = []
            for kind, word, (line, column), (last, end), _ in self._generate():
                if kind not in _LAYOUT:
                    start = self.character_offset(line, column)
                    self._tokens.append(Token(start, self.character_offset(last, end), word, kind))
            self._token_starts = [token.start for token in self._tokens]
        return self._tokens

    def tokens_between(self, start: int, end: int) -> list[Token]:
        """Tokens that lie wholly between two offsets."""
        tokens = self.tokens()
        index = bisect.bisect_left(self._token_starts, start)
        found = []
        while index < len(tokens) and tokens[index].end <= end:
            found.append(tokens[index])
            index += 1
        return found

    def infix(self, left: ast.AST, right: ast.AST) -> tuple[int, int]:
        """Where the operator between two neighbouring operands is: ``<``, ``not in``, ``and``."""
        between = self.tokens_between(self.span(left)[1], self.span(right)[0])
        own = [token for token in between if token.text not in ("(", ")")]
        return own[0].start, own[-1].end

    def outer_span(self, node: ast.AST) -> tuple[int, int]:
        """A node's span with the parentheses around it, if it stands in some."""
        start, end = self.span(node)
        tokens = self.tokens()
        while True:
            before = bisect.bisect_left(self._token_starts, start) - 1
            after = bisect.bisect_left(self._token_starts, end)
            if before < 0 or after >= len(tokens):
                return start, end
            left, right = tokens[before], tokens[after]
            if left.text != "(" or right.text != ")" or self._is_call(before, node):
                return start, end
            start, end = left.start, right.end

    def _is_call(self, paren: int, node: ast.AST) -> bool:
        """Does the parenthesis open a call, a definition's parameters or a class's bases?"""
        parent = self.parent(node)
        if isinstance(parent, (ast.Call, ast.ClassDef)) and paren > 0:
            before = self.tokens()[paren - 1]
            opener = parent.func if isinstance(parent, ast.Call) else None
            if opener is None:
                # Behind the name, or behind its type parameters.
                return before.text in (getattr(parent, "name", ""), "]")
            if opener is node:
                return False
            return (
                before.end >= self.span(opener)[1]
                and before.text != ","
                and (before.end == self.outer_end(opener))
            )
        return False

    def outer_end(self, node: ast.AST) -> int:
        """Where a node ends, closing parentheses around it included."""
        return self.outer_span(node)[1]

    def in_fstring(self, node: ast.AST) -> bool:
        """Does the node lie inside an f-string?"""
        return any(isinstance(above, ast.JoinedStr) for above in self.ancestors(node))

    def qualname(self, node: ast.AST) -> str:
        """Dotted name of the innermost definition that holds the node; ``<module>`` if none."""
        names: list[str] = []
        inner = node
        for above in self.ancestors(node):
            if isinstance(above, _NAMED) and in_body(above, inner):
                names.append(above.name)
            inner = above
        return ".".join(reversed(names)) or "<module>"

    def enclosing_statement(self, node: ast.AST) -> ast.stmt | None:
        """The innermost statement that is, or holds, the node."""
        if isinstance(node, ast.stmt):
            return node
        for above in self.ancestors(node):
            if isinstance(above, ast.stmt):
                return above
        return None


def in_body(definition: ast.AST, child: ast.AST) -> bool:
    """Is ``child`` a statement of the definition's body, not a default, decorator or annotation?"""
    return child in getattr(definition, "body", ())


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def needs_parentheses(node: ast.AST) -> bool:
    """Would the text of this expression change its meaning beside another operator?"""
    return isinstance(
        node,
        (ast.NamedExpr, ast.Lambda, ast.IfExp, ast.BoolOp, ast.Compare, ast.BinOp, ast.UnaryOp,
         ast.Await, ast.Yield, ast.YieldFrom, ast.Starred),
    )  # fmt: skip


def paren(node: ast.AST, text: str) -> str:
    """The text in parentheses where the node needs them to stand beside an operator."""
    return f"({text})" if needs_parentheses(node) else text


class Operator:
    """One kind of change.

    Subclasses say what they look at in ``node_types`` and yield edits for one node at a time.
    """

    name: ClassVar[str]
    """Unique, in kebab case."""
    family: ClassVar[str]
    """The module's name."""
    description: ClassVar[str]
    """What it changes, in one sentence."""
    shared_with: ClassVar[tuple[str, ...]] = ()
    """Other tools that have the same change."""
    examples: ClassVar[tuple[Example, ...]]
    string_only: ClassVar[bool] = False
    """Only the text of a string literal changes."""
    since: ClassVar[tuple[int, int]] = (3, 10)
    """The first Python on which it applies."""
    node_types: ClassVar[tuple[type[ast.AST], ...]]

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """The changes of this kind at one node."""
        raise NotImplementedError
