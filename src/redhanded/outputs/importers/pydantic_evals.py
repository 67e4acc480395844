"""Datasets of pydantic-evals: each case with each evaluator that judges it."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from redhanded.errors import UsageError
from redhanded.outputs import api
from redhanded.outputs.adapters.prepared import module
from redhanded.outputs.case import Case
from redhanded.outputs.importers.found import SAMPLE, Found, grader_name, spread

FILES: Final = (".yaml", ".yml", ".json")
OWN_CLASS: Final = (
    "a file names evaluators alone, and this one is none of the framework's own: load the dataset "
    "in a Python file, with from_file(..., custom_evaluator_types=[...]), and give that"
)


def is_dataset(thing: Any) -> bool:
    """Is it a dataset, or one of its subclasses?"""
    return any(
        base.__name__ == "Dataset" and base.__module__.startswith("pydantic_evals.")
        for base in type(thing).__mro__
    )


def is_file(path: Path) -> bool:
    """Is it a dataset in a file of its own?"""
    if path.suffix.lower() not in FILES:
        return False
    if path.suffix.lower() != ".json":
        return True
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(told, dict) and isinstance(told.get("cases"), list)


def read_file(path: Path, most: int | None = None) -> Found:
    """The cases of a dataset in a file; evaluators of one's own need a Python file that loads it.

    Raises:
        UsageError: It is no dataset.
    """
    kinds = module("pydantic_evals.evaluators.common").DEFAULT_EVALUATORS
    known = {kind.get_serialization_name() for kind in kinds}
    found = Found()
    try:
        told = _told(path)
        told = _without(told, lambda name: name in known, found)
        told["cases"] = [
            _without(one, lambda name: name in known, found) for one in told.get("cases") or ()
        ]
        told.pop("$schema", None)
        made = module("pydantic_evals").Dataset[Any, Any, Any].from_dict(told)
    except Exception as error:
        raise UsageError(
            f"{path}: expected a dataset of pydantic-evals, found: {error}",
            hint="Such a file holds a list of cases; see its documentation of from_file.",
        ) from None
    more = read(path.stem, made, most)
    more.untested += found.untested
    return more


def _told(path: Path) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8")
    told = json.loads(text) if path.suffix.lower() == ".json" else _yaml(text)
    if not isinstance(told, dict):
        raise ValueError(f"{type(told).__name__} instead of a mapping with cases")
    return told


def _yaml(text: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return module("yaml").safe_load(text)


def _without(told: Any, known: Callable[[str], bool], found: Found) -> Any:
    """A dataset or a case as it is told, less the evaluators that can't be made of a name."""
    if not isinstance(told, Mapping):
        return told
    kept = []
    for one in told.get("evaluators") or ():
        name = _evaluator(one)
        if known(name):
            kept.append(one)
        else:
            found.leave(
                name, "not_loaded", OWN_CLASS, told.get("name") if "inputs" in told else None
            )
    rest = {key: value for key, value in told.items() if key != "evaluators"}
    return {**rest, "evaluators": kept}


def _evaluator(told: Any) -> str:
    """The name in what a file says of an evaluator: a name, or a mapping of it to arguments."""
    if isinstance(told, Mapping):
        return str(told.get("name") or next(iter(told), ""))
    return str(told)


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
