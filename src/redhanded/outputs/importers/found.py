"""What an importer finds: cases, and graders or cases that it can't make one of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from redhanded.errors import UsageError
from redhanded.model.graders import Untested
from redhanded.outputs.case import Case

SAMPLE = 50
"""Samples of an imported dataset that are taken unless somebody asks for more."""

_T = TypeVar("_T")


@dataclass
class Found:
    """Cases, and what was found and is not tested."""

    cases: list[Case] = field(default_factory=list)
    untested: list[Untested] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, name: str, grader: Any, make: Callable[[], Case]) -> None:
        """Add a case, or say why it is none."""
        try:
            self.cases.append(make())
        except UsageError as error:
            hint = f" {error.hint}" if error.hint else ""
            code = "no_contract" if "expected right=" in str(error) else "reference_not_right"
            reason = str(error).removeprefix(f"{name}: ")
            self.untested.append(Untested(grader_name(grader), code, f"{reason}{hint}", name))

    def leave(self, grader: Any, code: str, reason: str, case: str | None = None) -> None:
        """A grader, or one case of it, is not tested."""
        self.untested.append(Untested(grader_name(grader), code, reason, case))


def grader_name(grader: Any) -> str:
    """A grader's name, before an adapter has looked at it."""
    if isinstance(grader, str):
        return grader
    info = getattr(grader, "__registry_info__", None)
    if info is not None:
        return str(info.name)
    name = getattr(grader, "__qualname__", None) or type(grader).__qualname__
    return str(name).partition(".<locals>")[0]


def spread(items: Sequence[_T], most: int | None) -> Sequence[_T]:
    """At most so many, at even distances: the same ones every time."""
    if most is None or len(items) <= most:
        return items
    return [items[place * len(items) // most] for place in range(most)]
