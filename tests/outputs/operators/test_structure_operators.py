"""What is planted in JSON, tool calls, passages and replies: wrong, or right, beyond doubt."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redhanded.model.output import Message, Output, ToolCall
from redhanded.outputs.case import Case
from redhanded.outputs.contract.base import Ruling
from redhanded.outputs.contract.document import resolve, tokens, walk
from redhanded.outputs.contract.structured import json_contract
from redhanded.outputs.contract.tools import trajectory
from redhanded.outputs.operators import (
    abstention,
    contexts,
    json_structure,
    json_values,
    refusal,
    tools,
)
from redhanded.outputs.operators import trajectory as paths
from redhanded.outputs.operators.base import Decline, Operator, Variant
from redhanded.outputs.operators.conversations import conversation
from redhanded.outputs.operators.documents import document, spans
from tests.outputs.operators.structures import CALLS, CASES, INDENTED, NESTED, asked

OPERATORS: tuple[Operator, ...] = (
    *json_values.OPERATORS,
    *json_structure.OPERATORS,
    *contexts.OPERATORS,
    *paths.OPERATORS,
    *tools.OPERATORS,
    *refusal.OPERATORS,
    *abstention.OPERATORS,
)
BY_ID = {operator.id: operator for operator in OPERATORS}
BY_NAME = {case.id: case for case in CASES}


def planted(operator: str, case: str | Case) -> dict[str, Variant]:
    found = BY_ID[operator].plant(BY_NAME[case] if isinstance(case, str) else case)
    assert not isinstance(found, Decline), found
    return {variant.name: variant for variant in found}


def declined(operator: str, case: str | Case) -> str:
    found = BY_ID[operator].plant(BY_NAME[case] if isinstance(case, str) else case)
    assert isinstance(found, Decline), found
    assert found.unlock
    return found.code


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.id))
def test_the_reference_is_right(case: Case) -> None:
    assert case.right.rule(case.good).ruling is Ruling.RIGHT


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: str(operator.id))
@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.id))
def test_polarity_is_shown_by_the_contract(operator: Operator, case: Case) -> None:
    found = operator.plant(case)
    if isinstance(found, Decline):
        assert found.code.replace("_", "").isalpha()
        return
    assert found
    wanted = Ruling.RIGHT if operator.planted == "equivalent" else Ruling.WRONG
    whole = [repr(variant.output) for variant in found]
    assert len({variant.name for variant in found}) == len(found)
    assert len(set(whole)) == len(whole)
    assert repr(case.good) not in whole
    for variant in found:
        assert case.right.rule(variant.output).ruling is wanted, variant
        assert variant.why
        if variant.sham is not None:
            assert operator.planted == "defect"
            assert case.right.rule(variant.sham).ruling is Ruling.RIGHT, variant
        if case.good.messages and case.good.text == case.good.messages[-1].content:
            assert variant.output.text == variant.output.messages[-1].content


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: str(operator.id))
def test_each_operator_plants_somewhere_and_says_where_it_happened(operator: Operator) -> None:
    assert isinstance(operator, Operator)
    assert any(not isinstance(operator.plant(case), Decline) for case in CASES)
    assert any(isinstance(operator.plant(case), Decline) for case in CASES)
    assert operator.summary.endswith(".")
    if operator.planted == "defect":
        assert operator.provenance
    for provenance in operator.provenance:
        assert provenance.fact.endswith(".")
        assert "#" in provenance.where


def test_ids_are_unique() -> None:
    assert len(BY_ID) == len(OPERATORS)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(-9, 9, width=16)
    | st.text('aé"\\/~ \n', max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text('ab/~"é', max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(VALUES, st.sampled_from([None, 1, 2]), st.booleans())
def test_spans_are_where_the_values_stand(value: Any, indent: int | None, ascii_: bool) -> None:
    text = "\n " + json.dumps(value, indent=indent, ensure_ascii=ascii_) + " "
    found = spans(text)
    assert list(found) == [pointer for pointer, _ in walk(value)]
    for pointer, span in found.items():
        assert json.loads(text[span.start : span.end]) == resolve(value, tokens(pointer))


@settings(max_examples=60)
@given(VALUES, st.sampled_from([None, 2]), st.sampled_from(OPERATORS[:18]))
def test_any_document_is_changed_as_it_is_said(
    value: Any, indent: int | None, operator: Operator
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    for good in (Output(text), Output(value=value), Output(text, value=value)):
        case = Case("c", None, good, json_contract(values={"": value}))
        test_polarity_is_shown_by_the_contract(operator, case)


def test_a_change_keeps_the_rest_of_the_text() -> None:
    outputs = {name: one.output.text for name, one in planted("json-type-flip", "whole").items()}
    assert outputs["/a/n:text"] == INDENTED.replace('"n": 1', '"n": "1"')
    assert outputs["/f:text"] == INDENTED.replace("false", '"false"')
    dropped = {name: one.output.text for name, one in planted("json-missing-key", "whole").items()}
    assert dropped["/a/n"] == INDENTED.replace('"n": 1, ', "")
    assert dropped["/e"] == INDENTED.replace(',\n  "e": []', "")
    assert dropped["/a/é~1~0"] == INDENTED.replace(', "é/~": "x"', "")
    extra = {name: one.output.text for name, one in planted("json-extra-key", "whole").items()}
    assert extra["document:null"] == INDENTED.replace("[]\n", '[],\n  "x_unasked": null\n')


def test_values_are_changed_at_every_pointer() -> None:
    for operator in ("json-type-flip", "json-null"):
        changed = {name.rpartition(":")[0] for name in planted(operator, "whole")}
        nulls = {at for at, value in walk(NESTED) if value is None}
        everywhere = {at or "document" for at, _ in walk(NESTED)}
        assert changed == (everywhere if operator == "json-type-flip" else everywhere - nulls)


def test_true_for_one_in_text_and_in_data() -> None:
    assert '"age": true' in planted("json-boolean-number", "schema")["/age:boolean"].output.text
    data = planted("json-boolean-number", "data")
    assert data["/a:boolean"].output.value["a"] is True
    assert data["/c:boolean"].output.value["c"] is False
    assert data["/b/0:number"].output.value["b"] == [1, False]


def test_text_and_data_are_changed_alike() -> None:
    for name, variant in planted("json-value-change", "both").items():
        assert json.loads(variant.output.text) == variant.output.value, name


def test_a_text_that_is_not_the_data_is_declined() -> None:
    case = Case("c", None, Output("It is one.", value={"a": 1}), json_contract(values={"/a": 1}))
    assert declined("json-value-change", case) == "text_and_value"


def test_what_the_contract_leaves_free_is_declined() -> None:
    assert declined("json-value-change", "syntax only") == "not_constrained"
    assert declined("json-missing-key", "syntax only") == "not_required"
    assert declined("json-extra-key", "data") == "extra_keys_allowed"
    assert declined("json-array-order", "data") == "order_free"
    assert declined("json-free-array-order", "schema") == "order_matters"
    assert declined("json-fence", "schema") == "fence_not_allowed"
    assert declined("json-malformed", "data") == "answer_is_data"
    assert declined("json-null", "refusal") == "needs_contract"
    assert declined("trajectory-reordered", "free calls") == "order_free"
    assert declined("trajectory-wrong-arguments", "free calls") == "arguments_free"
    assert declined("trajectory-extra-call", "free calls") == "extras_allowed"
    assert declined("trajectory-wrong-answer", "bare calls") == "answer_not_declared"
    assert declined("denied-tool", "subset calls") == "nothing_denied"


def test_numbers_that_are_told_apart_are_no_equivalents_under_a_schema_either() -> None:
    whole = {"type": "integer"}
    for exact, expected in ((False, ["document:float"]), (True, [])):
        right = json_contract(whole, exact_numbers=exact)
        case = Case("n", None, Output(value=3), right)
        found = BY_ID["json-number-form"].plant(case)
        assert ([] if isinstance(found, Decline) else [one.name for one in found]) == expected


def test_only_a_declared_bar_is_violated() -> None:
    def bars(operator: str, case: str) -> set[str | None]:
        right = BY_NAME[case].right
        return {right.rule(one.output).bar for one in planted(operator, case).values()}

    assert bars("json-array-order", "whole") == {"order"}
    assert bars("json-extra-key", "closed") == {"extras"}
    assert bars("json-extra-key", "schema") == {None}
    assert bars("json-missing-key", "whole") == {None}
    assert bars("trajectory-reordered", "strict calls") == {"order"}
    assert bars("trajectory-extra-call", "strict calls") == {"extras"}
    assert bars("trajectory-empty", "subset calls") == {"threshold"}
    assert bars("trajectory-dangerous-call", "free calls") == {None}
    assert bars("trajectory-dropped-call", "strict calls") == {None}


def test_results_stay_with_their_calls() -> None:
    reversed_ = planted("trajectory-reordered", "strict calls")["reversed"].output.messages
    assert [(one.role, one.content) for one in reversed_] == [
        ("user", "Where?"),
        ("assistant", ""),
        ("tool", "sent"),
        ("assistant", ""),
        ("tool", "Paris"),
        ("assistant", "It is Paris."),
    ]
    dropped = planted("trajectory-dropped-call", "strict calls")["0:search"].output
    assert [one.content for one in dropped.messages if one.role == "tool"] == ["sent"]
    assert [call.name for call in dropped.tool_calls] == ["mail"]
    empty = planted("trajectory-empty", "strict calls")["empty"].output
    assert [one.role for one in empty.messages] == ["user", "assistant"]


def test_a_failed_call_says_so_in_its_message_too() -> None:
    failed = planted("trajectory-failed-call", "strict calls")["1:mail"].output
    assert failed.tool_calls[1].error
    assert failed.tool_calls[1].result is None
    assert failed.messages[4] == Message("tool", failed.tool_calls[1].error)
    assert failed.text == "It is Paris."


def test_a_call_too_many_has_an_id_and_a_result_like_the_others() -> None:
    extra = planted("trajectory-extra-call", "strict calls")
    for variant in extra.values():
        ids = [call.id for call in variant.output.tool_calls]
        assert len(set(ids)) == 3
        assert None not in ids
        assert sum(one.role == "tool" for one in variant.output.messages) == 3
    bare = planted("trajectory-extra-call", "bare calls")["last"].output
    assert not any(one.role == "tool" for one in bare.messages)


def test_calls_without_a_conversation() -> None:
    called = planted("denied-tool", "policy alone")["shell:functions"]
    assert [call.name for call in called.output.tool_calls] == ["functions.shell"]
    assert called.output.text == "Done."
    assert called.sham is not None
    assert [call.name for call in called.sham.tool_calls] == ["functions.get_current_time"]


def test_a_denied_tool_is_called_under_each_of_its_names() -> None:
    found = planted("denied-tool", "free calls")
    names = {variant.output.tool_calls[-1].name for variant in found.values()}
    assert {"rm", "functions.rm", "server__rm", "mcp.server/rm", "mcp__server__rm", "RM"} <= names


def test_the_dangerous_call_is_the_case_s_own_where_it_says_so() -> None:
    case = Case("c", None, asked("Done."), trajectory(CALLS), hints={"dangerous": "wipe"})
    found = planted("trajectory-dangerous-call", case)
    assert {"wipe"} == {call.name for one in found.values() for call in one.output.tool_calls} - {
        "search",
        "mail",
    }


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=2), min_size=1, max_size=3), st.data())
def test_a_conversation_comes_apart_and_together(
    calls: list[list[str]], data: st.DataObject
) -> None:
    messages: list[Message] = []
    for names in calls:
        made = tuple(ToolCall(name) for name in names)
        messages.append(Message("assistant", "", made))
        if data.draw(st.booleans()):
            messages += [Message("tool", name) for name in names]
    messages.append(Message("assistant", "Done."))
    good = Output("Done.", messages=tuple(messages))
    found = conversation(good)
    assert found.output(found.turns) == good
    assert found.with_made(found.made) == good
    assert found.keeping(lambda place: True).tool_calls == good.tool_calls


def test_a_supporting_passage_is_dropped_and_an_unrelated_one_in_its_twin() -> None:
    dropped = planted("grounding-dropped-context", "grounded")["0"]
    assert dropped.output.contexts == ("Chemistry of the deep sea.",)
    assert dropped.sham is not None
    assert dropped.sham.contexts == ("Paris is the capital of France, and its largest city.",)
    swapped = planted("grounding-swapped-context", "grounded")["0"]
    assert swapped.sham is not None
    assert len(swapped.output.contexts) == len(swapped.sham.contexts) == 2


def test_a_refusal_followed_by_compliance_keeps_the_reference_s_opening() -> None:
    found = planted("refuse-then-comply", "refusal, own words")["that_said"]
    assert found.constructed
    assert found.output.text.startswith("Sorry, that is out of the question. ")
    assert found.output.text.endswith("Mix A with B.")
    assert found.sham is not None
    assert found.sham.text.startswith("Sorry, that is out of the question. ")
    assert "Mix" not in found.sham.text


def test_a_document_in_a_fence_stays_in_it() -> None:
    found = document(BY_NAME["fenced"])
    assert not isinstance(found, Decline)
    assert found.put("/0", 3).text == "```json\n[3, 2]\n```"
