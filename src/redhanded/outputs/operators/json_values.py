"""Defects of JSON answers: a value of another type, another value, null, true for 1, NaN."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from redhanded.model.graded import Planted
from redhanded.model.output import Part
from redhanded.outputs.case import Case
from redhanded.outputs.contract.document import walk
from redhanded.outputs.operators.base import Decline, Operator, Provenance, Variant
from redhanded.outputs.operators.documents import (
    ROOT,
    Build,
    Document,
    at_most,
    chosen,
    document,
    dumped,
)

PLACES: Final = 40
"""At how many places of one document a value is changed."""
UNCONSTRAINED: Final = Decline(
    "not_constrained", "rh.json(schema=...) or values={...} for the places that matter"
)


def _other_type(found: Document, pointer: str, value: Any) -> list[tuple[str, Any]]:
    if pointer == "" and found.text is None:
        # A grader of data may well take the whole document as text for the same answer.
        return [("list", [value])]
    if value is None:
        return [("text", "null")]
    if isinstance(value, bool):
        return [("text", "true" if value else "false")]
    if isinstance(value, (int, float)):
        return [("text", dumped(value)), ("list", [value])]
    if isinstance(value, str):
        number = _as_number(value)
        return [("list", [value]), *([] if number is None else [("number", number)])]
    if isinstance(value, list):
        first = [("item", value[0])] if len(value) == 1 else []
        return [*first, ("text", dumped(value)), ("object", {str(at): item for at, item in
                                                             enumerate(value)})]  # fmt: skip
    return [("list", [value]), ("text", dumped(value))]


def _as_number(text: str) -> int | float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    if not math.isfinite(number) or not text.strip():
        return None
    return int(text) if text.lstrip("+-").isascii() and text.lstrip("+-").isdigit() else number


def _other_value(_: Document, pointer: str, value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, bool):
        return [("negated", not value)]
    if isinstance(value, int):
        return [("next", value + 1), ("sign", -value), ("magnitude", value * 10)]
    if isinstance(value, float):
        return [("near", value + max(abs(value), 1.0) / 64), ("sign", -value),
                ("magnitude", value * 10)]  # fmt: skip
    if isinstance(value, str):
        return [("letter", _last_changed(value)), ("emptied", ""), ("replaced", "zxqfp")]
    if isinstance(value, list):
        if not value:
            return []
        fewer = [("last_dropped", value[:-1])] if len(value) > 1 else []
        return [("emptied", []), *fewer, ("last_twice", [*value, value[-1]])]
    return [("emptied", {})] if value else []


def _last_changed(value: str) -> str:
    """The text with its last letter or digit replaced by another of its kind."""
    for place in range(len(value) - 1, -1, -1):
        letter = value[place]
        if letter.isascii() and letter.isalnum():
            other = {"z": "y", "Z": "Y", "9": "8"}.get(letter) or chr(ord(letter) + 1)
            return value[:place] + other + value[place + 1 :]
    return value + "x"


def _null(_: Document, pointer: str, value: Any) -> list[tuple[str, Any]]:
    return [] if value is None else [("null", None)]


def _bool_number(_: Document, pointer: str, value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, bool):
        return [("number", int(value))]
    if isinstance(value, (int, float)) and value in (0, 1):
        return [("boolean", bool(value))]
    return []


def _not_a_number(_: Document, pointer: str, value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return []
    return [("nan", math.nan), ("infinity", math.inf)]


@dataclass(frozen=True)
class Change:
    """Puts other values in a value's place, at every pointer of the document."""

    id: str
    summary: str
    build: Build
    provenance: Sequence[Provenance]
    code: str
    """Why there may be nothing to change."""
    unlock: str
    planted: Planted = "defect"
    part: Part = "text"

    @property
    def defect_class(self) -> str:
        """Its own."""
        return self.id

    def plant(self, case: Case) -> Sequence[Variant] | Decline:
        """Change each value of the reference that the contract says something about."""
        found = document(case)
        if isinstance(found, Decline):
            return found
        values = dict(walk(found.data))
        fitting = [at for at, value in values.items() if self.build(found, at, value)]
        if not fitting:
            return Decline(self.code, self.unlock)
        variants: list[Variant] = []
        for pointer in _constrained(case, found, fitting, self.build, values):
            for name, value in self.build(found, pointer, values[pointer]):
                label = f"{pointer or ROOT}:{name}"
                why = f"{pointer or 'the document'} is {_shown(values[pointer], value)}"
                # The frame of a change in place is the reference's own.
                variants.append(Variant(label, found.put(pointer, value), case.good, why=why))
        return chosen(case, variants, UNCONSTRAINED)


def _constrained(
    case: Case, found: Document, pointers: list[str], build: Build, values: dict[str, Any]
) -> list[str]:
    """The pointers where a change is known to be wrong, no more of them than there is room for."""
    wrong = [
        pointer
        for pointer in at_most(pointers, PLACES * 4)
        if any(
            case.right.rule(found.put(pointer, value)).ruling.value == "wrong"
            for _, value in build(found, pointer, values[pointer])
        )
    ]
    return at_most(wrong, PLACES)


def _shown(before: Any, after: Any) -> str:
    old, new = dumped(before), dumped(after)
    return f"{new[:60]} instead of {old[:60]}"


OPERATORS: tuple[Operator, ...] = (
    Change(
        "json-type-flip",
        'A value of another type: 3 becomes "3", true becomes "true", a text becomes a list.',
        _other_type,
        (
            Provenance(
                "A JSON scorer kept the schema that it was given and never validated against it.",
                "braintrustdata/autoevals#221",
            ),
        ),
        "no_value",
        "good= with at least one value",
    ),
    Change(
        "json-value-change",
        "Another value of the same type: next number, other sign, one letter, one item fewer.",
        _other_value,
        (
            Provenance(
                "A comparison of lists of records took a list with a record too many for equal.",
                "langchain-ai/openevals#252",
            ),
        ),
        "no_value",
        "good= with at least one value that isn't null",
    ),
    Change(
        "json-null",
        "null in place of a value.",
        _null,
        (
            Provenance(
                "A recursive JSON comparison took null for a missing key, and both for unequal.",
                "openai/evals#1763",
            ),
        ),
        "no_value",
        "good= with at least one value that isn't null",
    ),
    Change(
        "json-boolean-number",
        "true for 1, 0 for false, and the other way round.",
        _bool_number,
        (
            Provenance(
                "A schema validator took 0 for false, since Python calls them equal.",
                "python-jsonschema/jsonschema#575",
            ),
            Provenance(
                "The same happened one level deeper, inside arrays in an enum.",
                "python-jsonschema/jsonschema#1208",
            ),
        ),
        "no_flag",
        "good= with a boolean, a 0 or a 1",
    ),
    Change(
        "json-not-a-number",
        "NaN or Infinity in place of a number.",
        _not_a_number,
        (
            Provenance(
                "Results of an eval held NaN, which Python's parser reads and others refuse.",
                "gradbench/gradbench#232",
            ),
        ),
        "no_number",
        "good= with a number",
    ),
)
