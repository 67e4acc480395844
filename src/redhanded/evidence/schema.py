"""JSON Schemas of what redhanded writes, made from the types that write it."""

from __future__ import annotations

import ast
import inspect
import itertools
import sys
from typing import Any

import msgspec

from redhanded.model.graded import Call
from redhanded.model.graded import Row as GradedRow
from redhanded.model.graders import FORMAT as GRADERS
from redhanded.model.graders import GradersResult
from redhanded.model.mutant import Mutant
from redhanded.model.result import FORMAT, Result
from redhanded.model.rows import Row, RunRow

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_DOCUMENTS: dict[str, tuple[object, str, str]] = {
    "result": (Result, FORMAT, "The result of a run: result.json, and what --json prints."),
    "mutant": (Mutant, f"{FORMAT}/mutant", "One line of mutants.jsonl."),
    "row": (Row, f"{FORMAT}/row", "One line of rows.jsonl."),
    "graders": (
        GradersResult,
        GRADERS,
        "The result of a run of graders: result.json, whose rows are kept beside it, and what "
        "--json prints.",
    ),
    "graders-row": (GradedRow, f"{GRADERS}/row", "One line of rows.jsonl of a run of graders."),
    "graders-call": (Call, f"{GRADERS}/call", "One line of calls.jsonl of a run of graders."),
}

NAMES = tuple(_DOCUMENTS)
"""The documents that there is a schema of."""


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of one document.

    Args:
        name: One of :data:`NAMES`.
    """
    kind, identity, description = _DOCUMENTS[name]
    made = msgspec.json.schema(kind, schema_hook=_anything)
    definitions = made.pop("$defs")
    for definition, struct in _structs(kind).items():
        if definition in definitions:
            _describe(definitions[definition], struct)
    for root, known in ((Result, FORMAT), (RunRow, FORMAT), (GradersResult, GRADERS)):
        if root.__name__ in definitions:
            definitions[root.__name__]["properties"]["format"]["const"] = known
    return {
        "$schema": _DIALECT,
        "$id": f"urn:{identity.replace('/', ':')}",
        "title": identity,
        "description": description,
        **made,
        "$defs": definitions,
    }


def _anything(kind: type) -> dict[str, Any]:
    """Option values are any JSON."""
    if kind is object:
        return {"description": "Any JSON value."}
    raise NotImplementedError(f"no schema for {kind}")


def _structs(kind: object) -> dict[str, type]:
    """All structs that a document is built of, by the name of their definition."""
    found: dict[str, type] = {}
    waiting: list[Any] = [kind]
    while waiting:
        info = msgspec.inspect.type_info(waiting.pop())
        for struct in _struct_types(info):
            if struct.__name__ not in found:
                found[struct.__name__] = struct
                waiting.append(struct)
    return found


def _struct_types(info: object) -> list[type]:
    if isinstance(info, msgspec.inspect.StructType):
        inner = [field.type for field in info.fields]
        return [info.cls, *(t for part in inner for t in _struct_types(part))]
    parts: list[object] = []
    for name in ("types", "item_types"):
        parts.extend(getattr(info, name, ()))
    for name in ("item_type", "key_type", "value_type"):
        if (part := getattr(info, name, None)) is not None:
            parts.append(part)
    return [t for part in parts for t in _struct_types(part)]


def _describe(definition: dict[str, Any], struct: type) -> None:
    """Say of each property what the string below its attribute says."""
    properties = definition.get("properties")
    if properties is None:
        # Written as an array: the fields' names are told by their place.
        fields = msgspec.structs.fields(struct)
        docs = attribute_docs(struct)
        for item, field in zip(definition.get("prefixItems", ()), fields, strict=True):
            item["title"] = field.name
            _note(item, docs.get(field.name))
        return
    for name, text in attribute_docs(struct).items():
        if name in properties:
            _note(properties[name], text)


def _note(schema: dict[str, Any], text: str | None) -> None:
    if text is not None:
        schema["description"] = text


def attribute_docs(struct: type) -> dict[str, str]:
    """The strings that stand below a class's attributes; none where there is no source."""
    module = sys.modules[struct.__module__]
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, SyntaxError):
        return {}
    body = next(
        node.body
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name == struct.__name__
    )
    docs = {}
    for before, node in itertools.pairwise(body):
        if not (isinstance(before, ast.AnnAssign) and isinstance(before.target, ast.Name)):
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            docs[before.target.id] = inspect.cleandoc(str(node.value.value)).replace("\n", " ")
    return docs
