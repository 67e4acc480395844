"""Lines that say that they aren't to be mutated."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from redhanded_worker.operators.base import Source
from redhanded_worker.where import Places

_PRAGMA: Final = re.compile(r"#\s*pragma:\s*no\s+mutate\b", re.IGNORECASE)


def marked_lines(source: Source) -> list[int]:
    """Numbers of the lines whose comment is a pragma, in order."""
    if not _PRAGMA.search(source.text):
        return []
    return [line for line, comment in source.comments() if _PRAGMA.search(comment)]


def honoured(source: Source, base: str | None) -> tuple[set[int], set[int]]:
    """Which pragmas count: those that the file had at base, on the same line of text.

    A line is looked for in the function of the same name first, then in the whole file: code
    that only moved keeps its pragmas. Each line at base lets one line now keep its pragma.

    Args:
        source: The file now.
        base: The file at base; None where there is no base: then all count.

    Returns:
        Lines whose pragma counts, and lines whose pragma was added since.
    """
    lines = marked_lines(source)
    if base is None or not lines:
        return set(lines), set()
    here, known = _placed(source), Counter(_at_base(base))
    kept = set()
    for line, key in here.items():
        if known[key]:
            known[key] -= 1
            kept.add(line)
    anywhere = Counter(text for _, text in known.elements())
    for line, (_, text) in here.items():
        if line not in kept and anywhere[text]:
            anywhere[text] -= 1
            kept.add(line)
    return kept, set(lines) - kept


def _placed(source: Source) -> dict[int, tuple[str, str]]:
    """The function and the text of each marked line."""
    places = Places(source)
    found = {}
    for line in marked_lines(source):
        text = source.line(line)
        offset = source.character_offset(line, len(text) - len(text.lstrip()))
        found[line] = places.find(offset, offset).function, text.strip()
    return found


def _at_base(base: str) -> list[tuple[str, str]]:
    try:
        return list(_placed(Source(base)).values())
    except (SyntaxError, ValueError, RecursionError):
        # It didn't parse at base: then a line is known by its text alone.
        return [("", line.strip()) for line in base.split("\n") if _PRAGMA.search(line)]
