"""Stock scorers of autoevals that ask no model, with a reasonable user's contract."""

from autoevals import ExactMatch, JSONDiff, Levenshtein, ListContains, NumericDiff, ValidJSON

import redhanded as rh

SCHEMA = {
    "type": "object",
    "properties": {"age": {"type": "integer"}},
    "required": ["age"],
    "additionalProperties": False,
}

suite = [
    rh.case(ValidJSON(schema=SCHEMA), id="valid-json-schema", good='{"age": 3}', pass_at=1,
            right=rh.json(schema=SCHEMA)),
    rh.case(JSONDiff(), id="json-diff", good=rh.Output(value={"ok": True, "note": None}),
            target={"ok": True, "note": None}, pass_at=1,
            right=rh.json(values={"": {"ok": True, "note": None}})),
    rh.case(JSONDiff(), id="json-diff-number", good=rh.Output(value={"n": 1, "tags": ["a", "b"]}),
            target={"n": 1, "tags": ["a", "b"]}, pass_at=1,
            right=rh.json(values={"": {"n": 1, "tags": ["a", "b"]}})),
    rh.case(ExactMatch(), id="exact-match", good="5", target="5", pass_at=1,
            right=rh.number(5)),
    rh.case(Levenshtein(), id="levenshtein", good="Paris", target="Paris", pass_at=0.8,
            right=rh.answer("Paris")),
    rh.case(NumericDiff(), id="numeric-diff", good=rh.Output(value=100), target=100, pass_at=0.99,
            right=rh.number(100)),
    rh.case(ListContains(), id="list-contains", good=rh.Output(value=["a", "b"]),
            target=["a", "b"], pass_at=1,
            right=rh.json(values={"": ["a", "b"]}, order=False)),
]  # fmt: skip
