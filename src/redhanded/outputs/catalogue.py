"""All operators of outputs: in order, and chosen by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from redhanded.errors import UsageError
from redhanded.outputs.operators import all_operators
from redhanded.outputs.operators.base import Operator

_KINDS = {"floor": 0, "defect": 1, "equivalent": 2}


@cache
def every() -> tuple[Operator, ...]:
    """The whole catalogue: floor probes, defects, equivalents; by class within each.

    Raises:
        UsageError: Two have the same id.
    """
    found: dict[str, Operator] = {}
    for operator in all_operators():
        if operator.id in found:
            raise UsageError(f"two operators have the id {operator.id!r}")
        found[operator.id] = operator
    return tuple(sorted(found.values(), key=_order))


def _order(operator: Operator) -> tuple[int, str, str]:
    return _KINDS[operator.planted], operator.defect_class, operator.id


def told(operator: Operator) -> dict[str, Any]:
    """What a list of operators says of one, as data."""
    return {
        "name": operator.id,
        "planted": operator.planted,
        "defect_class": operator.defect_class,
        "part": operator.part,
        "summary": operator.summary,
        "provenance": [{"fact": one.fact, "where": one.where} for one in operator.provenance],
    }


def chosen(names: Sequence[str] | None, own: Iterable[Operator] = ()) -> tuple[Operator, ...]:
    """The operators of these names.

    Args:
        names: Ids, classes of defects, or ``floor``, ``defect``, ``equivalent``; None: all.
        own: The suite's operators, beside the catalogue.

    Raises:
        UsageError: A name is of none of them; or an own operator has the id of another.
    """
    there = {operator.id: operator for operator in every()}
    for operator in own:
        if operator.id in there:
            raise UsageError(
                f"the suite's operator {operator.id!r} has the id of another one",
                hint="Give it an id of its own.",
            )
        there[operator.id] = operator
    if names is None:
        return tuple(there.values())
    wanted: dict[str, Operator] = {}
    for name in names:
        found = [one for one in there.values() if name in (one.id, one.defect_class, one.planted)]
        if not found:
            raise UsageError(
                f"expected the name of an operator or of a class of defects, found {name!r}",
                hint="`redhanded operators --outputs` lists them.",
            )
        wanted.update((one.id, one) for one in found)
    return tuple(wanted.values())
