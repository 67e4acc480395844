"""The subjects that engine and oracle are compared on: fetched, set up, their mutants listed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.oracle.errors import RefusedError
from bench.oracle.mutant import Mutant, parse, sample, write_mutants
from bench.oracle.tree import copy, remove

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LISTED: Final = Path(__file__).with_name("subjects.toml")
_SOURCE: Final = Path(__file__).resolve().parents[2] / "src"
_WORKER: Final = _SOURCE / "redhanded_worker" / "__main__.py"
"""Started as a program: nothing of it is imported here."""


@dataclass(frozen=True)
class Listed:
    """One entry of ``subjects.toml``, for one version of Python."""

    name: str
    distribution: str
    version: str
    roots: tuple[str, ...]
    files: tuple[str, ...]
    """Files to mutate."""
    args: tuple[str, ...]
    """pytest's arguments."""
    cap: int
    seed: int
    requirements: tuple[str, ...]
    """What the suite needs installed."""
    requires_python: bool
    """False: it works on this Python, though it is declared for later ones."""

    def tree(self, work: Path) -> Path:
        """Where :func:`fetch` puts the unpacked source distribution."""
        return work / "sdists" / f"{self.distribution}-{self.version}"


def read_subjects(python: str, path: Path = LISTED) -> list[Listed]:
    """The subjects for a version of Python such as ``3.12``, in the order to run them."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return [_listed(entry, data, python) for entry in data["subject"]]


def choose(python: str, names: Sequence[str]) -> list[Listed]:
    """The subjects of these names; all where none is given.

    Raises:
        RefusedError: There is none of a name.
    """
    subjects = {subject.name: subject for subject in read_subjects(python)}
    unknown = [name for name in names if name not in subjects]
    if unknown:
        raise RefusedError(f"expected one of {', '.join(subjects)}, found {unknown[0]}")
    return [subjects[name] for name in names or subjects]


def _listed(entry: Mapping[str, Any], data: Mapping[str, Any], python: str) -> Listed:
    mine = {**entry, **entry.get("python", {}).get(python, {})}
    return Listed(
        name=mine["name"],
        distribution=mine["distribution"],
        version=mine["version"],
        roots=tuple(mine["roots"]),
        files=tuple(mine["files"]),
        args=tuple(mine["args"]),
        cap=mine.get("cap", data["cap"]),
        seed=mine.get("seed", data["seed"]),
        requirements=tuple(mine.get("requirements", ())),
        requires_python=mine.get("requires_python", True),
    )


def fetch(work: Path, pythons: Mapping[str, str], lists: Sequence[Path] = (LISTED,)) -> None:
    """Download and unpack the source distributions; make one environment per Python.

    Args:
        work: Folder for ``sdists/`` and ``env/``.
        pythons: Interpreter by version.
        lists: Files that name subjects.
    """
    for version, interpreter in pythons.items():
        subjects = [one for path in lists for one in read_subjects(version, path)]
        python = _environment(work, version, interpreter, subjects)
        for subject in subjects:
            _download(subject, work, python)


def environment(work: Path, version: str) -> Path:
    """The interpreter of the environment that :func:`fetch` makes."""
    return work / "env" / version / "bin" / "python"


def _environment(work: Path, version: str, interpreter: str, subjects: Sequence[Listed]) -> str:
    python = environment(work, version)
    if not python.exists():
        _call([interpreter, "-m", "venv", str(work / "env" / version)])
    needs = sorted({need for subject in subjects for need in subject.requirements} | {"pytest"})
    _call([str(python), "-m", "pip", "install", "--quiet", *needs])
    return str(python)


def _download(subject: Listed, work: Path, python: str) -> None:
    place = subject.tree(work)
    if place.exists():
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    # Only this distribution as source: what builds its metadata may come ready-made.
    command = [python, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(place.parent),
               "--no-binary", subject.distribution]  # fmt: skip
    if not subject.requires_python:
        command.append("--ignore-requires-python")
    _call([*command, f"{subject.distribution}=={subject.version}"])
    archive = place.parent / f"{place.name}.tar.gz"
    with tarfile.open(archive) as tar:
        tar.extractall(place.parent, filter="data")


def _call(command: Sequence[str]) -> None:
    ended = subprocess.run(command, check=False, capture_output=True, text=True)
    if ended.returncode:
        raise RefusedError(
            f"expected `{' '.join(command)}` to succeed, found exit code {ended.returncode}:\n"
            f"{ended.stderr.strip()[-2000:]}"
        )


def plan(subject: Listed, work: Path, python: Path, out: Path) -> int:
    """Ask redhanded for all mutants of a subject and write a sample of those that can be run.

    Returns:
        How many there are to sample from.

    Raises:
        RefusedError: The plan can't be made.
    """
    tree = subject.tree(work)
    request = {
        "root": str(tree.resolve()),
        "operators": None,
        "families_off": [],
        "files": [{"file": file, "lines": None, "honour": None} for file in subject.files],
        "given": [],
    }
    ended = subprocess.run(
        [str(python), str(_WORKER), "plan"], input=json.dumps(request), cwd=tree,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if ended.returncode:
        raise RefusedError(
            f"{subject.name}: expected a plan, found: {ended.stderr.strip()[-2000:]}"
        )
    answer = json.loads(ended.stdout)
    if answer["errors"]:
        raise RefusedError(f"expected files that parse, found {answer['errors']}")
    mutants: list[Mutant] = [parse(record, subject.name) for record in answer["mutants"]]
    runnable = [mutant for mutant in mutants if mutant.viability == "viable"]
    out.mkdir(parents=True, exist_ok=True)
    head = {"available": len(runnable), "cap": subject.cap, "seed": subject.seed}
    (out / "sample.json").write_text(json.dumps(head) + "\n", encoding="utf-8")
    write_mutants(out / "mutants.jsonl", sample(runnable, subject.cap, subject.seed))
    return len(runnable)


def repository(subject: Listed, work: Path, place: Path) -> None:
    """Make ``place`` a repository with what the source distribution holds."""
    copy(subject.tree(work), place, {})
    git = ["git", "-C", str(place), "-c", "user.name=oracle", "-c", "user.email=oracle"]
    _call([*git, "init", "--quiet"])
    _call([*git, "add", "--all", "--force"])
    _call([*git, "commit", "--quiet", "--message", "The source distribution"])


def measure(subject: Listed, work: Path, python: Path, out: Path, jobs: int) -> Path:
    """Have redhanded run the sampled mutants of a subject, each against every test.

    Args:
        subject: Which.
        work: What :func:`fetch` filled.
        python: Interpreter of the subject.
        out: Where its plan lies; an earlier run of redhanded there is thrown away.
        jobs: Trials at a time.

    Returns:
        redhanded's run directory.

    Raises:
        RefusedError: redhanded measured nothing.
    """
    place, engine = out / "repository", out / "engine"
    repository(subject, work, place)
    if engine.exists():
        remove(engine)
    command = [sys.executable, "-m", "redhanded", "tests", "--matrix", "--quiet",
               "--mutants", str((out / "plan" / "mutants.jsonl").resolve()),
               "--python", str(python.absolute()), "--jobs", str(jobs),
               "--out", str(engine.absolute()), "--", *subject.args]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(_SOURCE)}
    ended = subprocess.run(command, cwd=place, env=environment, capture_output=True,
                           text=True, check=False)  # fmt: skip
    if ended.returncode:
        raise RefusedError(
            f"expected redhanded to measure, found exit code {ended.returncode}:\n"
            f"{ended.stdout[-2000:]}{ended.stderr[-2000:]}"
        )
    return engine
