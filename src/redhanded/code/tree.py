"""Scratch trees: a revision's files, and what a build left beside them.

Each side of a run gets a tree of its own, and each job slot a copy of it, since tests may write
where they run. The checkout is never written to.

Files are written as git stores them: no filter is run and no line end converted. What git stores
elsewhere is looked for: content of large files (LFS) in the local store and in the checkout,
submodules in their checkouts. A tree is no git repository.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from redhanded.code.change import TEST_SIDE, Change, End
from redhanded.code.git import EXECUTABLE, SUBMODULE, SYMLINK, Entry, Repository
from redhanded.code.leftovers import copy_leftovers
from redhanded.code.roots import source_roots as source_roots
from redhanded.code.standins import write_stand_ins
from redhanded.errors import UsageError
from redhanded.model.rows import Side

_ENDS: Mapping[Side, tuple[End, End]] = {
    "candidate": ("head", "head"),
    "reference": ("head", "base"),
    "base": ("base", "base"),
    "defect": ("base", "head"),
}
"""Where the source comes from, and where tests and configuration do."""

_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n"
)


def files_of(change: Change, side: Side) -> dict[str, Entry]:
    """The files of a side's tree by path."""
    source_end, test_end = _ENDS[side] if change.base is not None else ("head", "head")
    found = {}
    for end, entries in (("base", change.base_files), ("head", change.head_files)):
        for path, entry in entries.items():
            wanted = test_end if change.category(path) in TEST_SIDE else source_end
            if wanted == end:
                found[path] = entry
    return found


def create(
    change: Change, side: Side, destination: Path, installed: Collection[str] | None = None
) -> tuple[str, ...]:
    """Write a side's tree.

    Args:
        change: What is compared.
        side: Which tree.
        destination: A folder that doesn't exist yet, outside the checkout: inside it, pytest
            would find the checkout's configuration.
        installed: Normalised names of the distributions that the project's interpreter has;
            None: no stand-ins are written for what a build or an installation makes.

    Returns:
        What a reader of the result should know.
    """
    if destination.resolve().is_relative_to(change.root.resolve()):
        message = (
            f"expected scratch trees outside the checkout, found {destination} inside the checkout"
        )
        raise UsageError(message, hint="Set TMPDIR to a folder outside the project.")
    destination.mkdir(parents=True)
    files = files_of(change, side)
    blocked = sorted(path for path in files if any(above in files for above in _above(path)))
    notes = [
        f"{path} is not in the {side} tree: a folder of its path is a file there"
        for path in blocked
    ]
    kept = [entry for path, entry in files.items() if path not in blocked]
    notes += _write_all(change.repository, kept, destination)
    tracked = change.base_files.keys() | change.head_files.keys()
    notes += copy_leftovers(change, destination, tracked)
    if installed is not None:
        notes += write_stand_ins(change, destination, installed)
    return tuple(notes)


def copy(tree: Path, destination: Path) -> None:
    """A second tree for another job slot: real copies, since tests may write."""
    shutil.copytree(tree, destination, symlinks=True)


def _above(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _write_all(repository: Repository, entries: list[Entry], folder: Path) -> list[str]:
    """Write files of a repository into a folder."""
    notes = []
    by_oid: dict[str, list[Entry]] = {}
    for entry in entries:
        if {"..", ".git", ""} & set(entry.path.split("/")):
            message = f"expected paths below the root of {repository.root}, found {entry.path}"
            raise UsageError(message, hint="Such a revision can't be checked out either.")
        if entry.mode == SUBMODULE:
            notes += _write_submodule(repository, entry, folder / entry.path)
        else:
            by_oid.setdefault(entry.oid, []).append(entry)
    for oid, content in repository.blobs(by_oid):
        for entry in by_oid[oid]:
            whole = _whole(repository, entry.path, content)
            if whole is None:
                notes.append(
                    f"{entry.path} is an LFS pointer and its content is not here; git lfs pull "
                    "brings it"
                )
            _write(folder / entry.path, content if whole is None else whole, entry.mode)
    return notes


def _write(target: Path, content: bytes, mode: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if mode == SYMLINK:
        target.symlink_to(os.fsdecode(content))
        return
    target.write_bytes(content)
    if mode == EXECUTABLE:
        target.chmod(0o755)


def _write_submodule(repository: Repository, entry: Entry, folder: Path) -> list[str]:
    folder.mkdir(parents=True)
    checkout = Repository(repository.root / entry.path)
    if (checkout.root / ".git").exists():
        try:
            entries = checkout.entries(checkout.commit(entry.oid))
        except UsageError:
            pass
        else:
            return _write_all(checkout, list(entries.values()), folder)
    return [
        f"the submodule {entry.path} is empty: {entry.oid[:12]} is not in its checkout; "
        "git submodule update --init brings it"
    ]


def _whole(repository: Repository, path: str, content: bytes) -> bytes | None:
    """The content that an LFS pointer stands for; None where it is not on this machine."""
    match = _POINTER.match(content) if len(content) < 1024 else None
    if match is None:
        return content
    name = match[1].decode()
    store = repository.git_path("lfs") / "objects"
    for place in (store / name[:2] / name[2:4] / name, repository.root / path):
        if place.is_file():
            found = place.read_bytes()
            if hashlib.sha256(found).hexdigest() == name:
                return found
    return None
