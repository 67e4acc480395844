"""What the frameworks' own documentation says that their stock graders judge.

Each entry was read in the version that it names. Kinds are those of contract clauses; a dotted
kind is one aspect of a clause. ``similarity`` and the like name no clause: a grader that only
claims likeness claims nothing that a contract can break.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from redhanded.outputs.adapters.base import Claim

SAME: Final = ("exact", "answer", "one_of", "number")
"""Equal to the target, or not: whatever the target says is claimed."""

VERSIONS: Final = {
    "gradecore": "0.10.3",
    "inspect_ai": "0.3.285",
    "autoevals": "0.4.1",
    "deepeval": "4.3.1",
    "pydantic_evals": "2.62.0",
    "openevals": "0.2.2",
}
"""The version of each framework whose documentation was read."""

_INSPECT: Final = "inspect_ai/scorer/"
_GRADE: Final = "gradecore/graders.py, "
_ADVERSE: Final = "gradecore/adversarial.py, "
_DEEP: Final = "deepeval/metrics/"
_COMMON: Final = "pydantic_evals/evaluators/common.py, "
_AGENTIC: Final = "pydantic_evals/evaluators/agentic.py, "

TABLE: Final[dict[str, dict[str, tuple[tuple[str, ...], str]]]] = {
    "gradecore": {
        "exact": (SAME, f"{_GRADE}exact"),
        "exact_cs": (SAME, f"{_GRADE}exact_cs"),
        "contains": (("contains",), f"{_GRADE}contains"),
        "regex": (("pattern",), f"{_GRADE}regex"),
        "one_of": (SAME, f"{_GRADE}one_of"),
        "number": (("number",), f"{_GRADE}number"),
        "must_refuse": (("refusal",), f"{_ADVERSE}must_refuse"),
        "must_comply": (("compliance",), f"{_ADVERSE}must_comply"),
        "must_abstain": (("abstention",), f"{_ADVERSE}must_abstain"),
        "injection_resistance": (("injection",), f"{_ADVERSE}injection_resistance"),
        "valid_json": (("json.syntax", "json.keys"), f"{_ADVERSE}valid_json"),
        "tool_misuse": (("tool_policy",), f"{_ADVERSE}tool_misuse"),
        "grounding": (("grounding",), "gradecore/grounding.py, grounding"),
        "trajectory": (
            ("trajectory.names", "trajectory.order"),
            "gradecore/trajectory.py, trajectory",
        ),
    },
    "inspect_ai": {
        "match": (("contains",), f"{_INSPECT}_match.py, match"),
        "includes": (("contains",), f"{_INSPECT}_match.py, includes"),
        "pattern": (SAME, f"{_INSPECT}_pattern.py, pattern"),
        "answer": (SAME, f"{_INSPECT}_answer.py, answer"),
        "choice": (("choice", "one_of"), f"{_INSPECT}_choice.py, choice"),
        "exact": (SAME, f"{_INSPECT}_classification.py, exact"),
        "f1": (("similarity",), f"{_INSPECT}_classification.py, f1"),
        "math": (("math", "number"), f"{_INSPECT}_math.py, math"),
    },
    "autoevals": {
        "ExactMatch": ((*SAME, "json"), "autoevals/value.py, ExactMatch"),
        "Levenshtein": (("similarity",), "autoevals/string.py, Levenshtein"),
        "NumericDiff": (("number",), "autoevals/number.py, NumericDiff"),
        "ValidJSON": (("json.syntax",), "autoevals/json.py, ValidJSON"),
        "JSONDiff": (("json",), "autoevals/json.py, JSONDiff"),
        "ListContains": (("contains",), "autoevals/list.py, ListContains"),
    },
    "deepeval": {
        "ExactMatchMetric": (SAME, f"{_DEEP}exact_match/exact_match.py, ExactMatchMetric"),
        "PatternMatchMetric": (
            ("pattern",),
            f"{_DEEP}pattern_match/pattern_match.py, PatternMatchMetric",
        ),
        "JsonCorrectnessMetric": (
            ("json.syntax", "json.schema"),
            f"{_DEEP}json_correctness/json_correctness.py, JsonCorrectnessMetric",
        ),
        "ToolCorrectnessMetric": (
            ("trajectory.names",),
            f"{_DEEP}tool_correctness/tool_correctness.py, ToolCorrectnessMetric",
        ),
        "ToolPermissionMetric": (
            ("tool_policy",),
            f"{_DEEP}tool_permission/tool_permission.py, ToolPermissionMetric",
        ),
        "AgentLoopDetectionMetric": (
            ("trajectory.repeats",),
            f"{_DEEP}agent_loop_detection/agent_loop_detection.py, AgentLoopDetectionMetric",
        ),
    },
    "pydantic_evals": {
        "Equals": ((*SAME, "json"), f"{_COMMON}Equals"),
        "EqualsExpected": ((*SAME, "json"), f"{_COMMON}EqualsExpected"),
        "Contains": (("contains",), f"{_COMMON}Contains"),
        "IsInstance": (("json.type",), f"{_COMMON}IsInstance"),
        "MaxDuration": (("metadata",), f"{_COMMON}MaxDuration"),
        "ToolCorrectness": (("trajectory.names",), f"{_AGENTIC}ToolCorrectness"),
        "TrajectoryMatch": (("trajectory.names",), f"{_AGENTIC}TrajectoryMatch"),
        "ArgumentCorrectness": (("trajectory.arguments",), f"{_AGENTIC}ArgumentCorrectness"),
        "MaxToolCalls": (("trajectory.count",), f"{_AGENTIC}MaxToolCalls"),
    },
    "openevals": {
        "exact_match": ((*SAME, "json"), "openevals/exact.py, exact_match"),
        "levenshtein_distance": (
            ("similarity",),
            "openevals/string/levenshtein.py, levenshtein_distance",
        ),
        "json_match": (("json.values", "json.keys"), "openevals/json/match.py"),
        "trajectory_strict": (
            ("trajectory", "messages", "answer", "text"),
            "openevals/trajectory/match.py: 'exact match in order and content'",
        ),
        "trajectory_unordered": (
            ("trajectory.names", "trajectory.arguments", "trajectory.extras"),
            "openevals/trajectory/match.py",
        ),
        "trajectory_subset": (
            ("trajectory.extras", "trajectory.arguments"),
            "openevals/trajectory/match.py",
        ),
        "trajectory_superset": (
            ("trajectory.names", "trajectory.arguments"),
            "openevals/trajectory/match.py",
        ),
    },
}
"""By framework and grader: the kinds that it claims as configured by default, and where."""


def claim(framework: str, name: str, settings: Mapping[str, Any]) -> Claim | None:
    """What a stock grader claims to judge, as its settings widen or narrow it."""
    found = TABLE.get(framework, {}).get(name)
    if found is None:
        return None
    kinds, where = found
    changed = _settled(framework, name, frozenset(kinds), settings)
    return Claim(kinds=changed, where=where, version=VERSIONS[framework])


def _settled(
    framework: str, name: str, kinds: frozenset[str], settings: Mapping[str, Any]
) -> frozenset[str]:
    if (framework, name) == ("inspect_ai", "match"):
        if settings.get("numeric"):
            return frozenset({"number"})
        return frozenset(SAME) if settings.get("location") == "exact" else kinds
    if (framework, name) == ("autoevals", "ValidJSON") and settings.get("schema") is not None:
        return kinds | {"json.schema"}
    if (framework, name) == ("gradecore", "trajectory"):
        return kinds if settings.get("allow_extra", True) else kinds | {"trajectory.extras"}
    if (framework, name) == ("pydantic_evals", "Contains"):
        return kinds | {"json.values"} if isinstance(settings.get("value"), dict) else kinds
    if (framework, name) == ("pydantic_evals", "ToolCorrectness"):
        return kinds if settings.get("allow_extra") else kinds | {"trajectory.extras"}
    if (framework, name) == ("pydantic_evals", "TrajectoryMatch"):
        ordered = settings.get("order", "in_order") != "any_order"
        return kinds | ({"trajectory.order", "trajectory.extras"} if ordered else set())
    if framework == "openevals" and settings.get("tool_args_match_mode") == "ignore":
        return kinds - {"trajectory.arguments"}
    if (framework, name) == ("deepeval", "ToolCorrectnessMetric"):
        return kinds | _tool_correctness(settings)
    return kinds


def _tool_correctness(settings: Mapping[str, Any]) -> frozenset[str]:
    found: set[str] = set()
    if settings.get("should_exact_match"):
        found |= {"trajectory.order", "trajectory.extras"}
    if settings.get("should_consider_ordering"):
        found.add("trajectory.order")
    wanted = [str(getattr(one, "value", one)) for one in settings.get("evaluation_params") or ()]
    if any("input" in one.lower() for one in wanted):
        found.add("trajectory.arguments")
    return frozenset(found)
