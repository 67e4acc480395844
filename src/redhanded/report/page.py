"""Lines of text, laid out to a width: nothing is cut off, nothing is padded to the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.text import Text

from redhanded.report import view

LABEL = 13
"""Width of the labels of the headline and the footer."""


@dataclass(frozen=True)
class Options:
    """How much of a result is shown, and what is known beside it."""

    show_all: bool = False
    """Show all of every list."""
    brief: bool = False
    """Show the headline alone."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Text of the mutated files, for diffs of whole lines."""
    stored: Path | None = None
    """Where the run lies."""


class Page:
    """Lines for a console."""

    def __init__(self, console: Console, options: Options) -> None:
        self.console = console
        self.options = options
        self.width = max(40, console.width)
        self.lines: list[Text] = []

    def show(self) -> None:
        """Print all lines."""
        for line in self.lines:
            self.console.print(line, no_wrap=True, overflow="ignore", crop=False)

    def line(self, text: str | Text = "", *, indent: int = 0, hang: int = 2) -> None:
        """A paragraph, wrapped at words; lines after the first are indented by ``hang`` more."""
        self._wrapped(Text(" " * indent), _text(text), indent + hang)

    def heading(self, text: str) -> None:
        """Begin a section."""
        self.lines.append(Text())
        self.line(Text(text, style="bold"))

    def note(self, text: str | Text) -> None:
        """A line in a section."""
        self.line(text, indent=2)

    def pair(self, label: str, text: str | Text) -> None:
        """A label and what belongs to it, in two columns."""
        self._wrapped(Text(f"{label:<{LABEL}}", style="bold"), _text(text), LABEL)

    def labelled(self, label: Text, text: str | Text, *, indent: int) -> None:
        """A label and what belongs to it, in two columns inside a section."""
        start = Text(" " * indent).append_text(label)
        self._wrapped(start, _text(text), len(start))

    def whole(self, label: str, text: str) -> None:
        """A label and something to copy: never broken, however wide."""
        self.lines.append(Text.assemble((f"{label:<{LABEL}}", "bold"), text))

    def code(self, text: Text) -> None:
        """A line that is not wrapped."""
        text.rstrip()
        self.lines.append(Text("    ").append_text(text))

    def more(self, shown: view.Shown[object]) -> None:
        """Say how many were not shown."""
        more = shown.more()
        if more is not None:
            self.note(Text(more, style="dim"))

    def table(
        self, headers: Sequence[str], rows: Sequence[tuple[Sequence[str], str | Text]]
    ) -> None:
        """Columns of numbers or short words, and a last one that takes the rest of the width.

        Args:
            headers: One of each column; a line feed begins a second header line.
            rows: Cells but the last, and the last. A row without cells spans the whole width.
        """
        tall = max(header.count("\n") for header in headers) + 1
        split = [[""] * (tall - 1 - h.count("\n")) + h.split("\n") for h in headers]
        widths = [
            max(max(map(len, split[i])), *(len(cells[i]) for cells, _ in rows if cells), 0)
            for i in range(len(headers) - 1)
        ]
        for level in range(tall):
            self._row([h[level] for h in split[:-1]], widths, Text(split[-1][level]), "dim")
        for cells, last in rows:
            if cells:
                self._row(cells, widths, _text(last))
            else:
                self.note(last)

    def _row(
        self, cells: Sequence[str], widths: Sequence[int], last: Text, style: str = ""
    ) -> None:
        start = "  " + "".join(
            f"{cell:>{width}}  " for cell, width in zip(cells, widths, strict=True)
        )
        last.style = style or last.style
        self._wrapped(Text(start, style=style), last, len(start))

    def _wrapped(self, start: Text, text: Text, indent: int) -> None:
        room = max(16, self.width - indent)
        first = max(16, self.width - len(start))
        # One width for all lines keeps the wrapping simple; the first may be a little short.
        for number, line in enumerate(text.wrap(self.console, min(room, first), overflow="fold")):
            whole = start.copy() if number == 0 else Text(" " * indent)
            whole.append_text(line)
            whole.rstrip()
            self.lines.append(whole)


def _text(text: str | Text) -> Text:
    return Text(text) if isinstance(text, str) else text
