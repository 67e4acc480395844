"""All that a run found, before any arithmetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from redhanded.code.contest import Contest
from redhanded.code.options import RunOptions
from redhanded.code.planner import Plan
from redhanded.code.side import Suite
from redhanded.code.workshop import Workshop
from redhanded.model.result import Change, RealDefect
from redhanded.model.rows import ControlRow, Side, TrialRow


@dataclass(frozen=True)
class Measured:
    """All that a run found."""

    options: RunOptions
    shop: Workshop
    plan: Plan
    suites: Mapping[Side, Suite]
    gone: tuple[str, ...]
    """Old tests that are collected on base's source and not on head's."""
    changes: Mapping[str, Change]
    controls: Sequence[ControlRow]
    rows: Mapping[tuple[str, Side], TrialRow]
    contest: Contest
    real_defect: RealDefect | None
    warnings: Sequence[str]
    seconds: tuple[float, float, float, float]
    """Total, setup, controls, trials."""
