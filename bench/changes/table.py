"""All results as Markdown: every change that was chosen is a row, whatever came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

from bench.changes import records
from bench.changes.subjects import Change, read_changes, read_limits

_CAME: Final = (
    "change", "chosen as", "mutated", "mutants", "reference: killed / tried",
    "delta: gained / (open + contested)", "lost", "contested", "left out", "exit code",
    "statuses equal the oracle's",
)  # fmt: skip
_RUN: Final = (
    "change", "plain suite at the commit", "plain, s", "redhanded, s", "times", "setup, s",
    "controls, s", "trials, s", "plain, processor s", "redhanded, processor s", "times",
    "oracle, s", "Python", "pytest", "redhanded",
)  # fmt: skip
_LEFT: Final = ("change", "chosen as", "mutated", "left out", "plain suite at the commit",
                "Python", "pytest", "redhanded")  # fmt: skip
_SHOWN: Final = 7
_NONE: Final = "-"

Rows = Sequence[tuple[Change, records.Record | None]]


def render(results: Path = records.RESULTS, changes: Sequence[Change] | None = None) -> str:
    """Both tables, the notes on single rows, and every difference from the oracle.

    Args:
        results: Where results are kept.
        changes: The rows; None: all that were chosen.
    """
    listed = read_changes() if changes is None else changes
    rows = [(change, records.read(results, change)) for change in listed]
    parts = [_caps(), _table(_CAME, (_came(*row) for row in rows))]
    notes = list(_notes(rows))
    if notes:
        parts.append("\n".join(notes) + "\n")
    parts += ["### Differences from the oracle\n", _differences(rows)]
    parts += ["### Seconds and versions\n", _table(_RUN, (_ran(*row) for row in rows))]
    return "\n".join(parts)


def statuses(record: records.Record) -> tuple[int, int]:
    """How many statuses, over both sides, are what the oracle says, and how many were compared."""
    equal = compared = 0
    for side in ((record["oracle"] or {}).get("sides") or {}).values():
        told = side.get("statuses", {})
        equal += told.get("agreed", 0) + told.get("settled", 0)
        compared += told.get("compared", 0)
    return equal, compared


def differs(record: records.Record) -> bool:
    """Is there anything in which the oracle doesn't bear redhanded out, or could not judge it?"""
    sides = ((record["oracle"] or {}).get("sides") or {}).values()
    return any(
        "refused" in side or side["statuses"]["disagreed"] or side["killers"]["pass"]
        for side in sides
    )


