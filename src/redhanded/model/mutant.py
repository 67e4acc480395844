"""A mutant: one span of source text, replaced."""

from __future__ import annotations

from typing import Literal

import msgspec

Viability = Literal["viable", "unviable", "equivalent", "duplicate"]


class Position(msgspec.Struct, frozen=True, order=True):
    """A place in a source text."""

    line: int
    """Line number, from 1."""
    column: int
    """Column in characters (not bytes), from 0."""


class Mutant(msgspec.Struct, frozen=True):
    """One planted defect: the text from ``start`` to ``end`` becomes ``replacement``."""

    id: str
    """Stable across unrelated edits: a digest of path, enclosing qualified name, operator,
    original and replacement text, and an ordinal among equals."""
    file: str
    """POSIX path relative to the repository's root."""
    start: Position
    end: Position
    """Exclusive."""
    operator: str
    original: str
    replacement: str
    function: str
    """Qualified name of the innermost enclosing function or class, ``<module>`` outside one."""
    lines: tuple[int, int]
    """First and last line of the place that a test must execute to reach the mutant: the
    enclosing simple statement or compound header; the whole enclosing code block where that
    statement has no executable line of its own."""
    static: bool = False
    """True where the code runs at import (module or class level, default, decorator)."""
    string_only: bool = False
    """True where only the text of a string literal changed."""
    viability: Viability = "viable"
    duplicate_of: str | None = None
    """Id of the mutant with the same code object, where ``viability`` is ``duplicate``."""
    reason: str | None = None
    """Why the mutant is unviable, in one line."""
