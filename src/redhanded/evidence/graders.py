"""The run directory of graders: what was asked and what came of it, case by case.

```
rows.jsonl       one planted output a line, in the order in which cases ended
calls.jsonl      one call of a grader a line: what the rows rest on
result.json      the result; only a run that came to its end has one. Its rows are in rows.jsonl
invocation.json  what the command line asked for
lock             held while the run goes on
crash.txt        the traceback, where redhanded itself failed
```
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final

import msgspec

from redhanded.errors import UnavailableError, UsageError
from redhanded.evidence import stored
from redhanded.evidence.files import empty_folder, write_whole
from redhanded.evidence.home import new_run, point_latest
from redhanded.evidence.lock import DirectoryLock
from redhanded.model.graded import Call, Row
from redhanded.model.graders import FORMAT, CanaryResult, GradersResult

CALLS: Final = "calls.jsonl"
_CANONICAL: Final = msgspec.json.Encoder(order="sorted", enc_hook=repr)


class GradersDirectory:
    """A :class:`redhanded.model.graders.GraderSink` that keeps what it takes on disk.

    Use it as a context manager; made by :meth:`create`.
    """

    def __init__(self, path: Path, *, home: Path | None = None) -> None:
        self.path = path
        """Where the run is stored."""
        self._home = home
        self._lock = DirectoryLock(path / stored.LOCK)
        self._files: tuple[BinaryIO, BinaryIO] | None = None
        self._created = False
        self._writing = threading.Lock()

    @classmethod
    def create(
        cls, root: Path, *, out: Path | None = None, invocation: Mapping[str, object] | None = None
    ) -> GradersDirectory:
        """Begin a new run.

        Args:
            root: The folder whose ``.redhanded`` it goes to unless ``out`` is given.
            out: Another place: a new or an empty folder.
            invocation: What the command line asked for.

        Raises:
            UsageError: ``out`` holds something else, or can't be written to.
        """
        if out is None:
            directory = cls(new_run(root, "graders"), home=root / stored.HOME)
            directory._created = True
        else:
            directory = cls(out)
            directory._created = empty_folder(out)
        directory._lock.acquire()
        if invocation is not None:
            data = msgspec.json.encode(invocation)
            write_whole(directory.path / stored.INVOCATION, data)
        return directory

    def __enter__(self) -> GradersDirectory:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def case(self, calls: Sequence[Call], rows: Sequence[Row]) -> None:
        """Keep one case; it survives the end of this process when this returns.

        Raises:
            UnavailableError: It can't be written.
        """
        try:
            with self._writing:
                asked, came = self._open()
                asked.write(b"".join(_CANONICAL.encode(call) + b"\n" for call in calls))
                asked.flush()
                came.write(b"".join(_CANONICAL.encode(row) + b"\n" for row in rows))
                came.flush()
        except OSError as error:
            raise UnavailableError(
                f"can't write to {self.path}: {error.strerror}", hint="Make room, then run again."
            ) from None

    def canary(self, canary: CanaryResult) -> None:
        """Nothing: the result has all canaries."""

    def finish(self, result: GradersResult) -> None:
        """Keep the result, whose rows are kept already."""
        self._open()
        whole = msgspec.structs.replace(result, rows=())
        write_whole(self.path / stored.RESULT, encode_result(whole))

    def rows(self) -> Iterator[Row]:
        """The rows that were kept, one by one."""
        return read_rows(self.path)

    @property
    def started(self) -> bool:
        """Something was kept."""
        return self._files is not None

    def crash(self, traceback: str) -> None:
        """Keep the traceback of a failure of redhanded's own."""
        (self.path / stored.CRASH).write_text(traceback, encoding="utf-8")
        self._created = False

    def close(self) -> None:
        """Let go of the directory; one that nothing was written to is taken away again."""
        for file in self._files or ():
            file.close()
        self._lock.release()
        if self._created and self._files is None:
            (self.path / stored.INVOCATION).unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                self.path.rmdir()
        self._created = False

    def _open(self) -> tuple[BinaryIO, BinaryIO]:
        if self._files is None:
            self._files = (
                (self.path / CALLS).open("ab"),
                (self.path / stored.ROWS).open("ab"),
            )
            if self._home is not None:
                point_latest(self._home, self.path)
        return self._files


def encode_result(result: GradersResult) -> bytes:
    """The result as it is stored and as ``--json`` prints it."""
    return msgspec.json.format(msgspec.json.encode(result, enc_hook=repr), indent=2) + b"\n"


def is_run(path: Path) -> bool:
    """Is it the directory of a run of graders, or a file in one?"""
    folder = path.parent if path.is_file() else path
    return (folder / CALLS).is_file()


def read_run(path: Path) -> tuple[GradersResult, Path]:
    """The result of a run and its folder.

    Args:
        path: The directory, a file in it, or a result that ``--json`` printed.

    Raises:
        UsageError: It is none, or can't be read.
        UnavailableError: The run didn't come to its end.
    """
    file = path
    if path.is_dir():
        file = path / stored.RESULT
        if not file.is_file():
            if is_run(path):
                raise UnavailableError(
                    f"the run in {path} was interrupted: it has rows and no result",
                    hint="Run `redhanded graders` again.",
                )
            raise UsageError(
                f"expected a run of graders, found no {stored.RESULT} in {path}",
                hint="Give the directory that a run said it was stored in.",
            )
    elif is_run(path):
        file = path.parent / stored.RESULT
    try:
        data = file.read_bytes()
    except OSError as error:
        raise UsageError(f"can't read {file}: {error.strerror}") from None
    return _decoded(file, data), file.parent


def suite_of(folder: Path) -> str | None:
    """The suite of a run, as the user named it; None where it isn't told."""
    try:
        told: Any = msgspec.json.decode((folder / stored.INVOCATION).read_bytes())
    except (OSError, msgspec.MsgspecError):
        return None
    found = told.get("suite") if isinstance(told, dict) else None
    return found if isinstance(found, str) else None


def _decoded(file: Path, data: bytes) -> GradersResult:
    try:
        head: Any = msgspec.json.decode(data)
    except msgspec.MsgspecError as error:
        raise UsageError(f"{file}: expected a result, found: {error}") from None
    found = head.get("format") if isinstance(head, dict) else None
    if found != FORMAT:
        raise UsageError(
            f"{file}: expected the format {FORMAT}, found {found}",
            hint="Give a run of `redhanded graders`, of this version.",
        )
    try:
        return msgspec.json.decode(data, type=GradersResult)
    except msgspec.MsgspecError as error:
        raise UsageError(
            f"{file}: expected a result, found: {error}",
            hint="`redhanded schema graders` prints what a result looks like.",
        ) from None


def read_rows(folder: Path) -> Iterator[Row]:
    """The rows of a run, one by one; a last line that was cut off is left out.

    Raises:
        UsageError: A line is no row; names file and line.
    """
    path = folder / stored.ROWS
    if not path.is_file():
        return
    with path.open("rb") as file:
        yield from _decode(path, file)


def _decode(path: Path, lines: Iterable[bytes]) -> Iterator[Row]:
    decoder: msgspec.json.Decoder[Row] = msgspec.json.Decoder(Row)
    for number, line in enumerate(lines, 1):
        if not line.endswith(b"\n"):
            return
        try:
            yield decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise UsageError(
                f"{path}:{number}: expected a row, found: {error}",
                hint="The file was changed after the run; run again.",
            ) from None
