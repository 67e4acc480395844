"""One change: the plain suite, then redhanded, as a reader would run them."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.changes import clones, records
from bench.changes.subjects import Change, Limits
from bench.oracle.errors import RefusedError
from bench.oracle.tree import remove

ROOT: Final = Path(__file__).resolve().parents[2]
_CLOSING: Final = re.compile(r"\d+ (?:passed|failed|skipped|error|deselected|xfailed).* in [\d.]+s")
_PLAIN_CAP: Final = 900


@dataclass(frozen=True)
class Place:
    """Where everything is."""

    clones: Path
    """A folder of clones."""
    work: Path
    python: Path
    """The subjects' interpreter."""
    redhanded: Path = ROOT
    """The checkout of redhanded that is run."""
    results: Path = records.RESULTS
    reports: Path | None = None
    """Folder for what redhanded prints for people."""

    def clone(self, change: Change) -> Path:
        """The working copy that redhanded is run in."""
        return self.work / change.label / "repository"

    def run(self, change: Change) -> Path:
        """redhanded's run directory."""
        return self.work / change.label / "run"

    def names(self) -> dict[Path, str]:
        """What to call folders of this machine in results, innermost first."""
        prefix = self.python.parent.parent
        return {self.work: "WORK", prefix: "ENV", self.clones: "CLONES", self.redhanded: "."}


@dataclass(frozen=True)
class Ended:
    """How a process ended."""

    code: int | None
    """None: it was ended, because it took too long."""
    out: str
    err: str
    seconds: float
    processor: float
    """Processor seconds of it and of all that it waited for."""


def measure(change: Change, place: Place, limits: Limits) -> records.Record:
    """Run a change and keep what came out."""
    versions = _versions(place)
    clone, run = place.clone(change), place.run(change)
    clones.checkout(place.clones, change, clone)
    plain, runs = _plain(change, place, limits)
    if run.exists():
        remove(run)
    ended = _delta(change, place, limits)
    record: records.Record = {
        "format": records.FORMAT,
        "repository": change.suite.repository,
        "commit": change.commit,
        "parent": clones.parent(clone, change.commit),
        "kind": change.kind,
        "command": _told(change, limits),
        "cap_seconds": limits.cap,
        "plain": plain,
        "exit_code": ended.code,
        "oracle": None,
        **_outcome(ended, limits),
    }
    seconds = record.pop("timings")
    record["versions"] = {**versions, **record["versions"]}
    record["seconds"] = {
        **seconds,
        "plain": [round(one.seconds, 1) for one in runs],
        "plain_processor": [round(one.processor, 1) for one in runs],
        "delta": round(ended.seconds, 1),
        "delta_processor": round(ended.processor, 1),
    }
    kept: records.Record = records.without_paths(record, place.names())
    records.write(place.results, change, kept)
    if place.reports is not None:
        place.reports.mkdir(parents=True, exist_ok=True)
        text = f"{ended.err}\nexit code {ended.code}, {ended.seconds:.1f} s\n"
        (place.reports / f"{change.label}.txt").write_text(text, encoding="utf-8")
    return kept


def _outcome(ended: Ended, limits: Limits) -> records.Record:
    """What a run of redhanded amounts to."""
    try:
        result: Mapping[str, Any] | None = json.loads(ended.out)
    except ValueError:
        result = None
    if ended.code is None:
        reason: str | None = f"did not end within {limits.cap} s"
    elif result is not None and result["delta"] is not None:
        reason = result["delta"]["unavailable"]
    else:
        reason = _message(ended.err)
    if result is None or ended.code is None:
        return {
            "ended": "timeout" if ended.code is None else "refused",
            "reason": reason,
            "headline": None,
            "mutants": [],
            "versions": {},
            "timings": {},
        }
    versions = {name: result[name] for name in ("redhanded", "python", "pytest")}
    kept = ("setup", "controls", "trials")
    return {
        "ended": "measured",
        "reason": reason,
        "headline": records.headline(result),
        "mutants": records.mutants(result),
        "versions": versions,
        "timings": {name: result["timings"][name] for name in kept},
    }


