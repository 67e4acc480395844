"""Defects of the form of JSON answers, and other ways to write the very same document."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from redhanded.model.graded import Planted
from redhanded.model.output import Part
from redhanded.outputs.case import Case
from redhanded.outputs.contract.base import Ruling
from redhanded.outputs.contract.document import joined, walk
from redhanded.outputs.operators.base import Decline, Operator, Provenance, Variant
from redhanded.outputs.operators.documents import (
    ROOT,
    Document,
    at_most,
    chosen,
    document,
    dumped,
    said,
)

PLACES: Final = 30
"""At how many places of one document the form is changed."""
EXTRA: Final = "x_unasked"
"""A key that no schema of ours or of a user's is likely to name."""
Plant = Callable[[Case, Document], "list[Variant]"]


@dataclass(frozen=True)
class Form:
    """Writes the reference's document in another form."""

    id: str
    summary: str
    build: Plant
    provenance: Sequence[Provenance]
    decline: Decline
    """Where the contract lets all of it pass, or the reference has no place for it."""
    planted: Planted = "defect"
    needs_text: bool = False
    """It changes the text alone, and a reference that is data has none."""
    part: Part = "text"

    @property
    def defect_class(self) -> str:
        """Its own."""
        return self.id

    def plant(self, case: Case) -> Sequence[Variant] | Decline:
        """Build those forms that the contract decides as wanted."""
        found = document(case)
        if isinstance(found, Decline):
            return found
        if self.needs_text and (found.text is None or case.good.has_value):
            return Decline("answer_is_data", "good= as JSON text")
        wanted = Ruling.RIGHT if self.planted == "equivalent" else Ruling.WRONG
        return chosen(case, self.build(case, found), self.decline, wanted)


def _objects(found: Document) -> list[tuple[str, dict[str, Any]]]:
    return [(at, value) for at, value in walk(found.data) if isinstance(value, dict)]


def _members(found: Document) -> list[str]:
    return [joined(at, key) for at, value in _objects(found) for key in value]


def _missing(case: Case, found: Document) -> list[Variant]:
    members = _members(found)
    fewer = {at: found.drop(at) for at in at_most(members, PLACES)}
    # A key that need not be there, missing: the truthful twin.
    right = [one for one in fewer.values() if case.right.rule(one).ruling is Ruling.RIGHT]
    twin = right[0] if right else None
    return [Variant(at, one, twin, why=f"the key at {at} is missing") for at, one in fewer.items()]


def _extra(case: Case, found: Document) -> list[Variant]:
    variants: list[Variant] = []
    for at, _ in _objects(found)[:PLACES]:
        why = f"{at or 'the document'} has a key that isn't expected"
        for name, value in (("null", None), ("text", "zxqfp")):
            variants.append(Variant(f"{at or ROOT}:{name}", found.add(at, EXTRA, value), why=why))
    return variants


def _twice(case: Case, found: Document) -> list[Variant]:
    variants: list[Variant] = []
    for at, holder in _objects(found):
        for key, value in holder.items():
            other = _another(value)
            for name, first in (("last_wrong", False), ("last_right", True)):
                member = f"{dumped(key)}: {dumped(other)}"
                # The right value stands where it stood; the other one before or after all.
                text = found.with_member(at, member, first=first)
                why = f"the key {dumped(key)} of {at or 'the document'} stands there twice"
                variants.append(
                    Variant(f"{joined(at, key)}:{name}", found.written(text), case.good, why=why)
                )
    names = at_most([variant.name for variant in variants], PLACES)
    return [variant for variant in variants if variant.name in set(names)]


