"""Which adapter takes a grader, and that saying no costs nothing."""

from __future__ import annotations

import subprocess
import sys

from redhanded.outputs.adapters import ADAPTERS, adapter_for
from redhanded.outputs.adapters.base import Adapter, Asked
from redhanded.outputs.adapters.command import command
from tests.outputs.adapters.asking import asked


def test_the_order() -> None:
    assert [adapter.framework for adapter in ADAPTERS] == [
        "command",
        "gradecore",
        "inspect-ai",
        "autoevals",
        "deepeval",
        "pydantic-evals",
        "openevals",
        "python",
    ]


def test_all_are_adapters() -> None:
    assert all(isinstance(adapter, Adapter) for adapter in ADAPTERS)


def test_what_is_handed_out_can_be_asked() -> None:
    assert isinstance(asked(lambda output: True), Asked)


def test_who_knows_what() -> None:
    assert _framework(lambda output: True) == "python"
    assert _framework(command("x")) == "command"
    assert adapter_for(5) is None


def _framework(grader: object) -> str:
    adapter = adapter_for(grader)
    assert adapter is not None
    return adapter.framework


def test_a_name_alone_makes_nobody_a_framework() -> None:
    def exact(output: str) -> bool:
        return True

    exact.__module__ = "gradecore.graders"
    exact.__qualname__ = "exact.<locals>.g"
    assert _framework(exact) == "python"


SAYS_NO = """
import sys
from redhanded.outputs.adapters import ADAPTERS
[adapter.knows(grader) for adapter in ADAPTERS for grader in (print, lambda x: x, 5, "x", object)]
found = {"gradecore", "inspect_ai", "autoevals", "deepeval", "pydantic_evals", "openevals"}
print(sorted(found & set(sys.modules)))
"""


def test_saying_no_imports_no_framework() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SAYS_NO], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
