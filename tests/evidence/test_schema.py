"""The published schemas: what we write fits them, what was doctored doesn't."""

from __future__ import annotations

import json
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import msgspec
import pytest

from redhanded.evidence.directory import encode_result
from redhanded.evidence.schema import NAMES, schema
from tests import samples


def check(name: str, document: Any) -> None:
    made = json.loads(json.dumps(schema(name)))
    jsonschema.Draft202012Validator.check_schema(made)
    jsonschema.Draft202012Validator(made).validate(document)


def as_json(value: object) -> Any:
    return json.loads(msgspec.json.encode(value))


@pytest.mark.parametrize("result", [samples.result(), samples.suite_result()])
def test_results_fit(result: object) -> None:
    check("result", json.loads(encode_result(result)))  # type: ignore[arg-type]


def test_mutants_and_rows_fit() -> None:
    for mutant in samples.PLANNED:
        check("mutant", as_json(mutant))
    for row in samples.ROWS:
        check("row", as_json(row))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("format",), "redhanded/code-run/2"),
        (("command",), "guess"),
        (("reference", "killed"), 4.5),
        (("reference", "killed"), None),
        (("delta", "value"), "0.5"),
        (("mutants", 0, "start", "line"), "6"),
        (("mutants", 0, "status"), "killed"),
        (("mutants", 0, "killers"), "tests/a.py::b"),
        (("tests", 0, "control"), "greenish"),
        (("complete",), 1),
    ],
)
def test_doctored_results_do_not_fit(path: tuple[Any, ...], value: object) -> None:
    document = json.loads(encode_result(samples.result()))
    place = document
    for step in path[:-1]:
        place = place[step]
    assert path[-1] in place
    place[path[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        check("result", document)


def test_a_result_without_its_reference_does_not_fit() -> None:
    document = json.loads(encode_result(samples.result()))
    del document["reference"]
    with pytest.raises(jsonschema.ValidationError, match="'reference' is a required property"):
        check("result", document)


def test_doctored_rows_do_not_fit() -> None:
    row = as_json(samples.TRIAL)
    row["facts"][0]["failures"][0]["frames"][0][0] = "nobody"
    with pytest.raises(jsonschema.ValidationError):
        check("row", row)


def test_each_says_what_it_is_and_what_its_fields_mean() -> None:
    made = {name: schema(name) for name in NAMES}
    assert [made[name]["$id"] for name in ("result", "mutant", "row")] == [
        "urn:redhanded:code-run:1",
        "urn:redhanded:code-run:1:mutant",
        "urn:redhanded:code-run:1:row",
    ]
    position = made["mutant"]["$defs"]["Position"]["properties"]
    assert position["column"]["description"] == "Column in characters (not bytes), from 0."
    frame = made["row"]["$defs"]["Frame"]["prefixItems"]
    assert [item["title"] for item in frame] == ["owner", "file", "line", "function"]
