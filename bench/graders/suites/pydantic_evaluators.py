"""Stock evaluators of pydantic-evals that ask no model, with a reasonable user's contract."""

from pydantic_evals.evaluators import Contains, Equals, EqualsExpected, IsInstance

import redhanded as rh

suite = [
    rh.case(Contains("approved"), id="contains", good="The request is approved.",
            right=rh.answer("approved")),
    rh.case(Contains("approved", case_sensitive=False), id="contains-any-case", good="Approved",
            right=rh.answer("approved")),
    rh.case(Equals(value=True), id="equals-true", good=rh.Output(value=True),
            right=rh.json(values={"": True})),
    rh.case(EqualsExpected(), id="expected-true", good=rh.Output(value=True), target=True,
            right=rh.json(values={"": True})),
    rh.case(EqualsExpected(), id="expected-document",
            good=rh.Output(value={"ok": True, "n": 1}), target={"ok": True, "n": 1},
            right=rh.json(values={"": {"ok": True, "n": 1}})),
    rh.case(EqualsExpected(), id="expected-text", good="Paris", target="Paris",
            right=rh.answer("Paris")),
    rh.case(IsInstance(type_name="int"), id="is-int", good=rh.Output(value=3),
            right=rh.json(schema={"type": "integer"})),
]  # fmt: skip
