"""What the contract of JSON rules, whatever the document."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from redhanded.errors import UsageError
from redhanded.model.output import Output
from redhanded.outputs.contract.base import Finding, Ruling
from redhanded.outputs.contract.document import joined, resolve, same, tokens, walk
from redhanded.outputs.contract.structured import Json, json_contract

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(allow_nan=False, allow_infinity=False, width=32)
    | st.text(max_size=4)
)
KEYS = st.text("ab/~é", max_size=2)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(KEYS, VALUES, min_size=1, max_size=3)


def ruled(contract: Json, text: str) -> Finding:
    return contract.rule(Output(text))


def ruling(contract: Json, text: str) -> Ruling:
    return ruled(contract, text).ruling


def written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


@given(VALUES)
def test_a_document_is_as_expected_where_it_is_the_expected_one(value: Any) -> None:
    contract = json_contract(values={"": value})
    for text in (written(value), json.dumps(value, indent=3), f"\n {written(value)}\t"):
        assert ruling(contract, text) is Ruling.RIGHT
    assert contract.rule(Output(value=value)).ruling is Ruling.RIGHT


@given(VALUES, VALUES)
def test_another_document_is_wrong(expected: Any, found: Any) -> None:
    contract = json_contract(values={"": expected})
    wanted = Ruling.RIGHT if same(expected, found) else Ruling.WRONG
    assert ruling(contract, written(found)) is wanted
    assert contract.rule(Output(value=found)).ruling is wanted


@given(VALUES, VALUES, st.data())
def test_any_change_at_a_pinned_pointer_is_wrong(
    document: Any, other: Any, data: st.DataObject
) -> None:
    pointer = data.draw(st.sampled_from([at for at, _ in walk(document)]))
    expected = resolve(document, tokens(pointer))
    assume(not same(expected, other))
    contract = json_contract(values={pointer: expected}, extra_keys=data.draw(st.booleans()))
    assume(not _grown(expected, other))
    assert ruling(contract, written(_put(document, tokens(pointer), other))) is Ruling.WRONG


def _grown(expected: Any, found: Any) -> bool:
    """Has the found value the expected one's members, and more?"""
    return json_contract(values={"": expected}, extra_keys=True).rule(
        Output(value=found)
    ).ruling is Ruling.RIGHT  # fmt: skip


def _put(document: Any, parts: list[str], value: Any) -> Any:
    if not parts:
        return value
    head, rest = parts[0], parts[1:]
    if isinstance(document, dict):
        return {**document, head: _put(document[head], rest, value)}
    changed = list(document)
    changed[int(head)] = _put(changed[int(head)], rest, value)
    return changed


@given(OBJECTS, st.randoms(use_true_random=False))
def test_key_order_never_matters(document: dict[str, Any], random: Any) -> None:
    items = list(document.items())
    random.shuffle(items)
    assert ruling(json_contract(values={"": document}), written(dict(items))) is Ruling.RIGHT


@given(OBJECTS, VALUES)
def test_an_extra_key_is_wrong_where_it_is_not_allowed(
    document: dict[str, Any], extra: Any
) -> None:
    grown = written({**document, "new": extra})
    for allowed in (False, None):
        finding = ruled(json_contract(values={"": document}, extra_keys=allowed), grown)
        assert (finding.ruling, finding.bar) == (Ruling.WRONG, "extras")
    assert ruling(json_contract(values={"": document}, extra_keys=True), grown) is Ruling.RIGHT


def test_an_extra_key_beside_the_pinned_ones() -> None:
    values = {"/a/b": 1}
    text = '{"a": {"b": 1, "c": 2}, "d": 3}'
    assert ruling(json_contract(values=values), text) is Ruling.RIGHT
    finding = ruled(json_contract(values=values, extra_keys=False), text)
    assert finding.ruling is Ruling.WRONG
    assert '"c"' in finding.why
    assert '"d"' in finding.why


