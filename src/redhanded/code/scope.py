"""Which source lines are mutated, and why those.

============= ====================================================================================
kind          lines
============= ====================================================================================
changed-lines the source lines that the change added or modified
self-selected the source lines that the new tests execute, where the change has no source line of
              its own; the candidate chose them, so the number is not compared between candidates
paths         the files, folders and lines that the user names
source-from   the lines that a given revision touched, followed to where head has them
mutants-file  whatever the given mutants touch
all           all source, where no change is graded
============= ====================================================================================

What the configuration at base excludes is in none of them, except where the user names the very
file.
"""

from __future__ import annotations

import difflib
import io
import posixpath
import re
import tokenize
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from redhanded.code.change import (
    Change,
    ChangedFile,
    Range,
    changed_lines,
    count_lines,
    merge_ranges,
)
from redhanded.code.classify import is_below
from redhanded.code.git import SUBMODULE, SYMLINK, Hunk
from redhanded.code.planner import Wanted
from redhanded.errors import UnavailableError, UsageError
from redhanded.model.result import Scope

_PLACE = re.compile(r"(?P<path>.+?):(?P<first>\d+)(?:-(?P<last>\d+))?")
_NAME_PATHS = "Name the source to mutate: redhanded delta --base REV PATH."
_EXAMPLE = "Lines are given as in package/module.py:10-20."


@dataclass(frozen=True)
class Chosen:
    """A scope and its files; ``files`` is None where the new tests have yet to choose it."""

    scope: Scope
    files: tuple[Wanted, ...] | None


def all_sources(change: Change) -> tuple[str, ...]:
    """Every file of the code under test at head, what is excluded from mutation too."""
    return tuple(path for path in _python(change) if change.category(path) == "source")


def choose(
    change: Change, sources: Sequence[str], *, mutants_file: bool, source_from: str | None
) -> Chosen:
    """Choose the scope.

    Args:
        change: What is graded.
        sources: Paths that the user names: files, folders, or ``file:10-20``; with
            ``source_from`` they narrow it.
        mutants_file: The mutants come from a file.
        source_from: A revision: the lines that its change touched.

    Raises:
        UsageError: A path names no source.
        UnavailableError: Nothing is in scope.
    """
    if mutants_file:
        why = "the mutants of a file, whatever they touch"
        return Chosen(Scope("mutants-file", why, True), ())
    if source_from is not None:
        return _source_from(change, source_from, sources)
    if sources:
        named = _paths(change, sources)
        files = tuple(_wanted(change, path, spans) for path, spans in named.items())
        why = f"the paths named: {', '.join(sources)}"
        return Chosen(Scope("paths", why, True), files)
    if change.base is None:
        return _all(change)
    return _changed(change)


def self_selected(change: Change, executed: Mapping[str, Sequence[Range]]) -> tuple[Wanted, ...]:
    """The files of a scope that the new tests choose.

    Args:
        change: What is graded.
        executed: Lines that the new tests execute, by file.

    Raises:
        UnavailableError: They execute no source.
    """
    allowed = set(_in_scope(change))
    files = tuple(
        _wanted(change, path, merge_ranges(lines))
        for path, lines in sorted(executed.items())
        if lines and path in allowed
    )
    if not files:
        raise UnavailableError(
            "expected the change's tests to execute source of the project, found that they "
            "execute none",
            hint=_NAME_PATHS,
        )
    return files


def map_ranges(
    lines: Sequence[Range], hunks: Sequence[Hunk]
) -> tuple[tuple[Range, ...], tuple[Range, ...]]:
    """Follow lines of an older text into a newer one.

    Args:
        lines: Of the older text.
        hunks: From the older to the newer, in order.

    Returns:
        Where the lines are now, and those, as they were, that are not there any more: a line that
        was changed again is another line.
    """
    kept: list[Range] = []
    gone: list[Range] = []
    # What lies between two hunks has moved as a block.
    start, shift = 1, 0
    for hunk in hunks:
        # A pure insertion is placed after a line that stays.
        first = hunk.old_start if hunk.old_count else hunk.old_start + 1
        kept += _moved(lines, (start, first - 1), shift)
        gone += _moved(lines, (first, first + hunk.old_count - 1), 0)
        start = first + hunk.old_count
        shift += hunk.new_count - hunk.old_count
    kept += _moved(lines, (start, max((last for _, last in lines), default=0)), shift)
    return merge_ranges(kept), merge_ranges(gone)


