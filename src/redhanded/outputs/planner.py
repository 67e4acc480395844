"""Which outputs are planted in a case: those whose polarity the contract can show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from redhanded.model.graded import Basis, Planted
from redhanded.model.output import Output, Part
from redhanded.outputs.case import Case
from redhanded.outputs.contract.base import Contract, Finding, Ruling, leaves
from redhanded.outputs.operators.base import Decline, Operator, Variant
from redhanded.outputs.witness.data import error_text


@dataclass(frozen=True)
class Planned:
    """One output that is to be asked about."""

    id: str
    operator: str
    variant: str
    planted: Planted
    defect_class: str
    part: Part
    output: Output
    basis: Basis
    why: str
    sham: Output | None = None
    bar: str | None = None
    violated: frozenset[str] = frozenset()
    """Kinds of the clauses that it violates; dotted where an aspect is known."""
    parts: frozenset[Part] = frozenset()
    """Parts of it that are wrong."""
    forged: bool = False
    """It wrote the case's own verdict channel."""
    note: str = ""


@dataclass(frozen=True)
class Declined:
    """What is not planted, and what to declare so that it can be."""

    id: str
    operator: str
    variant: str
    planted: Planted
    defect_class: str
    part: Part
    code: str
    unlock: str = ""
    why: str = ""
    output: Output | None = None


@dataclass(frozen=True)
class CasePlan:
    """One case and what is planted in it."""

    case: Case
    planned: tuple[Planned, ...] = ()
    declined: tuple[Declined, ...] = ()
    refused: tuple[str, str] | None = None
    """Code and reason why the case can't be asked at all."""
    outputs: tuple[Output, ...] = field(init=False)
    """The reference, then each planted output with its sham (or itself)."""

    def __post_init__(self) -> None:
        pairs = [one for row in self.planned for one in (row.output, row.sham or row.output)]
        object.__setattr__(self, "outputs", (self.case.good, *pairs))


def plan_case(case: Case, operators: Sequence[Operator]) -> CasePlan:
    """Decide what is planted in a case. The grader is not looked at."""
    try:
        reference = case.right.rule(case.good)
    except Exception as error:
        return CasePlan(case, refused=("contract_error", f"its contract {error_text(error)}"))
    if reference.ruling is not Ruling.RIGHT:
        return CasePlan(
            case,
            refused=(
                "reference_not_right",
                f"the contract {case.right.code()} doesn't call the reference right "
                f"({reference.ruling.value}: {reference.why}). Correct good= or right=.",
            ),
        )
    planned: list[Planned] = []
    declined: list[Declined] = []
    taken: set[str] = set()
    for operator in operators:
        for one in _plant(case, operator):
            found = one if isinstance(one, Declined) else _admit(case, operator, one)
            if found.id in taken:
                found = _declined(
                    case, operator, "duplicate_variant", variant=f"{found.variant}#2",
                    why=f"the operator names two variants {found.variant!r}",
                )  # fmt: skip
            taken.add(found.id)
            if isinstance(found, Planned):
                planned.append(found)
            else:
                declined.append(found)
    return CasePlan(case, tuple(planned), tuple(declined))


def _plant(case: Case, operator: Operator) -> Sequence[Variant | Declined]:
    try:
        found = operator.plant(case)
    except Exception as error:
        return [_declined(case, operator, "operator_error", why=error_text(error))]
    if isinstance(found, Decline):
        return [_declined(case, operator, found.code, unlock=found.unlock)]
    if not found:
        return [_declined(case, operator, "not_applicable")]
    return found


def _declined(
    case: Case,
    operator: Operator,
    code: str,
    *,
    variant: str = "",
    unlock: str = "",
    why: str = "",
    output: Output | None = None,
) -> Declined:
    name = f"{case.id}/{operator.id}/{variant}" if variant else f"{case.id}/{operator.id}"
    return Declined(
        id=name,
        operator=operator.id,
        variant=variant,
        planted=operator.planted,
        defect_class=operator.defect_class,
        part=operator.part,
        code=code,
        unlock=unlock,
        why=why,
        output=output,
    )


