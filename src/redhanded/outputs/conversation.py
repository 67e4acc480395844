"""What a case's grader is asked, and in what order: a dialogue, with nobody in particular."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from redhanded.model.graded import Answer, Call, Lack, Phase, WitnessKind
from redhanded.model.graders import CanaryResult
from redhanded.model.grading import decided, green, settled
from redhanded.outputs.planner import CasePlan, Planned
from redhanded.outputs.wire import Ask, Canary, Fresh, Open, Opened, Reply, Said

Step = Open | Ask | Fresh
Dialogue = Generator[Step, Opened | Reply, "Talk"]


@dataclass
class Talk:
    """All that was said about one case."""

    plan: CasePlan
    opened: Opened
    asked: int = 0
    """Calls that were made."""
    stray: int = 0
    calls: list[Call] = field(default_factory=list)
    """Numbered from 0 within the case."""
    keys: list[str] = field(default_factory=list)
    """The grader's verdicts: one empty key where it gives but one."""
    canaries: list[CanaryResult] = field(default_factory=list)
    canary_lack: Lack | None = None

    def judge(self, key: str) -> str:
        """The name of one verdict's judge."""
        return f"{self.opened.name}[{key}]" if key else self.opened.name

    def about(self, key: str, phase: Phase, row: str | None = None) -> list[Call]:
        """The calls of one judge, one phase and one row."""
        name = self.judge(key)
        return [
            call
            for call in self.calls
            if call.grader == name and call.phase is phase and call.row == (row and named(row, key))
        ]


def named(row: str, key: str) -> str:
    """A row's id, by the judge's key."""
    return f"{row}[{key}]" if key else row


def converse(plan: CasePlan, repeats: int, *, canaries: bool) -> Dialogue:
    """Ask about one case: control, decisions and shams, control again; then the canaries."""
    opened = yield Open()
    assert isinstance(opened, Opened)
    talk = Talk(plan, opened)
    if opened.error is not None:
        return talk
    yield from _repeated(talk, Phase.CONTROL, 0, None, repeats)
    if any(green(talk.about(key, Phase.CONTROL)) is None for key in talk.keys):
        for place, row in enumerate(plan.planned):
            yield from _decide(talk, row, 1 + 2 * place, repeats)
        if plan.planned:
            yield from _repeated(talk, Phase.CONTROL_AFTER, 0, None, repeats)
    if canaries:
        yield from _canaries(talk)
    return talk


def _decide(talk: Talk, row: Planned, output: int, repeats: int) -> Dialogue:
    yield from _repeated(talk, Phase.DECISION, output, row.id, repeats)
    if row.sham is not None and any(_low(talk, key, row) for key in talk.keys):
        yield from _repeated(talk, Phase.SHAM, output + 1, row.id, repeats)
    return talk


def _low(talk: Talk, key: str, row: Planned) -> bool:
    """Was the output rejected, or scored below the reference?"""
    calls = talk.about(key, Phase.DECISION, row.id)
    answer = decided(calls)
    if answer is not Answer.SCORED:
        return answer is Answer.REJECT
    scores = [call.score for call in calls if call.score is not None]
    reference = [one.score for one in talk.about(key, Phase.CONTROL) if one.score is not None]
    return bool(scores and reference) and max(scores) < min(reference)


def _repeated(talk: Talk, phase: Phase, output: int, row: str | None, repeats: int) -> Dialogue:
    """One question, as often as it takes."""
    for repeat in range(repeats):
        reply = yield Ask(phase, output, row, repeat)
        assert isinstance(reply, Reply)
        _note(talk, phase, row, repeat, reply)
        if all(_enough(talk.about(key, phase, row), repeats) for key in talk.keys):
            break
    return talk


def _enough(calls: Sequence[Call], repeats: int) -> bool:
    if any(call.lack is not None for call in calls):
        return True
    return settled([call.answer for call in calls], repeats)


