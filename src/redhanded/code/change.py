"""A change: two revisions, what differs between them, and what kind of file each is.

Head may be the working tree: tracked files as they are on disk, and untracked ones that are not
ignored. What the change's own configuration says about tests or about redhanded is reported and
otherwise not listened to.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from redhanded.code.classify import Category, Classifier, read_pytest_settings
from redhanded.code.config import Configuration, read_configuration, same_table
from redhanded.code.git import SUBMODULE, SYMLINK, Entry, FileDiff, FileStatus, Hunk, Repository
from redhanded.errors import UnavailableError
from redhanded.model.result import Revision

Range = tuple[int, int]
"""First and last line, from 1."""
End = Literal["base", "head"]

TEST_SIDE: Collection[Category] = ("test", "config")
"""What the reference cohort takes from base."""


@dataclass(frozen=True)
class ChangedFile:
    """One file that base and head don't share."""

    path: str
    """Head's; base's where the file was deleted."""
    old_path: str | None
    """Base's; None where the file was added."""
    status: FileStatus
    category: Category
    lines: tuple[Range, ...]
    """Lines of head that were added or modified, of Python files. A place where lines were only
    deleted has none of its own: the line before and the line after it stand for it."""


@dataclass(frozen=True)
class Change:
    """Base, head and what differs. Without a base: head alone."""

    repository: Repository
    """Can read both ends."""
    base: Revision | None
    head: Revision
    head_tree: str
    base_files: Mapping[str, Entry]
    head_files: Mapping[str, Entry]
    files: tuple[ChangedFile, ...]
    classifier: Classifier
    configuration: Configuration
    warnings: tuple[str, ...]

    @property
    def root(self) -> Path:
        """Root of the checkout."""
        return self.repository.root

    def category(self, path: str) -> Category:
        """What kind of file a path is, by base's rules."""
        return self.classifier.category(path)

    def touched(self, category: Category) -> tuple[ChangedFile, ...]:
        """Changed files of one category."""
        return tuple(file for file in self.files if file.category == category)

    def read(self, end: End, path: str) -> bytes | None:
        """Content of a file at one end; None where it has no such file."""
        entry = (self.base_files if end == "base" else self.head_files).get(path)
        if entry is None or entry.mode == SUBMODULE:
            return None
        return dict(self.repository.blobs([entry.oid]))[entry.oid]

    def unchanged(self, path: str) -> bool:
        """Whether both ends have a file, and the same one."""
        entry = self.base_files.get(path)
        return entry is not None and entry == self.head_files.get(path)

    def test_side_differences(self) -> tuple[str, ...]:
        """Tests, their data and configuration that the ends don't share, by path."""
        return self._test_side_differences

    @cached_property
    def _test_side_differences(self) -> tuple[str, ...]:
        paths = self.base_files.keys() | self.head_files.keys()
        differing = [path for path in paths if not self.unchanged(path)]
        return tuple(sorted(path for path in differing if self.category(path) in TEST_SIDE))


def read_change(
    folder: Path, base: str | None, head: str | None, scratch: Path, ours: Path | None = None
) -> Change:
    """Find out what a change is.

    Args:
        folder: Any folder of the checkout.
        base: A revision; None where head is looked at alone.
        head: A revision; None for the working tree.
        scratch: A folder of ours that outlives the change, outside the checkout: what is needed
            to read the working tree is kept there.
        ours: A folder that we write in; what it holds is no part of the working tree.
    """
    repository = Repository.find(folder)
    base_commit = None if base is None else repository.commit(base)
    repository, head_revision, head_tree = _head(repository, head, scratch, ours)
    base_files = {} if base_commit is None else repository.entries(base_commit)
    head_files = repository.entries(head_tree)
    if base_commit is not None and base_files == head_files:
        message = f"base {base} and head {head_revision.label} hold the same files: nothing changed"
        raise UnavailableError(message, hint="Name a base that the change isn't part of.")
    warnings = list(_untracked(repository, ours)) if head is None else []
    if base_commit is not None and head_revision.commit is not None:
        warnings += _beside(repository, base_commit, head_revision.commit)
    rules = head_tree if base_commit is None else base_commit
    classifier, configuration = _rules(
        repository, rules, base or head_revision.label, base_files.keys() | head_files.keys()
    )
    diffs = () if base_commit is None else repository.diff(base_commit, head_tree)
    if base_commit is not None:
        warnings += _unheard(repository, base_commit, head_tree, classifier)
    return Change(
        repository=repository,
        base=None if base is None else Revision(commit=base_commit, label=base),
        head=head_revision,
        head_tree=head_tree,
        base_files=base_files,
        head_files=head_files,
        files=_changed(repository, diffs, head_files, classifier),
        classifier=classifier,
        configuration=configuration,
        warnings=tuple(warnings),
    )


