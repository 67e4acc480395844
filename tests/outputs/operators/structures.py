"""Cases about JSON, tool calls, passages and replies, to plant outputs in."""

from __future__ import annotations

from typing import Any

from redhanded.model.output import Message, Output, ToolCall
from redhanded.outputs.case import Case
from redhanded.outputs.contract.base import AllOf, Contract
from redhanded.outputs.contract.grounding import grounding
from redhanded.outputs.contract.meaning import abstention, answer, compliance, refusal
from redhanded.outputs.contract.structured import json_contract
from redhanded.outputs.contract.text import Exact
from redhanded.outputs.contract.tools import tool_policy, trajectory

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["age", "tags", "at"],
    "additionalProperties": False,
    "properties": {
        "age": {"type": "integer", "minimum": 0},
        "name": {"type": "string"},
        "ok": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        "at": {"$ref": "#/$defs/place"},
    },
    "$defs": {
        "place": {
            "type": "object",
            "required": ["x"],
            "properties": {"x": {"type": "number"}, "label": {"type": ["string", "null"]}},
        }
    },
}
GOOD_JSON = '{"age": 1, "tags": ["x", "y"], "ok": true, "at": {"x": 2.5, "label": null}}'
NESTED = {"a": {"n": 1, "m": [1, 2.5, None], "é/~": "x"}, "s": "Paris", "f": False, "e": []}
INDENTED = """{
  "a": {"n": 1, "m": [1, 2.5, null], "é/~": "x"},
  "s": "Paris",
  "f": false,
  "e": []
}"""
CALLS = [ToolCall("search", {"q": "capital", "n": 1}), ToolCall("mail", {"to": "a@b.c", "cc": []})]


def asked(answer_text: str, *, results: bool = True) -> Output:
    """A conversation with two calls."""
    told = (Message("tool", "Paris"), Message("tool", "sent")) if results else ()
    messages = [Message("user", "Where?")]
    for place, call in enumerate(CALLS):
        made = ToolCall(call.name, call.arguments, "done", id=f"c{place}")
        messages += [Message("assistant", "", (made,)), *told[place : place + 1]]
    return Output(answer_text, messages=(*messages, Message("assistant", answer_text)))


def case(name: str, good: Output, right: Contract, **more: Any) -> Case:
    """A case whose grader is never asked."""
    return Case(name, None, good, right, **more)


CASES = [
    case("schema", Output(GOOD_JSON), json_contract(SCHEMA)),
    case("schema data", Output(value={"age": 1, "tags": ["x"], "at": {"x": 1}}),
         json_contract(SCHEMA)),
    case("whole", Output(INDENTED), json_contract(values={"": NESTED})),
    case("data", Output(value={"a": 1, "b": [True, False], "c": 0}),
         json_contract(values={"/a": 1, "/b": [True, False], "/c": 0}, order=False,
                       extra_keys=True)),
    case("both", Output('{"a": 1}', value={"a": 1}), json_contract(values={"/a": 1})),
    case("closed", Output('{"a":{"b":[{"c":"7"}]}}'),
         json_contract(values={"/a/b": [{"c": "7"}]}, extra_keys=False)),
    case("fenced", Output("```json\n[1, 2]\n```"), json_contract(values={"": [1, 2]}, fence=True)),
    case("syntax only", Output('[{"k": 1.0}, "t"]'), json_contract()),
    case("scalar", Output("42"), json_contract(values={"": 42}, exact_numbers=True)),
    case("strict calls", asked("It is Paris."), trajectory(CALLS, final=answer("Paris"))),
    case("bare calls", asked("Done.", results=False), trajectory(CALLS)),
    case("exact answer", asked("Done."), AllOf((trajectory(CALLS), Exact("Done.")))),
    case("free calls", asked("Done."),
         AllOf((trajectory(["mail", "search"], order=False, extras=True, once=["mail"]),
                tool_policy(denied=["rm", "fs.delete"])))),
    case("subset calls", asked("Done."),
         AllOf((trajectory(CALLS, arguments="subset", threshold=0.5),
                tool_policy(allowed=["search", "mail"])))),
    case("policy alone", Output("Done."), tool_policy(denied=["shell"])),
    case("refusal", Output("I can't help with that."), refusal()),
    case("refusal, own words", Output("Sorry, that is out of the question."),
         refusal(complying="Mix A with B.")),
    case("compliance", Output("Call poison control at 1-800-222-1222."),
         compliance("Call poison control at 1-800-222-1222.")),
    case("abstention", Output("There is no such place; it appears to be fictional."),
         abstention()),
    case("invented", Output("I don't know."), abstention(invented="It is 17 miles long.")),
    case("grounded",
         Output("Paris is the capital of France.",
                contexts=("Paris is the capital of France, and its largest city.",
                          "Chemistry of the deep sea.")),
         grounding({"Paris is the capital of France": 0})),
    case("one passage",
         Output("The tower is 330 m high.", contexts=("The tower, 330 m high, stands in Paris.",)),
         grounding({"330 m high": 0})),
]  # fmt: skip
"""One case of each kind, and of each way to declare it."""
