"""The status of each mutant, as the engine gives it, against the oracle's cells.

``killed``, ``crashed`` and ``hung`` claim that a test of the suite fails; ``survived`` and
``no_coverage`` that none does; ``unviable`` that tests can't even be collected; ``equivalent`` that
nothing changes. ``incomplete`` is right where tests vanish and none fails; else it claims nothing
where something is to be known, and disagrees.
``contested`` is about two sources and ``duplicate`` about two mutants: counted, not compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from bench.oracle.mutant import Mutant

if TYPE_CHECKING:
    from bench.oracle.compare import Comparer, Difference

NOTICED: Final = ("killed", "crashed", "hung")
UNNOTICED: Final = ("survived", "no_coverage")
NOT_COMPARED: Final = ("contested", "duplicate")


def compare_statuses(comparer: Comparer, differences: Sequence[Difference]) -> dict[str, Any]:
    """Compare every mutant's status; cells that were settled count as they were settled."""
    judged = {name for name in comparer.oracle.baseline.words if name in comparer.judges}
    after: dict[tuple[str, str], str] = {}
    for one in differences:
        if one.settlement is not None and one.settlement.word is not None:
            after[one.mutant.id, one.test] = one.settlement.word
    counts: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    wrong = []
    for mutant in comparer.oracle.mutants:
        status = None
        if mutant.id in comparer.ids:
            status = comparer.engine.status(comparer.ids[mutant.id])
        if status in NOT_COMPARED:
            skipped[str(status)] += 1
            continue
        before = {test: comparer.oracle.cell(mutant.id, test).word for test in judged}
        settled = {test: after.get((mutant.id, test), word) for test, word in before.items()}
        if _holds(comparer, mutant, status, settled):
            counts["agreed" if _holds(comparer, mutant, status, before) else "settled"] += 1
        else:
            counts["disagreed"] += 1
            fails = sorted(test for test, word in settled.items() if word == "fail")
            wrong.append({"mutant": mutant.id, "place": list(mutant.place), "engine": status,
                          "fails": fails[:20], "failing": len(fails)})  # fmt: skip
    return {
        "compared": sum(counts.values()),
        "agreed": counts["agreed"],
        "settled": counts["settled"],
        "disagreed": counts["disagreed"],
        "not_compared": dict(skipped),
        "differing": wrong,
    }


def _holds(
    comparer: Comparer, mutant: Mutant, status: str | None, words: Mapping[str, str]
) -> bool:
    """Do the oracle's words bear a status out?"""
    if status in NOTICED:
        return "fail" in words.values()
    if status in UNNOTICED:
        # A test that a mutant makes vanish has answered nothing.
        return "fail" not in words.values() and "missing" not in words.values()
    if status == "unviable":
        return "missing" in words.values()
    if status == "incomplete":
        return "missing" in words.values() and "fail" not in words.values()
    if status == "equivalent":
        usual = comparer.oracle.baseline.words
        return all(
            word == ("skip" if usual[test] == "xfail" else "pass") for test, word in words.items()
        )
    return False
