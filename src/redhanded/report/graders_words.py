"""What a run of graders says, in words: the same in every report."""

from __future__ import annotations

from collections import Counter
from typing import Final

from redhanded.errors import RedControlError, UnwitnessedError
from redhanded.model.graded import Basis, ClaimSource, HoleKind, Lack, Score
from redhanded.model.grader_scores import OLDER, UNMEASURED, Scores
from redhanded.model.graders import CanaryResult, Gate, GradersResult, Hole, hole_key
from redhanded.model.ledger import Ledger
from redhanded.report import words

HOLES: Final[dict[HoleKind, tuple[str, str]]] = {
    HoleKind.VACUOUS: ("vacuous", "accepts a blank or garbage"),
    HoleKind.FORGED: ("forged", "accepts an output that wrote its own verdict"),
    HoleKind.CRASH: ("crash", "raised or hung instead of judging"),
    HoleKind.LAX: ("lax", "its own bar is looser than the declared one"),
    HoleKind.BLIND: ("blind", "accepts what is wrong in the very thing that it claims to judge"),
    HoleKind.BRITTLE: ("brittle", "rejects a right output"),
    HoleKind.STATEFUL: ("stateful", "accepts the reference first, and not after other calls"),
    HoleKind.COVERAGE_GAP: (
        "coverage gap",
        "accepts what is wrong in a part that it doesn't claim to judge: a missing check, not a "
        "broken one",
    ),
}
"""Each kind of hole: its name, and what it says of the grader."""

BASES: Final[dict[Basis, str]] = {
    Basis.ORACLE: "the contract decides it",
    Basis.CONSTRUCTION: "built from a sentence whose meaning is known",
    Basis.DECLARED: "the case says so",
}
CLAIMS: Final[dict[ClaimSource, str]] = {
    ClaimSource.CONTRACT: "claimed by the contract",
    ClaimSource.CLAIMS: "claimed by claims=",
    ClaimSource.FRAMEWORK: "claimed by the framework's documentation",
    ClaimSource.NONE: "claimed by nobody",
}
LACKS: Final[dict[Lack, str]] = {
    Lack.RED_CONTROL: "the grader doesn't accept the reference",
    Lack.CONTROL_ERROR: "the grader raised or hung on the reference",
    Lack.UNSTABLE_CONTROL: "the grader doesn't always accept the reference",
    Lack.NOT_ENTERED: "the grader's own code was never entered in that call",
    Lack.UPSTREAM_NOT_ENTERED: "the library function that it wraps was never entered in that call",
    Lack.OTHER_INSTANCE: "another instance of the library function was entered",
    Lack.ANSWERS_FOR_LIBRARY: "with the library function broken it still gives a verdict",
    Lack.UPSTREAM_IGNORED: "the verdict is not the one that the library function returned",
    Lack.UNATTRIBUTED: "entries were seen that belong to no known call",
    Lack.SELF_REPORT_MISSING: "the grader's process gave no witness of that call",
    Lack.CACHED: "a repeat was answered from a cache",
    Lack.ABORTED: "the run ended before it",
}
UNIT: Final = (
    "A unit is one case and one class of defects; it is caught where every output of it is."
)
SELF_CHECKS: Final = ("accepts-all", "rejects-all")
PROVES: Final = (
    "Each verdict counted here was given by the grader's own code, entered in that very call "
    "(and its library's, where it wraps one), and is what came back."
)
PROVES_NOT: Final = (
    "That says nothing of whether it judged well: an output is wrong, or right, by the case's "
    "contract alone, and is as wrong as that contract is right."
)


def plural(count: int, kind: HoleKind) -> str:
    """``1 coverage gap``, ``2 coverage gaps``, ``2 blind``."""
    name = HOLES[kind][0]
    return f"{count} {name}{'s' if count != 1 and kind is HoleKind.COVERAGE_GAP else ''}"


def holes(result: GradersResult) -> str:
    """How many holes of each kind, worst first."""
    found = [hole.kind for hole in result.holes]
    parts = [plural(found.count(kind), kind) for kind in HOLES if kind in found]
    if not parts:
        return "none found" if measured(result) else "not measured"
    return f"{len(found)}: {' · '.join(parts)}"


def troubles(result: GradersResult) -> list[tuple[str, str]]:
    """What keeps a run from saying anything, in big letters: a label and why."""
    found = []
    if not result.complete:
        found.append(("ABORTED", "the run was stopped before its end"))
    if not result.ledger.balanced:
        found.append(("NO EVIDENCE", "the ledger of calls doesn't balance: see below"))
    if any(one.passed is False for one in result.canaries if one.name in SELF_CHECKS):
        found.append(("NO EVIDENCE", "the run's own two graders didn't come out as they must"))
    if result.exit_code == UnwitnessedError.exit_code and not found:
        found.append(("NO EVIDENCE", "of some grader no verdict is witnessed: see below"))
    if not measured(result):
        red = result.exit_code == RedControlError.exit_code
        why = "no grader accepts its reference" if red else "no outcome counts: see below"
        found.append(("NOT MEASURED", why))
    return found


def measured(result: GradersResult) -> int:
    """Rows with an outcome that counts."""
    return sum(count for name, count in result.tally.items() if name not in UNMEASURED)


