"""Mutants from elsewhere: spans as JSON Lines, unified diffs, a cosmic-ray session.

What a file holds is told from its content, never from its name. Each reader turns what it
finds into spans of the current text of the files under a root; what doesn't fit that text is
refused with the reason, so that no mutant is silently another one than was meant.
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from redhanded.code import external_cosmic, external_diff
from redhanded.code.given import Given, MisfitError, Misfits, Sources
from redhanded.errors import UsageError
from redhanded.model.mutant import Position

__all__ = ["Given", "read_mutants"]

_SQLITE = b"SQLite format 3\0"
_DIFF = re.compile(r"^(diff --git |--- |@@ )", re.MULTILINE)
_FORMS = (
    "Give JSON Lines of spans (file, start, end, replacement), a unified diff, "
    "or a cosmic-ray session file."
)


class _Span(msgspec.Struct):
    """One line of a file of spans; other keys are somebody's own and are left alone."""

    file: str
    start: Position
    end: Position
    replacement: str
    operator: str = "given"
    original: str | None = None
    id: str | None = None


def read_mutants(
    path: Path, root: Path, *, python: str | None = None, misfits: list[str] | None = None
) -> list[Given]:
    """Read the mutants in a file.

    Args:
        path: A file of JSON Lines, unified diffs or a cosmic-ray session.
        root: The tree whose files the mutants are spans of.
        python: The project's interpreter; asked to run cosmic-ray's operators where a session
            records no diffs.
        misfits: Takes the reasons why mutants don't fit the source as it is, which are left out
            then. None: the first of them is an error.

    Returns:
        The mutants in the file's own order.

    Raises:
        UsageError: The file can't be read as mutants of the files under ``root``.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(
            f"{path}: expected a file of mutants, found none that can be read: {error.strerror}.",
            hint=_FORMS,
        ) from error
    sources, aside = Sources(root), Misfits(misfits)
    if data.startswith(_SQLITE):
        return external_cosmic.read(path, sources, aside, python)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{path}: expected UTF-8 text or a cosmic-ray session, found other bytes "
            f"at offset {error.start}.",
            hint=_FORMS,
        ) from None
    if not text.strip():
        raise UsageError(f"{path}: the file is empty.", hint=_FORMS)
    if text.lstrip().startswith("{"):
        return _read_spans(path, text, sources, aside)
    if _DIFF.search(text):
        return external_diff.read(path, text, sources, aside)
    raise UsageError(
        f"{path}: expected mutants, found neither JSON objects nor a unified diff.", hint=_FORMS
    )


def _read_spans(path: Path, text: str, sources: Sources, misfits: Misfits) -> list[Given]:
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        with misfits.aside():
            found.append(_read_span(line, f"{path}:{number}", sources))
    return found


def _read_span(line: str, where: str, sources: Sources) -> Given:
    try:
        span = msgspec.json.decode(line, type=_Span)
    except msgspec.ValidationError as error:
        raise UsageError(
            f"{where}: not a mutant: {error}.",
            hint='Expected {"file", "start": {"line", "column"}, "end": {"line", "column"}, '
            '"replacement"}, and optionally "operator", "original", "id".',
        ) from None
    except msgspec.DecodeError as error:
        raise UsageError(
            f"{where}: not JSON: {error}.", hint="Expected one JSON object per line."
        ) from None
    source = sources.get(span.file, where)
    start = source.offset(span.start, where)
    end = source.offset(span.end, where)
    if start > end:
        raise UsageError(
            f"{where}: the span ends before it starts: {_show(span.start)} to {_show(span.end)}.",
            hint="The end is exclusive, so that an empty span ends where it starts.",
        )
    found = source.text[start:end]
    if span.original is not None and span.original.replace("\r\n", "\n") != found:
        raise MisfitError(
            f"{where}: expected {span.original!r} at {source.file}:{_show(span.start)}, "
            f"found {found!r}.",
            hint="The file has changed since the mutants were made: make them again.",
        )
    return source.change(start, end, span.replacement, span.operator)


def _show(position: Position) -> str:
    return f"{position.line}:{position.column}"
