"""What is run: suites, and the distributions that they ask."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent.parent
SUITES: Final = HERE / "suites"


@dataclass(frozen=True)
class Subject:
    """One published run."""

    name: str
    title: str
    suite: str
    """A file below ``suites/``."""
    distributions: tuple[str, ...]
    """Whose versions the run is of, the framework's own first."""
    version: str | None = None
    """The only version of it that is run; None: any."""

    @property
    def path(self) -> Path:
        """The suite's file."""
        return SUITES / self.suite


SUBJECTS: Final = {
    one.name: one
    for one in (
        Subject("inspect-ai", "inspect-ai", "inspect_ai_scorers.py", ("inspect-ai",)),
        Subject("autoevals", "autoevals", "autoevals_scorers.py", ("autoevals",)),
        Subject("deepeval", "deepeval", "deepeval_metrics.py", ("deepeval",)),
        Subject("pydantic-evals", "pydantic-evals", "pydantic_evaluators.py", ("pydantic-evals",)),
        Subject("openevals", "openevals", "openevals_evaluators.py", ("openevals",)),
        Subject("gradecore", "gradecore", "gradecore_graders.py", ("gradecore",)),
        Subject(
            "gradecore-0.10.2",
            "gradecore 0.10.2",
            "gradecore_graders.py",
            ("gradecore",),
            "0.10.2",
        ),
    )
}