@pytest.mark.parametrize(
    ("schema", "wrong"),
    [
        ({"properties": {"a": {}}}, ["z"]),
        ({"properties": {"a": {}}, "patternProperties": {"^z": {}}}, []),
        ({"properties": {"a": {}}, "additionalProperties": {"type": "integer"}}, []),
        ({"allOf": [{"properties": {"a": {}}}, {"properties": {"z": {}}}]}, []),
        ({"$ref": "#/$defs/one", "$defs": {"one": {"properties": {"a": {}}}}}, ["z"]),
        ({"$ref": "#one", "$defs": {"one": {"$anchor": "one"}}}, []),
        ({"type": "object"}, []),
    ],
)
def test_what_a_schema_names_is_no_extra_key(schema: dict[str, Any], wrong: list[str]) -> None:
    finding = ruled(json_contract(schema, extra_keys=False), '{"a": 1, "z": 2}')
    assert [key for key in "az" if f'"{key}"' in finding.why] == wrong
    assert finding.ruling is (Ruling.WRONG if wrong else Ruling.RIGHT)


@given(OBJECTS, st.data())
def test_duplicate_keys_are_wrong(document: dict[str, Any], data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(list(document)))
    text = written(document)[:-1] + f", {written(key)}: {written(document[key])}}}"
    finding = ruled(json_contract(), text)
    assert finding.ruling is Ruling.WRONG
    assert "twice" in finding.why


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"a": 1,}', "{'a': 1}", "{a: 1}", '{"a": NaN}', "Infinity", "[-Infinity]",
     '{"a": 1} {}', '{"a": 1}\nDone.', "```json\n{}\n```", "True", "01", '"\t"'],
)  # fmt: skip
def test_what_is_no_json(text: str) -> None:
    assert ruling(json_contract(), text) is Ruling.WRONG


def test_numbers_that_parsers_read_differently_are_unknown() -> None:
    assert ruling(json_contract(), "1e999") is Ruling.UNKNOWN
    assert ruling(json_contract(), "9" * 5000) is Ruling.UNKNOWN
    assert ruling(json_contract(), "[" * 100_000) is Ruling.UNKNOWN


@pytest.mark.parametrize(("one", "other"), [(1, True), (0, False), (0, None), ("1", 1), ([], {})])
def test_values_of_other_types_differ(one: Any, other: Any) -> None:
    for first, second in ((one, other), (other, one)):
        finding = ruled(json_contract(values={"/v": first}), written({"v": second}))
        assert finding.ruling is Ruling.WRONG
        assert "json.values" in finding.kinds


def test_a_whole_number_is_equal_with_a_decimal_point_unless_declared() -> None:
    for text in ("1", "1.0", "10e-1"):
        assert ruling(json_contract(values={"": 1}), text) is Ruling.RIGHT
    exact = json_contract(values={"": 1}, exact_numbers=True)
    assert ruling(exact, "1.0") is Ruling.WRONG
    assert "number_format" not in exact.varies


@given(st.lists(VALUES, min_size=2, max_size=5), st.randoms(use_true_random=False))
def test_order_of_items(items: list[Any], random: Any) -> None:
    other = list(items)
    random.shuffle(other)
    text = written({"v": other})
    assert ruling(json_contract(values={"/v": items}, order=False), text) is Ruling.RIGHT
    assert ruling(json_contract(values={"/v": items}, order={"/v": False}), text) is Ruling.RIGHT
    finding = ruled(json_contract(values={"/v": items}), text)
    if all(same(one, two) for one, two in zip(items, other, strict=True)):
        assert finding.ruling is Ruling.RIGHT
    else:
        assert (finding.ruling, finding.bar) == (Ruling.WRONG, "order")
        assert "json.order" in finding.kinds


def test_free_order_counts_how_often_an_item_stands_there() -> None:
    contract = json_contract(values={"": [1, 1, 2]}, order=False)
    assert ruling(contract, "[2, 1, 1]") is Ruling.RIGHT
    assert ruling(contract, "[1, 2, 2]") is Ruling.WRONG


