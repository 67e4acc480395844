"""Plant known defects, record who catches them, compared with what, and with what proof.

Suites of graders are written with what is named here::

    import redhanded as rh

    suite = [rh.case(my_grader, good="Paris", right=rh.answer("Paris"))]

Everything is imported when it is first used, so that ``import redhanded`` stays light.
"""

from typing import TYPE_CHECKING

__version__ = "0.1.0.dev0"

if TYPE_CHECKING:
    from redhanded.model.output import Message as Message
    from redhanded.model.output import Output as Output
    from redhanded.model.output import ToolCall as ToolCall
    from redhanded.outputs.adapters.command import command as command
    from redhanded.outputs.api import accepts as accepts
    from redhanded.outputs.api import all_of as all_of
    from redhanded.outputs.api import case as case
    from redhanded.outputs.api import cases as cases
    from redhanded.outputs.api import suite as suite
    from redhanded.outputs.case import Case as Case
    from redhanded.outputs.contract.base import Contract as Contract
    from redhanded.outputs.contract.choice import choice as choice
    from redhanded.outputs.contract.choice import one_of as one_of
    from redhanded.outputs.contract.grounding import grounding as grounding
    from redhanded.outputs.contract.math import math as math
    from redhanded.outputs.contract.meaning import abstention as abstention
    from redhanded.outputs.contract.meaning import answer as answer
    from redhanded.outputs.contract.meaning import compliance as compliance
    from redhanded.outputs.contract.meaning import injection as injection
    from redhanded.outputs.contract.meaning import refusal as refusal
    from redhanded.outputs.contract.number import number as number
    from redhanded.outputs.contract.structured import json_contract as json
    from redhanded.outputs.contract.text import contains as contains
    from redhanded.outputs.contract.text import exact as exact
    from redhanded.outputs.contract.text import pattern as pattern
    from redhanded.outputs.contract.tools import tool_policy as tool_policy
    from redhanded.outputs.contract.tools import trajectory as trajectory

_CONTRACTS = {
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
_LAZY = {
    "Case": "outputs.case:Case",
    "Contract": "outputs.contract.base:Contract",
    "Message": "model.output:Message",
    "Output": "model.output:Output",
    "ToolCall": "model.output:ToolCall",
    "accepts": "outputs.api:accepts",
    "all_of": "outputs.api:all_of",
    "case": "outputs.api:case",
    "cases": "outputs.api:cases",
    "command": "outputs.adapters.command:command",
    "suite": "outputs.api:suite",
    **{name: f"outputs.contract.{place}" for name, place in _CONTRACTS.items()},
}

__all__ = [
    "Case",
    "Contract",
    "Message",
    "Output",
    "ToolCall",
    "__version__",
    "abstention",
    "accepts",
    "all_of",
    "answer",
    "case",
    "cases",
    "choice",
    "command",
    "compliance",
    "contains",
    "exact",
    "grounding",
    "injection",
    "json",
    "math",
    "number",
    "one_of",
    "pattern",
    "refusal",
    "suite",
    "tool_policy",
    "trajectory",
]

if not TYPE_CHECKING:
    # Hidden from type checkers, which would believe that every name is there.

    def __getattr__(name: str) -> object:
        place = _LAZY.get(name)
        if place is None:
            raise AttributeError(f"module 'redhanded' has no attribute {name!r}")
        from importlib import import_module

        module, _, attribute = place.partition(":")
        found = getattr(import_module(f"redhanded.{module}"), attribute)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
