"""Suites of evalmut: its cases, known by their fields, with what they declare as a contract."""

from __future__ import annotations

from typing import Any, Final

from redhanded.model.output import Message, Output, ToolCall
from redhanded.outputs import api
from redhanded.outputs.case import Case
from redhanded.outputs.contract.base import AllOf, Contract
from redhanded.outputs.importers.found import Found, grader_name

CASE: Final = ("name", "grader", "good", "judges", "tolerates", "num_tol", "expected_trajectory")
INPUT: Final = ("text", "prompt", "retrieved", "contexts", "citations", "tool_calls", "gold_ids")
IGNORED: Final = {"whitespace": "whitespace", "case": "case"}
PARTS: Final = {"text", "contexts", "tool_calls"}


def is_case(thing: Any) -> bool:
    """Has it the fields of an ``EvalCase``?"""
    return all(hasattr(thing, name) for name in CASE)


def read(cases: list[Any]) -> Found:
    """The cases of a suite."""
    found = Found()
    for one in cases:
        found.add(str(one.name), one.grader, lambda: case(one))  # noqa: B023
    return found


def case(given: Any) -> Case:
    """One case, with all that its input has.

    Raises:
        UsageError: What it declares amounts to no contract, or to one that its input violates.
    """
    good = output_of(given.good)
    expected = getattr(given.good, "expected", None)
    right = contract(given, good, expected)
    channel = tuple(getattr(given, "verdict_channel", ()) or ())
    hints: dict[str, Any] = {}
    if getattr(given.good, "gold_ids", ()):
        hints["gold_ids"] = list(given.good.gold_ids)
    if getattr(given, "intent", ""):
        hints["intent"] = given.intent
    made = api.case(
        given.grader,
        good=good,
        right=right,
        target=expected,
        input=getattr(given.good, "prompt", None),
        id=str(given.name),
        claims=_claims(given),
        channel=channel[0] if channel else None,
        hints=hints,
    )
    # What a case declares there isn't what its author would write here: it is derived.
    object.__setattr__(made, "derived", True)
    return made


def _claims(given: Any) -> set[str] | None:
    """What a case says that its check is there for; None: what its kind of grader claims.

    A check of presence that is tagged as one stands for the answer itself, not for its letters.
    """
    if "presence_check" in (getattr(given, "tags", ()) or ()):
        return {"answer"}
    return PARTS & set(given.judges) if _family(given) is None else None


def output_of(given: Any) -> Output:
    """An input of a grader as an output: text, contexts, tool calls, and the rest as metadata."""
    calls = tuple(
        ToolCall(
            str(one.get("tool", one.get("name", ""))),
            dict(one.get("args") or one.get("arguments") or {}),
            one.get("result"),
            str(one["error"]) if one.get("error") else None,
        )
        for one in getattr(given, "tool_calls", ()) or ()
    )
    kept = ("retrieved", "citations", "gold_ids")
    metadata = {name: list(getattr(given, name)) for name in kept if getattr(given, name, ())}
    # Its calls are a sequence; calls of one message might be parallel.
    made = tuple(Message("assistant", "", (call,)) for call in calls)
    messages = (*made, Message("assistant", given.text)) if calls else ()
    return Output(
        text=given.text,
        messages=messages,
        contexts=tuple(getattr(given, "contexts", ()) or ()),
        metadata=metadata,
    )


def contract(given: Any, good: Output, expected: Any) -> Contract | None:
    """What a case declares, as a contract; None where only its grader knows more."""
    found = [one for one in (_tools(given, expected), _text(given, good, expected)) if one]
    if not found:
        return None
    return found[0] if len(found) == 1 else AllOf(tuple(found))


def _family(given: Any) -> str | None:
    """The kind of grader that a case names, or that its grader's factory is."""
    named = getattr(given, "grader_family", None)
    if named:
        return str(named)
    home = str(getattr(given.grader, "__module__", ""))
    return grader_name(given.grader) if home.partition(".")[0] == "gradecore" else None


def _tools(given: Any, expected: Any) -> Contract | None:
    import redhanded as rh

    if given.expected_trajectory:
        threshold = getattr(given, "trajectory_threshold", None)
        return rh.trajectory(
            list(given.expected_trajectory), extras=True, threshold=threshold or 1.0
        )
    if "tool_calls" in given.judges and isinstance(expected, str):
        return rh.tool_policy(denied=[expected])
    return None


def _text(given: Any, good: Output, expected: Any) -> Contract | None:
    """What is declared of the text: the kind of grader says how ``expected`` is meant."""
    import redhanded as rh

    if "text" not in given.judges:
        return None
    kind = _family(given)
    ignore = tuple(IGNORED[name] for name in given.tolerates if name in IGNORED)
    if kind in ("exact", "exact_cs") and expected is not None:
        loose = ("case", *ignore) if kind == "exact" else ignore
        return rh.exact(str(expected), ignore=tuple(dict.fromkeys(loose)))
    if given.num_tol is not None and expected is not None:
        return rh.number(expected, tolerance=given.num_tol)
    if kind == "one_of" and expected is not None:
        allowed = expected if isinstance(expected, (list, tuple)) else (expected,)
        return rh.one_of(*map(str, allowed), ignore=tuple(dict.fromkeys(("case", *ignore))))
    if kind == "valid_json":
        import json

        # Its suites can't say that there may be no other keys.
        values = {"": json.loads(good.text)}
        return rh.json(values=values, extra_keys=True, fence="fence" in given.tolerates)
    if kind == "injection_resistance" and isinstance(expected, str):
        return rh.injection(expected)
    if kind == "must_refuse":
        return rh.refusal()
    if kind == "must_comply":
        return rh.compliance(good.text)
    if kind == "must_abstain":
        return rh.abstention()
    if isinstance(expected, str) and expected.strip():
        return rh.answer(expected)
    return _grounded(given, good)


def _grounded(given: Any, good: Output) -> Contract | None:
    """The passages that hold the answer's own words support it."""
    import redhanded as rh
    from redhanded.outputs.contract.grounding import content

    if "contexts" not in given.judges or not good.contexts:
        return None
    words = content(good.text)
    shared = [len(words & content(passage)) for passage in good.contexts]
    if max(shared) == 0:
        return None
    return rh.grounding({good.text: [at for at, n in enumerate(shared) if n == max(shared)]})
