"""From what was said about one case to its rows, holes and separations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from redhanded.model.graded import Answer, Call, HoleKind, OutputOutcome, Phase, Row
from redhanded.model.graders import Hole
from redhanded.model.grading import Asking, Judged, decided, judge, stateful
from redhanded.model.holes import Claimed, claim, hole
from redhanded.model.separation import (
    NOTHING_TO_COMPARE,
    Separation,
    at_fault,
    measure,
    separate,
)
from redhanded.outputs.conversation import Talk, named
from redhanded.outputs.planner import Declined, Planned


@dataclass
class Assembled:
    """What one case comes to."""

    calls: list[Call] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    holes: list[Hole] = field(default_factory=list)
    separations: list[Separation] = field(default_factory=list)


def assemble(talk: Talk, first: int) -> Assembled:
    """Judge a case.

    Args:
        talk: What was said.
        first: The number of its first call, over the whole run.
    """
    found = Assembled()
    found.calls = [msgspec.structs.replace(call, id=first + call.id) for call in talk.calls]
    talk.calls = found.calls
    for key in talk.keys or [""]:
        _judge(talk, key, found)
    found.rows += [_declined(talk, one) for one in talk.plan.declined]
    return found


def _judge(talk: Talk, key: str, found: Assembled) -> None:
    """One judge of the case: the grader, or one of its verdicts."""
    planned = {named(row.id, key): row for row in talk.plan.planned}
    askings = {name: _asking(talk, key, row) for name, row in planned.items()}
    judged = {name: _witnessed(talk, judge(asking)) for name, asking in askings.items()}
    judged = separate(askings, judged)
    name = talk.judge(key)
    for row_id, row in planned.items():
        claimed = _claimed(talk, row)
        kind = hole(
            judged[row_id].outcome,
            row.planted,
            forged=row.forged,
            bar=row.bar,
            claimed=claimed.claimed,
            at_fault=at_fault(row_id, askings, judged),
            sham_raised=decided(askings[row_id].shams) is Answer.ERROR
            if askings[row_id].shams
            else False,
        )
        made = _row(talk, row_id, name, row, judged[row_id], askings[row_id], claimed, kind)
        found.rows.append(made)
        if kind is not None:
            found.holes.append(_hole(talk, made, row, claimed, kind))
    if planned:
        _about_case(talk, key, found, askings, judged)


def _about_case(
    talk: Talk,
    key: str,
    found: Assembled,
    askings: dict[str, Asking],
    judged: dict[str, Judged],
) -> None:
    name, case = talk.judge(key), talk.plan.case
    separation = measure(case.id, name, askings, judged)
    if separation is not None:
        found.separations.append(separation)
    after = talk.about(key, Phase.CONTROL_AFTER)
    if stateful(talk.about(key, Phase.CONTROL), after):
        why = next((call.error for call in after if call.error), None)
        found.holes.append(
            Hole(
                case=case.id,
                grader=name,
                kind=HoleKind.STATEFUL,
                reference=case.good,
                why=f"accepted the reference first; after {len(found.calls)} calls: "
                f"{why or after[0].answer}",
            )
        )


def _asking(talk: Talk, key: str, row: Planned) -> Asking:
    return Asking(
        planted=row.planted,
        controls=talk.about(key, Phase.CONTROL),
        decisions=talk.about(key, Phase.DECISION, row.id),
        shams=talk.about(key, Phase.SHAM, row.id),
        has_sham=row.sham is not None,
        after=talk.about(key, Phase.CONTROL_AFTER),
    )


def _witnessed(talk: Talk, judged: Judged) -> Judged:
    """A failed canary speaks against every verdict of the grader."""
    if talk.canary_lack is None or judged.outcome is OutputOutcome.INCOMPLETE:
        return judged
    return Judged(
        OutputOutcome.INCOMPLETE,
        talk.canary_lack,
        repeats=judged.repeats,
        note="a canary failed: the verdicts don't come from the code that is watched",
    )


def _claimed(talk: Talk, row: Planned) -> Claimed:
    case = talk.plan.case
    return claim(
        derived=case.derived,
        claims=case.claims,
        documented=talk.opened.claim,
        shared=case.shared,
        violated=row.violated,
        parts=row.parts,
    )


def _row(
    talk: Talk,
    row_id: str,
    grader: str,
    row: Planned,
    judged: Judged,
    asking: Asking,
    claimed: Claimed,
    kind: HoleKind | None,
) -> Row:
    unmeasured = judged.outcome is OutputOutcome.NOT_APPLICABLE
    return Row(
        id=row_id,
        case=talk.plan.case.id,
        grader=grader,
        operator=row.operator,
        variant=row.variant,
        planted=row.planted,
        defect_class=row.defect_class,
        outcome=judged.outcome,
        hole=kind,
        basis=row.basis,
        claim_source=claimed.source,
        part=row.part,
        bar=row.bar,
        why=row.why,
        output=row.output,
        sham=row.sham,
        code="nothing_to_compare" if unmeasured else None,
        unlock=NOTHING_TO_COMPARE if unmeasured else None,
        lack=judged.lack,
        calls=tuple(call.id for call in _all(asking)),
        accepted=judged.accepted,
        repeats=judged.repeats,
        no_sham=judged.no_sham,
        note="; ".join(note for note in (judged.note, row.note, _why(judged, asking)) if note),
    )


def _all(asking: Asking) -> Iterable[Call]:
    return (*asking.controls, *asking.decisions, *asking.shams, *asking.after)


def _why(judged: Judged, asking: Asking) -> str:
    """For a row without evidence: what its call says of it."""
    if judged.lack is None:
        return ""
    calls = _all(asking)
    return next((call.error for call in calls if call.error and call.lack is judged.lack), "") or (
        next((call.error for call in asking.controls if call.error), "") if asking.controls else ""
    )


def _hole(talk: Talk, made: Row, row: Planned, claimed: Claimed, kind: HoleKind) -> Hole:
    sham = made.outcome is OutputOutcome.CONFOUNDED
    gap = kind is HoleKind.COVERAGE_GAP
    return Hole(
        case=made.case,
        grader=made.grader,
        kind=kind,
        reference=talk.plan.case.good,
        row=made.id,
        defect_class=made.defect_class,
        operator=made.operator,
        variant=made.variant,
        planted="sham" if sham else made.planted,
        basis=made.basis,
        claim_source=made.claim_source,
        output=row.sham if sham else row.output,
        part=made.part,
        bar=made.bar,
        why="it says the same as the reference, in the defect's frame" if sham else made.why,
        hint=claimed.hint if gap else "",
        note=made.note,
    )


def _declined(talk: Talk, declined: Declined) -> Row:
    return Row(
        id=declined.id,
        case=talk.plan.case.id,
        grader=talk.opened.name,
        operator=declined.operator,
        variant=declined.variant,
        planted=declined.planted,
        defect_class=declined.defect_class,
        outcome=OutputOutcome.NOT_APPLICABLE,
        part=declined.part,
        why=declined.why,
        output=declined.output,
        code=declined.code,
        unlock=declined.unlock or None,
    )
