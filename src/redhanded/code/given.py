"""A mutant that came from elsewhere, and the source text that it is a span of."""

from __future__ import annotations

import contextlib
import io
import os
import tokenize
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import msgspec

from redhanded.errors import UsageError
from redhanded.model.mutant import Position

_OPERATOR_CHARACTERS = frozenset("=<>!+-*/%&|^~@:")


class Given(msgspec.Struct, frozen=True):
    """One mutant from elsewhere, as the plan request's ``given`` takes it."""

    file: str
    """POSIX path relative to the root."""
    start: Position
    end: Position
    """Exclusive."""
    replacement: str
    operator: str = "given"


class MisfitError(UsageError):
    """The source has no place for a mutant: it isn't the text that the mutant was made of."""


class Misfits:
    """Where mutants go that don't fit the source."""

    def __init__(self, reasons: list[str] | None) -> None:
        self._reasons = reasons
        """None: the first misfit is an error."""

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """Go on after a mutant that doesn't fit, if that is what was asked."""
        try:
            yield
        except MisfitError as error:
            if self._reasons is None:
                raise
            self._reasons.append(str(error))


class SourceText:
    """The text of one file as Python reads it: decoded, each line ending in one newline character.

    Line and column are the same in it as in the file itself, whatever its line ends are.
    """

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self.lines = text.split("\n")
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def offset(self, position: Position, where: str) -> int:
        """The character offset of a position; ``where`` begins the message if there is none."""
        if not 1 <= position.line <= len(self.lines):
            raise MisfitError(
                f"{where}: line {position.line} is outside {self.file}, "
                f"which has lines 1 to {len(self.lines)}.",
                hint="Lines count from 1.",
            )
        width = len(self.lines[position.line - 1])
        if not 0 <= position.column <= width:
            raise MisfitError(
                f"{where}: column {position.column} is outside line {position.line} of "
                f"{self.file}, which has columns 0 to {width}.",
                hint="Columns count from 0, in characters.",
            )
        return self._starts[position.line - 1] + position.column

    def position(self, offset: int) -> Position:
        """The position of a character offset."""
        line = self.text.count("\n", 0, offset) + 1
        return Position(line, offset - self._starts[line - 1])

    def change(self, start: int, end: int, replacement: str, operator: str) -> Given:
        """The mutant that replaces the text between two offsets."""
        return Given(self.file, self.position(start), self.position(end), replacement, operator)

    def change_to(self, changed: str, operator: str) -> Given:
        """The mutant that turns this text into ``changed``, which differs from it.

        The span runs from the first to the last differing character, widened to whole words
        and whole operators, so that ``<`` for ``<=`` is read as what it is.
        """
        text = self.text
        start = _alike(text, changed)
        tail = _alike(text[start:][::-1], changed[start:][::-1])
        first = {_kind(side[start : len(side) - tail][:1]) for side in (text, changed)}
        while start and _kind(text[start - 1]) and _kind(text[start - 1]) in first:
            start -= 1
        last = {_kind(side[start : len(side) - tail][-1:]) for side in (text, changed)}
        while tail and _kind(text[-tail]) and _kind(text[-tail]) in last:
            tail -= 1
        return self.change(start, len(text) - tail, changed[start : len(changed) - tail], operator)


def _alike(first: str, second: str) -> int:
    """How many characters two texts begin with alike; halving is fast where files are long."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _kind(character: str) -> str:
    if character.isalnum() or character == "_":
        return "word"
    return "operator" if character in _OPERATOR_CHARACTERS else ""


class Sources:
    """The files under one root, each read once."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._texts: dict[str, SourceText] = {}

    def get(self, named: str, where: str) -> SourceText:
        """The text of the file that something calls ``named``."""
        file = self._inside(named, where)
        if file not in self._texts:
            self._texts[file] = SourceText(file, self._read(file, where))
        return self._texts[file]

    def _inside(self, named: str, where: str) -> str:
        """The path relative to the root, in its one spelling."""
        joined = Path(os.path.normpath(self.root / named))
        if not joined.is_relative_to(self.root) or not joined.resolve().is_relative_to(self.root):
            raise UsageError(
                f"{where}: {named} is outside {self.root}.",
                hint="Name files by their path relative to the root of the repository.",
            )
        return PurePosixPath(joined.relative_to(self.root)).as_posix()

    def _read(self, file: str, where: str) -> str:
        path = self.root / file
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise MisfitError(
                f"{where}: there is no file {file} in {self.root}.",
                hint="Name files by their path relative to the root of the repository.",
            ) from None
        except OSError as error:
            raise UsageError(f"{where}: {file} can't be read: {error.strerror}.") from error
        return decode(data, f"{where}: {file}")


def decode(data: bytes, where: str) -> str:
    """Python source as text, each line ending in one newline character."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError) as error:
        raise UsageError(f"{where} can't be decoded as Python source: {error}.") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")
