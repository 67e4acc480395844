"""What a run of the code instrument is asked to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal


@dataclass(frozen=True)
class RunOptions:
    """All that decides a run, beside the repository's own content."""

    command: Literal["delta", "tests"]
    repository: Path = field(default_factory=Path.cwd)
    """Any folder inside the git repository."""
    base: str | None = None
    head: str | None = None
    """None: the working tree."""
    python: str | None = None
    """Interpreter of the project; None: ``python`` on PATH."""
    sources: tuple[str, ...] = ()
    """Paths that narrow the source scope, relative to the repository's root."""
    pytest_args: tuple[str, ...] = ()
    matrix: bool = False
    jobs: int | None = None
    """None: one per core."""
    operators: tuple[str, ...] | None = None
    """Names of operators or families; None: all."""
    families_off: tuple[str, ...] = ()
    """Kinds of places left alone: ``logging``, ``repr``."""
    mutants_file: Path | None = None
    source_from: str | None = None
    """Scope: the lines that this revision touched."""
    max_mutants: int | None = None
    seed: int = 0
    isolate: Literal["fork", "process"] = "fork"
    policy: Literal["judged", "any-failure"] = "judged"
    resume: Path | None = None
    kept: Path | None = field(default=None, compare=False)
    """Where the run is kept: no part of what is measured, wherever it lies."""
