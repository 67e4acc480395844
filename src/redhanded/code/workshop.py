"""What a run works with: the change, the interpreter, a tree per side and slot, sessions."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from redhanded.code import tree as trees
from redhanded.code.change import Change, read_change
from redhanded.code.config import merged
from redhanded.code.options import RunOptions
from redhanded.code.planner import PythonInfo, describe_python, find_python
from redhanded.code.scope import all_sources
from redhanded.code.session import Session
from redhanded.code.worker import Setup
from redhanded.model.rows import Side


class Workshop:
    """Everything that a run sets up before it measures; removed at the end."""

    def __init__(self, options: RunOptions, scratch: Path) -> None:
        self.scratch = scratch
        self.change: Change = read_change(
            options.repository,
            options.base,
            options.head,
            _made(scratch / "git"),
            ours=options.kept,
        )
        self.options = merged(options, self.change.configuration)
        self.python: PythonInfo = describe_python(
            find_python(self.options.python), self.change.root
        )
        self.jobs = self.options.jobs or _cores()
        self.fork = self.options.isolate == "fork" and hasattr(os, "fork")
        self.notes: list[str] = []
        """What a reader should know of the trees: what they lack, what stands in for what."""
        self._trees: dict[tuple[Side, int], Path] = {}

    @property
    def grades_change(self) -> bool:
        """There is a base to compare with."""
        return self.change.base is not None

    @property
    def main_side(self) -> Side:
        """Whose tests are what is graded, on head's source."""
        return "candidate" if self.grades_change else "reference"

    def tree(self, side: Side, slot: int = 0) -> Path:
        """A side's scratch tree for a job slot, made when first asked for."""
        key = (side, slot)
        if key not in self._trees:
            destination = self.scratch / f"{side}-{slot}" / "tree"
            if slot == 0:
                told = trees.create(self.change, side, destination, self.python.distributions)
                self.notes += [note for note in told if note not in self.notes]
            else:
                first = self.tree(side, 0)
                destination.parent.mkdir(parents=True)
                trees.copy(first, destination)
            self._trees[key] = destination
        return self._trees[key]

    def subject(self, side: Side, targets: Sequence[str] = ()) -> tuple[str, ...]:
        """The code under test in a side's tree; a script that is a target counts as such."""
        named = {path for path in targets if self.change.category(path) != "test"}
        if side in ("candidate", "reference"):
            return tuple(sorted({*all_sources(self.change), *named}))
        found = {
            path
            for path in self.change.base_files
            if path.endswith(".py") and self.change.category(path) == "source"
        }
        return tuple(sorted(found | named))

    def arguments(self, side: Side) -> tuple[str, ...] | None:
        """pytest's arguments for a side.

        A test file that only the candidate has can't be named to the reference.

        Returns:
            None where all paths that the user named are the candidate's alone: the side has no
            tests then.
        """
        wanted, dropped, paths = [], 0, 0
        for argument in self.options.pytest_args:
            name = argument.split("::", 1)[0]
            if not argument.startswith("-") and name in self._all_paths():
                paths += 1
                if not (self.tree(side) / name).exists():
                    dropped += 1
                    continue
            wanted.append(argument)
        return None if dropped and dropped == paths else tuple(wanted)

    def _all_paths(self) -> frozenset[str]:
        found: set[str] = set()
        for path in (*self.change.base_files, *self.change.head_files):
            found.add(path)
            parts = path.split("/")[:-1]
            for depth in range(1, len(parts) + 1):
                found.add("/".join(parts[:depth]))
                found.add("/".join(parts[:depth]) + "/")
        return frozenset(found)

    def makers(
        self, side: Side, targets: Sequence[str], jobs: int
    ) -> list[Callable[[], Session]] | None:
        """What starts a side's sessions, one for each job slot; None: it has no tests."""
        arguments = self.arguments(side)
        if arguments is None:
            return None
        setups = []
        for slot in range(jobs):
            tree = self.tree(side, slot)
            here = tuple(name for name in targets if (tree / name).exists())
            subject = self.subject(side, here)
            setups.append(
                Setup(
                    python=self.python.path,
                    tree=tree,
                    roots=trees.source_roots(tree, subject),
                    targets=here,
                    subject=subject,
                    pytest_args=arguments,
                    home=tree.parent / "home",
                    fork=self.fork,
                )
            )
        return [lambda setup=setup: Session(setup) for setup in setups]  # type: ignore[misc]

    def commented(self, side: Side, files: Sequence[str]) -> Path:
        """A tree in which a comment was added to each of the files."""
        destination = self.scratch / f"{side}-commented" / "tree"
        destination.parent.mkdir(parents=True)
        trees.copy(self.tree(side), destination)
        for name in files:
            path = destination / name
            if path.exists():
                with open(path, "ab") as file:
                    file.write(b"\n# A comment changes no behaviour.\n")
        return destination

    def commented_session(
        self, side: Side, files: Sequence[str], targets: Sequence[str]
    ) -> Session:
        """A session on :meth:`commented`."""
        tree = self.commented(side, files)
        subject = self.subject(side, targets)
        return Session(
            Setup(
                python=self.python.path,
                tree=tree,
                roots=trees.source_roots(tree, subject),
                targets=tuple(targets),
                subject=subject,
                pytest_args=self.arguments(side) or (),
                home=tree.parent / "home",
                fork=self.fork,
            )
        )


@contextlib.contextmanager
def workshop(options: RunOptions) -> Iterator[Workshop]:
    """A workshop in a temporary folder that is removed at the end."""
    scratch = Path(tempfile.mkdtemp(prefix="redhanded-")).resolve()
    try:
        yield Workshop(options, scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _made(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