def _moved(lines: Sequence[Range], block: Range, shift: int) -> list[Range]:
    return [(first + shift, last + shift) for first, last in _common(lines, [block])]


def _common(some: Sequence[Range], others: Sequence[Range]) -> list[Range]:
    both = [(max(a, c), min(b, d)) for a, b in some for c, d in others]
    return [(first, last) for first, last in both if first <= last]


# Files


def _python(change: Change) -> list[str]:
    return sorted(
        path
        for path, entry in change.head_files.items()
        if path.endswith(".py") and entry.mode not in (SYMLINK, SUBMODULE)
    )


def _is_excluded(change: Change, path: str) -> bool:
    return any(
        fnmatchcase(path, pattern) or is_below(path, pattern.rstrip("/"))
        for pattern in change.configuration.exclude
    )


def _in_scope(change: Change) -> list[str]:
    return [path for path in all_sources(change) if not _is_excluded(change, path)]


def _wanted(
    change: Change, path: str, lines: tuple[Range, ...] | None, old_path: str | None = None
) -> Wanted:
    return Wanted(path, lines, _honour(change, path, old_path))


def _honour(change: Change, path: str, old_path: str | None) -> str | None:
    """The file's text at base; empty for a file that base doesn't have, None without a base."""
    if change.base is None:
        return None
    if old_path is None:
        old_path = {file.path: file.old_path for file in change.files}.get(path)
    content = change.read("base", old_path or path)
    return "" if content is None else _decoded(content)


def _decoded(content: bytes) -> str:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    except SyntaxError:
        encoding = "utf-8"
    return content.decode(encoding, errors="replace")


# Kinds


def _all(change: Change) -> Chosen:
    files = tuple(_wanted(change, path, None) for path in _in_scope(change))
    if files:
        return Chosen(Scope("all", "all source of the project", True), files)
    others = [path for path in _python(change) if change.category(path) == "other"]
    hint = "Name the source: redhanded tests PATH"
    hint += f"; there are {_some(others)}." if others else "."
    raise UnavailableError(
        "expected Python source to mutate, found no tracked .py file that is neither a test nor "
        "configuration, nor excluded, nor in a folder whose name says that it isn't shipped",
        hint=hint,
    )


def _changed(change: Change) -> Chosen:
    allowed = set(_in_scope(change))
    touched = [file for file in change.touched("source") if file.lines and file.path in allowed]
    if touched:
        why = "the source lines that the change added or modified"
        files = tuple(_wanted(change, file.path, file.lines, file.old_path) for file in touched)
        return Chosen(Scope("changed-lines", why, True), files)
    left_out = [_left_out(change, file) for file in change.touched("source")]
    if change.touched("test"):
        why = (
            f"the change adds or modifies no source line in scope ({'; '.join(left_out)})"
            if left_out
            else "the change touches tests only"
        )
        why += (
            ": the source lines that its new tests execute. The candidate chose them, so don't "
            "compare this number between candidates"
        )
        return Chosen(Scope("self-selected", why, False), None)
    told = left_out or [_some([file.path for file in change.files])]
    scripts = [file.path for file in change.touched("other") if file.path.endswith(".py")]
    hint = _NAME_PATHS
    if scripts:
        hint += (
            f" If {_some(scripts)} should count as source, list them or their folder under "
            "sources in [tool.redhanded] of pyproject.toml at base."
        )
    message = f"expected the change to touch Python source or tests, found only {'; '.join(told)}"
    raise UnavailableError(message, hint=hint)


def _left_out(change: Change, file: ChangedFile) -> str:
    if file.status == "deleted":
        return f"{file.path} was deleted"
    if _is_excluded(change, file.path):
        return f"{file.path} is under exclude in [tool.redhanded] at base"
    return f"{file.path} has no changed lines"


def _some(paths: Sequence[str]) -> str:
    return ", ".join(paths[:4]) + (", ..." if len(paths) > 4 else "")