def changed_lines(hunks: Collection[Hunk], length: int) -> tuple[Range, ...]:
    """Lines of a new text that hunks touch, in order and merged.

    Args:
        hunks: As a diff without context gives them.
        length: Lines of the new text.
    """
    ranges = []
    for hunk in hunks:
        first, last = hunk.new_start, hunk.new_start + hunk.new_count - 1
        if hunk.new_count == 0:
            # Deleted after line new_start.
            last = first + 1
        ranges.append((max(first, 1), min(last, length)))
    return merge_ranges(ranges)


def merge_ranges(ranges: Collection[Range]) -> tuple[Range, ...]:
    """Ranges in order, empty ones dropped, those that touch made one."""
    merged: list[Range] = []
    for first, last in sorted(ranges):
        if last < first:
            continue
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return tuple(merged)


def count_lines(content: bytes) -> int:
    """How many lines a text has; the last one may lack its end."""
    return content.count(b"\n") + (not content.endswith(b"\n") and content != b"")


def _head(
    repository: Repository, head: str | None, scratch: Path, ours: Path | None
) -> tuple[Repository, Revision, str]:
    if head is not None:
        commit = repository.commit(head)
        return repository, Revision(commit=commit, label=head), repository.tree(commit)
    commit_there = repository.head()
    seeing, tree = repository.snapshot(scratch, ours)
    clean = commit_there is not None and repository.tree(commit_there) == tree
    revision = Revision(
        commit=commit_there if clean else None, label="working tree", dirty=not clean
    )
    return seeing, revision, tree


def _rules(
    repository: Repository, revision: str, label: str, files: Collection[str]
) -> tuple[Classifier, Configuration]:
    content = repository.read(revision, "pyproject.toml")
    configuration = read_configuration(content, f"pyproject.toml at {label}")
    settings = read_pytest_settings(lambda name: repository.read(revision, name))
    return Classifier(settings, files, configuration.sources), configuration


def _changed(
    repository: Repository,
    diffs: Collection[FileDiff],
    head_files: Mapping[str, Entry],
    classifier: Classifier,
) -> tuple[ChangedFile, ...]:
    found = []
    for diff in diffs:
        lines: tuple[Range, ...] = ()
        entry = head_files.get(diff.path)
        if diff.hunks and entry is not None and diff.path.endswith(".py") and entry.mode != SYMLINK:
            content = dict(repository.blobs([entry.oid]))[entry.oid]
            lines = changed_lines(diff.hunks, count_lines(content))
        category = classifier.category(diff.path)
        found.append(ChangedFile(diff.path, diff.old_path, diff.status, category, lines))
    return tuple(found)


def _untracked(repository: Repository, ours: Path | None) -> list[str]:
    paths = repository.untracked(ours)
    if not paths:
        return []
    shown = ", ".join(paths[:5]) + (", ..." if len(paths) > 5 else "")
    return [f"untracked files are part of the change, {len(paths)} in number: {shown}"]


def _beside(repository: Repository, base: str, head: str) -> list[str]:
    fork = repository.merge_base(base, head)
    if fork == base:
        return []
    told = "base is not an ancestor of head: what base has and head lacks counts as undone by head"
    if fork is None:
        return [f"{told}; they share no history"]
    return [f"{told}; --base {fork[:12]} grades what head itself changed"]


def _unheard(repository: Repository, base: str, head: str, classifier: Classifier) -> list[str]:
    """What head's configuration says that base's doesn't, and that is not followed."""
    told = []
    old, new = (repository.read(tree, "pyproject.toml") for tree in (base, head))
    if not same_table(old, new):
        told.append("head changes [tool.redhanded] of pyproject.toml; base's is used")
    ours = classifier.settings
    theirs = read_pytest_settings(lambda name: repository.read(head, name))
    for name in ("python_files", "testpaths", "doctest_globs"):
        if getattr(ours, name) != getattr(theirs, name):
            told.append(
                f"head changes pytest's {name} to {' '.join(getattr(theirs, name)) or 'nothing'}; "
                "which files are tests is decided by base's"
            )
    return told