def share(score: Score) -> str:
    """``7/27``."""
    return f"{score.k}/{score.n}"


def cell(score: Score) -> str:
    """``0.259 7/27``; a dash where there is nothing to count."""
    return words.NOT_MEASURED if score.n == 0 else f"{words.ratio(score.value)} {share(score)}"


def counted(score: Score, earned: str, unit: str) -> str:
    """A count in words, with its interval where it has one."""
    told = f"{score.k} {earned} / {score.n} {unit}"
    if score.low is None or score.high is None:
        return told
    return f"{told}   95%: {score.low:.2f} to {score.high:.2f}"


def no_sham(scores: Scores) -> str:
    """How many of what was caught has nothing to compare with."""
    if not scores.detection_no_sham:
        return ""
    return f", {scores.detection_no_sham} of them with no sham to compare with"


def total(result: GradersResult) -> Scores | None:
    """The scores over all graders and classes."""
    found = (one for one in result.scores if one.grader is None and one.defect_class is None)
    return next(found, None)


def headline(scores: Scores) -> tuple[tuple[str, Score, str], ...]:
    """The three numbers: name, score, and its counts."""
    caught = counted(scores.detection, "caught", "units of wrong outputs") + no_sham(scores)
    return (
        ("Detection", scores.detection, caught),
        (
            "Preservation",
            scores.preservation,
            counted(scores.preservation, "held", "units of right outputs"),
        ),
        ("Floor", scores.floor, counted(scores.floor, "caught", "units of blanks and garbage")),
    )


def by_grader(result: GradersResult) -> list[tuple[Scores, int]]:
    """Each grader's scores and its number of holes, most holes first."""
    found = [one for one in result.scores if one.grader is not None and one.defect_class is None]
    count = Counter(hole.grader for hole in result.holes)
    ordered = sorted(found, key=lambda one: (-count[one.grader or ""], one.grader or ""))
    return [(one, count[one.grader or ""]) for one in ordered]


def verdict(hole: Hole) -> str:
    """What the grader did to it."""
    if hole.kind is HoleKind.BRITTLE:
        return "rejected"
    return "raised on" if hole.kind is HoleKind.CRASH else "accepted"


def gate(found: Gate) -> list[str]:
    """What is excused, and what is left."""
    told = []
    if found.baseline:
        gone = f", {found.gone} of its holes are gone" if found.gone else ""
        told.append(f"{words.number(len(found.known), 'hole')} of the baseline{gone}")
    if found.waived:
        told.append(f"{words.number(len(found.waived), 'hole')} waived")
    left = words.number(found.failing, "hole")
    told.append(f"failed: nothing excuses {left}" if found.failing else "passed")
    return told


def excused(hole: Hole, result: GradersResult) -> str:
    """Why a hole doesn't fail the run; empty where it may."""
    if result.gate is None:
        return ""
    key = hole_key(hole)
    if key in result.gate.waived:
        return f"waived: {result.gate.waived[key]}"
    return "known: the baseline has it" if key in result.gate.known else ""


def older(scores: Scores) -> str:
    """The one number of other tools, by its name."""
    return f"{OLDER}: {words.ratio(scores.older.value)}, {share(scores.older)} rows"


def ledger(given: Ledger) -> str:
    """All calls, by why they were made."""
    parts = " + ".join(
        f"{getattr(given, name)} {name}"
        for name in ("control", "decision", "sham", "probe", "unattributed")
    )
    sign = "=" if given.balanced else "≠"
    return f"{parts} {sign} {words.number(given.calls, 'call')}"


def canaries(found: tuple[CanaryResult, ...]) -> str:
    """How many passed, and how many couldn't be asked."""
    passed = sum(one.passed is True for one in found)
    failed = sum(one.passed is False for one in found)
    unasked = len(found) - passed - failed
    told = f"{passed} of {passed + failed} passed"
    return f"{told}, {unasked} could not be asked" if unasked else told


def because(hole: Hole) -> str:
    """Why an output is wrong (or right), how that is known, and who claims to judge it."""
    known = "" if hole.basis is None else BASES[hole.basis]
    if hole.kind in (HoleKind.BRITTLE, HoleKind.STATEFUL, HoleKind.CRASH):
        return f"{hole.why} ({known})" if known else hole.why
    claimed = CLAIMS[hole.claim_source]
    if hole.kind is HoleKind.COVERAGE_GAP:
        claimed = "not " + claimed if hole.claim_source is not ClaimSource.NONE else claimed
    bar = f", only the bar of {hole.bar}" if hole.bar else ""
    return f"{hole.why} ({', '.join(part for part in (known + bar, claimed) if part)})"


def title(result: GradersResult, suite: str | None) -> str:
    """What was run."""
    return f"redhanded graders: {suite}" if suite else "redhanded graders"


def population(result: GradersResult) -> str:
    """How much was asked of how many."""
    planted = sum(count for name, count in result.tally.items() if name != "n/a")
    inventory = result.inventory
    cases = words.number(inventory.cases, "case")
    tested = "" if inventory.tested == inventory.cases else f" ({inventory.tested} measured)"
    graders = words.number(len(inventory.graders), "grader")
    return f"{cases}{tested}, {graders}, {words.number(planted, 'output')} planted"
