"""The only module that calls git.

It reads; it never writes to the checkout, its index or its object store. The working tree is read
through a *snapshot*: a tree object made with a copy of the index and an object folder of our own,
so that both sides of a change are trees and everything else works on those alone.

Calls are plumbing with explicit flags, so that the user's configuration (colours, prefixes,
external diffs, context lines) can't bend what is parsed.
"""

from __future__ import annotations

import difflib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Literal

from redhanded.errors import RedhandedError, UnavailableError, UsageError

FileStatus = Literal["added", "modified", "deleted", "renamed"]

SUBMODULE = "160000"
SYMLINK = "120000"
EXECUTABLE = "100755"

# Set by git for hooks and aliases: they would redirect our calls to another repository or index.
_INHERITED = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIFF_OPTS",
    "GIT_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_GLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_LITERAL_PATHSPECS",
    "GIT_NAMESPACE",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_TRACE",
    "GIT_WORK_TREE",
)

_FLAGS = ("--no-pager", "-c", "core.fsmonitor=false", "-c", "core.splitIndex=false")
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_STATUSES: Mapping[str, FileStatus] = {"A": "added", "D": "deleted", "R": "renamed"}


@dataclass(frozen=True)
class Entry:
    """One file of a revision."""

    path: str
    """POSIX path relative to the repository's root."""
    mode: str
    oid: str
    """Id of the blob, or of the commit where the entry is a submodule."""


