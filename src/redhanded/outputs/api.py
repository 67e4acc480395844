"""What a suite is written with: ``rh.case``, ``rh.cases`` and what goes with them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redhanded.errors import UsageError
from redhanded.model.graded import Answer
from redhanded.outputs.case import Case
from redhanded.outputs.contract.base import AllOf, Contract, Ruling, declared
from redhanded.outputs.given import output_from

if TYPE_CHECKING:
    from redhanded.model.output import Output


def case(
    grader: Any,
    *,
    good: Any,
    right: Contract | None = None,
    target: Any = None,
    input: Any = None,  # noqa: A002 (the word of all frameworks)
    pass_at: float | None = None,
    upstream: Any = None,
    claims: Collection[str] | None = None,
    channel: str | None = None,
    id: str | None = None,  # noqa: A002 (the word of all frameworks)
    group: str | None = None,
    old: bool = False,
    **hints: Any,
) -> Case:
    """One case of an eval: a grader, a reference that it must accept, and what is right.

    Args:
        grader: A callable, a framework's scorer as its users write it, or ``rh.command(...)``.
        good: An output that the grader must accept: a text, data, messages, or ``rh.Output``.
        right: What a right output is, such as ``rh.number(42)``. Left out, it is derived from
            ``target``, and shown as code to copy.
        target: What the grader compares with: the framework's target or expected output.
        input: What the model was asked.
        pass_at: The score from which on an output is accepted.
        upstream: The library function that the grader wraps: a callable, or ``module:qualname``.
        claims: Kinds of clauses, or parts of the output, that the check claims to judge.
        channel: Where an output could write its own verdict.
        id: A name, unique in the suite; else made from the variable's name and the place.
        group: Cases of several checks on one and the same output share a group.
        old: The check was there before the change that is graded.
        hints: What else operators and adapters may be told, such as ``choices=[...]``;
            ``hints={...}`` gives several at once.

    Raises:
        UsageError: The contract doesn't call the reference right, or none can be derived.
    """
    origin = _caller()
    output = output_from(good)
    told = {**hints.pop("hints", {}), **hints}
    name = id or origin
    shared: frozenset[str] = frozenset()
    was_derived = right is None
    if right is None:
        right, shared = _derived(name, grader, output, target, told)
    check_reference(name, right, output)
    return Case(
        id=id or "",
        grader=grader,
        good=output,
        right=right,
        derived=was_derived,
        shared=shared,
        target=target,
        input=input,
        pass_at=pass_at,
        upstream=upstream,
        claims=None if claims is None else _names(claims),
        channel=channel,
        hints=told,
        origin=origin,
        group=group,
        old=old,
    )


def cases(grader: Any, rows: Iterable[Mapping[str, Any]], **common: Any) -> list[Case]:
    """Many cases of one grader.

    Args:
        grader: As for :func:`case`.
        rows: Mappings with ``good`` and whatever else :func:`case` takes; what it doesn't name is
            a hint.
        common: The same for all rows, unless a row says otherwise. ``right`` may be a function of
            the row, such as ``right=lambda row: rh.number(row["target"])``.

    Raises:
        UsageError: A row is no case; names the row.
    """
    origin = _caller()
    found = []
    make = common.pop("right", None)
    for number, row in enumerate(rows):
        if not isinstance(row, Mapping) or "good" not in row:
            raise UsageError(
                f"{origin}: row {number}: expected a mapping with 'good', found {row!r}",
                hint="For instance rh.cases(grader, [{'good': 'Paris', 'target': 'Paris'}]).",
            )
        values = {**common, **row}
        right = values.pop("right", None)
        if right is None:
            right = make if isinstance(make, Contract) or make is None else make(row)
        try:
            found.append(case(grader, right=right, **values))
        except UsageError as error:
            raise UsageError(f"row {number}: {error}", hint=error.hint) from None
    return found


def all_of(*contracts: Contract) -> AllOf:
    """All of these contracts have to be met."""
    if not contracts:
        raise UsageError("rh.all_of: expected contracts, found none")
    return AllOf(tuple(contracts))


def check_reference(name: str, right: Contract, good: Output) -> None:
    """Refuse a case whose contract doesn't call its own reference right.

    Raises:
        UsageError: With the contract's finding.
    """
    if not isinstance(right, Contract):
        raise UsageError(
            f"{name}: right: expected a contract, found {right!r}",
            hint="For instance right=rh.answer('Paris').",
        )
    finding = declared(right, good).rule(good)
    if finding.ruling is Ruling.RIGHT:
        return
    says = "calls the reference wrong" if finding.ruling is Ruling.WRONG else "can't tell of it"
    raise UsageError(
        f"{name}: expected a reference that the contract calls right; {right.code()} {says}: "
        f"{finding.why}",
        hint="Correct good= or right=: the reference is what the grader must accept.",
    )


def _derived(
    name: str, grader: Any, good: Output, target: Any, hints: dict[str, Any]
) -> tuple[Contract, frozenset[str]]:
    from redhanded.outputs.adapters.derive import derive

    found = derive(grader, good, target=target, hints=hints)
    if found is None:
        seen = (
            "or a target that says what is right; found no target"
            if target is None
            else f"as no contract that the target {target!r} amounts to calls the reference right"
        )
        raise UsageError(
            f"{name}: expected right=, {seen}",
            hint="Say what a right output is, such as right=rh.answer('Paris').",
        )
    return found.contract, found.shared


def _names(claims: Collection[str]) -> frozenset[str]:
    return frozenset({claims}) if isinstance(claims, str) else frozenset(claims)


def _caller() -> str:
    """File and line of the suite that is being written."""
    frame = sys._getframe(1)
    here = frame.f_code.co_filename
    while frame.f_back is not None and frame.f_code.co_filename == here:
        frame = frame.f_back
    path = Path(frame.f_code.co_filename)
    return f"{path.name}:{frame.f_lineno}"


def suite(path: str | Path) -> dict[str, Case]:
    """The cases of a suite by id, as ``redhanded graders`` reads it.

    Args:
        path: What the command takes: a file, or ``file@task``.
    """
    from redhanded.outputs.suites import load

    return {one.id: one for one in load(str(path)).cases}


def accepts(case: Case, output: Any, *, judge: str = "") -> bool:
    """Does a case's grader accept an output? Asked without a witness: for tests of one's own.

    Args:
        case: Whose grader.
        output: As ``good`` of :func:`case`.
        judge: Which verdict, where the grader gives several by name.

    Raises:
        UsageError: There is no such verdict, or it is a score without a bar.
    """
    from redhanded.outputs.adapters import open_case

    asked = open_case(case).fresh()
    raw = _awaited(lambda: asked.grade(output_from(output)))
    verdicts = asked.verdicts(getattr(raw, "raw", raw))
    if judge not in verdicts:
        found = ", ".join(map(repr, verdicts)) or "none"
        raise UsageError(f"{case.id}: expected a verdict {judge!r}, found {found}")
    answer = verdicts[judge].answer
    if answer is Answer.ERROR:
        raise UsageError(f"{case.id}: expected a verdict, found {verdicts[judge].why or raw!r}")
    if answer is Answer.SCORED:
        raise UsageError(
            f"{case.id}: expected a verdict, found the score {verdicts[judge].score}",
            hint="Give the case pass_at=, the score from which on an output is accepted.",
        )
    return answer is Answer.ACCEPT


def _awaited(ask: Callable[[], Any]) -> Any:
    async def main() -> Any:
        return await ask()

    return asyncio.run(main())
