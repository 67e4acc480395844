"""One subject: all its mutants, each against every test that reaches it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.operators import catalogue, records
from bench.operators.subjects import Subject
from bench.oracle import subjects
from bench.oracle.errors import RefusedError
from bench.oracle.tree import remove

_VERSIONS: Final = ("python", "pytest", "redhanded")


@dataclass(frozen=True)
class Place:
    """Where everything is."""

    work: Path
    """What ``fetch`` filled."""
    out: Path
    """Folder for copies and run directories."""
    python: str
    """Version of the subjects' interpreter, such as ``3.12``."""
    jobs: int = 1
    redhanded: Path = catalogue.ROOT
    """The checkout that is run."""


def measure(subject: Subject, place: Place) -> records.Record:
    """Run a subject and count.

    Raises:
        RefusedError: redhanded measured nothing.
    """
    here = place.out / subject.name / place.python
    repository, run = here / "repository", here / "run"
    subjects.repository(subject.listed, place.work, repository)
    if run.exists():
        remove(run)
    only = [] if subject.operators is None else ["--operators", ",".join(subject.operators)]
    python = subjects.environment(place.work, place.python)
    command = [sys.executable, "-m", "redhanded", "tests", "--matrix", "--quiet", "--json", *only,
               "--python", str(python.absolute()), "--jobs", str(place.jobs),
               "--out", str(run.absolute()), *subject.listed.files,
               "--", *subject.listed.args]  # fmt: skip
    ended = subprocess.run(
        command, cwd=repository, env=catalogue.environment(place.redhanded),
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    if ended.returncode:
        raise RefusedError(
            f"expected redhanded to measure, found exit code {ended.returncode}:\n"
            f"{ended.stderr.strip()[-2000:]}"
        )
    return record(subject, json.loads(ended.stdout), _commit(place.redhanded))


def _commit(redhanded: Path) -> str:
    """The commit of redhanded that is run, and whether its source is as committed."""
    git = ["git", "-C", str(redhanded)]
    told = [
        subprocess.run([*git, *what], capture_output=True, encoding="utf-8", check=False)
        for what in (["rev-parse", "--short=12", "HEAD"], ["status", "--porcelain", "--", "src"])
    ]
    if any(one.returncode for one in told):
        return "unknown"
    commit, changes = (one.stdout.strip() for one in told)
    return f"{commit} and changes" if changes else commit


def record(subject: Subject, result: Mapping[str, Any], commit: str) -> records.Record:
    """What is kept of a run.

    Args:
        subject: What was run.
        result: What ``redhanded tests --json`` printed.
        commit: The commit of redhanded.

    Raises:
        RefusedError: It doesn't add up, or wasn't finished.
    """
    if not result["complete"]:
        raise RefusedError("expected a finished run, found one that was interrupted")
    return {
        **records.described(subject),
        **{name: result[name] for name in _VERSIONS},
        "commit": commit,
        "digest": result["plan"]["digest"],
        "judges": result["reference"]["judges"],
        "counts": records.count(result),
    }
