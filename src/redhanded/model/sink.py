"""How an instrument hands over its rows and tells how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from redhanded.model.mutant import Mutant
    from redhanded.model.rows import Row


class Sink(Protocol):
    """Takes rows as they come; what it has taken survives the end of the process."""

    def mutants(self, mutants: Sequence[Mutant]) -> None:
        """Keep the whole mutant set; called once, before any trial."""

    def add(self, row: Row) -> None:
        """Keep one row."""

    def finished(self) -> Iterable[Row]:
        """Rows that an interrupted run left, for a run that resumes it; else none."""


class Progress(Protocol):
    """What a person watches while a run goes on."""

    def stage(self, name: str, total: int | None) -> None:
        """Begin a stage of ``total`` steps (None: unknown)."""

    def advance(self, steps: int = 1) -> None:
        """Some steps of the stage are done."""

    def note(self, message: str) -> None:
        """One line that stays."""


class MemorySink:
    """Keeps rows in a list: for tests, and for runs that nothing is to be kept of."""

    def __init__(self) -> None:
        self.planned: list[Mutant] = []
        self.rows: list[Row] = []

    def mutants(self, mutants: Sequence[Mutant]) -> None:
        """Keep the mutant set."""
        self.planned = list(mutants)

    def add(self, row: Row) -> None:
        """Keep one row."""
        self.rows.append(row)

    def finished(self) -> Iterable[Row]:
        """Nothing was left behind."""
        return ()


class Silent:
    """Progress for nobody."""

    def stage(self, name: str, total: int | None) -> None:
        """Say nothing."""

    def advance(self, steps: int = 1) -> None:
        """Say nothing."""

    def note(self, message: str) -> None:
        """Say nothing."""
