"""A whole run of the oracle: baseline, proof that the copy is what is imported, every mutant.

The folder that it writes:

```
run.json        what was asked, of what; the baseline, the tests that are excluded
mutants.jsonl   the mutants of this run, after sampling
outcomes.jsonl  one line per mutant, as they come; a run that was interrupted goes on from here
```

A line of ``outcomes.jsonl`` names the tests by what they did, those that did as on the unmutated
tree by their number only.
"""

from __future__ import annotations

import json
import queue
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from bench.oracle import tree
from bench.oracle.errors import RefusedError
from bench.oracle.mutant import Mutant, mutated, read_mutants, sample, write_mutants
from bench.oracle.process import Caps, Slot, Subject
from bench.oracle.suite import Baseline, Outcomes, run_suite, take_baseline
from bench.oracle.words import Cell

FORMAT: Final = "redhanded/oracle-run/1"
RUN: Final = "run.json"
MUTANTS: Final = "mutants.jsonl"
OUTCOMES: Final = "outcomes.jsonl"


@dataclass(frozen=True)
class Order:
    """What is asked for."""

    subject: Subject
    name: str
    version: str
    mutants: Path
    out: Path
    cap: int | None = None
    seed: int = 0
    available: int | None = None
    """How many mutants the file was sampled from; None: it was not."""
    claims: bool = False
    """Run the mutants too that are said to be unviable, equivalent or duplicates."""
    jobs: int = 1
    caps: Caps = field(default_factory=Caps)


@dataclass(frozen=True)
class StoredRun:
    """A run of the oracle, read back."""

    path: Path
    head: Mapping[str, Any]
    subject: Subject
    baseline: Baseline
    mutants: tuple[Mutant, ...]
    outcomes: Mapping[str, Mapping[str, Any]]
    """Lines by the mutant's id."""

    def cell(self, mutant: str, test: str) -> Cell:
        """What a test did on a mutant that was run."""
        line = self.outcomes[mutant]
        found = line["cells"].get(test)
        if found is not None:
            return Cell(**found)
        xfail = self.baseline.words[test] == "xfail"
        return Cell("skip", "xfail") if xfail else Cell("pass")


def caps_for(caps: Caps, baseline: Baseline) -> Caps:
    """The caps with that for collecting at 20 times what the unmutated tree takes, if longer."""
    return Caps(
        max(caps.startup, caps.factor * baseline.startup),
        caps.test_cpu,
        caps.test_wall,
        caps.factor,
    )


def run(order: Order) -> int:
    """Run, or go on with, what is asked for.

    Returns:
        The number of mutants that this call ran.

    Raises:
        RefusedError: Something is not as it must be for the outcomes to mean anything.
    """
    order.out.mkdir(parents=True, exist_ok=True)
    slots = [Slot(order.out / "scratch" / str(at), order.subject) for at in range(order.jobs)]
    available = read_mutants(order.mutants)
    if not order.claims:
        available = [mutant for mutant in available if mutant.viability == "viable"]
    mutants = sample(available, order.cap, order.seed)
    if not mutants:
        raise RefusedError(f"expected mutants to run in {order.mutants}, found none")
    texts = _texts(order.subject.tree, mutants)
    for mutant in mutants:
        mutated(texts[mutant.file], mutant)  # each fits, or nothing is run
    baseline = _begin(order, slots[0], mutants, texts, order.available or len(available))
    done = set(read_outcomes(order.out / OUTCOMES))
    todo = [mutant for mutant in mutants if mutant.id not in done]
    _run_all(order, slots, todo, texts, baseline)
    return len(todo)


def _begin(
    order: Order, slot: Slot, mutants: list[Mutant], texts: Mapping[str, bytes], available: int
) -> Baseline:
    """Take the baseline, or read that of the run that goes on."""
    asked = {
        "format": FORMAT,
        "subject": order.name,
        "version": order.version,
        "interpreter": order.subject.python,
        "tree": str(order.subject.tree.resolve()),
        "tree_digest": tree.digest(order.subject.tree),
        "args": list(order.subject.args),
        "roots": list(order.subject.roots),
        "available": available,
        "cap": order.cap,
        "seed": order.seed,
        "caps": asdict(order.caps),
        "mutants": [list(mutant.place) for mutant in mutants],
    }
    path = order.out / RUN
    if path.is_file():
        before = json.loads(path.read_text(encoding="utf-8"))
        differs = sorted(name for name, value in asked.items() if before.get(name) != value)
        if differs:
            raise RefusedError(
                f"expected the same run as in {order.out}, found another {', '.join(differs)}; "
                "ask for the same again or give another folder"
            )
        return Baseline(**before["baseline"])
    if (order.out / OUTCOMES).exists():
        raise RefusedError(f"expected {RUN} beside {OUTCOMES} in {order.out}, found none")
    baseline = take_baseline(slot, order.caps)
    prove_copy(slot, texts, baseline, caps_for(order.caps, baseline))
    write_mutants(order.out / MUTANTS, mutants)
    head = {**asked, "baseline": asdict(baseline)}
    partial = path.with_suffix(".tmp")
    partial.write_text(json.dumps(head, indent=1) + "\n", encoding="utf-8")
    partial.replace(path)
    return baseline


