"""The defects and equivalents that are planted, one family per file."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from redhanded.outputs.operators.base import Operator

FAMILIES: Final = (
    "floor",
    "truncation",
    "negation",
    "keywords",
    "hedging",
    "numbers",
    "words",
    "markers",
    "injection",
    "channel",
    "equivalents",
    "json_values",
    "json_structure",
    "contexts",
    "trajectory",
    "tools",
    "refusal",
    "abstention",
)
"""Modules of this package, each with its operators in ``OPERATORS``."""


@cache
def all_operators() -> tuple[Operator, ...]:
    """Every operator that redhanded has, family by family."""
    modules = [import_module(f"{__name__}.{family}") for family in FAMILIES]
    return tuple(operator for module in modules for operator in module.OPERATORS)
