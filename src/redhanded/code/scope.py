"""Which source lines are mutated, and why those."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from redhanded.code.change import Change, ChangedFile, changed_lines, count_lines, merge_ranges
from redhanded.code.git import SUBMODULE, SYMLINK
from redhanded.code.planner import Wanted
from redhanded.errors import UnavailableError, UsageError
from redhanded.model.result import Scope

Range = tuple[int, int]
_PLACE = re.compile(r"(?P<path>.+?):(?P<first>\d+)(?:-(?P<last>\d+))?")


@dataclass(frozen=True)
class Chosen:
    """A scope and its files; ``files`` is None where the new tests have yet to choose it."""

    scope: Scope
    files: tuple[Wanted, ...] | None


def all_sources(change: Change) -> tuple[str, ...]:
    """Every file of the code under test at head."""
    return tuple(
        sorted(
            path
            for path, entry in change.head_files.items()
            if path.endswith(".py")
            and entry.mode not in (SYMLINK, SUBMODULE)
            and change.category(path) == "source"
        )
    )


def choose(
    change: Change, sources: Sequence[str], *, mutants_file: bool, source_from: str | None
) -> Chosen:
    """Choose the scope.

    Args:
        change: What is graded.
        sources: Paths that the user names: files, folders, or ``file:10-20``.
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
        told = ", ".join(sources)
        return Chosen(Scope("paths", f"the paths named: {told}", True), _paths(change, sources))
    if change.base is None:
        files = tuple(Wanted(path, None, None) for path in _not_excluded(change))
        if not files:
            raise UnavailableError(
                "expected Python source to mutate, found no tracked .py file that is no test",
                hint="Name the source: redhanded tests PATH.",
            )
        return Chosen(Scope("all", "all source of the project", True), files)
    return _changed(change)


def _not_excluded(change: Change) -> tuple[str, ...]:
    from fnmatch import fnmatchcase

    patterns = change.configuration.exclude
    return tuple(
        path
        for path in all_sources(change)
        if not any(
            fnmatchcase(path, pattern) or path.startswith(pattern.rstrip("/") + "/")
            for pattern in patterns
        )
    )


def _honour(change: Change, path: str, old_path: str | None) -> str | None:
    """The file's text at base; empty for a file that base doesn't have, None without a base."""
    if change.base is None:
        return None
    content = change.read("base", old_path or path)
    return "" if content is None else content.decode(errors="replace")


def _wanted(change: Change, file: ChangedFile, lines: tuple[Range, ...] | None) -> Wanted:
    return Wanted(file.path, lines, _honour(change, file.path, file.old_path))


def _changed(change: Change) -> Chosen:
    allowed = set(_not_excluded(change))
    touched = [
        file
        for file in change.touched("source")
        if file.status != "deleted" and file.lines and file.path in allowed
    ]
    if touched:
        why = "the source lines that the change added or modified"
        files = tuple(_wanted(change, file, file.lines) for file in touched)
        return Chosen(Scope("changed-lines", why, True), files)
    if change.touched("test"):
        why = (
            "the change touches tests only: the source lines that its new tests execute. "
            "The candidate chose them, so don't compare this number between candidates"
        )
        return Chosen(Scope("self-selected", why, False), None)
    named = ", ".join(file.path for file in change.files[:4]) or "nothing"
    raise UnavailableError(
        f"expected the change to touch Python source or tests, found only {named}",
        hint="Name the source to mutate: redhanded delta --base REV PATH.",
    )


def self_selected(change: Change, executed: Mapping[str, Sequence[Range]]) -> tuple[Wanted, ...]:
    """The files of a scope that the new tests choose.

    Args:
        change: What is graded.
        executed: Lines that the new tests execute, by file.

    Raises:
        UnavailableError: They execute no source.
    """
    allowed = set(_not_excluded(change))
    files = tuple(
        Wanted(path, merge_ranges(lines), _honour(change, path, None))
        for path, lines in sorted(executed.items())
        if lines and path in allowed
    )
    if not files:
        raise UnavailableError(
            "expected the change's tests to execute source of the project, found that they "
            "execute none",
            hint="Name the source to mutate: redhanded delta --base REV PATH.",
        )
    return files


def _paths(change: Change, sources: Sequence[str]) -> tuple[Wanted, ...]:
    known = set(all_sources(change))
    every = {path for path in change.head_files if path.endswith(".py")}
    lines: dict[str, list[Range] | None] = {}
    for given in sources:
        path, span = _place(given, every)
        path = posixpath.normpath(path)
        if path in every:
            here = [path]
        else:
            prefix = "" if path == "." else path.rstrip("/") + "/"
            here = [each for each in sorted(known) if each.startswith(prefix)]
        if not here:
            raise UsageError(
                f"expected a path with Python source, found none at {given}",
                hint="Paths are relative to the repository's root; "
                "options for pytest come after --.",
            )
        for each in here:
            before = lines.get(each, [])
            if span is None or before is None:
                lines[each] = None
            else:
                lines[each] = [*before, span]
    return tuple(
        Wanted(path, None if spans is None else merge_ranges(spans), _honour(change, path, None))
        for path, spans in sorted(lines.items())
    )


def _place(given: str, files: set[str]) -> tuple[str, Range | None]:
    match = None if given in files else _PLACE.fullmatch(given)
    if match is None:
        return given, None
    first = int(match["first"])
    last = int(match["last"] or first)
    if first < 1 or last < first:
        raise UsageError(
            f"expected lines as FIRST-LAST, found {given}",
            hint="For example: package/module.py:10-20.",
        )
    return match["path"], (first, last)


def _source_from(change: Change, revision: str, sources: Sequence[str]) -> Chosen:
    repository = change.repository
    commit = repository.commit(revision)
    parent = repository.parent(commit)
    limit = {wanted.file for wanted in _paths(change, sources)} if sources else None
    known = set(all_sources(change))
    found: list[Wanted] = []
    gone: list[str] = []
    for diff in repository.diff(parent, commit):
        if not diff.path.endswith(".py") or not diff.hunks:
            continue
        content = repository.read(commit, diff.path)
        if content is None or (limit is not None and diff.path not in limit):
            continue
        if change.category(diff.path) != "source":
            continue
        now = change.read("head", diff.path)
        if now is None or diff.path not in known:
            gone.append(diff.path)
            continue
        lines = changed_lines(diff.hunks, count_lines(content))
        mapped = map_lines(lines, content.split(b"\n"), now.split(b"\n"))
        if mapped:
            found.append(Wanted(diff.path, mapped, _honour(change, diff.path, None)))
        else:
            gone.append(diff.path)
    if not found:
        raise UnavailableError(
            f"expected {revision} to touch source that head still has, found none",
            hint="Name a revision whose own diff touches source, or name paths.",
        )
    why = f"the source lines that {revision} touched" + (
        f"; no longer there: {', '.join(gone)}" if gone else ""
    )
    return Chosen(Scope("source-from", why, True), tuple(found))


def map_lines(
    lines: Sequence[Range], before: Sequence[bytes], now: Sequence[bytes]
) -> tuple[Range, ...]:
    """Where lines of an older text are in a newer one; lines that are gone are left out."""
    import difflib

    wanted = {number for first, last in lines for number in range(first, last + 1)}
    found: list[Range] = []
    matcher = difflib.SequenceMatcher(None, before, now, autojunk=False)
    for old, new, size in matcher.get_matching_blocks():
        for step in range(size):
            if old + step + 1 in wanted:
                found.append((new + step + 1, new + step + 1))
    return merge_ranges(found)
