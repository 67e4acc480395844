"""Folders and files that runs are kept in."""

from __future__ import annotations

import os
from pathlib import Path

from redhanded.errors import UsageError
from redhanded.evidence.stored import LOCK, ROWS


def empty_folder(out: Path) -> bool:
    """Make ``out`` a folder to write in; True where it was not there before."""
    if out.exists() and not out.is_dir():
        raise UsageError(
            f"expected --out to name a folder, found a file: {out}", hint="choose a new folder"
        )
    if out.is_dir() and (out / ROWS).exists():
        raise UsageError(
            f"expected --out to name a new folder, found a run in {out}",
            hint=f"go on with it by --resume {out}, see it with `redhanded show {out}`, "
            "or choose another folder",
        )
    if out.is_dir() and any(path.name != LOCK for path in out.iterdir()):
        raise UsageError(
            f"expected --out to name a new or empty folder, found other files in {out}",
            hint="choose a new folder; nothing was written",
        )
    there = out.is_dir()
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"can't create {out}: {error.strerror}", hint="choose another folder with --out DIR"
        ) from None
    return not there


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that under its name there is all of it or nothing, a power cut included."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
