"""The published runs as Markdown: every figure is counted in the files that are kept."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench.graders import evalmut, records, verdicts
from bench.graders.subjects import SUBJECTS
from redhanded.model.graded import HoleKind

KINDS: Final = [str(kind) for kind in HoleKind]
_LONGEST: Final = 160
_NO_EVIDENCE: Final = "0"


def stock(results: Path = records.RESULTS) -> str:
    """All frameworks: the numbers first, then all that was found."""
    runs = [records.read(name, results) for name in SUBJECTS if (results / name).is_dir()]
    parts = [_overview(runs, results)]
    for run in runs:
        parts += _framework(run, results)
    return "\n".join(parts)


def _overview(runs: Sequence[records.Record], results: Path) -> str:
    rows = []
    for run in runs:
        kinds = Counter(str(hole["kind"]) for hole in run["holes"])
        given = verdicts.read(run["name"], results).values()
        rows.append([
            _title(run),
            str(len(run["graders"])),
            str(len(run["cases"])),
            _share(_sum(run, "detection")),
            _share(_sum(run, "preservation")),
            _share(_sum(run, "floor")),
            _kinds(kinds),
            f"{sum(one.holds for one in given)} of {len(run['holes'])}",
            _counts(run["totals"]["incomplete"]) or _NO_EVIDENCE,
        ])  # fmt: skip
    head = ("run", "scorers", "cases", "detection", "preservation", "floor", "holes",
            "holes that hold, as read", "rows without evidence")  # fmt: skip
    return _table(head, rows)


def _framework(run: records.Record, results: Path) -> Iterator[str]:
    yield f"## {_title(run)}\n"
    yield f"{_how(run)}\n"
    yield _table(
        ("scorer", "cases", "detection", "preservation", "floor", "holes", "without evidence"),
        [
            [
                f"`{_cell(_short(one['name']))}`",
                str(one["cases"]),
                _share(one["detection"]),
                _share(one["preservation"]),
                _share(one["floor"]),
                _kinds(one["holes"]),
                _counts(one["incomplete"]) or _NO_EVIDENCE,
            ]
            for one in run["graders"]
        ],
    )
    yield from _separations(run)
    yield "### What was held to be right\n"
    yield _table(
        ("case", "reference", "right is"),
        [
            [f"`{name}`", _output(one["reference"]), f"`{_cell(one['right'])}`"]
            for name, one in run["cases"].items()
        ],
    )
    yield "### What was found\n"
    yield from _found(run, results)


def _how(run: records.Record) -> str:
    """What the run rests on, in a paragraph."""
    ledger, canaries = run["ledger"], run["canaries"]
    passed = sum(one["passed"] is True for one in canaries)
    unasked = [one for one in canaries if one["passed"] is None]
    told = [
        f"redhanded {run['versions']['redhanded']}, Python {run['versions']['python']}, "
        f"suite `{run['suite']}`.",
        f"Calls: {ledger['asked']} ({ledger['control']} control, {ledger['decision']} decision, "
        f"{ledger['sham']} sham, {ledger['probe']} probe, {ledger['unattributed']} unattributed), "
        + ("which balance." if not ledger["problems"] else "; ".join(ledger["problems"]) + "."),
        f"Canaries: {passed} of {len(canaries)} passed.",
        *(f"Not asked: {one['name']} of `{one['grader']}`: {one['detail']}." for one in unasked),
        f"Rows: {_counts(run['totals']['rows'])}.",
    ]
    return " ".join(told)


def _separations(run: records.Record) -> Iterator[str]:
    if not run["separations"]:
        return
    yield "Scores without a bar: does any bar tell right from wrong?\n"
    rows = []
    for one in run["separations"]:
        wrong, right = one["highest_wrong"], one["lowest_right"]
        told = "yes" if wrong is not None and wrong < right else "no"
        wrong = "none" if wrong is None else f"{wrong:g}"
        rows.append([f"`{_cell(_short(one['grader']))}`", f"`{one['case']}`", wrong, f"{right:g}",
                     told])  # fmt: skip
    yield _table(("scorer", "case", "highest of the wrong", "lowest of the right", "told apart"),
                 rows)  # fmt: skip


def _found(run: records.Record, results: Path) -> Iterator[str]:
    """Holes by scorer, worst first, those of one mechanism together."""
    given = verdicts.read(run["name"], results)
    clean = []
    for grader in run["graders"]:
        holes = [one for one in run["holes"] if records.belongs(one["grader"], grader["name"])]
        if not holes:
            clean.append(f"`{_short(grader['name'])}`")
            continue
        yield f"`{_short(grader['name'])}`\n"
        together: dict[tuple[int, str, str], list[Mapping[str, Any]]] = {}
        for hole in holes:
            said = given.get(hole["id"])
            word = "unread" if said is None else f"{'' if said.holds else 'false: '}{said.why}"
            key = (KINDS.index(hole["kind"]), str(hole.get("operator")), word)
            together.setdefault(key, []).append(hole)
        for (kind, operator, why), those in sorted(together.items()):
            outputs = "; ".join(dict.fromkeys(_output(one.get("output")) for one in those))
            cases = ", ".join(dict.fromkeys(f"`{one['case']}`" for one in those))
            yield f"- {KINDS[kind]} {len(those)}, {operator}, in {cases}. {why} {outputs}"
        yield ""
    if clean:
        yield f"No hole: {', '.join(clean)}.\n"


def comparison(results: Path = records.RESULTS) -> str:
    """Both runs on evalmut's suite, row by row."""
    there, run = evalmut.theirs(results), records.read(evalmut.NAME, results)
    rows, why = evalmut.rows(results), evalmut.reasons(results)
    outcomes = Counter(outcome for _, _, outcome in there["rows"])
    applied = outcomes["caught"] + outcomes["missed"]
    agree = sum(row.agrees for row in rows)
    there_kinds = [row.key for row in rows if row.outcome == "missed"]
    kinds = Counter(str(hole["kind"]) for hole in run["holes"])
    versions = ", ".join(f"{name} {number}" for name, number in there["versions"].items())
    parts = [
        f"evalmut at `{there['commit'][:12]}`, {versions}: {outcomes['caught']} caught of "
        f"{applied} applied, {outcomes['na']} not applicable, {outcomes['missed']} holes.\n",
        f"redhanded {run['versions']['redhanded']}, the same file and the same gradecore: "
        f"{_counts(run['totals']['rows'])}; holes: {_kinds(kinds)}. Detection "
        f"{_share(_sum(run, 'detection'))}, preservation {_share(_sum(run, 'preservation'))}, "
        f"floor {_share(_sum(run, 'floor'))}.\n",
        f"Of the {applied} rows that evalmut applied, {agree} agree and {len(rows) - agree} "
        f"differ, each for the reason given. Of the {outcomes['na']} that it called not "
        f"applicable, {evalmut.only_here(results)} were asked here.\n",
        f"Its {len(there_kinds)} holes: {', '.join(f'`{one}`' for one in there_kinds)}.\n",
        "## Row by row\n",
        _table(
            ("case", "evalmut's operator", "evalmut", "redhanded's", "redhanded, by output", ""),
            [
                [
                    row.case,
                    row.operator,
                    row.outcome,
                    ", ".join(row.ours) or f"not asked: {', '.join(row.codes)}",
                    _counts(row.outcomes) or "-",
                    "agrees" if row.agrees else _cell(why.get(row.key, "no reason given")),
                ]
                for row in rows
            ],
        ),
        "## What redhanded found in this suite\n",
        *_found(run, results),
    ]
    return "\n".join(parts)


