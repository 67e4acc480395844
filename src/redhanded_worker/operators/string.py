"""Strings: only the text of a literal changes.

What survives here is counted, but shown apart: texts meant for people are rarely compared.
"""

from __future__ import annotations

import ast
import sys
import token
from collections.abc import Iterator
from typing import Final

from redhanded_worker.operators.base import Edit, Example, Operator, Source

MARK: Final = "XX"
"""What is put around a text."""

_FSTRING_START = getattr(token, "FSTRING_START", None)
_FSTRING_END = getattr(token, "FSTRING_END", None)


class StringMarked(Operator):
    """``"text"`` is ``"XXtextXX"``."""

    name = "string-marked"
    family = "string"
    description = "A string or bytes literal has XX before and after its text."
    shared_with = ("mutmut", "poodle")
    examples = (
        Example("y = 'a'\n", "y = 'XXaXX'\n"),
        Example("y = f(rb'''a\nb''')\n", "y = f(rb'''XXa\nbXX''')\n"),
        Example("y = ('a'  # one\n     \"b\")\n", "y = ('XXa'  # one\n     \"bXX\")\n"),
        Example("y = s + ''\n", "y = s + 'XX'\n"),
    )
    string_only = True
    node_types = (ast.Constant,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Mark the text: once where it is empty."""
        assert isinstance(node, ast.Constant)
        if not _is_text(node, source):
            return
        start, end = source.span(node)
        pieces = source.tokens_between(start, end)
        head, _ = _quotes(pieces[0].text)
        _, tail = _quotes(pieces[-1].text)
        text = source.text[start:end]
        inner = text[head : len(text) - tail]
        marked = MARK + inner + MARK if node.value else inner + MARK
        yield Edit(start, end, text[:head] + marked + text[len(text) - tail :])


class StringEmptied(Operator):
    """``"text"`` is ``""``."""

    name = "string-emptied"
    family = "string"
    description = "A string or bytes literal becomes empty."
    shared_with = ("mutpy", "Stryker")
    examples = (
        Example("y = 'a'\n", "y = \"\"\n"),
        Example("def f(): return'a' \"b\"\n", "def f(): return\"\"\n"),
        Example("y = f(rb'''a\nb''')\n", "y = f(b\"\")\n"),
    )  # fmt: skip
    string_only = True
    node_types = (ast.Constant,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Empty it, unless it is formatted with ``%``, which then only crashes."""
        assert isinstance(node, ast.Constant)
        if not node.value or not _is_text(node, source):
            return
        above = source.parent(node)
        if not (isinstance(above, ast.BinOp) and isinstance(above.op, ast.Mod)):
            yield source.edit(node, 'b""' if isinstance(node.value, bytes) else '""')


class FStringMarked(Operator):
    """``f"a {x}"`` is ``f"XXa XX{x}"``."""

    name = "fstring-marked"
    family = "string"
    description = "A piece of text in an f-string has XX before and after it."
    shared_with = ()
    examples = (
        Example("y = f'a {x} b'\n", "y = f'XXa XX{x} b'\n"),
        Example("y = f'a {x} b'\n", "y = f'a {x}XX bXX'\n"),
        Example("y = f'{x!r:>{n}},{{é}}{y}'\n", "y = f'{x!r:>{n}}XX,{{é}}XX{y}'\n"),
        Example("y = ('a'  # one\n     f'{x}')\n", "y = ('XXaXX'  # one\n     f'{x}')\n"),
    )
    string_only = True
    since = (3, 12)
    node_types = (ast.JoinedStr,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Mark each piece; not those that say how to format a value."""
        if sys.version_info < self.since or isinstance(source.parent(node), ast.FormattedValue):
            return
        for start, end in _pieces(node, source):
            yield Edit(start, end, MARK + source.text[start:end] + MARK)


def _is_text(node: ast.Constant, source: Source) -> bool:
    """Whether it is a literal of its own: no docstring, no piece of an f-string."""
    return isinstance(node.value, (str, bytes)) and not isinstance(
        source.parent(node), (ast.JoinedStr, ast.Expr)
    )


def _quotes(literal: str) -> tuple[int, int]:
    """Lengths of a string token's prefix with its quotes, and of its closing quotes."""
    prefix = min(at for at in (literal.find("'"), literal.find('"')) if at >= 0)
    quote = literal[prefix]
    width = 3 if literal.startswith(quote * 3, prefix) and len(literal) >= prefix + 6 else 1
    return prefix + width, width


def _pieces(node: ast.AST, source: Source) -> Iterator[tuple[int, int]]:
    """The texts between the fields of an f-string, and those of plain strings beside it."""
    depth = 0
    fields: list[int] = []
    start = None
    for each in source.tokens_between(*source.span(node)):
        if each.kind == _FSTRING_START:
            depth += 1
            start = each.end if depth == 1 else start
            continue
        if each.kind == token.STRING and depth == 0:
            head, tail = _quotes(each.text)
            yield from _unless_empty(each.start + head, each.end - tail)
        elif depth == 1 and each.kind == _FSTRING_END:
            assert start is not None
            yield from _unless_empty(start, each.start)
        elif depth == 1 and each.text == "{" and each.kind == token.OP:
            if not fields:
                assert start is not None
                yield from _unless_empty(start, each.start)
            fields.append(each.start)
        elif depth == 1 and each.text == "}" and each.kind == token.OP:
            fields.pop()
            start = each.end
        depth -= each.kind == _FSTRING_END


def _unless_empty(start: int, end: int) -> Iterator[tuple[int, int]]:
    if end > start:
        yield start, end


OPERATORS = (StringMarked(), StringEmptied(), FStringMarked())
