"""The operators that redhanded has, as it lists them itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.oracle.errors import RefusedError

ROOT: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Operator:
    """One entry."""

    name: str
    family: str
    description: str
    tools: tuple[str, ...]
    """Other tools that have one like it."""


def environment(redhanded: Path = ROOT) -> Mapping[str, str]:
    """The environment in which a checkout of redhanded is run as a command."""
    return {**os.environ, "PYTHONPATH": str(redhanded / "src")}


def read(redhanded: Path = ROOT) -> list[Operator]:
    """All operators, in the order in which redhanded lists them: family by family.

    Raises:
        RefusedError: They can't be listed.
    """
    ended = subprocess.run(
        [sys.executable, "-m", "redhanded", "operators", "--json", "--python", sys.executable],
        env=environment(redhanded), capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    if ended.returncode:
        raise RefusedError(
            f"expected redhanded to list its operators, found exit code {ended.returncode}:\n"
            f"{ended.stderr.strip()[-2000:]}"
        )
    return [_operator(entry) for entry in json.loads(ended.stdout)]


def _operator(entry: Mapping[str, Any]) -> Operator:
    return Operator(entry["name"], entry["family"], entry["description"], tuple(entry["tools"]))