def _another(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    return value + "x" if isinstance(value, str) else None if value is not None else 0


def _broken(case: Case, found: Document) -> list[Variant]:
    text = (found.text or "").strip()
    forms: list[tuple[str, str, str]] = []
    if text.endswith(("}", "]")):
        forms += [
            ("unclosed", text[:-1].rstrip(), "its last bracket is missing"),
            ("closed_twice", text + text[-1], "its last bracket stands there twice"),
            ("half", text[: max(1, len(text) // 2)], "it breaks off in the middle"),
        ]
    if text.endswith(("}", "]")) and found.data:
        forms.append(("trailing_comma", text[:-1].rstrip() + "," + text[-1], "a comma too many"))
    if isinstance(found.data, (dict, list)) and found.data:
        forms.append(("python", repr(found.data), "it is a Python literal, not JSON"))
    if isinstance(found.data, dict) and found.data:
        forms.append(("bare_key", text.replace('"', "", 2), "a key stands without quotes"))
    return [Variant(name, found.written(form), case.good, why=why) for name, form, why in forms]


def _around(case: Case, found: Document) -> list[Variant]:
    text = case.good.text
    forms = [
        ("after", f"{text}\n\nLet me know if you need anything else.", "text stands after it"),
        ("before", f"Here is the JSON that you asked for:\n\n{text}", "text stands before it"),
        ("comment", f"{text} // as requested", "a comment stands after it"),
        ("two", f"{text}\n{text}", "the document stands there twice"),
    ]
    return [
        Variant(name, said(case.good, form), said(case.good, f"\n{text}\n\n"), why=why)
        for name, form, why in forms
    ]


def _arrays(found: Document) -> list[tuple[str, list[Any]]]:
    return [(at, value) for at, value in walk(found.data) if isinstance(value, list)]


def _reordered(case: Case, found: Document) -> list[Variant]:
    variants: list[Variant] = []
    for at, items in _arrays(found)[:PLACES]:
        if len(items) < 2:
            continue
        swapped = [*items[1:2], items[0], *items[2:]]
        for name, other in (("reversed", items[::-1]), ("first_two", swapped)):
            output = found.put(at, other)
            why = f"the items of {at or 'the document'} stand in another order"
            variants.append(Variant(f"{at or ROOT}:{name}", output, case.good, why=why))
    return variants


def _free_order(case: Case, found: Document) -> list[Variant]:
    # A schema alone says nothing of order: only where it is declared free is another order right.
    if found.contract.order is True:
        return []
    return [replace(one, sham=None) for one in _reordered(case, found)]


def _key_order(case: Case, found: Document) -> list[Variant]:
    def turned(value: Any, order: Callable[[list[str]], list[str]]) -> Any:
        if isinstance(value, dict):
            return {key: turned(value[key], order) for key in order(list(value))}
        return [turned(item, order) for item in value] if isinstance(value, list) else value

    forms: list[tuple[str, Callable[[list[str]], list[str]]]] = [
        ("reversed", lambda keys: keys[::-1]),
        ("sorted", sorted),
    ]
    return [
        Variant(
            name, found.put("", turned(found.data, order)), why="only the order of keys differs"
        )
        for name, order in forms
    ]


def _spacing(case: Case, found: Document) -> list[Variant]:
    written = {
        "compact": json.dumps(found.data, ensure_ascii=False, separators=(",", ":")),
        "indented": json.dumps(found.data, ensure_ascii=False, indent=2),
        "newline": f"\n{found.text}\n",
    }
    return [
        Variant(name, found.written(text), why="only whitespace between the values differs")
        for name, text in written.items()
    ]


def _number_form(case: Case, found: Document) -> list[Variant]:
    variants: list[Variant] = []
    if "number_format" not in case.right.varies:
        return variants  # a schema has 1.0 for an integer, whatever the contract tells apart
    for at, value in walk(found.data):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) >= 2**53:
            continue
        if isinstance(value, int):
            variants.append(Variant(f"{at or ROOT}:float", found.put(at, float(value))))
        elif value.is_integer():
            variants.append(Variant(f"{at or ROOT}:integer", found.put(at, int(value))))
    why = "the same number, written with or without a decimal point"
    return [Variant(one.name, one.output, why=why) for one in variants[:PLACES]]


def _escapes(case: Case, found: Document) -> list[Variant]:
    variants: list[Variant] = []
    for at, value in walk(found.data):
        if isinstance(value, str) and value and value[0].isalnum():
            literal = f'"\\u{ord(value[0]):04x}' + json.dumps(value[1:], ensure_ascii=False)[1:]
            if ord(value[0]) < 0x10000:
                why = "the same text, its first letter as an escape sequence"
                variants.append(Variant(at or ROOT, found.written(found.raw(at, literal)), why=why))
    return variants[: PLACES // 10]


def _fence(case: Case, found: Document) -> list[Variant]:
    why = "the same document in a code fence"
    return [
        Variant("json", said(case.good, f"```json\n{found.text}\n```"), why=why),
        Variant("bare", said(case.good, f"```\n{found.text}\n```"), why=why),
    ]


def _allowed_extra(case: Case, found: Document) -> list[Variant]:
    if found.contract.extra_keys is not True:
        return []
    why = "one more key, which the contract allows"
    return [Variant(at or ROOT, found.add(at, EXTRA, None), why=why)
            for at, _ in _objects(found)[: PLACES // 10]]  # fmt: skip


def _form(
    id_: str,
    summary: str,
    build: Plant,
    decline: tuple[str, str],
    *provenance: tuple[str, str],
    planted: Planted = "defect",
    needs_text: bool = False,
) -> Form:
    places = tuple(Provenance(fact, where) for fact, where in provenance)
    return Form(id_, summary, build, places, Decline(*decline), planted, needs_text)


_LOSSLESS: Final = ("not_applicable", "good= with more than one key, or more than one item")
OPERATORS: tuple[Operator, ...] = (
    _form(
        "json-missing-key",
        "A key that has to be there is missing, at every depth.",
        _missing,
        ("not_required", "a schema that requires the key, or values={...} that name it"),
        (
            "A JSON comparison took a missing key and a null for the same thing.",
            "openai/evals#1763",
        ),
    ),
    _form(
        "json-extra-key",
        "A key that may not be there, in every object.",
        _extra,
        ("extra_keys_allowed", "rh.json(extra_keys=False), or additionalProperties: false"),
        (
            "A comparison of JSON in tests couldn't see properties that nobody expected.",
            "project-hatohol/hatohol#1634",
        ),
    ),
    _form(
        "json-duplicate-key",
        "A key stands twice in one object, with two values.",
        _twice,
        ("no_object", "good= with an object that has a key"),
        (
            "Python's parser keeps the last of two equal keys and says nothing.",
            "python/cpython#89217",
        ),
        (
            "Parsers disagree on which of two equal keys counts, which attackers can use.",
            "serde-rs/json#762",
        ),
        needs_text=True,
    ),
    _form(
        "json-malformed",
        "No JSON any more: unclosed, cut off, a comma too many, Python's quotes, a bare key.",
        _broken,
        ("no_container", "good= as a JSON object or array"),
        (
            "A matcher for JSON let a document pass that lacked a comma.",
            "backuity/matchete#4",
        ),
        needs_text=True,
    ),
    _form(
        "json-text-around",
        "Other text stands before or after the document.",
        _around,
        ("text_allowed", "rh.json(...), which takes the whole text for the document"),
        (
            "A schema check let any text follow the JSON value.",
            "genlm/genlm-control#58",
        ),
        needs_text=True,
    ),
    _form(
        "json-array-order",
        "The items of an array stand in another order.",
        _reordered,
        ("order_free", "rh.json(values={...}, order=True) for an array of two or more"),
        (
            "A comparison of tool calls as JSON ignored their order.",
            "DeepExperience/LoopTool#8",
        ),
    ),
    _form(
        "json-key-order",
        "The keys of objects in another order.",
        _key_order,
        _LOSSLESS,
        (
            "The same JSON with its keys in another order failed an exact match.",
            "veryfront/veryfront-code#3042",
        ),
        planted="equivalent",
    ),
    _form(
        "json-whitespace",
        "Other whitespace between values: compact, indented.",
        _spacing,
        _LOSSLESS,
        (
            "The same JSON with its keys in another order failed an exact match.",
            "veryfront/veryfront-code#3042",
        ),
        planted="equivalent",
        needs_text=True,
    ),
    _form(
        "json-number-form",
        "1.0 for 1, where the contract has them equal.",
        _number_form,
        ("no_number", "good= with a whole number, and exact_numbers=False"),
        (
            "A validator that told 1.0 from 1 failed the JSON Schema test suite, which doesn't.",
            "json-schema-org/JSON-Schema-Test-Suite#306",
        ),
        planted="equivalent",
    ),
    _form(
        "json-escape",
        "A letter written as an escape sequence.",
        _escapes,
        ("no_text", "good= with a text in it"),
        (
            "The same JSON with its keys in another order failed an exact match.",
            "veryfront/veryfront-code#3042",
        ),
        planted="equivalent",
        needs_text=True,
    ),
    _form(
        "json-fence",
        "The document in a code fence, where the contract allows one.",
        _fence,
        ("fence_not_allowed", "rh.json(fence=True)"),
        (
            "A judge's JSON in a code fence made an evaluator fail to parse it.",
            "deepset-ai/haystack#10942",
        ),
        planted="equivalent",
        needs_text=True,
    ),
    _form(
        "json-free-array-order",
        "The items of an array in another order, where that is free.",
        _free_order,
        ("order_matters", "rh.json(values={...}, order=False)"),
        (
            "The option for the order of lists had another name in the documentation than in code.",
            "langchain-ai/openevals#202",
        ),
        planted="equivalent",
    ),
    _form(
        "json-allowed-key",
        "One more key, where the contract allows it.",
        _allowed_extra,
        ("extra_keys_not_declared", "rh.json(extra_keys=True)"),
        (
            "Graders of tool arguments rejected calls that gave one argument more.",
            "google/adk-python#1591",
        ),
        planted="equivalent",
    ),
)