@dataclass(frozen=True)
class Hunk:
    """Lines of the old text that became lines of the new one.

    As git counts: where ``new_count`` is 0, lines were deleted after ``new_start``; where
    ``old_count`` is 0, lines were inserted after ``old_start``.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int


@dataclass(frozen=True)
class FileDiff:
    """One file that differs between two revisions."""

    status: FileStatus
    path: str
    """In the new revision; in the old one where the file was deleted."""
    old_path: str | None
    """None where the file was added."""
    hunks: tuple[Hunk, ...]


@dataclass(frozen=True)
class Repository:
    """A git repository with a working tree."""

    root: Path
    objects: Mapping[str, str] = field(default_factory=dict)
    """Environment that makes a snapshot's objects readable."""

    @classmethod
    def find(cls, folder: Path) -> Repository:
        """The repository that ``folder`` lies in."""
        if not folder.is_dir():
            message = f"{folder}: expected a folder inside a git repository, found no such folder"
            raise UsageError(message, hint="Pass the path of a checkout.")
        done = cls(folder)._try("rev-parse", "--show-toplevel")
        if done.returncode == 0:
            return cls(Path(os.fsdecode(done.stdout).removesuffix("\n")))
        said = _text(done.stderr)
        if "must be run in a work tree" in said:
            message = f"{folder} is a bare git repository: a work tree is needed"
            raise UsageError(message, hint="Clone it and run redhanded in the clone.")
        if "not a git repository" in said:
            message = f"{folder} is not inside a git repository"
            raise UsageError(message, hint="Run redhanded inside the checkout of the project.")
        message = f"git can't use the repository at {folder}: {said}"
        raise UsageError(message, hint="Mend what git says and run again.")

    # Revisions

    def commit(self, name: str) -> str:
        """Full id of the commit that ``name`` means."""
        if name and not name.startswith("-"):
            done = self._try("rev-parse", "--verify", "--end-of-options", name + "^{commit}")
            if done.returncode == 0:
                return _text(done.stdout)
            if b"ambiguous" in done.stderr:
                message = f"revision '{name}' is ambiguous: it is the start of several commit ids"
                raise UsageError(message, hint="Give more digits.")
        message = f"expected a revision of {self.root}, found '{name}', which names no commit there"
        raise UsageError(message, hint=self._hint_for(name))

    def head(self) -> str | None:
        """The commit that is checked out; None before the first one."""
        done = self._try("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        return _text(done.stdout) if done.returncode == 0 else None

    def tree(self, revision: str) -> str:
        """Id of a revision's tree."""
        return _text(self._run("rev-parse", "--verify", revision + "^{tree}"))

    def parent(self, commit: str) -> str | None:
        """First parent of a commit; None for a root commit."""
        fields = _text(self._run("rev-list", "--parents", "--max-count=1", commit)).split()
        if len(fields) > 1:
            return fields[1]
        if self._is_shallow():
            message = f"the parent of {commit} is not in this shallow clone"
            raise UsageError(message, hint="Fetch more history: git fetch --unshallow.")
        return None

    def merge_base(self, one: str, other: str) -> str | None:
        """Best common ancestor of two commits; None where they share none."""
        done = self._try("merge-base", one, other)
        return _text(done.stdout) if done.returncode == 0 else None

    def last_tag(self, commit: str) -> str | None:
        """The nearest tag that ``commit`` descends from."""
        done = self._try("describe", "--tags", "--abbrev=0", commit)
        return _text(done.stdout) if done.returncode == 0 else None

    # Files of a revision

    def entries(self, tree: str) -> dict[str, Entry]:
        """All files of a revision by path."""
        listed = self._run("ls-tree", "-r", "-z", "--full-tree", tree)
        found = {}
        for record in _records(listed):
            meta, path = record.split("\t", 1)
            mode, _, oid = meta.split(" ")
            found[path] = Entry(path=path, mode=mode, oid=oid)
        return found

    def read(self, tree: str, path: str) -> bytes | None:
        """Content of one file of a revision; None where there is no such file."""
        listed = self._run("ls-tree", "-z", "--full-tree", tree, "--", path)
        for record in _records(listed):
            meta, found = record.split("\t", 1)
            _, kind, oid = meta.split(" ")
            if found == path and kind == "blob":
                return dict(self.blobs([oid]))[oid]
        return None

    def blobs(self, oids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Contents of blobs, as they are stored: no filter is run, no line end converted."""
        with tempfile.TemporaryFile() as wanted:
            wanted.write("".join(f"{oid}\n" for oid in oids).encode())
            wanted.seek(0)
            # The names come from a file, not a pipe: git may answer before it has read them all.
            with subprocess.Popen(
                self._command("cat-file", "--batch", "--buffer"),
                stdin=wanted,
                stdout=subprocess.PIPE,
                env=self._environment(),
            ) as process:
                assert process.stdout is not None
                try:
                    yield from _batch(process.stdout)
                finally:
                    process.stdout.close()
            if process.returncode:
                raise RedhandedError(f"git cat-file ended with {process.returncode}")

    # Differences

    def diff(self, old: str | None, new: str) -> tuple[FileDiff, ...]:
        """Files that differ between two revisions, with their hunks; ``old`` None is nothing."""
        trees = (self._empty_tree() if old is None else self.tree(old), self.tree(new))
        common = ("diff-tree", "-r", "-M50%", "-l1000", "-O/dev/null", "--no-ext-diff")
        raw = _records(self._run(*common, "--raw", "-z", "--no-abbrev", *trees))
        # --text: a file that attributes call binary would otherwise have no changed lines.
        patch = self._run(
            *common, "-p", "-U0", "--inter-hunk-context=0", "--no-color", "--no-textconv", "--text",
            "--diff-algorithm=myers", "--indent-heuristic", "--submodule=short", *trees,
        )  # fmt: skip
        sections = list(_sections(patch))[::-1]
        found = []
        for letter, paths in _raw(raw):
            hunks = sections.pop()
            if letter == "T":
                # A file that became a link, or back: shown as a deletion and an addition.
                sections.pop()
                hunks = ()
            status = _STATUSES.get(letter, "modified")
            old_path = None if status == "added" else paths[0]
            found.append(FileDiff(status, paths[-1], old_path, hunks))
        if sections:
            message = f"git's patch from {old} to {new} has more files than its list of them"
            raise RedhandedError(message)
        return tuple(found)

    # The working tree

    def ignored(self) -> tuple[str, ...]:
        """Ignored files of the checkout; a folder that is ignored whole ends with a slash."""
        listed = self._run(
            "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"
        )
        return tuple(_records(listed))

    def untracked(self, ours: Path | None = None) -> tuple[str, ...]:
        """Files of the checkout that are neither tracked nor ignored.

        Args:
            ours: A folder that doesn't count, if it lies in the checkout.
        """
        left_out = tuple(f"{name}/" for name in self._ours(ours))
        listed = self._run("ls-files", "-z", "--others", "--exclude-standard")
        return tuple(path for path in _records(listed) if not path.startswith(left_out))

    def snapshot(self, folder: Path, ours: Path | None = None) -> tuple[Repository, str]:
        """The working tree as a tree: tracked files as they are, and untracked ones.

        Args:
            folder: Where the copy of the index and the new objects are kept. They must outlive
                the repository that is returned.
            ours: A folder whose untracked files don't count, if it lies in the checkout.

        Returns:
            A repository that can read the tree, and the tree's id.
        """
        index, objects = folder / "index", folder / "objects"
        objects.mkdir(parents=True)
        own = self.git_path("index")
        if own.exists():
            # With its times: git decides by them which files it must look at again.
            shutil.copy2(own, index)
        reading = {
            "GIT_OBJECT_DIRECTORY": str(objects),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": _quoted(str(self.git_path("objects"))),
        }
        there = replace(self, objects=reading)
        extra = {"GIT_INDEX_FILE": str(index)}
        left_out = [f":(exclude,top,literal){name}" for name in self._ours(ours)]
        there._run("add", "--all", "--", ".", *left_out, extra=extra)
        return there, _text(there._run("write-tree", extra=extra))

    def _ours(self, folder: Path | None) -> list[str]:
        """Folders of the checkout that we write in."""
        found = [".redhanded"]
        root = self.root.resolve()
        if folder is not None and folder.resolve().is_relative_to(root):
            found.append(folder.resolve().relative_to(root).as_posix())
        return found

    def git_path(self, name: str) -> Path:
        """Where git keeps a file or folder of its own."""
        return self.root / os.fsdecode(self._run("rev-parse", "--git-path", name)).removesuffix(
            "\n"
        )

    # Calls

    def _command(self, *arguments: str) -> list[str]:
        return ["git", "-C", str(self.root), *_FLAGS, *arguments]

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in _INHERITED}
        return {
            **kept,
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_TERMINAL_PROMPT": "0",
            "LANGUAGE": "",
            "LC_ALL": "C",
            **self.objects,
        }

    def _try(
        self, *arguments: str, extra: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                self._command(*arguments),
                env={**self._environment(), **(extra or {})},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
            )
        except FileNotFoundError:
            message = "expected the program git on PATH, found none"
            raise UsageError(message, hint="Install git 2.31 or later.") from None

    def _run(self, *arguments: str, extra: Mapping[str, str] | None = None) -> bytes:
        done = self._try(*arguments, extra=extra)
        if done.returncode:
            said = _text(done.stderr)
            message = f"git {arguments[0]} failed in {self.root}: {said}"
            raise UsageError(message, hint="Mend what git says and run again.")
        return done.stdout

    def _empty_tree(self) -> str:
        return _text(self._run("hash-object", "-t", "tree", "/dev/null"))

    def _is_shallow(self) -> bool:
        return self._run("rev-parse", "--is-shallow-repository").strip() == b"true"

    def _hint_for(self, name: str) -> str:
        if self.head() is None:
            return "The repository has no commit yet."
        if self._is_shallow():
            return "The clone is shallow; fetch more history: git fetch --unshallow."
        listed = self._run("for-each-ref", "--format=%(refname:short)")
        near = difflib.get_close_matches(name, ["HEAD", *_text(listed).split("\n")], n=3)
        if near:
            return f"Did you mean {' or '.join(near)}?"
        return "Name a commit, a branch or a tag; git fetch brings those of a remote."


def _text(output: bytes) -> str:
    return output.decode("utf-8", "surrogateescape").strip()


def _records(output: bytes) -> list[str]:
    return [os.fsdecode(record) for record in output.split(b"\0") if record]


def _quoted(path: str) -> str:
    """A path as an element of git's colon-separated lists."""
    if ":" not in path and not path.startswith('"'):
        return path
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _raw(records: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Status letter and one or two paths of each entry of ``--raw -z``."""
    fields = iter(records)
    for meta in fields:
        letter = meta.split(" ")[4][0]
        paths = [next(fields)]
        if letter in "RC":
            paths.append(next(fields))
        yield letter, paths


def _sections(patch: bytes) -> Iterator[tuple[Hunk, ...]]:
    """Hunks of each file of a patch, in order.

    Lines inside a hunk are counted off, so no content can be taken for a header.
    """
    hunks: list[Hunk] | None = None
    old = new = 0
    for line in patch.split(b"\n"):
        if old and line.startswith(b"-"):
            old -= 1
        elif new and line.startswith(b"+"):
            new -= 1
        elif line.startswith(b"diff --git "):
            if hunks is not None:
                yield tuple(hunks)
            hunks = []
        elif match := _HUNK.match(line):
            numbers = [1 if group is None else int(group) for group in match.groups()]
            hunk = Hunk(*numbers)
            old, new = hunk.old_count, hunk.new_count
            assert hunks is not None
            hunks.append(hunk)
    if hunks is not None:
        yield tuple(hunks)


def _batch(stream: IO[bytes]) -> Iterator[tuple[str, bytes]]:
    """Objects in the output of ``git cat-file --batch``."""
    while header := stream.readline():
        fields = header.decode().split()
        if len(fields) != 3:
            message = f"object {fields[0]} is missing from the repository"
            raise UnavailableError(message, hint="Is the clone partial? Fetch and run again.")
        yield fields[0], stream.read(int(fields[2]))
        stream.read(1)