def _message(err: str) -> str:
    """What redhanded said last: a line that names it, and the lines that go on from there."""
    lines = err.strip().splitlines()
    named = [at for at, line in enumerate(lines) if line.startswith("redhanded: ")]
    said = " ".join(" ".join(lines[named[-1] if named else 0 :]).split())
    return said.removeprefix("redhanded: ")[:600] or "nothing was said"


def _plain(change: Change, place: Place, limits: Limits) -> tuple[records.Record, list[Ended]]:
    """The suite by itself, in a clone of its own."""
    clone = place.work / change.label / "plain"
    clones.checkout(place.clones, change, clone)
    clones.add_made(change.suite, clone)
    roots = os.pathsep.join(str(clone / root) for root in change.suite.roots)
    command = [str(place.python), "-m", "pytest", "-q", "--color=no", *change.suite.args]
    runs: list[Ended] = []
    while len(runs) < limits.plain and not (runs and runs[0].seconds > limits.once):
        runs.append(call(command, clone, {"PYTHONPATH": roots}, _PLAIN_CAP))
    codes, said = [one.code for one in runs], [_closing(one.out) for one in runs]
    if len(set(said)) == len(set(codes)) == 1:
        return {"exit_code": codes[0], "counts": said[0]}, runs
    return {"exit_code": None, "counts": "; then ".join(said)}, runs


def _closing(out: str) -> str:
    """The counts of pytest's closing line."""
    closing = _CLOSING.findall(out)
    return closing[-1].rpartition(" in ")[0] if closing else "no closing line"


def _told(change: Change, limits: Limits) -> list[str]:
    """The command line as a reader would type it."""
    args = ["--", *change.suite.args] if change.suite.args else []
    return ["redhanded", "delta", "--base", f"{change.commit}^", "--head", change.commit,
            "--jobs", str(limits.jobs), "--json", *args]  # fmt: skip


def _delta(change: Change, place: Place, limits: Limits) -> Ended:
    told = _told(change, limits)
    at = told.index("--json")
    command = [sys.executable, "-m", *told[:at], "--python", str(place.python),
               "--out", str(place.run(change)), *told[at:]]  # fmt: skip
    plain = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    source = {"PYTHONPATH": str(place.redhanded / "src")}
    return call(command, place.clone(change), {**plain, **source}, limits.cap)


def call(
    command: Sequence[str], folder: Path, extra: Mapping[str, str], cap: float
) -> Ended:  # fmt: skip
    """Run a command to its end, or until ``cap`` seconds have passed."""
    begun, used = time.monotonic(), _processor()
    process = subprocess.Popen(
        command, cwd=folder, env={**os.environ, **extra}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        encoding="utf-8", errors="replace",
    )  # fmt: skip
    code: int | None
    try:
        out, err = process.communicate(timeout=cap)
        code = process.returncode
    except subprocess.TimeoutExpired:
        process.terminate()  # it tidies up after itself
        try:
            out, err = process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
        code = None
    return Ended(code, out, err, time.monotonic() - begun, _processor() - used)


def _processor() -> float:
    """Processor seconds of all processes that were waited for until now."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _versions(place: Place) -> dict[str, str]:
    """Of the subjects' interpreter and its pytest, and which redhanded was run."""
    code = "import platform, pytest; print(platform.python_version(), pytest.__version__)"
    told = call([str(place.python), "-c", code], place.clones, {}, 60)
    if told.code != 0:
        raise RefusedError(f"expected an interpreter with pytest, found: {told.err.strip()}")
    python, pytest = told.out.split()
    return {"python": python, "pytest": pytest, "redhanded_commit": _commit(place.redhanded)}


def _commit(redhanded: Path) -> str:
    """The commit of redhanded that was run, and whether its source was as committed."""
    try:
        commit = clones.git(redhanded, "rev-parse", "--short=12", "HEAD").strip()
        dirty = clones.git(redhanded, "status", "--porcelain", "--", "src").strip()
    except RefusedError:
        return "unknown"
    return f"{commit} and changes" if dirty else commit