def prove_copy(slot: Slot, files: Iterable[str], baseline: Baseline, caps: Caps) -> None:
    """Show for each file that it is the scratch copy of it that the tests import.

    Raises:
        RefusedError: A file that raises when it is imported changes nothing.
    """
    for file in files:
        planted = {file: b'raise RuntimeError("this is the scratch copy")\n'}
        outcomes = run_suite(slot, planted, baseline, caps)
        if not any(_differs(baseline, name, cell) for name, cell in outcomes.cells.items()):
            raise RefusedError(
                f"expected tests to fail when {file} raises on import, found none that does: they "
                "import another copy of it, or don't import it at all"
            )


def _differs(baseline: Baseline, name: str, cell: Cell) -> bool:
    return cell.control != baseline.words[name]


def _run_all(
    order: Order,
    slots: list[Slot],
    todo: list[Mutant],
    texts: Mapping[str, bytes],
    baseline: Baseline,
) -> None:
    caps = caps_for(order.caps, baseline)
    free: queue.SimpleQueue[Slot] = queue.SimpleQueue()
    for slot in slots:
        free.put(slot)

    def one(mutant: Mutant) -> tuple[Mutant, Outcomes]:
        slot = free.get()
        try:
            planted = {mutant.file: mutated(texts[mutant.file], mutant)}
            return mutant, run_suite(slot, planted, baseline, caps)
        finally:
            free.put(slot)

    with (
        ThreadPoolExecutor(len(slots)) as pool,
        (order.out / OUTCOMES).open("a", encoding="utf-8") as file,
    ):
        try:
            for count, (mutant, outcomes) in enumerate(pool.map(one, todo), start=1):
                file.write(json.dumps(_line(mutant, outcomes, baseline)) + "\n")
                file.flush()
                fails = sum(cell.word == "fail" for cell in outcomes.cells.values())
                print(
                    f"{order.name} {count}/{len(todo)} {mutant.id}: {fails} fail, "
                    f"{outcomes.seconds:.1f} s",
                    file=sys.stderr,
                )
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _line(mutant: Mutant, outcomes: Outcomes, baseline: Baseline) -> dict[str, Any]:
    differing = {
        name: _short(cell)
        for name, cell in outcomes.cells.items()
        if _differs(baseline, name, cell)
    }
    return {
        "mutant": mutant.id,
        "cells": differing,
        "as_before": len(outcomes.cells) - len(differing),
        "seconds": round(outcomes.seconds, 3),
        "processes": outcomes.processes,
        "errors": outcomes.errors,
        "strangers": outcomes.strangers,
    }


def _short(cell: Cell) -> dict[str, Any]:
    short: dict[str, Any] = {"word": cell.word}
    if cell.note:
        short["note"] = cell.note
    if cell.ended:
        short["ended"] = cell.ended
    return short


def _texts(root: Path, mutants: Iterable[Mutant]) -> dict[str, bytes]:
    texts = {}
    for mutant in mutants:
        if mutant.file not in texts:
            path = root / mutant.file
            if not path.is_file():
                raise RefusedError(f"mutant {mutant.id}: expected a file {path}, found none")
            texts[mutant.file] = path.read_bytes()
    return texts


def read_outcomes(path: Path) -> dict[str, dict[str, Any]]:
    """Read the lines of a run; a last line that was cut off is taken away."""
    if not path.is_file():
        return {}
    data = path.read_bytes()
    whole, line_feed, torn = data.rpartition(b"\n")
    if torn:
        path.write_bytes(whole + line_feed)
    lines = [json.loads(line) for line in whole.split(b"\n")] if line_feed else []
    return {line["mutant"]: line for line in lines}


def read_run(path: Path) -> StoredRun:
    """Read a run of the oracle.

    Raises:
        RefusedError: It is none, or it has not come to its end.
    """
    if not (path / RUN).is_file():
        raise RefusedError(f"expected a run of the oracle in {path}, found no {RUN}")
    head = json.loads((path / RUN).read_text(encoding="utf-8"))
    if head.get("format") != FORMAT:
        raise RefusedError(f"{path / RUN}: expected {FORMAT}, found {head.get('format')}")
    mutants = tuple(read_mutants(path / MUTANTS))
    outcomes = read_outcomes(path / OUTCOMES)
    left = [mutant.id for mutant in mutants if mutant.id not in outcomes]
    if left:
        raise RefusedError(
            f"expected a run of {len(mutants)} mutants that came to its end in {path}, found "
            f"{len(left)} that were not run; go on with `run`"
        )
    baseline = Baseline(**head["baseline"])
    for mutant in mutants:
        line = outcomes[mutant.id]
        if line["as_before"] + len(line["cells"]) != len(baseline.words):
            raise RefusedError(
                f"{path / OUTCOMES}: expected {len(baseline.words)} cells of {mutant.id}, found "
                f"{line['as_before'] + len(line['cells'])}"
            )
    subject = Subject(
        Path(head["tree"]), head["interpreter"], tuple(head["args"]), tuple(head["roots"])
    )
    return StoredRun(path, head, subject, baseline, mutants, outcomes)
