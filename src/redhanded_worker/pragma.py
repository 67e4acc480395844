"""Lines that say that they aren't to be mutated."""

from __future__ import annotations

import io
import re
import tokenize
from typing import Final

_PRAGMA: Final = re.compile(r"#\s*pragma:\s*no\s+mutate\b", re.IGNORECASE)


def marked_lines(text: str) -> set[int]:
    """Numbers of the lines whose comment is a pragma.

    Args:
        text: A source text that parses.
    """
    if "pragma" not in text.lower():
        return set()
    found = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and _PRAGMA.search(token.string):
            found.add(token.start[0])
    return found


def honoured(text: str, base: str | None) -> tuple[set[int], set[int]]:
    """Which pragmas count: those that the file had at base.

    Args:
        text: The file now.
        base: The file at base; None where there is no base: then all count.

    Returns:
        Lines whose pragma counts, and lines whose pragma was added since.
    """
    lines = marked_lines(text)
    if base is None:
        return lines, set()
    known = {line.strip() for line in base.split("\n") if _PRAGMA.search(line)}
    now = text.split("\n")
    kept = {number for number in lines if now[number - 1].strip() in known}
    return kept, lines - kept
