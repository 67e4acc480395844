"""Texts: changed, emptied, filled.

Texts written in several pieces are changed as one. Left alone are docstrings, texts that name
types, and the values of ``__version__``, ``__slots__`` and their like.
"""

from __future__ import annotations

import ast
import sys
import tokenize
from collections.abc import Iterator

from redhanded_worker.operators._places import beside_surroundings, is_metadata
from redhanded_worker.operators._shared import TYPING_FACTORIES, last_name
from redhanded_worker.operators.base import Edit, Example, Operator, Source, Token

_MARK = "XX"
# They take few texts; any other can only crash.
_PARSERS = frozenset({"encode", "decode", "float", "complex", "lookup"})
_POSITIONS_IN_FSTRINGS = sys.version_info >= (3, 12)


class StringChanged(Operator):
    """``"abc"`` is ``"XXabcXX"``."""

    name = "string-changed"
    family = "string"
    description = "A text begins and ends with XX."
    shared_with = ("mutmut",)
    string_only = True
    examples = (
        Example("y = 'abc'\n", "y = 'XXabcXX'\n"),
        Example('y = rb"""a\n"""\n', 'y = rb"""XXa\nXX"""\n'),
        Example("y = ('a'  # one\n     \"b\")\n", "y = ('XXa'  # one\n     \"bXX\")\n"),
        Example('y = f"{a} b" "c"\n', 'y = f"XX{a} b" "cXX"\n'),
    )
    node_types = (ast.Constant, ast.JoinedStr)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Add the mark inside the quotes of the first and of the last piece."""
        if isinstance(node, ast.Constant):
            if not node.value or not _is_text(node, source):
                return
        elif _is_format(node, source) or _is_left_alone(node, source):
            return
        start, end = source.span(node)
        tokens = source.tokens_between(start, end)
        if tokens:
            first, last = start + _opening(tokens[0].text), end - _closing(tokens[-1].text)
            middle = source.text[first:last]
            yield Edit(first, last, f"{_MARK}{middle}{_MARK}")


class StringEmptied(Operator):
    """``"abc"`` is ``""``."""

    name = "string-emptied"
    family = "string"
    description = "A text is empty."
    shared_with = ("cosmic-ray", "mutpy", "Stryker", "PIT", "cargo-mutants")
    string_only = True
    examples = (
        Example("y = 'abc'\n", "y = ''\n"),
        Example('y = rb"""a\n"""\n', 'y = rb""\n'),
        Example("y = ('a'  # one\n     \"b\")\n", "y = ('')\n"),
    )
    node_types = (ast.Constant,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the text and keep its prefix and quote."""
        assert isinstance(node, ast.Constant)
        if not node.value or not _is_text(node, source) or _is_percent_format(node, source):
            return
        text = source.text_of(node)
        prefix = text[: _prefix(text)]
        quote = text[len(prefix)]
        yield source.edit(node, f"{prefix}{quote}{quote}")


class StringFilled(Operator):
    """``""`` is ``"XX"``."""

    name = "string-filled"
    family = "string"
    description = "An empty text becomes XX."
    shared_with = ("mutmut", "cosmic-ray", "Stryker")
    string_only = True
    examples = (
        Example("y = ''\n", "y = 'XX'\n"),
        Example('y = b""""""if x else a\n', 'y = b"""XX"""if x else a\n'),
    )
    node_types = (ast.Constant,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Put the mark inside the quotes of the first piece."""
        assert isinstance(node, ast.Constant)
        if node.value or not _is_text(node, source):
            return
        at = source.span(node)[0] + _opening(source.text_of(node))
        yield Edit(at, at, _MARK)


class FStringPartEmptied(Operator):
    """``f"a {b} c"`` is ``f"{b} c"``."""

    name = "f-string-part-emptied"
    family = "string"
    description = "The text before, between or behind the values of an f-string is left out."
    shared_with = ()
    string_only = True
    since = (3, 12)
    examples = (
        Example('y = f"ab {c:>{d}} ef"\n', 'y = f"{c:>{d}} ef"\n'),
        Example('y = f"ab {c:>{d}} ef"\n', 'y = f"ab {c:>{d}}"\n'),
        Example('y = "a" f"{b}" f"cd"\n', 'y = "a" f"{b}" f""\n'),
    )
    node_types = (ast.JoinedStr,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Remove each piece that is more than a blank or a bracket.

        Before Python 3.12 neither the tree nor the tokens tell where the pieces are.
        """
        if not _POSITIONS_IN_FSTRINGS or _is_format(node, source) or _is_left_alone(node, source):
            return
        for piece in _pieces(source.tokens_between(*source.span(node))):
            told = source.text[piece.start : piece.end]
            # The tokenizer counts doubled braces wrongly.
            if told == piece.text and not set(told) & set("{}") and len(told.strip()) > 1:
                yield Edit(piece.start, piece.end, "")


def _pieces(tokens: list[Token]) -> Iterator[Token]:
    """The pieces of text of f-strings, without those inside their braces."""
    depth = 0
    for token in tokens:
        kind = tokenize.tok_name[token.kind]
        if kind == "FSTRING_MIDDLE":
            if depth == 0:
                yield token
        elif kind == "OP":
            depth += {"{": 1, "}": -1}.get(token.text, 0)


def _is_text(node: ast.Constant, source: Source) -> bool:
    """Whether the constant is a text that stands by itself and is to be changed."""
    if not isinstance(node.value, (str, bytes)) or _is_left_alone(node, source):
        return False
    # The pieces of f-strings are constants, too.
    return not isinstance(source.parent(node), ast.JoinedStr)


def _is_percent_format(node: ast.Constant, source: Source) -> bool:
    """Whether values are to be put into the text, so that an empty one can only crash."""
    parent = source.parent(node)
    return isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mod) and parent.left is node


def _is_format(node: ast.AST, source: Source) -> bool:
    """Whether this is the ``>10`` of ``f"{x:>10}"``."""
    parent = source.parent(node)
    return isinstance(parent, ast.FormattedValue) and parent.format_spec is node


def _is_left_alone(node: ast.AST, source: Source) -> bool:
    if source.in_fstring(node) and not _POSITIONS_IN_FSTRINGS:
        return True
    parent = source.parent(node)
    if isinstance(parent, ast.Expr):
        return True
    if isinstance(parent, ast.Call) and last_name(parent.func) in TYPING_FACTORIES | _PARSERS:
        # Not the text that a method is called on.
        return node in parent.args
    if isinstance(parent, ast.keyword) and parent.arg == "encoding":
        return True
    return beside_surroundings(node, source) or is_metadata(node, source)


def _prefix(text: str) -> int:
    """How many letters stand before the quote."""
    return min(at for at in (text.find("'"), text.find('"')) if at >= 0)


def _opening(text: str) -> int:
    """Length of the prefix and the opening quotes of a token."""
    prefix = _prefix(text)
    quote = text[prefix]
    return prefix + (3 if text[prefix:].startswith(quote * 3) else 1)


def _closing(text: str) -> int:
    """Length of the closing quotes of a token."""
    tripled = text[_prefix(text) :].startswith(text[-1] * 3)
    return 3 if tripled and text.endswith(text[-1] * 3) else 1


OPERATORS: tuple[Operator, ...] = (
    StringChanged(),
    StringEmptied(),
    StringFilled(),
    FStringPartEmptied(),
)
