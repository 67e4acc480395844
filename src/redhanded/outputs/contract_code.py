"""Contracts written down outside Python: as the code that a contract prints, or as JSON.

Code is read, never run: calls of ``rh``'s contracts, ``&``, and literals.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final

from redhanded.errors import UsageError
from redhanded.model.output import ToolCall
from redhanded.outputs.contract.base import AllOf, Contract

PLACES: Final[Mapping[str, str]] = {
    "abstention": "meaning:abstention",
    "answer": "meaning:answer",
    "choice": "choice:choice",
    "compliance": "meaning:compliance",
    "contains": "text:contains",
    "exact": "text:exact",
    "grounding": "grounding:grounding",
    "injection": "meaning:injection",
    "json": "structured:json_contract",
    "math": "math:math",
    "number": "number:number",
    "one_of": "choice:one_of",
    "pattern": "text:pattern",
    "refusal": "meaning:refusal",
    "tool_policy": "tools:tool_policy",
    "trajectory": "tools:trajectory",
}
"""Each contract's name in ``rh``, and where it is made."""


def make(name: str) -> Callable[..., Any]:
    """What makes the contract ``rh.NAME``.

    Raises:
        UsageError: There is none of that name.
    """
    if name == "all_of":
        return lambda *contracts: AllOf(tuple(contracts))
    place = PLACES.get(name)
    if place is None:
        raise UsageError(
            f"expected a contract, found rh.{name}",
            hint=f"There are {', '.join(sorted([*PLACES, 'all_of']))}.",
        )
    module, _, attribute = place.partition(":")
    found: Callable[..., Any] = getattr(
        import_module(f"redhanded.outputs.contract.{module}"), attribute
    )
    return found


def read_contract(given: object) -> Contract:
    """A contract from code or JSON.

    Args:
        given: Code such as ``rh.number(42, tolerance=0.5)``; or an object with ``contract``, the
            name, ``args``, a list of what stands in order, and everything else by name.

    Raises:
        UsageError: It is no contract; says where.
    """
    if isinstance(given, str):
        try:
            tree = ast.parse(given.strip(), mode="eval").body
        except SyntaxError as error:
            raise UsageError(f"expected a contract's code, found {given!r}: {error.msg}") from None
        found = _value(tree)
    elif isinstance(given, Mapping) and "contract" in given:
        found = _from_json(given)
    else:
        found = given
    if not isinstance(found, Contract):
        raise UsageError(
            f"expected a contract, found {given!r}",
            hint='Such as "rh.answer(\'Paris\')" or {"contract": "answer", "text": "Paris"}.',
        )
    return found


def _from_json(given: object) -> Any:
    if isinstance(given, list):
        return [_from_json(one) for one in given]
    if not isinstance(given, Mapping):
        return given
    if "contract" not in given:
        return {key: _from_json(value) for key, value in given.items()}
    name = given["contract"]
    if not isinstance(name, str):
        raise UsageError(f"expected the name of a contract, found {name!r}")
    arguments = [_from_json(one) for one in given.get("args", ())]
    named = {
        key: _from_json(value) for key, value in given.items() if key not in ("contract", "args")
    }
    return _called(name, arguments, named)


def _called(name: str, arguments: list[Any], named: dict[str, Any]) -> Any:
    try:
        return make(name)(*arguments, **named)
    except TypeError as error:
        raise UsageError(f"rh.{name}: {error}") from None


def _value(node: ast.expr) -> Any:
    """What a piece of code says; only what contracts print."""
    if isinstance(node, ast.Call):
        return _call(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd):
        left, right = _value(node.left), _value(node.right)
        both = [one.contracts if isinstance(one, AllOf) else (one,) for one in (left, right)]
        return AllOf((*both[0], *both[1]))
    if isinstance(node, ast.List):
        return [_value(one) for one in node.elts]
    if isinstance(node, ast.Tuple):
        return tuple(_value(one) for one in node.elts)
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return {_value(key): _value(value) for key, value in pairs if key is not None}
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise UsageError(
            f"expected contracts and literals, found {ast.unparse(node)}",
            hint="Code in a suite of JSON Lines is read, not run.",
        ) from None


def _call(node: ast.Call) -> Any:
    function = node.func
    if not (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id in ("rh", "redhanded")
    ):
        raise UsageError(f"expected a call of rh's contracts, found {ast.unparse(node)}")
    arguments = [_value(one) for one in node.args]
    named = {one.arg: _value(one.value) for one in node.keywords if one.arg is not None}
    if len(named) < len(node.keywords):
        raise UsageError(f"expected arguments by name, found **: {ast.unparse(node)}")
    if function.attr == "ToolCall":
        return ToolCall(*arguments, **named)
    return _called(function.attr, arguments, named)
