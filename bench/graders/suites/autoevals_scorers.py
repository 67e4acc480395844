"""autoevals' scorers that ask no model: ExactMatch, the JSON ones, and those of likeness.

They give scores and no bar. One stands here where the best mark is documented to mean that nothing
differs; ``Levenshtein`` and ``NumericDiff`` measure likeness and get none.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import redhanded as rh

autoevals: Any = import_module("autoevals")
lists: Any = import_module("autoevals.list")

PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "age": {"type": "integer", "minimum": 0},
        "email": {"type": ["string", "null"]},
    },
    "required": ["name", "age"],
    "additionalProperties": False,
}
SCHEMA = ("json.syntax", "json.schema")
ADA = {"name": "Ada", "age": 36, "email": None}
BOOKING = {"seat": 1, "window": True, "note": None, "bags": ["blue", "green"]}

suite = [
    rh.case(
        autoevals.ExactMatch(),
        id="exact-word",
        input="What is the capital of France?",
        target="Paris",
        good="Paris",
        right=rh.exact("Paris"),
        pass_at=1,
    ),
    rh.case(
        autoevals.ExactMatch(),
        id="exact-document",
        target=BOOKING,
        good=BOOKING,
        right=rh.json(values={"": BOOKING}, exact_numbers=True),
        pass_at=1,
    ),
    rh.case(
        autoevals.ValidJSON(),
        id="valid-json",
        good='{"name": "Ada", "age": 36}',
        right=rh.json(schema={}),
        claims="json.syntax",
        pass_at=1,
    ),
    rh.case(
        autoevals.ValidJSON(schema=PERSON),
        id="valid-json-schema",
        good='{"name": "Ada", "age": 36, "email": null}',
        right=rh.json(schema=PERSON),
        claims=SCHEMA,
        pass_at=1,
    ),
    rh.case(
        autoevals.ValidJSON.partial(schema=PERSON)(),
        id="valid-json-partial-schema",
        good='{"name": "Ada", "age": 36, "email": null}',
        right=rh.json(schema=PERSON),
        claims=SCHEMA,
        pass_at=1,
    ),
    rh.case(
        autoevals.JSONDiff(),
        id="json-diff",
        target=BOOKING,
        good=BOOKING,
        right=rh.json(values={"": BOOKING}),
        pass_at=1,
    ),
    rh.case(
        autoevals.JSONDiff(),
        id="json-diff-text",
        target='{"name": "Ada", "age": 36, "email": null}',
        good='{"name": "Ada", "age": 36, "email": null}',
        right=rh.json(values={"": ADA}),
        pass_at=1,
    ),
    rh.case(
        lists.ListContains(),
        id="list-contains",
        target=["blue", "green"],
        good=["blue", "green"],
        right=rh.json(values={"": ["blue", "green"]}, order=False),
        pass_at=1,
    ),
    rh.case(
        autoevals.Levenshtein(),
        id="levenshtein-word",
        input="What is the capital of Australia?",
        target="Canberra",
        good="Canberra",
        right=rh.exact("Canberra"),
    ),
    rh.case(
        autoevals.NumericDiff(),
        id="numeric-diff",
        input="How much is 60 + 40?",
        target=100,
        good=100,
        right=rh.number(100),
    ),
]
