"""Is a resumed run the run that it resumes? What differs, by name."""

from __future__ import annotations

import msgspec

from redhanded.model.result import Revision
from redhanded.model.rows import HEAD_TREE, ControlRow, RunRow

_MISSING = "nothing"
HEAD_FILES = "head's files, untracked ones included (git's id of their tree)"
"""What :func:`differences` calls head's files."""


def differences(before: RunRow, now: RunRow) -> list[str]:
    """What differs between two runs so that their rows can't stand side by side.

    When they started and how the user spelled a revision doesn't matter.

    Returns:
        ``name: was X, is Y`` for each difference.
    """
    found = [
        _differs(name, getattr(before, name), getattr(now, name))
        for name in ("format", "command", "redhanded", "python", "pytest", "platform")
        if getattr(before, name) != getattr(now, name)
    ]
    for name in ("base", "head"):
        was, is_ = _commit(getattr(before, name)), _commit(getattr(now, name))
        if was != is_:
            found.append(_differs(name, was, is_))
    # Options come back from disk as lists where they went there as tuples.
    was_options, is_options = _plain(before.options), _plain(now.options)
    for name in sorted({*was_options, *is_options}):
        old, new = was_options.get(name, _MISSING), is_options.get(name, _MISSING)
        if old != new:
            found.append(_differs(HEAD_FILES if name == HEAD_TREE else name, old, new))
    return found


def same_control(before: ControlRow, now: ControlRow) -> bool:
    """Whether two rows are the same control with the same verdict on each test.

    How long it took, and how a failure was worded, doesn't matter.
    """

    def told(row: ControlRow) -> object:
        verdicts = [(facts.test, facts.verdict) for facts in row.facts]
        return row.side, row.name, row.target, sorted(verdicts)

    return told(before) == told(now)


def _differs(name: str, was: object, is_: object) -> str:
    return f"{name}: was {was}, is {is_}"


def _commit(revision: Revision | None) -> str:
    if revision is None:
        return _MISSING
    commit = revision.commit or "working tree"
    return f"{commit} with changes" if revision.dirty else commit


def _plain(options: dict[str, object]) -> dict[str, object]:
    plain: dict[str, object] = msgspec.json.decode(msgspec.json.encode(options))
    return plain