def _title(run: records.Record) -> str:
    name, number = next(iter(run["versions"].items()))
    return f"{name} {number}"


def _sum(run: records.Record, what: str) -> list[int]:
    return [sum(one[what][at] for one in run["graders"]) for at in (0, 1)]


def _share(count: Sequence[int]) -> str:
    """k of n, with the ratio; nothing was measured where n is 0."""
    k, n = count
    return f"{k}/{n} = {k / n:.3f}" if n else "unavailable"


def _kinds(kinds: Mapping[str, int]) -> str:
    return ", ".join(f"{kinds[kind]} {kind}" for kind in KINDS if kinds.get(kind)) or "none"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))


def _output(output: Mapping[str, Any] | None) -> str:
    """An output in one line, as code."""
    if output is None:
        return ""
    calls = [
        f"{call['name']}({json.dumps(call.get('arguments', {}))[1:-1]})"
        + (" failed" if call.get("error") else "")
        for message in output.get("messages", ())
        for call in message.get("tool_calls", ())
    ]
    parts = []
    if output.get("messages"):
        parts.append(f"[{', '.join(calls)}]")
    if "value" in output:
        parts.append(json.dumps(output["value"], ensure_ascii=False))
    if output.get("text") or not parts:
        parts.append(json.dumps(output.get("text", ""), ensure_ascii=False))
    if output.get("contexts"):
        parts.append(f"contexts: {json.dumps(output['contexts'], ensure_ascii=False)}")
    return f"`{_cell(_short(' '.join(parts)))}`"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _cell(text: str) -> str:
    """A text that stays within its cell, and its code within its marks."""
    return text.replace("|", "\\|").replace("`", "'").replace("\n", " ")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [list(head), ["---" for _ in head], *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
