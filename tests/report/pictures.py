"""Reports as plain text of a fixed width, compared with the text that a person has looked at."""

from __future__ import annotations

import io
import os
from pathlib import Path

from rich.console import Console

from redhanded.model.result import Result
from redhanded.report.page import Options
from redhanded.report.terminal import render
from tests import samples

FOLDER = Path(__file__).parent / "snapshots"
STORED = Path(".redhanded/runs/20260102T030405Z-delta-a1b2c3")


def paper(width: int = 80) -> Console:
    """A console that is no terminal."""
    return Console(
        file=io.StringIO(), width=width, highlight=False, markup=False, emoji=False, _environ={}
    )


def text_of(console: Console) -> str:
    """What was printed on it."""
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def terminal(
    result: Result, width: int = 80, *, show_all: bool = False, brief: bool = False
) -> str:
    """A result as it is shown in a terminal, with sources."""
    console = paper(width)
    sources = {samples.FILE: samples.SOURCE}
    render(result, console, Options(show_all, brief, sources, STORED))
    return text_of(console)


def compare(name: str, text: str) -> None:
    """Hold a text against the stored one.

    ``REDHANDED_SNAPSHOTS=write`` writes it anew: look at the difference before committing it.
    """
    path = FOLDER / name
    if os.environ.get("REDHANDED_SNAPSHOTS") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
