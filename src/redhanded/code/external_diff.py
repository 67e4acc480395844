"""Mutants from unified diffs: each diff of one file is one mutant."""

from __future__ import annotations

from pathlib import Path

from unidiff.errors import UnidiffParseError
from unidiff.patch import Hunk, PatchedFile, PatchSet

from redhanded.code.given import Given, MisfitError, Misfits, Sources, SourceText
from redhanded.errors import UsageError

_AGAIN = "Make the diff again, against the source that is to be mutated."


def read(path: Path, text: str, sources: Sources, misfits: Misfits) -> list[Given]:
    """Read the diffs in a text; several diffs of one file are as many mutants of it."""
    found = []
    patches = parse(text, str(path))
    for number, patched in enumerate(patches, start=1):
        where = f"{path}: diff {number} ({patched.path})"
        _refuse(patched, where)
        with misfits.aside():
            found.append(convert(patched, sources.get(patched.path, where), where, "diff"))
    if not patches:
        raise UsageError(
            f"{path}: expected unified diffs, found none.",
            hint="A diff begins with a line '--- FILE' and a line '+++ FILE'.",
        )
    return found


def parse(text: str, where: str) -> list[PatchedFile]:
    """The diffs in a text, one per file section."""
    # Diffs of files with \r\n line ends carry the \r; the source text that they are compared
    # with has none.
    try:
        return list(PatchSet.from_string(text.replace("\r\n", "\n")))
    except UnidiffParseError as error:
        raise UsageError(
            f"{where}: not a unified diff: {str(error).strip()}.",
            hint="Was it cut short, or edited by hand? Make it again with 'git diff' or 'diff -u'.",
        ) from None


def _refuse(patched: PatchedFile, where: str) -> None:
    """Refuse what is no change of an existing file's text."""
    if patched.is_binary_file:
        reason = "it changes a binary file"
    elif patched.is_rename:
        reason = f"it renames {patched.source_file}"
    elif patched.is_added_file:
        reason = "it adds a file"
    elif patched.is_removed_file:
        reason = "it removes a file"
    elif not len(patched):
        reason = "it has no hunks"
    else:
        return
    raise UsageError(
        f"{where}: expected a change of the text of an existing file, but {reason}.",
        hint="A mutant replaces text in a file that is there: leave this diff out.",
    )


def convert(patched: PatchedFile, source: SourceText, where: str, operator: str) -> Given:
    """One span from the first to the last place that the diff changes."""
    changed: list[str] = []
    done = 0
    for hunk in patched:
        before, after = _sides(hunk)
        # A hunk that removes and keeps nothing names the line that it inserts after.
        first = hunk.source_start - 1 if before else hunk.source_start
        if first < done:
            raise UsageError(
                f"{where}: the hunk at line {hunk.source_start} overlaps the one before it.",
                hint=_AGAIN,
            )
        _check(source, first, before, where)
        changed += source.lines[done:first]
        changed += after
        done = first + len(before)
    text = "\n".join(changed + source.lines[done:])
    if text == source.text:
        raise UsageError(
            f"{where}: the diff changes nothing in the text of {source.file}.", hint=_AGAIN
        )
    return source.change_to(text, operator)


def _sides(hunk: Hunk) -> tuple[list[str], list[str]]:
    """The lines of a hunk before and after.

    Its notes about a missing newline at the end of the file are passed over: whether there is
    one decides nothing.
    """
    before = [line.value.rstrip("\n") for line in hunk if line.is_context or line.is_removed]
    after = [line.value.rstrip("\n") for line in hunk if line.is_context or line.is_added]
    return before, after


def _check(source: SourceText, first: int, before: list[str], where: str) -> None:
    for index, expected in enumerate(before, start=first):
        found = source.lines[index] if index < len(source.lines) else None
        if found != expected:
            there = "the end of the file" if found is None else repr(found)
            raise MisfitError(
                f"{where}: the diff does not fit {source.file}: expected {expected!r} "
                f"at line {index + 1}, found {there}.",
                hint=_AGAIN,
            )
