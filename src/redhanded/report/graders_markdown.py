"""A run of graders as Markdown: the same facts as in a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from redhanded.model.graded import Row
from redhanded.model.grader_scores import Scores
from redhanded.model.graders import GradersResult, Hole
from redhanded.report import graders_view as look
from redhanded.report import graders_words as say
from redhanded.report import outputs, view, words
from redhanded.report.markdown import code, escaped, fenced, table
from redhanded.report.page import Options

_CLUSTERS = 20
_OTHERS = 3
_ROWS = 50
_FEW = 20


def render(
    result: GradersResult,
    rows: Iterable[Row],
    options: Options | None = None,
    *,
    suite: str | None = None,
    operators: look.Operators | None = None,
) -> str:
    """The whole report as one Markdown text; see :func:`redhanded.report.graders.render`."""
    options = options or Options()
    found = look.summary(rows)
    blocks = [f"## {escaped(say.title(result, suite))}", escaped(say.population(result))]
    blocks += _headline(result)
    blocks += _graders(result, options)
    blocks += _holes(result, operators or {}, options)
    blocks += _unasked(result, found, options)
    blocks += _lacking(found)
    blocks += _untested(result)
    blocks += _contracts(result, options)
    if result.warnings:
        blocks += ["### Warnings", _list(map(escaped, result.warnings))]
    blocks += _footer(result)
    return "\n\n".join(blocks) + "\n"


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _more(shown: view.Shown[object], what: str) -> list[str]:
    return [f"… and {shown.hidden} more {what}"] if shown.hidden else []


def _headline(result: GradersResult) -> list[str]:
    rows = [(f"**{name}**", "", escaped(told)) for name, told in say.troubles(result)]
    number, _, kinds = say.holes(result).partition(": ")
    rows.append(("**Holes**", f"**{number}**", escaped(kinds)))
    total = say.total(result)
    if total is not None and say.measured(result):
        rows += [
            (name, words.ratio(score.value), escaped(told))
            for name, score, told in say.headline(total)
        ]
    blocks = [table(("", "", ""), rows)]
    if result.gate is not None:
        blocks.append(_list(map(escaped, say.gate(result.gate))))
    return blocks


def _graders(result: GradersResult, options: Options) -> list[str]:
    found = say.by_grader(result)
    if not found:
        return []
    shown = view.first(found, _ROWS, options.show_all)
    rows = [(code(one.grader or ""), *_cells(one), str(holes)) for one, holes in shown.items]
    headers = ("grader", "detection", "preservation", "floor", "holes")
    return ["### Graders", table(headers, rows, numbers=4), *_more(shown, "graders")]


def _cells(one: Scores) -> tuple[str, ...]:
    return say.cell(one.detection), say.cell(one.preservation), say.cell(one.floor)


def _holes(result: GradersResult, operators: look.Operators, options: Options) -> list[str]:
    found = look.clusters(result.holes)
    blocks = []
    for kind, (name, meaning) in say.HOLES.items():
        here = [one for one in found if one.kind is kind]
        if not here:
            continue
        number = sum(len(one.holes) for one in here)
        blocks.append(f"### {name.capitalize()} {number}: {escaped(meaning)}")
        shown = view.first(here, _CLUSTERS, options.show_all)
        for cluster in shown.items:
            blocks += _cluster(cluster, operators, result, options)
        blocks += _more(shown, "of this kind")
    return blocks


def _cluster(
    cluster: look.Cluster, operators: look.Operators, result: GradersResult, options: Options
) -> list[str]:
    operator = operators.get(cluster.operator or "")
    told = f"**{escaped(cluster.grader)}**"
    if cluster.operator is not None:
        told += f" {code(cluster.operator)}, {escaped(look.counted(cluster))}"
    summary = look.summary_of(cluster, operator)
    told += f": {escaped(summary)}" if summary else ""
    blocks = [told]
    shown = view.first(cluster.holes, _OTHERS + 1, options.show_all)
    for hole in shown.items:
        blocks += _hole(hole, result)
    blocks += _more(shown, "outputs")
    for one in look.happened(cluster, operator)[:1]:
        blocks.append(f"Has happened: {escaped(one.fact)} ({escaped(one.where)})")
    return blocks


def _hole(hole: Hole, result: GradersResult) -> list[str]:
    where = hole.case if hole.variant is None else f"{hole.case}, {hole.variant}"
    told = [f"{escaped(where)}: {say.verdict(hole)}"]
    if hole.why:
        told.append(escaped(say.because(hole)))
    told += [escaped(one) for one in (hole.note, hole.hint) if one]
    excused = say.excused(hole, result)
    if excused:
        told.append(f"**{escaped(excused)}**")
    blocks = ["; ".join(told)]
    if hole.output is not None:
        changed = outputs.changes(hole.reference, hole.output)
        blocks.append(fenced(f"{line.sign} {line.text}" for line in changed))
    return blocks


def _unasked(result: GradersResult, found: look.Summary, options: Options) -> list[str]:
    if not result.not_applicable:
        return []
    wanted = view.first(found.to_unlock(), _FEW, options.show_all)
    lines = [
        f"{escaped(one.unlock)}: {words.number(len(one.operators), 'operator')} in "
        f"{words.number(len(one.cases), 'case')} ({code(one.code)})"
        for one in wanted.items
    ]
    lines += [
        f"{code(one.code)}: {', '.join(map(code, one.operators))}"
        + (f": {escaped(one.why)}" if one.why else "")
        for one in found.others()
    ]
    return ["### What else could be asked", _list(lines), *_more(wanted, "declarations")]


def _lacking(found: look.Summary) -> list[str]:
    lines = [
        f"{code(one.grader)} {code(one.lack)}, {words.number(one.rows, 'row')}: "
        f"{escaped(say.LACKS[one.lack])}; in {', '.join(map(code, list(one.cases)[:5]))}"
        + (f": {escaped(one.note)}" if one.note else "")
        for one in found.lacking.values()
    ]
    lines += [
        f"{code(grader)}: {words.number(number, 'row')} not stable over repeats"
        for grader, number in found.flaky.items()
    ]
    return ["### No evidence", _list(lines)] if lines else []


def _untested(result: GradersResult) -> list[str]:
    given = result.inventory.untested
    if not given:
        return []
    lines = []
    for name, reason, together in look.untested(given):
        named = list(dict.fromkeys(one.case or one.name for one in together))
        more = f" and {len(named) - 5} more" if len(named) > 5 else ""
        lines.append(f"{', '.join(map(code, named[:5]))}{more}: {escaped(reason)} ({code(name)})")
    return [f"### Found and not tested: {len(given)}", _list(lines)]


def _contracts(result: GradersResult, options: Options) -> list[str]:
    contracts = result.inventory.contracts
    if not contracts:
        return []
    shown = view.first(look.contracts(contracts), _FEW, options.show_all)
    lines = [f"# {', '.join(cases[:5])}\nright={right}" for right, cases in shown.items]
    made = fenced(lines).replace("diff\n", "python\n", 1)
    return ["### Contracts derived from the cases' own data", made, *_more(shown, "contracts")]


def _footer(result: GradersResult) -> list[str]:
    lines = [f"Ledger: {say.ledger(result.ledger)}"]
    lines += [f"doesn't balance: {problem}" for problem in result.ledger.problems]
    lines.append(f"Canaries: {say.canaries(result.canaries)}")
    lines += [
        f"{'not passed' if one.passed is False else 'not asked'}: {one.name} ({one.grader}): "
        f"{one.detail}"
        for one in result.canaries
        if one.passed is not True
    ]
    lines += [f"Proved: {say.PROVES}", f"Not proved: {say.PROVES_NOT}"]
    lines.append(f"With: redhanded {result.redhanded}, Python {result.python}")
    return ["---", _list(map(escaped, lines))]