def _caps() -> str:
    limits = read_limits()
    return (
        f"redhanded: {limits.jobs} jobs, at most {limits.cap} s a change. Plain: the median of "
        f"{limits.plain} runs, or one of more than {limits.once:g} s. Oracle: all mutants of a "
        f"change, or a sample of {limits.sample} with some of every kind of status "
        f"(seed {limits.seed}); all test files where a plain run takes at most "
        f"{limits.slow:g} s, else those that matter.\n"
    )


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rules = ["---" if name in _LEFT else "---:" for name in columns]
    lines = [columns, rules, *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _name(change: Change) -> str:
    return f"{change.suite.name} {change.commit[:_SHOWN]}"


def _came(change: Change, record: records.Record | None) -> list[str]:
    """What came out of one change."""
    start = [_name(change), change.kind.replace("_", " ")]
    if record is None:
        return [*start, "not run", *[_NONE] * 8]
    code = "none" if record["exit_code"] is None else str(record["exit_code"])
    head = record["headline"]
    if head is None:
        return [*start, f"{record['ended']}, see below", *[_NONE] * 6, code, _equal(record)]
    delta = head["delta"]
    reference = head["reference"]
    gained = "unavailable" if delta is None or delta["unavailable"] else (
        f"{delta['gained']} / ({delta['open']} + {delta['contested']})"
    )  # fmt: skip
    return [
        *start,
        head["scope"],
        str(head["mutants"]),
        f"{reference['killed']} / {reference['tried']}",
        gained,
        _NONE if delta is None else str(delta["lost"]),
        _NONE if delta is None else str(delta["contested"]),
        _counted(head["excluded"]),
        code,
        _equal(record),
    ]


def _equal(record: records.Record) -> str:
    oracle = record["oracle"]
    if oracle is None:
        return "not compared"
    equal, compared = statuses(record)
    shown = f"{equal} of {compared}"
    if oracle["mutants"] < oracle["of"]:
        shown += f" ({oracle['mutants']} of {oracle['of']} mutants)"
    return shown


def _notes(rows: Rows) -> Iterator[str]:
    """Why a row has no number, and what redhanded warned of."""
    for change, record in rows:
        if record is None:
            continue
        head = record["headline"]
        if record["reason"]:
            yield f"- {_name(change)}: {_plain(record['reason'])}"
        for warning in () if head is None else head["warnings"]:
            yield f"- {_name(change)}, a warning: {_plain(warning)}"
        for control in () if head is None else head["red_controls"]:
            yield f"- {_name(change)}, a control that failed: {_plain(control['name'])} " \
                  f"({_plain(str(control['detail']))})"  # fmt: skip
        if head is not None and head["no_judges"]:
            excluded = _counted(_tally(head["no_judges"].values()))
            yield f"- {_name(change)}, tests that are no judges: {excluded}"


def _differences(rows: Rows) -> str:
    found = [line for change, record in rows for line in _differing(change, record)]
    return "\n".join(found or ["None."]) + "\n"


def _differing(change: Change, record: records.Record | None) -> Iterator[str]:
    oracle = None if record is None else record["oracle"]
    for side, told in ({} if oracle is None else oracle["sides"]).items():
        start = f"- {_name(change)}, {side}: "
        if "refused" in told:
            yield f"{start}the oracle could not judge this side: {_plain(told['refused'])}"
            continue
        for one in told["statuses"]["differing"]:
            file, line, column, _, _, replacement = one["place"]
            failing = ", ".join(f"`{test}`" for test in one["fails"][:3]) or "none"
            yield (
                f"{start}{file}:{line}:{column} → `{_plain(replacement)}` is {one['engine']} by "
                f"redhanded; tests that fail by the oracle: {one['failing']} ({failing})"
            )
        for one in told["killers"]["pass"]:
            yield f"{start}mutant {one['mutant']} is killed, and no test named as killer fails"
        unsure = told.get("contested", {})
        if any(unsure.values()):
            yield (
                f"{start}of {sum(unsure.values())} contested mutants, tests of this side fail on "
                f"{unsure['fail']}, none does on {unsure['pass']} (contested claims neither)"
            )


def _ran(change: Change, record: records.Record | None) -> list[str]:
    """How one change was run."""
    if record is None:
        return [_name(change), "not run", *[_NONE] * (len(_RUN) - 2)]
    seconds, versions = record["seconds"], record["versions"]
    parts = [_seconds(seconds.get(name)) for name in ("setup", "controls", "trials")]
    return [
        _name(change),
        record["plain"]["counts"],
        *_beside(seconds, ""),
        *parts,
        *_beside(seconds, "_processor"),
        _seconds(seconds.get("oracle")),
        versions.get("python", _NONE),
        versions.get("pytest", _NONE),
        " ".join(versions[name] for name in ("redhanded", "redhanded_commit") if name in versions),
    ]


def _beside(seconds: Mapping[str, Any], clock: str) -> list[str]:
    """A plain run, redhanded's, and how many of the first the second is."""
    if "plain" + clock not in seconds:
        return [_NONE] * 3
    plain = median(seconds["plain" + clock])
    ours = seconds["delta" + clock]
    return [_seconds(plain), _seconds(ours), f"{ours / plain:.1f}" if plain else _NONE]


def _seconds(value: float | None) -> str:
    return _NONE if value is None else f"{value:.1f}"


def _tally(values: Iterable[str]) -> dict[str, int]:
    listed = list(values)
    return {value: listed.count(value) for value in set(listed)}


def _counted(counts: Mapping[str, Any]) -> str:
    return ", ".join(f"{count} {why}" for why, count in sorted(counts.items()) if count) or "0"


def _plain(text: str) -> str:
    """Text that can stand in one line of Markdown."""
    return " ".join(text.split()).replace("|", "\\|").replace("`", "'")
