"""A result as Markdown, for a comment on the change: the same facts as in a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from redhanded.model.result import CohortResult, DeltaResult, MutantResult, Result, TestResult
from redhanded.report import diff, view, words
from redhanded.report.page import Options

_MUTANTS = 30
_TESTS = 50
_NAMES = 5


def render(result: Result, options: Options | None = None) -> str:
    """The whole report as one Markdown text.

    Args:
        result: The result; nothing else is looked at but the sources in ``options``.
        options: How much; where the run lies is not told, the text may travel.
    """
    options = options or Options()
    blocks = [f"## {escaped(words.title(result))}", *_headline(result, options)]
    blocks += _cohorts(result)
    if result.delta is not None:
        blocks += _new_tests(result, result.delta, options)
        blocks += _moved(result, result.delta, options)
    else:
        blocks += _old_tests(result, options)
    blocks += _survivors(result, options)
    blocks += _excluded(result, options)
    blocks += _warnings(result)
    blocks += _footer(result)
    return "\n\n".join(blocks) + "\n"


# Pieces of Markdown


def escaped(text: str) -> str:
    """Text that Markdown shows as it is, in a paragraph or in a cell."""
    text = diff.printable(" ".join(text.split()))
    return re.sub(r"([\\`*_{}\[\]<>#|~&])", r"\\\1", text)


def code(text: str) -> str:
    """Text as a code span, whatever backticks it holds; safe in a cell."""
    text = diff.printable(" ".join(text.split())) or " "
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * (longest + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    # A bar would end the cell, even inside a code span; the backslash is taken away again there.
    return f"{fence}{space}{text}{space}{fence}".replace("|", "\\|")


def fenced(lines: Iterable[str]) -> str:
    """Lines as a block of diff, whatever backticks they hold."""
    text = "\n".join(lines)
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}diff\n{text}\n{fence}"


def table(headers: Sequence[str], rows: Iterable[Sequence[str]], numbers: int = 0) -> str:
    """A table whose last ``numbers`` columns are numbers."""
    lines = ["| " + " | ".join(headers) + " |"]
    rules = ["---"] * (len(headers) - numbers) + ["---:"] * numbers
    lines.append("| " + " | ".join(rules) + " |")
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def _details(summary: str, blocks: Sequence[str]) -> str:
    return "\n\n".join([f"<details><summary>{summary}</summary>", *blocks, "</details>"])


def _more(shown: view.Shown[object], what: str) -> list[str]:
    return [f"… and {shown.hidden} more {what}"] if shown.hidden else []


def _names(tests: Sequence[str], options: Options) -> str:
    named = view.functions(tests, options.show_all)
    shown = view.first(named, _NAMES, options.show_all)
    more = f" … and {shown.hidden} more" if shown.hidden else ""
    return ", ".join(code(test) for test in shown.items) + more


# Sections


def _headline(result: Result, options: Options) -> list[str]:
    reference = result.reference
    rows = []
    if not result.complete:
        rows.append(("**ABORTED**", "", "The run was stopped: it has no score."))
    label = f" ({escaped(reference.label)})" if reference.label else ""
    rows.append(("Reference", _bold(reference.score), _formula(reference) + label))
    delta = result.delta
    blocks = [f"Scope: {escaped(words.scope(result.plan))}"]
    if delta is None:
        note = "There is no change to grade: this ratio is the reference for later ones."
        return [*blocks, table(("", "", "formula"), rows), note]
    rows.append(("**Delta**", _bold(delta.value), _formula(delta)))
    if delta.free:
        value = words.ratio(delta.without_crash_only)
        rows.append(("without crash-only mutants", value, words.without_crash_only(delta)))
    blocks.append(table(("", "", "formula"), rows))
    if delta.unavailable is not None and delta.unavailable not in delta.reading:
        blocks.append(f"Unavailable: {escaped(delta.unavailable)}")
    blocks.append(f"**{escaped(words.sentence(delta.reading))}**")
    facts = [words.moves(delta).replace("lost", "Lost", 1)]
    for change, tests in view.touched(result):
        facts.append(f"Old tests {change}: {len(tests)}")
    if delta.real_defect is not None:
        caught = delta.real_defect.caught
        word = words.UNAVAILABLE if caught is None else "caught" if caught else "**not caught**"
        failing = delta.real_defect.failing
        by = f" ({_names(failing, options)})" if failing else ""
        facts.append(f"Real defect {word}: {escaped(delta.real_defect.note)}{by}")
    new = view.new_tests(result)
    told = f"{len(new)}: {words.verdict_counts(new)}" if new else "none"
    facts.append(f"New tests {told}")
    blocks.append("\n".join(f"- {fact}" for fact in facts))
    return blocks


def _bold(value: float | None) -> str:
    return f"**{words.ratio(value)}**"


def _formula(counts: CohortResult | DeltaResult) -> str:
    return escaped(words.counted(counts.formula, counts))


def _cohorts(result: Result) -> list[str]:
    sides = [("reference", result.reference), ("candidate", result.candidate)]
    rows = []
    for name, side in sides:
        if side is not None:
            numbers = (
                side.judges, side.tried, side.killed, side.survived, side.string_only,
                side.no_coverage, side.crashed, side.hung,
            )  # fmt: skip
            rows.append((name, *map(str, numbers), words.ratio(side.score)))
    headers = (
        "suite", "judges", "tried", "killed", "survived", "string only", "not covered", "crashed",
        "hung", "score",
    )  # fmt: skip
    return [table(headers, rows, numbers=9), escaped(words.any_failure(result))]


def _new_tests(result: Result, delta: DeltaResult, options: Options) -> list[str]:
    new = view.new_tests(result)
    if not new:
        return []
    shown = view.first(view.cases(new, options.show_all), _TESTS, options.show_all)
    rows = []
    for test, number in shown.items:
        told = words.VERDICTS[words.verdict(test)]
        why = words.why(test)
        reason = f": {escaped(why)}" if why else ""
        numbers = (test.entered, test.killed, test.killed_alone, test.gained)
        rows.append(
            (
                code(view.case_name(test.id, number)),
                told + reason,
                words.control(test),
                *map(words.count, numbers),
            )
        )
    headers = ("test", "verdict", "control", "entered", "killed", "killed alone", "gained")
    blocks = ["### New tests", table(headers, rows, numbers=4), *_more(shown, "tests")]
    if delta.minimal_gain:
        kind = "The smallest set" if delta.minimal_gain_exact else "A small set (found greedily)"
        least = words.number(len(delta.minimal_gain), "test")
        blocks.append(
            f"{kind} of new tests that gains as much is {least}: "
            f"{_names(delta.minimal_gain, options)}"
        )
    return blocks


def _old_tests(result: Result, options: Options) -> list[str]:
    judges = [test for test in view.old_tests(result) if test.control == "green"]
    if not judges:
        return []
    if all(test.killed is None for test in judges):
        first = view.first(list(view.first_kills(result).items()), _TESTS, options.show_all)
        made = table(("test", "first to kill"), ((code(t), str(n)) for t, n in first.items), 1)
        return ["### Tests", words.FIRST_KILLS, made, *_more(first, "tests")]
    shown = view.first(view.cases(judges, options.show_all), _TESTS, options.show_all)

    def row(line: tuple[TestResult, int]) -> tuple[str, ...]:
        test, number = line
        numbers = (test.entered, test.killed, test.killed_alone)
        return (code(view.case_name(test.id, number)), *map(words.count, numbers))

    headers = ("test", "entered", "killed", "killed alone")
    made = table(headers, map(row, shown.items), numbers=3)
    return ["### Tests", made, *_more(shown, "tests")]


def _moved(result: Result, delta: DeltaResult, options: Options) -> list[str]:
    found = view.moves(result)
    sections = (
        (f"Gained {delta.gained}: open before, killed by new tests", found.gained),
        (f"Lost {delta.lost}: killed before, not any more", found.lost),
        (f"Demoted {delta.demoted}: killed before, now only a crash", found.demoted),
        (f"Unresolved {delta.unresolved}: killed before, unclear now", found.unresolved),
        (f"Contested {delta.contested}, regained {delta.regained}", found.contested),
        (f"Free {delta.free}: open before, now only a crash or a hang", found.free),
    )
    blocks = []
    for summary, mutants in sections:
        if mutants:
            shown = view.first(mutants, _MUTANTS, options.show_all)
            rows = (
                (code(view.place(m)), code(diff.one_line(m)), _names(m.killers, options))
                for m in shown.items
            )
            made = table(("place", "change", "killers"), rows)
            blocks.append(_details(summary, [made, *_more(shown, "mutants")]))
    return blocks


def _survivors(result: Result, options: Options) -> list[str]:
    found = view.survivors(result)
    sections = (
        ("Survived", "that tests ran and did not notice", found.survived),
        ("Not covered", "that no test runs", found.no_coverage),
        ("Survived, only the text of a string changed", "", found.string_only),
    )
    blocks = []
    for name, what, mutants in sections:
        if mutants:
            shown = view.first(mutants, _MUTANTS, options.show_all)
            inner = [part for m in shown.items for part in _snippet(m, options)]
            summary = f"{name}: {len(mutants)} {what}".rstrip()
            blocks.append(_details(summary, [*inner, *_more(shown, "mutants")]))
    return blocks


def _snippet(mutant: MutantResult, options: Options) -> tuple[str, str]:
    lines = diff.snippet(mutant, options.sources.get(mutant.file))
    place = f"{code(view.place(mutant))} {code(mutant.function)} {escaped(mutant.operator)}"
    return place, fenced(f"{line.sign} {line.text}" for line in lines)


def _excluded(result: Result, options: Options) -> list[str]:
    outside = sum(result.excluded.values())
    total = words.number(result.plan.mutants, "mutant")
    lines = [f"Left out of the scores: {outside} of {total}: {escaped(words.excluded(result))}"]
    out = view.left_out(result)
    if out:
        kinds = [f"{code(test.id)} {escaped(words.control(test))}" for test in out]
        shown = view.first(kinds, _NAMES, options.show_all)
        told = ", ".join(shown.items) + (f" … and {shown.hidden} more" if shown.hidden else "")
        lines.append(f"Old tests that are no judges: {len(out)}: {told}")
    return ["### Left out", "\n".join(f"- {line}" for line in lines)]


def _warnings(result: Result) -> list[str]:
    lines = [f"- {escaped(warning)}" for warning in result.warnings]
    lines += [f"- {escaped(pragma)}" for pragma in view.pragmas(result)]
    return ["### Warnings", "\n".join(lines)] if lines else []


def _footer(result: Result) -> list[str]:
    lines = [f"Controls: {escaped(words.controls(result.controls))}"]
    lines += [
        f"Not passed: {escaped(check.name)} ({check.cohort}): {escaped(check.detail)}"
        for check in result.controls
        if not check.passed
    ]
    lines += [
        f"Time: {escaped(words.timings(result.timings))}",
        f"With: {escaped(words.made_with(result))}",
    ]
    return ["---", "\n".join(f"- {line}" for line in lines)]
