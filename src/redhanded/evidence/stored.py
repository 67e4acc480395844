"""A run directory, read back: rows, mutants and the result, or which line is bad."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from redhanded.errors import UsageError
from redhanded.model.mutant import Mutant
from redhanded.model.result import FORMAT, Result
from redhanded.model.rows import Row, RunRow, TrialRow

ROWS = "rows.jsonl"
MUTANTS = "mutants.jsonl"
RESULT = "result.json"
INVOCATION = "invocation.json"
SOURCES = "sources"
CRASH = "crash.txt"
LOCK = "lock"
LATEST = "latest"
HOME = ".redhanded"

_T = TypeVar("_T")


@dataclass(frozen=True)
class StoredRun:
    """What a run left."""

    path: Path
    rows: tuple[Row, ...]
    mutants: tuple[Mutant, ...] | None
    """None where the run ended before the mutant set was complete."""
    result: Result | None
    """None where the run did not come to its end."""
    torn: bool = False
    """The last line of the rows was cut off in mid-writing, and dropped."""
    sources: dict[str, str] = field(default_factory=dict)
    """Text of the mutated files as they were when the run ended, where it was kept."""

    @property
    def run(self) -> RunRow | None:
        """What was asked; None where the run ended before it said so."""
        return next((row for row in self.rows if isinstance(row, RunRow)), None)

    @property
    def tried(self) -> int:
        """Number of mutants with at least one finished trial."""
        return len({row.mutant for row in self.rows if isinstance(row, TrialRow)})


def read_run(path: Path) -> StoredRun:
    """Read a run directory.

    Args:
        path: The directory, or a file in it.

    Returns:
        All that lies there. A torn last line of an interrupted run is left out and told.

    Raises:
        UsageError: It is no run directory, or a file in it can't be read; names file and line.
    """
    directory = path.parent if path.is_file() else path
    if not directory.is_dir():
        raise UsageError(
            f"expected a run directory, found nothing at {path}",
            hint="`redhanded show` without a path shows the latest run of this repository",
        )
    if not (directory / ROWS).is_file():
        raise UsageError(
            f"expected a run directory, found no {ROWS} in {directory}",
            hint="give the directory that a run said it was stored in",
        )
    rows, torn = read_rows(directory / ROWS)
    mutants = directory / MUTANTS
    return StoredRun(
        path=directory,
        rows=rows,
        mutants=read_mutants(mutants) if mutants.is_file() else None,
        result=read_result(directory / RESULT) if (directory / RESULT).is_file() else None,
        torn=torn,
        sources=_read_sources(directory / SOURCES),
    )


def read_rows(path: Path) -> tuple[tuple[Row, ...], bool]:
    """Read the rows, and whether the last line was torn.

    Rows are written one line at a time, so only a last line without its line feed can be torn;
    any other line that can't be read was damaged, and is refused.
    """
    data = _read(path)
    whole, _, rest = data.rpartition(b"\n")
    lines = whole.split(b"\n") if whole else []
    if lines:
        _check_format(path, lines[0])
    decoder: msgspec.json.Decoder[Row] = msgspec.json.Decoder(Row)
    return tuple(_decode_lines(path, lines, decoder)), bool(rest)


def read_mutants(path: Path) -> tuple[Mutant, ...]:
    """Read the mutant set, which is never torn: it appears under its name when it is complete."""
    data = _read(path)
    if data and not data.endswith(b"\n"):
        raise UsageError(
            f"{path}: expected a complete list of mutants, found its last line cut off",
            hint="the file was changed after the run; run again",
        )
    return tuple(_decode_lines(path, data.split(b"\n")[:-1], msgspec.json.Decoder(Mutant)))


def read_result(path: Path) -> Result:
    """Read a result.

    Raises:
        UsageError: The file is no result, or one in another format.
    """
    data = _read(path)
    _check_format(path, data)
    try:
        return msgspec.json.decode(data, type=Result)
    except msgspec.MsgspecError as error:
        raise UsageError(
            f"{path}: expected a result, found: {error}",
            hint="`redhanded schema result` prints what a result looks like",
        ) from None


def _decode_lines(path: Path, lines: list[bytes], decoder: msgspec.json.Decoder[_T]) -> list[_T]:
    decoded = []
    for number, line in enumerate(lines, 1):
        try:
            decoded.append(decoder.decode(line))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            kind = "mutant" if path.name == MUTANTS else "row"
            raise UsageError(
                f"{path}:{number}: expected a {kind}, found: {error}",
                hint="the file was changed after the run; run again",
            ) from None
    return decoded


def _check_format(path: Path, data: bytes) -> None:
    """Refuse another format by its name, before its fields are found odd one by one."""
    try:
        head: Any = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return
    found = head.get("format") if isinstance(head, dict) else None
    if found is not None and found != FORMAT:
        raise UsageError(
            f"{path}: expected the format {FORMAT}, found {found}",
            hint="read it with the version of redhanded that wrote it",
        )


def _read_sources(folder: Path) -> dict[str, str]:
    if not folder.is_dir():
        return {}
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode("utf-8", "replace")
        for path in found
    }


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"can't read {path}: {error.strerror}") from None
