"""Mutants as they are read from a file, and applied to a text."""

from __future__ import annotations

import io
import json
import random
import tokenize
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.oracle.errors import RefusedError

Place = tuple[str, int, int, int, int, str]
"""File, start line and column, end line and column, replacement: what a mutant is, whatever
anybody calls it."""


@dataclass(frozen=True)
class Mutant:
    """One span of a file, replaced."""

    id: str
    file: str
    start: tuple[int, int]
    """Line from 1, column in characters from 0."""
    end: tuple[int, int]
    replacement: str
    original: str | None = None
    viability: str = "viable"
    raw: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """The line that it was read from."""

    @property
    def place(self) -> Place:
        """What the mutant is."""
        return (self.file, *self.start, *self.end, self.replacement)


def parse(record: Mapping[str, Any], where: str) -> Mutant:
    """A mutant from a JSON object.

    Raises:
        RefusedError: It isn't one.
    """
    try:
        return Mutant(
            id=str(record["id"]),
            file=str(record["file"]),
            start=(int(record["start"]["line"]), int(record["start"]["column"])),
            end=(int(record["end"]["line"]), int(record["end"]["column"])),
            replacement=str(record["replacement"]),
            original=record.get("original"),
            viability=str(record.get("viability", "viable")),
            raw=record,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise RefusedError(
            f"{where}: expected a mutant with id, file, start, end and replacement, found one "
            f"without a usable {error}"
        ) from None


def read_mutants(path: Path) -> list[Mutant]:
    """Read a file with one JSON object a line.

    Raises:
        RefusedError: A line is no mutant, or two have one id.
    """
    mutants = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if line.strip():
            try:
                record = json.loads(line)
            except ValueError as error:
                raise RefusedError(f"{path}:{number}: expected JSON, found: {error}") from None
            mutants.append(parse(record, f"{path}:{number}"))
    ids = [mutant.id for mutant in mutants]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        raise RefusedError(f"{path}: expected an id once, found {twice[0]} more than once")
    return mutants


def write_mutants(path: Path, mutants: Iterable[Mutant]) -> None:
    """Write mutants as they were read."""
    lines = [json.dumps(mutant.raw, ensure_ascii=False) + "\n" for mutant in mutants]
    path.write_text("".join(lines), encoding="utf-8")


def sample(mutants: Sequence[Mutant], cap: int | None, seed: int) -> list[Mutant]:
    """At most ``cap`` mutants, chosen by ``seed``, in their own order."""
    if cap is None or len(mutants) <= cap:
        return list(mutants)
    chosen = random.Random(seed).sample(range(len(mutants)), cap)
    return [mutants[at] for at in sorted(chosen)]


def mutated(data: bytes, mutant: Mutant) -> bytes:
    """A file's bytes with a mutant applied.

    Raises:
        RefusedError: The mutant doesn't fit the file.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    text = data.decode(encoding)
    # Lines as Python counts them: form feeds and Unicode's separators end none.
    lines = list(io.StringIO(text, newline=""))
    start, end = _offset(lines, mutant.start, mutant), _offset(lines, mutant.end, mutant)
    found = text[start:end]
    if mutant.original is not None and _newlines(found) != _newlines(mutant.original):
        raise RefusedError(
            f"mutant {mutant.id} of {mutant.file}: expected {mutant.original!r} at line "
            f"{mutant.start[0]}, found {found!r}"
        )
    return (text[:start] + mutant.replacement + text[end:]).encode(encoding)


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _offset(lines: Sequence[str], place: tuple[int, int], mutant: Mutant) -> int:
    line, column = place
    if line == len(lines) + 1 and column == 0:
        return sum(map(len, lines))
    if not 1 <= line <= len(lines) or not 0 <= column <= len(lines[line - 1]):
        raise RefusedError(
            f"mutant {mutant.id} of {mutant.file}: expected a place in {len(lines)} lines, found "
            f"line {line}, column {column}"
        )
    return sum(map(len, lines[: line - 1])) + column
