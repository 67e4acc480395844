"""What a run keeps as its cases end: counts, holes, and what was not tested."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

import msgspec

from redhanded.model.checks import group
from redhanded.model.graded import OutputOutcome, Phase, Row
from redhanded.model.grader_scores import UNMEASURED, ScoreBook
from redhanded.model.graders import (
    HARNESS,
    CanaryResult,
    GraderInfo,
    GraderSink,
    GradersResult,
    Hole,
    Inventory,
    Untested,
    Verdict,
    exit_code,
    tallies,
    worst_first,
)
from redhanded.model.grading import green
from redhanded.model.ledger import Bookkeeping
from redhanded.model.output import Output
from redhanded.model.separation import Separation
from redhanded.outputs.assemble import Assembled
from redhanded.outputs.case import Case
from redhanded.outputs.conversation import Talk
from redhanded.outputs.options import Options


class Books:
    """Takes each case as it ends; keeps no rows but those it is told to keep."""

    def __init__(
        self, options: Options, sink: GraderSink, *, state: str, warnings: list[str]
    ) -> None:
        self.next_call = 0
        """The number of the next call, over the whole run."""
        self._options = options
        self._sink = sink
        self._state = state
        self._warnings = warnings
        self._ledger = Bookkeeping()
        self._scores = ScoreBook()
        self._rows: list[Row] = []
        self._holes: list[Hole] = []
        self._separations: list[Separation] = []
        self._canaries: list[CanaryResult] = []
        self._groups: dict[str, list[Row]] = {}
        self._old: dict[str, bool] = {}
        self._graders: dict[str, GraderInfo] = {}
        self._untested: list[Untested] = list(options.untested)
        self._contracts: dict[str, str] = {}
        self._tally: tuple[Counter[str], Counter[str], Counter[str]] = (
            Counter(), Counter(), Counter(),
        )  # fmt: skip
        self._counts: Counter[str] = Counter()
        self._measured: Counter[str] = Counter()
        self._unwitnessed: Counter[str] = Counter()

    def case(self, case: Case) -> None:
        """A case was found."""
        self._counts["cases"] += 1
        if case.derived:
            self._contracts[case.id] = case.right.code()

    def refuse(self, case: Case, code: str, reason: str) -> None:
        """A case can't be asked."""
        name = getattr(case.grader, "__qualname__", type(case.grader).__qualname__)
        self._untested.append(Untested(str(name), code, reason, case.id))

    def self_check(self, canary: CanaryResult) -> None:
        """One of the run's own two graders was asked."""
        self._counts["self-checks"] += 1
        self._counts["self-checks passed"] += canary.passed is True
        self._canary(canary)

    def _canary(self, canary: CanaryResult) -> None:
        self._canaries.append(canary)
        self._sink.canary(canary)

    def enter(self, talk: Talk, found: Assembled) -> None:
        """A case has ended."""
        case = talk.plan.case
        if talk.opened.error is not None:
            self.refuse(case, talk.opened.code, talk.opened.error)
            return
        self.next_call += len(found.calls)
        self._ledger.stray(talk.stray)
        self._ledger.enter(talk.asked, found.calls, found.rows)
        for canary in talk.canaries:
            self._canary(canary)
        self._scores.add(found.rows)
        self._holes += found.holes
        self._separations += found.separations
        for counter, more in zip(self._tally, tallies(found.rows), strict=True):
            counter.update(more)
        self._grader(talk)
        self._count(talk, found)
        self._keep(case, found)
        self._sink.case(found.calls, found.rows)

    def _keep(self, case: Case, found: Assembled) -> None:
        if self._options.keep_rows:
            self._rows += found.rows
        if case.group is not None:
            self._old[case.id] = case.old
            self._groups.setdefault(case.group, []).extend(map(_light, found.rows))

    def _count(self, talk: Talk, found: Assembled) -> None:
        for key in talk.keys:
            lack = green(talk.about(key, Phase.CONTROL))
            self._counts["controls"] += 1
            self._counts["red"] += lack is not None and lack not in HARNESS
        measured = [row for row in found.rows if row.outcome not in UNMEASURED]
        self._counts["measured"] += len(measured)
        self._counts["tested"] += bool(measured)
        for row in found.rows:
            self._measured[row.grader] += row.outcome not in UNMEASURED
            self._unwitnessed[row.grader] += (
                row.outcome is OutputOutcome.INCOMPLETE and row.lack in HARNESS
            )

    def _grader(self, talk: Talk) -> None:
        opened = talk.opened
        known = self._graders.get(opened.name)
        if known is not None:
            self._graders[opened.name] = msgspec.structs.replace(known, cases=known.cases + 1)
            return
        self._graders[opened.name] = GraderInfo(
            name=opened.name,
            cases=1,
            state="fresh" if opened.state == "fresh"
            else "forked" if self._state == "forked" else "shared",
            witness=opened.witness,
            watched=opened.watched,
            claim=opened.claim,
            claim_where=opened.claim_where,
            unwatchable=opened.unwatchable,
        )  # fmt: skip

    def _exit_code(self) -> int:
        return exit_code(
            Verdict(
                holes=tuple(hole.kind for hole in self._holes),
                measured=self._counts["measured"],
                controls=self._counts["controls"],
                red=self._counts["red"],
                balanced=self._ledger.ledger().balanced,
                self_checks=self._counts["self-checks passed"] == self._counts["self-checks"] == 2,
                unwitnessed=sum(
                    not self._measured[grader] for grader, rows in self._unwitnessed.items() if rows
                ),
            )
        )

    def result(self, make: type[GradersResult], **about: Any) -> GradersResult:
        """The whole run."""
        outcomes, codes, lacks = (dict(sorted(one.items())) for one in self._tally)
        groups = tuple(group(name, rows, self._old) for name, rows in self._groups.items())
        return make(
            holes=worst_first(self._holes),
            scores=self._scores.scores(),
            rows=tuple(self._rows),
            tally=outcomes,
            not_applicable=codes,
            lacks=lacks,
            separations=tuple(self._separations),
            groups=groups,
            ledger=self._ledger.ledger(),
            canaries=tuple(self._canaries),
            inventory=Inventory(
                cases=self._counts["cases"],
                tested=self._counts["tested"],
                graders=tuple(self._graders[name] for name in sorted(self._graders)),
                untested=tuple(self._untested),
                contracts=self._contracts,
            ),
            complete=True,
            warnings=tuple(self._warnings),
            exit_code=self._exit_code(),
            **about,
        )


def _light(row: Row) -> Row:
    """A row whose output is told apart by a digest alone."""
    whole = msgspec.msgpack.encode(row.output, enc_hook=repr)
    return msgspec.structs.replace(
        row, output=Output(text=hashlib.sha256(whole).hexdigest()), sham=None
    )