def test_an_item_of_an_array_without_order_can_not_be_pinned() -> None:
    finding = ruled(json_contract(values={"/v/0": 1}, order={"/v": False}), '{"v": [1]}')
    assert finding.ruling is Ruling.UNKNOWN
    assert "/v" in finding.why


def test_a_fence_where_it_is_allowed() -> None:
    assert ruling(json_contract(fence=True), "```json\n{}\n```\n") is Ruling.RIGHT
    assert ruling(json_contract(fence=True), "{}") is Ruling.RIGHT
    assert ruling(json_contract(fence=True), "```json\n{}\n```\nDone.") is Ruling.WRONG
    assert "fence" in json_contract(fence=True).varies


def test_data_is_judged_where_there_is_any() -> None:
    contract = json_contract(values={"/a": 1})
    assert contract.rule(Output("prose", value={"a": 1})).part == "value"
    assert contract.rule(Output("prose", value={"a": 1})).ruling is Ruling.RIGHT
    assert contract.rule(Output('{"a": 1}', value={"a": True})).ruling is Ruling.WRONG
    assert contract.rule(Output(value={"a": math.nan})).ruling is Ruling.WRONG
    assert contract.rule(Output(value={1: 2})).ruling is Ruling.UNKNOWN
    assert contract.rule(Output(value={"a": {1}})).ruling is Ruling.UNKNOWN
    assert json_contract(values={"": [1]}).rule(Output(value=(1,))).ruling is Ruling.RIGHT


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("{}", {"json.schema", "json.keys"}),
        ("[]", {"json.schema", "json.type"}),
        ('{"n": "1"}', {"json.schema"}),
        ('{"n": 1, "z": 1}', {"json.schema", "json.keys"}),
        ("{", {"json.syntax"}),
        ('{"n": 1, "n": 2}', {"json.duplicates"}),
    ],
)
def test_a_finding_names_what_is_violated(text: str, kinds: set[str]) -> None:
    schema = {
        "type": "object",
        "required": ["n"],
        "properties": {"n": {"type": "integer"}},
        "additionalProperties": False,
    }
    finding = ruled(json_contract(schema), text)
    assert finding.ruling is Ruling.WRONG
    assert set(finding.kinds) == kinds


def test_more_than_one_bar_is_none() -> None:
    finding = ruled(json_contract(values={"/a": [1, 2], "/b": {}}), '{"a": [2, 1], "b": {"c": 1}}')
    assert finding.bar is None


def test_a_schema_that_refers_elsewhere_is_not_fetched() -> None:
    schema = {"$ref": "https://example.org/nowhere.json"}
    assert ruling(json_contract(schema), "{}") is Ruling.UNKNOWN


def test_a_model_is_a_schema() -> None:
    class Model:
        @classmethod
        def model_json_schema(cls) -> dict[str, Any]:
            return {"type": "string"}

    assert ruling(json_contract(Model), '"x"') is Ruling.RIGHT
    assert ruling(json_contract(Model), "1") is Ruling.WRONG


@pytest.mark.parametrize(
    "arguments",
    [{"schema": {"type": "strnig"}}, {"schema": 3}, {"values": {"a": 1}}, {"values": {"/a~2": 1}},
     {"values": {"/a": math.nan}}, {"order": {"v": False}}],
)  # fmt: skip
def test_what_can_not_be_declared(arguments: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"rh\.json"):
        json_contract(**arguments)


@given(st.lists(st.text(max_size=3), max_size=4))
def test_pointers_come_apart_as_they_were_put_together(parts: list[str]) -> None:
    pointer = ""
    for part in parts:
        pointer = joined(pointer, part)
    assert tokens(pointer) == parts


def test_its_code_says_all_that_was_declared() -> None:
    contract = json_contract({"type": "object"}, {"/a": 1}, order=False, extra_keys=True,
                             fence=True, exact_numbers=True)  # fmt: skip
    assert contract.code() == (
        "rh.json(schema={'type': 'object'}, values={'/a': 1}, order=False, extra_keys=True, "
        "fence=True, exact_numbers=True)"
    )
    assert json_contract().code() == "rh.json()"
