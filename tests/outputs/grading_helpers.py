"""Short ways to make calls, askings and rows."""

from __future__ import annotations

from typing import Any

from redhanded.model.graded import Answer, Call, HoleKind, Lack, OutputOutcome, Phase, Planted, Row
from redhanded.model.grading import Asking
from redhanded.model.output import Output

LETTERS = {
    "a": Answer.ACCEPT,
    "r": Answer.REJECT,
    "n": Answer.ABSTAIN,
    "e": Answer.ERROR,
    "s": Answer.SCORED,
}


def calls(told: str, *, lack: Lack | None = None, scores: tuple[float, ...] = ()) -> list[Call]:
    """One call per letter: accept, reject, none, error, scored."""
    return [
        Call(
            id=place,
            case="c",
            grader="g",
            phase=Phase.DECISION,
            answer=LETTERS[letter],
            repeat=place,
            lack=lack,
            score=scores[place] if scores else None,
            error="ValueError: no" if letter == "e" else None,
        )
        for place, letter in enumerate(told)
    ]


def scored(*scores: float) -> list[Call]:
    """Calls that gave scores without a bar."""
    return calls("s" * len(scores), scores=scores)


def asking(
    planted: Planted,
    control: str | list[Call],
    decision: str | list[Call],
    sham: str | list[Call] | None = None,
    after: str | list[Call] = "",
) -> Asking:
    """All calls about one output, by their letters; sham None: it has none."""

    def made(told: str | list[Call]) -> list[Call]:
        return calls(told) if isinstance(told, str) else told

    return Asking(
        planted=planted,
        controls=made(control),
        decisions=made(decision),
        shams=made(sham or ""),
        has_sham=sham is not None,
        after=made(after),
    )


def row(
    outcome: OutputOutcome,
    *,
    planted: Planted = "defect",
    case: str = "c",
    grader: str = "g",
    defect_class: str = "negation",
    variant: str = "v",
    operator: str = "op",
    output: str = "wrong",
    hole: HoleKind | None = None,
    **more: Any,
) -> Row:
    """A row of the results."""
    return Row(
        id=f"{case}/{operator}/{variant}",
        case=case,
        grader=grader,
        operator=operator,
        variant=variant,
        planted=planted,
        defect_class=defect_class,
        outcome=outcome,
        hole=hole,
        output=Output(text=output),
        **more,
    )
