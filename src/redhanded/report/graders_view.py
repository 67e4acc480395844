"""What a report of graders shows: holes that belong together, what wasn't asked, what is nothing.

Rows are looked at once, one by one, so that a report doesn't grow with the number of cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from redhanded.model.graded import HoleKind, Lack, OutputOutcome, Row
from redhanded.model.graders import RANK, Hole, Untested
from redhanded.report import words

HOUSEKEEPING: Final = ("duplicate_variant", "operator_error", "contract_error")
"""Codes for what redhanded, an operator or a contract did wrong."""


class Provenance(Protocol):
    """Where a class of defect has happened."""

    @property
    def fact(self) -> str:
        """What happened."""

    @property
    def where(self) -> str:
        """A public issue, a paper, a post-mortem."""


class Operator(Protocol):
    """What a report tells of an operator."""

    @property
    def summary(self) -> str:
        """One line."""

    @property
    def provenance(self) -> Sequence[Provenance]:
        """Where it has happened."""


Operators = Mapping[str, Operator]


@dataclass(frozen=True)
class Cluster:
    """Holes of one kind that one grader has for one operator."""

    kind: HoleKind
    grader: str
    operator: str | None
    defect_class: str | None
    holes: tuple[Hole, ...]

    @property
    def twins(self) -> bool:
        """It is about shams, not about what the operator plants."""
        return all(hole.planted == "sham" for hole in self.holes)


def clusters(holes: Sequence[Hole]) -> list[Cluster]:
    """Holes that are told together; in the order in which the worst of each comes."""
    found: dict[tuple[HoleKind, str, str | None, bool], list[Hole]] = {}
    for hole in holes:
        key = (hole.kind, hole.grader, hole.operator, hole.planted == "sham")
        found.setdefault(key, []).append(hole)
    # A twin that is rejected says less than a right answer in other words that is.
    ordered = sorted(found.items(), key=lambda item: (RANK[item[0][0]], item[0][3]))
    return [
        Cluster(kind, grader, operator, together[0].defect_class, tuple(together))
        for (kind, grader, operator, _), together in ordered
    ]


def summary_of(cluster: Cluster, operator: Operator | None) -> str:
    """What was planted, in one line; empty where nobody knows the operator."""
    if operator is None:
        return ""
    if cluster.twins:
        return f"The truthful twin, in the same frame, of: {operator.summary}"
    return operator.summary


def happened(cluster: Cluster, operator: Operator | None) -> Sequence[Provenance]:
    """Where the class has happened; a twin is of no class."""
    return () if operator is None or cluster.twins else operator.provenance


def counted(cluster: Cluster) -> str:
    """``7 outputs in 2 cases``."""
    cases = len({hole.case for hole in cluster.holes})
    outputs = words.number(len(cluster.holes), "output")
    return f"{outputs} in {words.number(cases, 'case')}"


@dataclass
class Unasked:
    """What one declaration would unlock."""

    code: str
    unlock: str
    operators: dict[str, None] = field(default_factory=dict)
    cases: set[str] = field(default_factory=set)
    why: str = ""


@dataclass
class Lacking:
    """Rows of one grader that are no evidence, for one reason."""

    grader: str
    lack: Lack
    rows: int = 0
    cases: dict[str, None] = field(default_factory=dict)
    note: str = ""


@dataclass
class Summary:
    """What all rows say, beside the holes."""

    unasked: dict[tuple[str, str], Unasked] = field(default_factory=dict)
    lacking: dict[tuple[str, Lack], Lacking] = field(default_factory=dict)
    flaky: dict[str, int] = field(default_factory=dict)

    def to_unlock(self) -> list[Unasked]:
        """What can be asked after a declaration: what unlocks most first."""
        found = [one for one in self.unasked.values() if one.unlock]
        return sorted(found, key=lambda one: (-len(one.operators), -len(one.cases), one.code))

    def others(self) -> list[Unasked]:
        """What no declaration would unlock."""
        found = [one for one in self.unasked.values() if not one.unlock]
        return sorted(found, key=lambda one: (-len(one.operators), one.code))


def summary(rows: Iterable[Row]) -> Summary:
    """Look at all rows once."""
    found = Summary()
    for row in rows:
        if row.outcome is OutputOutcome.NOT_APPLICABLE:
            code, unlock = row.code or "unknown", row.unlock or ""
            one = found.unasked.setdefault((code, unlock), Unasked(code, unlock))
            one.operators[row.operator] = None
            one.cases.add(row.case)
            one.why = one.why or row.why
        elif row.outcome is OutputOutcome.INCOMPLETE and row.lack is not None:
            lacking = found.lacking.setdefault(
                (row.grader, row.lack), Lacking(row.grader, row.lack)
            )
            lacking.rows += 1
            lacking.cases[row.case] = None
            lacking.note = lacking.note or row.note
        elif row.outcome is OutputOutcome.FLAKY:
            found.flaky[row.grader] = found.flaky.get(row.grader, 0) + 1
    return found


def untested(given: Sequence[Untested]) -> list[tuple[str, str, list[Untested]]]:
    """What was found and not tested, by code and reason."""
    found: dict[tuple[str, str], list[Untested]] = {}
    for one in given:
        found.setdefault((one.code, one.reason), []).append(one)
    return [(code, reason, together) for (code, reason), together in found.items()]


def contracts(given: Mapping[str, str]) -> list[tuple[str, list[str]]]:
    """Contracts as code, each once, with its cases."""
    found: dict[str, list[str]] = {}
    for case, code in given.items():
        found.setdefault(code, []).append(case)
    return list(found.items())