def _source_from(change: Change, revision: str, sources: Sequence[str]) -> Chosen:
    repository = change.repository
    commit = repository.commit(revision)
    since = {diff.old_path: diff for diff in repository.diff(commit, change.head_tree)}
    limits = _paths(change, sources) if sources else None
    allowed = set(_in_scope(change))
    found: dict[str, tuple[Range, ...]] = {}
    gone: list[str] = []
    for diff in repository.diff(repository.parent(commit), commit):
        if diff.status == "deleted" or not diff.hunks or change.category(diff.path) != "source":
            continue
        content = repository.read(commit, diff.path) or b""
        lines = changed_lines(diff.hunks, count_lines(content))
        moved = since.get(diff.path)
        if moved is not None and moved.status == "deleted":
            gone.append(diff.path)
            continue
        now = diff.path if moved is None else moved.path
        kept, lost = map_ranges(lines, () if moved is None else moved.hunks)
        gone += [f"{diff.path}:{first}-{last}" for first, last in lost]
        limit = None if limits is None else limits.get(now, ())
        if limit is not None:
            kept = tuple(_common(kept, limit))
        if kept and now in (allowed if limits is None else limits):
            found[now] = kept
    if not found:
        told = f"; no longer there: {_some(gone)}" if gone else ""
        raise UnavailableError(
            f"expected {revision} to touch source that head still has, found no source of that "
            f"kind{told}",
            hint="Name a revision whose own diff touches source in scope, or name paths.",
        )
    why = f"the source lines that {revision} ({commit[:12]}) touched"
    if gone:
        why += f"; lines of that revision that are no longer there: {', '.join(gone)}"
    files = tuple(_wanted(change, path, lines) for path, lines in sorted(found.items()))
    return Chosen(Scope("source-from", why, True), files)


# Paths that the user names


def _paths(change: Change, sources: Sequence[str]) -> dict[str, tuple[Range, ...] | None]:
    """Files that paths name, with lines; None is all lines."""
    known = _python(change)
    found: dict[str, tuple[Range, ...] | None] = {}
    for given in sources:
        path, span = _place(given)
        for each in _files_at(change, given, path, known, span):
            before = found.get(each, ())
            lines = None if span is None else (_clipped(change, each, span),)
            found[each] = None if lines is None or before is None else merge_ranges(before + lines)
    return dict(sorted(found.items()))


def _place(given: str) -> tuple[str, Range | None]:
    match = _PLACE.fullmatch(given)
    if match is None:
        return posixpath.normpath(given), None
    first = int(match["first"])
    last = int(match["last"] or first)
    if first < 1 or last < first:
        raise UsageError(f"expected lines as FIRST-LAST, found {given}", hint=_EXAMPLE)
    return posixpath.normpath(match["path"]), (first, last)


def _clipped(change: Change, path: str, span: Range) -> Range:
    length = count_lines(change.read("head", path) or b"")
    if span[0] > length:
        message = f"expected lines of {path}, found {span[0]}-{span[1]}; it has {length} lines"
        raise UsageError(message, hint=f"Name lines within the file. {_EXAMPLE}")
    return span[0], min(span[1], length)


def _files_at(
    change: Change, given: str, path: str, known: Sequence[str], span: Range | None
) -> list[str]:
    if path in known:
        if change.category(path) != "test":
            return [path]
        message = f"expected source to mutate, found {given}, which is a test"
        raise UsageError(message, hint="Which tests are run is said after --.")
    below = known if path == "." else [each for each in known if is_below(each, path)]
    if not below:
        raise _no_such(change, given, path, known)
    if span is not None:
        message = f"expected lines of a file, found {given}, which is a folder"
        raise UsageError(message, hint=f"Name a file in it. {_EXAMPLE}")
    for category in ("source", "other"):
        of_kind = [each for each in below if change.category(each) == category]
        wanted = [each for each in of_kind if not _is_excluded(change, each)]
        if wanted:
            return wanted
        if of_kind:
            message = f"expected source to mutate, found that all of {given} is excluded"
            hint = "It is under exclude in [tool.redhanded] at base; name the very file to mutate."
            raise UsageError(message, hint=hint)
    message = f"expected source to mutate, found only tests and configuration below {given}"
    raise UsageError(message, hint="Which tests are run is said after --.")


def _no_such(change: Change, given: str, path: str, known: Sequence[str]) -> UsageError:
    paths = change.head_files.keys()
    if any(is_below(each, path) for each in paths):
        message = f"expected source to mutate, found no Python file at {given}"
        return UsageError(message, hint="Name a .py file, or a folder that holds some.")
    if path in change.base_files:
        message = f"expected source at head, found {given}, which is not at head"
        return UsageError(message, hint="The change deletes it; name another.")
    folders = {posixpath.dirname(each) for each in known} - {""}
    near = difflib.get_close_matches(path, [*known, *sorted(folders)], n=2)
    hint = "Paths are relative to the repository's root; options for pytest come after --."
    if near:
        hint = f"Did you mean {' or '.join(near)}? {hint}"
    return UsageError(f"expected a path with Python source, found none at {given}", hint=hint)