def _admit(case: Case, operator: Operator, variant: Variant) -> Planned | Declined:
    def no(code: str, why: str, unlock: str = "") -> Declined:
        return _declined(
            case, operator, code, variant=variant.name, unlock=unlock, why=why,
            output=variant.output,
        )  # fmt: skip

    wanted = Ruling.RIGHT if operator.planted == "equivalent" else Ruling.WRONG
    try:
        finding = case.right.rule(variant.output)
        known = _known(case.right, variant, finding, wanted)
        sham, note = _sham(case.right, variant)
    except Exception as error:
        return no("contract_error", error_text(error))
    if finding.ruling is Ruling.UNKNOWN and not known:
        return no(
            "polarity_unknown",
            f"the contract can't tell whether it is {wanted.value}: {finding.why}",
            "A contract that decides it, such as rh.number, rh.one_of or rh.json.",
        )
    if finding.ruling is not wanted and not known:
        return no(f"not_{wanted.value}", f"the contract calls it {finding.ruling.value}")
    violated = _violated(case.right, variant.output) if wanted is Ruling.WRONG else {}
    return Planned(
        id=f"{case.id}/{operator.id}/{variant.name}",
        operator=operator.id,
        variant=variant.name,
        planted=operator.planted,
        defect_class=operator.defect_class,
        part=operator.part,
        output=variant.output,
        basis=_basis(case.right, finding, violated),
        why=variant.why or finding.why,
        sham=sham if operator.planted == "defect" else None,
        bar=finding.bar,
        violated=frozenset(violated),
        parts=frozenset({operator.part, finding.part}),
        forged=forges(case, operator, variant.output),
        note=note,
    )


def _known(contract: Contract, variant: Variant, finding: Finding, wanted: Ruling) -> bool:
    """Is its meaning known from the frame it was built from, though no procedure decides it?

    Only where the contract is one of meaning, and nothing that is decided says otherwise.
    """
    if finding.ruling is not Ruling.UNKNOWN or not variant.constructed:
        return False
    clauses = leaves(contract)
    if not any(clause.basis is Basis.CONSTRUCTION for clause in clauses):
        return False
    if wanted is Ruling.WRONG:
        return True
    rulings = [clause.rule(variant.output).ruling for clause in clauses
               if clause.basis is not Basis.CONSTRUCTION]  # fmt: skip
    return all(ruling is Ruling.RIGHT for ruling in rulings)


def _sham(contract: Contract, variant: Variant) -> tuple[Output | None, str]:
    if variant.sham is None:
        return None, ""
    finding = contract.rule(variant.sham)
    if finding.ruling is Ruling.RIGHT or _known(contract, variant, finding, Ruling.RIGHT):
        return variant.sham, ""
    return None, f"its sham is not shown to be right: {finding.why}"


def _violated(contract: Contract, output: Output) -> dict[str, Basis]:
    """The clauses that an output violates; dotted kinds where the finding names aspects."""
    found: dict[str, Basis] = {}
    for clause in leaves(contract):
        finding = clause.rule(output)
        if finding.ruling is Ruling.WRONG:
            found.update(dict.fromkeys(finding.kinds or (clause.kind,), clause.basis))
    return found or {
        clause.kind: clause.basis
        for clause in leaves(contract)
        if clause.basis is Basis.CONSTRUCTION
    }


def _basis(contract: Contract, finding: Finding, violated: dict[str, Basis]) -> Basis:
    """How the polarity is known: one clause that decides is enough to call an output wrong."""
    if finding.ruling is Ruling.UNKNOWN:
        return Basis.CONSTRUCTION
    if finding.ruling is Ruling.RIGHT:
        return contract.basis
    bases = set(violated.values())
    return Basis.ORACLE if Basis.ORACLE in bases or not bases else contract.basis


def forges(case: Case, operator: Operator, output: Output) -> bool:
    """Did the output write the case's own verdict channel, where the reference doesn't?"""
    if getattr(operator, "forges", False):
        return True
    channel = case.channel
    return channel is not None and _writes(output, channel) and not _writes(case.good, channel)


def _writes(output: Output, channel: str) -> bool:
    if channel in output.metadata or channel in output.text:
        return True
    return any(call.name == channel for call in output.tool_calls)
