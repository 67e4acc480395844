"""The text of mutated files, found again and proved to be the text that was mutated."""

from __future__ import annotations

import contextlib
import io
import tokenize
from collections.abc import Iterator, Sequence

from redhanded.code.git import Repository
from redhanded.errors import RedhandedError
from redhanded.model.mutant import Mutant
from redhanded.model.result import MutantResult
from redhanded.report.diff import fits


def read_sources(
    mutants: Sequence[Mutant] | Sequence[MutantResult], revision: str | None, repository: Repository
) -> dict[str, str]:
    """Text of the mutated files.

    It is looked for in the working tree and in the revision, and taken only where each mutant's
    original text stands where the mutant says.

    Args:
        mutants: All mutants.
        revision: The revision that was mutated; None for the working tree.
        repository: Where to look.

    Returns:
        Texts by file; without the files that have changed since.
    """
    by_file: dict[str, list[Mutant | MutantResult]] = {}
    for mutant in mutants:
        by_file.setdefault(mutant.file, []).append(mutant)
    found = {}
    for file, here in by_file.items():
        for text in _candidates(file, revision, repository):
            if all(fits(mutant, text) for mutant in here):
                found[file] = text
                break
    return found


def _candidates(file: str, revision: str | None, repository: Repository) -> Iterator[str]:
    path = repository.root / file
    if path.is_file():
        yield decoded(path.read_bytes())
    if revision is not None:
        with contextlib.suppress(RedhandedError):
            data = repository.read(revision, file)
            if data is not None:
                yield decoded(data)


def decoded(data: bytes) -> str:
    """Source text as Python decodes it, its line ends left alone."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return data.decode("utf-8", "replace")
