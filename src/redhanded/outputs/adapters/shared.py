"""What only a grader's own settings say about a right output.

A contract from here is shared with the grader: it can show that the grader doesn't do what it was
set to do, not that it was set to the wrong thing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from redhanded.outputs.adapters import autoevals, deepeval, gradecore, pydantic_evals
from redhanded.outputs.contract.base import AllOf, Contract
from redhanded.outputs.contract.choice import one_of
from redhanded.outputs.contract.meaning import abstention, injection, refusal
from redhanded.outputs.contract.number import number
from redhanded.outputs.contract.structured import json_contract
from redhanded.outputs.contract.text import contains, exact, pattern
from redhanded.outputs.contract.tools import tool_policy, trajectory

if TYPE_CHECKING:
    from redhanded.outputs.adapters.derive import Candidate

LOOSE = ("case", "whitespace")


def from_settings(grader: Any) -> list[Candidate]:
    """What a grader was set to, as a contract."""
    found = _settings(grader)
    if found is None:
        return []
    name, settings = found

    def make() -> Contract | None:
        for table in (_gradecore, _texts, _tools):
            contract = table(name, settings)
            if contract is not None:
                return contract
        return None

    return [(f"the settings of {name.partition('.')[2]}", make)]


def _settings(grader: Any) -> tuple[str, Mapping[str, Any]] | None:
    """A stock grader's name, with its framework before it, and how it was made."""
    factory = gradecore.factory_of(grader)
    if factory is not None:
        return f"gradecore.{factory.__name__}", gradecore.settings_of(grader, factory)
    kind = type(grader)
    home = kind.__module__.partition(".")[0]
    name = f"{home}.{kind.__name__}"
    if home == "pydantic_evals" and pydantic_evals.is_evaluator(grader):
        return name, pydantic_evals.settings_of(grader)
    if home == "deepeval" and deepeval.base_of(grader) is not None:
        return name, deepeval.settings_of(grader)
    if autoevals.kind_of(grader) is not None and not isinstance(grader, type):
        return name, {**autoevals.settings_of(grader), **autoevals.partial_of(grader)}
    return None


def _gradecore(name: str, given: Mapping[str, Any]) -> Contract | None:
    if name == "gradecore.exact":
        return exact(given["expected"], ignore=LOOSE) if _whole(given) else None
    if name == "gradecore.exact_cs":
        return exact(given["expected"], ignore=("whitespace",))
    if name == "gradecore.contains":
        return contains(*given["needles"], ignore=("case",))
    if name == "gradecore.regex":
        return pattern(f"(?is){given['pattern']}") if "pattern" in given else None
    if name == "gradecore.one_of":
        return one_of(*given["allowed"], ignore=LOOSE) if _whole(given) else None
    if name == "gradecore.number":
        return _gradecore_number(given)
    return _gradecore_meaning(name, given)


def _whole(given: Mapping[str, Any]) -> bool:
    """Is the whole reply judged, not only its last line?"""
    return bool(given.get("scope", "full") == "full")


def _gradecore_number(given: Mapping[str, Any]) -> Contract | None:
    which = given.get("which", "first")
    if which not in ("first", "last") or not _whole(given):
        return None
    return number(given["expected"], tolerance=given.get("tol", 0), which=which)


def _gradecore_meaning(name: str, given: Mapping[str, Any]) -> Contract | None:
    if name == "gradecore.must_refuse":
        return refusal()
    if name == "gradecore.must_abstain":
        return abstention()
    if name == "gradecore.must_comply" and given.get("requires"):
        return contains(*given["requires"], ignore=("case",))
    if name == "gradecore.injection_resistance":
        markers = [injection(one) for one in given["forbidden"]]
        return markers[0] if len(markers) == 1 else AllOf(tuple(markers)) if markers else None
    if name == "gradecore.valid_json":
        schema = {"type": "object", "required": list(given.get("required", ()))}
        return json_contract(schema, fence=True)
    if name == "gradecore.tool_misuse":
        return tool_policy(denied=given["denylist"])
    if name == "gradecore.trajectory":
        return trajectory(
            list(given["expected"]),
            extras=given.get("allow_extra", True),
            threshold=given.get("threshold", 1.0),
        )
    return None


def _texts(name: str, given: Mapping[str, Any]) -> Contract | None:
    if name == "pydantic_evals.Equals":
        value = given["value"]
        return exact(value) if isinstance(value, str) else json_contract(values={"": value})
    if name == "pydantic_evals.Contains":
        value = given["value"]
        if isinstance(value, str):
            loose = () if given.get("case_sensitive", True) else ("case",)
            return contains(value, ignore=loose)
        if isinstance(value, Mapping):
            return json_contract(values={f"/{key}": one for key, one in value.items()})
    if name == "deepeval.PatternMatchMetric":
        flags = "(?i)" if given.get("ignore_case") else ""
        return pattern(rf"{flags}\s*(?:{given['pattern']})\s*", full=True)
    if name == "deepeval.JsonCorrectnessMetric":
        return json_contract(given["expected_schema"])
    if name == "autoevals.ValidJSON":
        return json_contract(given.get("schema") or {"type": ["object", "array"]})
    return None


def _tools(name: str, given: Mapping[str, Any]) -> Contract | None:
    if name == "deepeval.ToolPermissionMetric":
        allowed = given.get("allowed_tools")
        denied = sorted(given.get("denied_tools") or ())
        return tool_policy(denied=denied, allowed=None if allowed is None else sorted(allowed))
    if name == "pydantic_evals.ToolCorrectness":
        extras = bool(given.get("allow_extra"))
        return trajectory(given["expected_tools"], order=False, extras=extras)
    if name == "pydantic_evals.TrajectoryMatch":
        ordered = given.get("order", "in_order") != "any_order"
        return trajectory(given["expected_trajectory"], order=ordered)
    if name == "pydantic_evals.ArgumentCorrectness":
        call = {"name": given["tool_name"], "arguments": given["expected_arguments"]}
        subset = given.get("match_mode", "subset") == "subset"
        how = "subset" if subset else "exact"
        return trajectory([call], order=False, extras=True, arguments=how)  # type: ignore[arg-type]
    return None
