"""Datasets of pydantic-evals: each case with each evaluator that judges it."""

from __future__ import annotations

from typing import Any

from redhanded.outputs import api
from redhanded.outputs.case import Case
from redhanded.outputs.importers.found import SAMPLE, Found, grader_name, spread


def is_dataset(thing: Any) -> bool:
    """Is it a dataset, or one of its subclasses?"""
    return any(
        base.__name__ == "Dataset" and base.__module__.startswith("pydantic_evals.")
        for base in type(thing).__mro__
    )


def read(name: str, dataset: Any, most: int | None = None) -> Found:
    """The cases of a dataset.

    Args:
        name: Of the variable: the ids begin with it.
        dataset: A ``pydantic_evals.Dataset``.
        most: How many of its cases are taken.
    """
    found = Found()
    everyone = list(getattr(dataset, "evaluators", ()) or ())
    cases = list(dataset.cases)
    taken = spread(list(enumerate(cases)), most or SAMPLE)
    if len(taken) < len(cases):
        found.notes.append(
            f"{name}: {len(taken)} of {len(cases)} cases were taken, at even distances"
        )
    for place, one in taken:
        checks = [*everyone, *(getattr(one, "evaluators", ()) or ())]
        here = f"{name}:{getattr(one, 'name', None) or place}"
        for number, evaluator in enumerate(checks):
            label = f"{here}:{grader_name(evaluator)}"
            if any(grader_name(other) == grader_name(evaluator) for other in checks[:number]):
                label += f"-{number}"
            if one.expected_output is None:
                found.leave(evaluator, "no_reference", "the case has no expected_output", label)
                continue
            group = here if len(checks) > 1 else None
            found.add(label, evaluator, lambda: _case(label, group, evaluator, one))  # noqa: B023
    for report in getattr(dataset, "report_evaluators", ()) or ():
        found.leave(report, "not_one_output", "it judges a whole report, not one output")
    return found


def _case(name: str, group: str | None, evaluator: Any, one: Any) -> Case:
    expected = one.expected_output
    hints = {} if one.metadata is None else {"metadata": one.metadata}
    return api.case(
        evaluator,
        good=expected,
        target=expected,
        input=one.inputs,
        id=name,
        group=group,
        hints=hints,
    )
