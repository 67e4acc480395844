"""Where a grader is asked: one case, one call after the other, each of them watched."""

from __future__ import annotations

import contextlib
import copy
import math
import time
from collections.abc import Callable, Mapping

from redhanded.errors import UsageError
from redhanded.model.graded import Answer, Entry, Lack, WitnessKind
from redhanded.outputs.adapters.base import Asked, NoEvidenceError, Reported, Verdict
from redhanded.outputs.case import Case
from redhanded.outputs.planner import CasePlan
from redhanded.outputs.wire import Ask, Opened, Reply, Said, failed
from redhanded.outputs.witness.canary import Inverter, raising
from redhanded.outputs.witness.data import as_data, error_text
from redhanded.outputs.witness.evidence import Doubt, doubt, ignored
from redhanded.outputs.witness.recorder import Seen
from redhanded.outputs.witness.target import resolve
from redhanded.outputs.witness.token import Token, carried
from redhanded.outputs.witness.watcher import Watcher


class Desk:
    """Asks one case's grader."""

    def __init__(
        self,
        plan: CasePlan,
        opener: Callable[[Case], Asked],
        entered: Callable[[Entry], None] | None = None,
    ) -> None:
        self._plan = plan
        self._opener = opener
        self._asked: Asked | None = None
        self._entered = entered
        self._watcher = Watcher(self._tell)

    def open(self) -> Opened:
        """Make the grader ready."""
        try:
            asked = self._asked = self._opener(self._plan.case)
            targets, unwatchable = resolve(asked.watched)
            claim = asked.claim
            return Opened(
                name=asked.name,
                state=asked.state,
                witness=asked.witness,
                watched=tuple(target.label for target in targets),
                has_upstream=any(one.role == "upstream" for one in asked.watched),
                checked=any(target.via is not None for target in targets),
                unwatchable=tuple(one.why for one in unwatchable),
                claim=None if claim is None else tuple(sorted(claim.kinds)),
                claim_where=None if claim is None else f"{claim.where} ({claim.version})",
            )
        except UsageError as error:
            hint = f" {error.hint}" if error.hint else ""
            return Opened(error=f"{error}{hint}", code="cannot_be_asked")
        except Exception as error:
            return Opened(error=error_text(error), code="adapter_error")

    def close(self) -> None:
        """Watch nothing any more."""
        self._watcher.close()

    def _tell(self) -> None:
        if self._entered is not None and self._watcher.targets:
            first = self._watcher.targets[0]
            self._entered(Entry(first.label, first.role, raised="didn't come back"))

    async def call(self, ask: Ask) -> Reply:
        """Make one call."""
        if self._asked is None:
            self.open()
        if self._asked is None:
            return failed("the grader can't be made ready", lack=Lack.NOT_ENTERED)
        try:
            asked = self._asked.fresh()
        except Exception as error:
            return failed(f"the grader can't be rebuilt: {error_text(error)}")
        self._watcher.watch(asked.watched)
        with carried(), contextlib.ExitStack() as planted:
            inverter = self._canary(ask, planted)
            began = time.perf_counter()
            raw, raised, seen = await self._watcher.call(
                Token(ask.phase, ask.row, ask.repeat),
                lambda: asked.grade(copy.deepcopy(self._plan.outputs[ask.output])),
            )
            seconds = time.perf_counter() - began
        reply = self._reply(asked, ask, raw, raised, seen)
        return _with(reply, seconds, inverter)

    def _canary(self, ask: Ask, planted: contextlib.ExitStack) -> Inverter | None:
        """Plant a canary's fault for one call."""
        if ask.canary is None:
            return None
        targets = self._watcher.targets
        has_upstream = any(target.role == "upstream" for target in targets)
        role: str = "upstream" if has_upstream else "grader"
        if ask.canary == "raises":
            self._watcher.plant(raising("upstream" if has_upstream else "grader"))
            planted.callback(self._watcher.plant, None)
            return None
        inverter = Inverter()
        for function in {target.function: target for target in targets if target.role == role}:
            target = next(one for one in targets if one.function is function)
            planted.enter_context(inverter.planted(target))
        return inverter

    def _reply(
        self, asked: Asked, ask: Ask, raw: object, error: BaseException | None, seen: Seen
    ) -> Reply:
        if isinstance(error, NoEvidenceError):
            said = Said(Answer.ABSTAIN, why=str(error), lack=error.lack)
            return Reply({"": said}, error=str(error), witness=asked.witness)
        if isinstance(raw, Reported):
            return _reported(asked, raw)
        entries = tuple(one.entry() for one in seen.opened)
        verdicts, message = _read(asked, raw, error)
        found = _doubt(asked, self._watcher, seen, ask, answered=error is None)
        theirs: Mapping[str, Doubt] = {}
        if found is None and error is None and ask.canary is None:
            theirs = ignored(seen, verdicts)
        return Reply(
            verdicts={
                key: _said(verdict, found or theirs.get(key)) for key, verdict in verdicts.items()
            },
            raw=as_data(raw),
            error=message,
            entries=entries,
            witness=asked.witness,
            stray=seen.stray,
        )


def _read(
    asked: Asked, raw: object, error: BaseException | None
) -> tuple[Mapping[str, Verdict], str | None]:
    """The verdicts of a return, or one error."""
    if error is None:
        try:
            verdicts = asked.verdicts(raw)
        except Exception as unread:
            return _failed(error_text(unread))
        wrong = [one.why for one in verdicts.values() if one.answer is Answer.ERROR]
        return verdicts or {"": Verdict(Answer.ABSTAIN)}, wrong[0] if wrong else None
    return _failed(error_text(error))


def _failed(message: str) -> tuple[Mapping[str, Verdict], str]:
    return {"": Verdict(Answer.ERROR, why=message)}, message


def _doubt(asked: Asked, watcher: Watcher, seen: Seen, ask: Ask, *, answered: bool) -> Doubt | None:
    if asked.witness is not WitnessKind.ENTERED:
        if not answered:
            return None
        return Doubt(Lack.SELF_REPORT_MISSING, "no witness came with the answer")
    return doubt(seen, watcher.targets, watcher.unwatchable, answered=answered, repeat=ask.repeat)


def _said(verdict: Verdict, found: Doubt | None) -> Said:
    lack = None if found is None else found.lack
    score = verdict.score
    if score is not None and math.isnan(score):
        return Said(Answer.ERROR, why="the score is not a number", lack=lack)
    return Said(verdict.answer, score, verdict.why if found is None else found.why, lack)


def _reported(asked: Asked, reported: Reported) -> Reply:
    verdicts, message = _read(asked, reported.raw, None)
    return Reply(
        verdicts={key: _said(verdict, None) for key, verdict in verdicts.items()},
        raw=as_data(reported.raw),
        error=message,
        entries=reported.entries,
        witness=reported.witness,
    )


def _with(reply: Reply, seconds: float, inverter: Inverter | None) -> Reply:
    return Reply(
        verdicts=reply.verdicts,
        raw=reply.raw,
        error=reply.error,
        entries=reply.entries,
        witness=reply.witness,
        stray=reply.stray,
        seconds=seconds,
        inverted=inverter.inverted if inverter else 0,
        uninvertible=inverter.failed if inverter else None,
    )
