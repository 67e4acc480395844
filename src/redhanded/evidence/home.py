"""``.redhanded``, the one folder that is created in a repository, and what it points to."""

from __future__ import annotations

import os
import secrets
from datetime import datetime, timezone
from pathlib import Path

from redhanded.errors import UsageError
from redhanded.evidence.stored import HOME, LATEST


def new_run(root: Path, command: str) -> Path:
    """Create a new folder for a run under the repository's own ``.redhanded``."""
    home = root / HOME
    now = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    path = home / "runs" / f"{now}-{command}-{secrets.token_hex(3)}"
    try:
        home.mkdir(exist_ok=True)
        ignore = home / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
        path.mkdir(parents=True)
    except OSError as error:
        raise UsageError(
            f"can't create a run directory under {home}: {error.strerror}",
            hint="choose a folder that can be written to with --out DIR",
        ) from None
    return path


def point_latest(home: Path, path: Path) -> None:
    """Make ``path`` the run that ``redhanded show`` shows."""
    pointer = home / f"{LATEST}.{os.getpid()}"
    pointer.write_text(path.relative_to(home).as_posix() + "\n", encoding="utf-8")
    pointer.replace(home / LATEST)


def latest_run(root: Path) -> Path:
    """The run of this repository that wrote its first row last.

    Raises:
        UsageError: There is none.
    """
    home = root / HOME
    try:
        name = (home / LATEST).read_text(encoding="utf-8").strip()
    except OSError:
        name = ""
    if not name or not (home / name).is_dir():
        raise UsageError(
            f"expected an earlier run under {home}, found none",
            hint="run `redhanded delta` or `redhanded tests` first, or give the run's directory",
        )
    return home / name
