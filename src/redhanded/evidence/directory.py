"""The run directory: takes a run's rows as they come, and goes on where one was interrupted.

```
mutants.jsonl    the whole mutant set; appears, complete, before the first trial
rows.jsonl       one row a line, in the order in which they came to be
result.json      the result; only a run that came to its end has one
sources/         the mutated files as they were
invocation.json  what the command line asked for
lock             held while the run goes on
crash.txt        the traceback, where redhanded itself failed
```
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import msgspec

from redhanded.errors import RedhandedError, UnavailableError, UsageError
from redhanded.evidence import stored
from redhanded.evidence.files import empty_folder, write_whole
from redhanded.evidence.home import new_run, point_latest
from redhanded.evidence.lock import DirectoryLock
from redhanded.evidence.same import HEAD_FILES, differences, same_control
from redhanded.model.mutant import Mutant
from redhanded.model.result import Result
from redhanded.model.rows import ControlRow, PlanRow, Row, RunRow, SessionRow, TrialRow

_CANONICAL = msgspec.json.Encoder(order="sorted")


class RunDirectory:
    """A :class:`redhanded.model.sink.Sink` that keeps what it takes on disk.

    Use it as a context manager; made by :meth:`create` or :meth:`resume`.
    """

    def __init__(self, path: Path, *, home: Path | None = None) -> None:
        self.path = path
        """Where the run is stored."""
        self.notes: list[str] = []
        """What a person should be told about the directory."""
        self._home = home
        self._lock = DirectoryLock(path / stored.LOCK)
        self._rows: tuple[Row, ...] = ()
        self._mutants: tuple[Mutant, ...] | None = None
        self._file: BinaryIO | None = None
        self._created = False
        # Trials end on several threads.
        self._writing = threading.Lock()

    @classmethod
    def create(
        cls,
        root: Path,
        command: str,
        *,
        out: Path | None = None,
        invocation: Mapping[str, object] | None = None,
    ) -> RunDirectory:
        """Begin a new run.

        Args:
            root: The repository's root; the run goes to its ``.redhanded`` unless ``out`` is given.
            command: Part of the folder's name.
            out: Another place: a new or an empty folder.
            invocation: What the command line asked for, so that a resumed run need not repeat it.

        Raises:
            UsageError: ``out`` holds something else, or can't be written to.
        """
        if out is None:
            directory = cls(new_run(root, command), home=root / stored.HOME)
            directory._created = True
        else:
            directory = cls(out)
            directory._created = empty_folder(out)
        directory._lock.acquire()
        if invocation is not None:
            write_whole(directory.path / stored.INVOCATION, msgspec.json.encode(invocation))
        return directory

    @classmethod
    def resume(cls, path: Path) -> RunDirectory:
        """Go on with an interrupted run.

        Raises:
            UsageError: It is no run directory, it is finished, in use, or damaged.
        """
        found = stored.read_run(path)
        directory = cls(found.path)
        if found.result is not None and found.result.complete:
            raise UsageError(
                f"expected an interrupted run, found a finished one in {found.path}",
                hint=f"see it with `redhanded show {found.path}`, or run again without --resume",
            )
        directory._lock.acquire()
        # Read again, now that nobody else writes there.
        found = stored.read_run(path)
        if found.torn:
            _drop_torn_line(found.path / stored.ROWS)
            directory.notes.append(
                f"{found.path / stored.ROWS}: the last line was cut off when the run was "
                "interrupted; dropped, its trial runs again"
            )
        (found.path / stored.RESULT).unlink(missing_ok=True)
        directory._rows = found.rows
        directory._mutants = found.mutants
        return directory

    def __enter__(self) -> RunDirectory:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def resumable(self) -> bool:
        """Something was written that a later run can go on from."""
        return self._file is not None or bool(self._rows)

    def mutants(self, mutants: Sequence[Mutant]) -> None:
        """Keep the whole mutant set: on disk when this returns, or not at all.

        Raises:
            UsageError: The run being resumed had another set.
        """
        planned = tuple(mutants)
        if self._mutants is not None:
            if self._mutants != planned:
                raise UsageError(
                    f"{self.path}: expected the {len(self._mutants)} mutants of the interrupted "
                    f"run, found {len(planned)} that are not the same",
                    hint="the source changed since; run again without --resume",
                )
            return
        write_whole(self.path / stored.MUTANTS, encode_mutants(planned))
        self._mutants = planned

    def add(self, row: Row) -> None:
        """Keep one row; it survives the end of this process when this returns.

        Raises:
            UsageError: The row shows that this is not the run being resumed.
            UnavailableError: It can't be written.
        """
        if isinstance(row, (PlanRow, TrialRow)) and self._mutants is None:
            # A trial of a mutant that was never written down could not be checked by anybody.
            raise RedhandedError("the mutant set must be kept before any plan or trial is")
        if self._known(row):
            return
        line = _CANONICAL.encode(row) + b"\n"
        try:
            with self._writing:
                file = self._open()
                file.write(line)
                file.flush()
        except OSError as error:
            raise UnavailableError(
                f"can't write to {self.path / stored.ROWS}: {error.strerror}",
                hint="make room, then go on with --resume",
            ) from None

    def finished(self) -> Iterable[Row]:
        """The rows of the run being resumed; none in a new run."""
        return self._rows

    def keep_sources(self, sources: Mapping[str, str]) -> None:
        """Keep the text of the mutated files, so that each mutant can be applied by hand."""
        for name, text in sources.items():
            path = self.path / stored.SOURCES / name
            if not path.resolve().is_relative_to((self.path / stored.SOURCES).resolve()):
                raise RedhandedError(f"{name} does not lie in the repository")
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, text.encode("utf-8", "surrogateescape"))

    def finish(self, result: Result) -> None:
        """Keep the result."""
        self._open()
        write_whole(self.path / stored.RESULT, encode_result(result))

    def crash(self, traceback: str) -> Path:
        """Keep the traceback of a failure of redhanded's own."""
        path = self.path / stored.CRASH
        path.write_text(traceback, encoding="utf-8")
        self._created = False
        return path

    def close(self) -> None:
        """Let go of the directory; one that nothing was written to is taken away again."""
        if self._file is not None:
            self._file.close()
        self._lock.release()
        if self._created and self._file is None:
            for name in (stored.INVOCATION, stored.MUTANTS):
                (self.path / name).unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                self.path.rmdir()
        self._created = False

    def _open(self) -> BinaryIO:
        if self._file is None:
            self._file = (self.path / stored.ROWS).open("ab")
            if self._home is not None:
                point_latest(self._home, self.path)
        return self._file

    def _known(self, row: Row) -> bool:
        """True where the resumed run has this row already; refuses one that contradicts it."""
        if isinstance(row, RunRow):
            before = next((old for old in self._rows if isinstance(old, RunRow)), None)
            self._refuse([] if before is None else differences(before, row))
            return before is not None
        if isinstance(row, SessionRow):
            sessions = (old for old in self._rows if isinstance(old, SessionRow))
            session = next((old for old in sessions if old.side == row.side), None)
            if session is not None and session.tests != row.tests:
                # Facts name tests by their place in this list.
                self._refuse([f"{row.side} tests: {_tests_differ(session, row)}"])
            return session is not None
        if isinstance(row, PlanRow):
            plan = next((old for old in self._rows if isinstance(old, PlanRow)), None)
            if plan is not None and plan != row:
                self._refuse([f"plan: was {plan.plan.digest}, is {row.plan.digest}"])
            return plan is not None
        if isinstance(row, ControlRow):
            controls = (old for old in self._rows if isinstance(old, ControlRow))
            return any(same_control(old, row) for old in controls)
        return False

    def _refuse(self, found: list[str]) -> None:
        if not found:
            return
        hint = "ask for the same again, or run without --resume"
        if any(each.startswith(HEAD_FILES) for each in found):
            hint = (
                "a file was changed, added or removed in the working tree, perhaps by output that "
                "was redirected there; undo that, or run without --resume"
            )
        raise UsageError(
            f"expected the same run as in {self.path}, found differences: " + "; ".join(found),
            hint=hint,
        )


def encode_result(result: Result) -> bytes:
    """The result as it is stored and as ``--json`` prints it."""
    return msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n"


def encode_mutants(mutants: Iterable[Mutant]) -> bytes:
    """Mutants as JSON Lines: as they are stored, and as ``--mutants`` takes them."""
    return b"".join(_CANONICAL.encode(mutant) + b"\n" for mutant in mutants)


def _tests_differ(before: SessionRow, now: SessionRow) -> str:
    was, is_ = {test.id for test in before.tests}, {test.id for test in now.tests}
    if was == is_:
        return f"the same {len(was)} in another order, or changed otherwise"
    odd = sorted(was ^ is_)
    return f"were {len(before.tests)}, are {len(now.tests)}; {odd[0]} is in only one of them"


def _drop_torn_line(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(file.read().rfind(b"\n") + 1)