def _note(talk: Talk, phase: Phase, row: str | None, repeat: int, reply: Reply) -> None:
    """Enter a reply: one call for each verdict that the grader gives on its reference."""
    talk.asked += 1
    talk.stray += reply.stray
    if not talk.keys:
        talk.keys = list(reply.verdicts)
    elif phase is Phase.CONTROL and talk.keys == [""] and "" not in reply.verdicts:
        talk.keys = ["", *reply.verdicts]
    failed = "" in reply.verdicts and reply.verdicts[""].answer is Answer.ERROR
    missing = Said(Answer.ABSTAIN, why="no such verdict in what came back")
    for key in talk.keys:
        said = reply.verdicts.get(key, reply.verdicts[""] if failed else missing)
        if said is missing and "" in reply.verdicts and reply.verdicts[""].lack is not None:
            said = reply.verdicts[""]
        talk.calls.append(_call(talk, key, phase, row, repeat, reply, said))


def _call(
    talk: Talk, key: str, phase: Phase, row: str | None, repeat: int, reply: Reply, said: Said
) -> Call:
    return Call(
        id=len(talk.calls),
        case=talk.plan.case.id,
        grader=talk.judge(key),
        phase=phase,
        answer=said.answer,
        row=row and named(row, key),
        repeat=repeat,
        score=said.score,
        raw=reply.raw,
        entries=reply.entries,
        witness=reply.witness,
        lack=said.lack,
        error=reply.error or (said.why if said.lack is not None else None) or None,
        seconds=reply.seconds,
    )


def _canaries(talk: Talk) -> Dialogue:
    """Break the watched code, then invert it; each in a process that has asked nothing yet."""
    for canary in ("raises", "inverted"):
        target = _aim(talk)
        if isinstance(target, CanaryResult):
            talk.canaries.append(_renamed(target, canary))
            continue
        yield Fresh()
        reply = yield Ask(Phase.PROBE, 0, canary=canary)
        assert isinstance(reply, Reply)
        keys = list(talk.keys)
        _note(talk, Phase.PROBE, None, 0, reply)
        talk.keys = keys or talk.keys
        result = (_raised if canary == "raises" else _inverted)(talk, target, reply)
        talk.canaries.append(result)
        if result.passed is False and talk.canary_lack is None:
            talk.canary_lack = (
                Lack.ANSWERS_FOR_LIBRARY if canary == "raises" else Lack.UPSTREAM_IGNORED
            )
    return talk


def _aim(talk: Talk) -> str | CanaryResult:
    """The code to break; or why nothing can be broken."""
    opened = talk.opened
    why = None
    if opened.witness is not WitnessKind.ENTERED:
        why = "the grader runs in another process: its code can't be broken from here"
    elif opened.unwatchable:
        why = opened.unwatchable[0]
    elif not opened.watched:
        why = "the adapter names nothing to watch"
    if why is not None:
        return CanaryResult("raises", opened.name, "", None, why)
    return opened.watched[-1] if opened.has_upstream else opened.watched[0]


def _renamed(result: CanaryResult, name: Canary) -> CanaryResult:
    return CanaryResult(name, result.grader, result.target, result.passed, result.detail)


def _raised(talk: Talk, target: str, reply: Reply) -> CanaryResult:
    said = [one for one in reply.verdicts.values() if one.answer is not Answer.ERROR]
    if not said:
        detail = "it raised, and no verdict came"
        return CanaryResult("raises", talk.opened.name, target, True, detail)
    detail = f"it raised, yet the verdict was {said[0].answer}: the grader answers for it"
    return CanaryResult("raises", talk.opened.name, target, False, detail)


def _inverted(talk: Talk, target: str, reply: Reply) -> CanaryResult:
    name = talk.opened.name

    def result(passed: bool | None, detail: str) -> CanaryResult:
        return CanaryResult("inverted", name, target, passed, detail)

    controls = {key: talk.about(key, Phase.CONTROL) for key in talk.keys}
    first = {key: calls[0] for key, calls in controls.items() if calls}
    if not first or any(call.answer is Answer.ERROR for call in first.values()):
        return result(None, "there is no verdict on the reference to compare with")
    if reply.inverted == 0:
        why = reply.uninvertible or "the code that was called is not the one that was inverted"
        return result(None, why)
    moved = any(
        key not in reply.verdicts
        or (reply.verdicts[key].answer, reply.verdicts[key].score) != (call.answer, call.score)
        for key, call in first.items()
    )
    if moved:
        return result(True, "its return was inverted, and the verdict moved")
    if talk.opened.checked:
        return result(
            None,
            "its return was inverted and the verdict stayed: the grader reads it elsewhere; each "
            "verdict is compared with the return instead",
        )
    return result(False, "its return was inverted, and the verdict stayed: it isn't looked at")
