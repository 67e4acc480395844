"""From source text to mutants: where operators apply, what is left out, what each is called."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from redhanded_worker.exclude import Excluded
from redhanded_worker.operators.base import Edit, Operator, Source
from redhanded_worker.plant import alike
from redhanded_worker.pragma import honoured
from redhanded_worker.viability import Compiler
from redhanded_worker.where import Place, Places

Lines = Sequence[Sequence[int]] | None
"""Pairs of first and last line; None is all."""


def apply(text: str, start: Mapping[str, int], end: Mapping[str, int], replacement: str) -> str:
    """The text with a span replaced.

    Args:
        text: The source.
        start: ``line`` from 1 and ``column`` in characters from 0.
        end: Exclusive, likewise.
        replacement: What comes in its place.
    """
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    first = starts[start["line"] - 1] + start["column"]
    last = starts[end["line"] - 1] + end["column"]
    return text[:first] + replacement + text[last:]


@dataclass(frozen=True)
class _Draft:
    """An edit that may become a mutant."""

    edit: Edit
    operator: str
    string_only: bool = False
    kind: str | None = None
    """What kind of place it is in, where that kind can be left alone."""


class FileMutants:
    """The mutants of one file."""

    def __init__(
        self,
        file: str,
        text: str,
        *,
        lines: Lines = None,
        base: str | None = None,
        families_off: Collection[str] = (),
    ) -> None:
        """Read a file.

        Args:
            file: Its path, as mutants are to name it.
            text: Its text.
            lines: Lines in scope.
            base: Its text at base, from which pragmas are read.
            families_off: Kinds of places left alone.

        Raises:
            SyntaxError: It doesn't parse.
        """
        self.file = file
        self.source = Source(text)
        self._off = families_off
        self._quiet, added = honoured(self.source, base)
        self.ignored_pragmas = [f"{file}:{line}" for line in sorted(added)]
        self._in_scope = None if lines is None else _numbers(lines)
        self._places = Places(self.source)
        self._compiler = Compiler(self.source)
        self._ordinals: dict[tuple[str, ...], int] = {}

    def all(
        self, operators: Iterable[Operator], spans: Iterable[Mapping[str, Any]] = ()
    ) -> tuple[list[dict[str, Any]], list[str]]:
        """The mutants in scope of our own operators, and those from elsewhere.

        Args:
            operators: Our own.
            spans: Mutants from elsewhere, wherever they are: ``start``, ``end``, ``replacement``
                and perhaps ``operator``.

        Returns:
            The mutants by start, end, operator and replacement, and why spans were refused.
        """
        found: list[tuple[dict[str, Any], Edit, bool]] = []
        for draft in self._drafts(operators):
            # Named before any is left out: a name doesn't depend on the scope.
            mutant = self._named(draft)
            if draft.kind not in self._off and self._wanted(draft.edit):
                found.append((mutant, draft.edit, True))
        refused = []
        for span in spans:
            try:
                edit = self._edit(span)
            except ValueError as error:
                refused.append(str(error))
            else:
                draft = _Draft(edit, str(span.get("operator") or "given"))
                found.append((self._named(draft), edit, False))
        found.sort(key=lambda each: _order(each[0]))
        known: dict[tuple[int, int, str], str] = {}
        for mutant, edit, own in found:
            self._judge(mutant, edit, own, known)
        return [mutant for mutant, _, _ in found], refused

    def _drafts(self, operators: Iterable[Operator]) -> list[_Draft]:
        """Every edit of the operators, in source order; none twice."""
        wanted: dict[type[ast.AST], list[Operator]] = {}
        for operator in operators:
            for kind in operator.node_types:
                wanted.setdefault(kind, []).append(operator)
        excluded = Excluded(self.source)
        found: dict[tuple[int, int, str], _Draft] = {}
        for node in self.source.walk():
            if node in excluded:
                continue
            for operator in wanted.get(type(node), ()):
                for edit in operator.edits(node, self.source):
                    if self._changes(edit) and not excluded.touches(edit.start, edit.end):
                        found.setdefault(
                            (edit.start, edit.end, edit.replacement),
                            _Draft(
                                edit, operator.name, operator.string_only, excluded.kind_of(node)
                            ),
                        )
        return sorted(
            found.values(),
            key=lambda draft: (draft.edit.start, draft.edit.end, draft.operator,
                               draft.edit.replacement),
        )  # fmt: skip

    def _changes(self, edit: Edit) -> bool:
        return self.source.text[edit.start : edit.end] != edit.replacement

    def _edit(self, span: Mapping[str, Any]) -> Edit:
        """A span from elsewhere.

        Raises:
            ValueError: It doesn't lie in the file.
        """
        first, last = (self._offset(span[name]) for name in ("start", "end"))
        if last < first:
            raise ValueError(
                f"expected a span that ends after it starts, found one from {_told(span['start'])} "
                f"to {_told(span['end'])}"
            )
        return Edit(first, last, span["replacement"])

    def _offset(self, place: Mapping[str, int]) -> int:
        line, column = place["line"], place["column"]
        if not 1 <= line <= self.source.line_count():
            raise ValueError(
                f"expected a line from 1 to {self.source.line_count()}, found {_told(place)}"
            )
        width = len(self.source.line(line))
        if not 0 <= column <= width:
            raise ValueError(f"expected a column from 0 to {width}, found {_told(place)}")
        return self.source.character_offset(line, column)

    def _wanted(self, edit: Edit) -> bool:
        """Is the edit in scope, and on no line with a pragma that counts?"""
        first, _ = self.source.position(edit.start)
        last, _ = self.source.position(max(edit.start, edit.end - 1))
        lines = range(first, last + 1)
        if any(line in self._quiet for line in lines):
            return False
        return self._in_scope is None or any(line in self._in_scope for line in lines)

    def _place(self, edit: Edit) -> Place:
        """Where the edit changes something: spans from elsewhere may be wider than that."""
        before, after = alike(self.source.text[edit.start : edit.end], edit.replacement)
        return self._places.find(edit.start + before, edit.end - after)

    def _named(self, draft: _Draft) -> dict[str, Any]:
        """A mutant that nothing is known about yet but its place and name."""
        edit = draft.edit
        original = self.source.text[edit.start : edit.end]
        place = self._place(edit)
        key = (place.function, draft.operator, original, edit.replacement)
        ordinal = self._ordinals[key] = self._ordinals.get(key, -1) + 1
        name = "\0".join((self.file, *key, str(ordinal)))
        (line, column), (last, end) = (
            self.source.position(edit.start),
            self.source.position(edit.end),
        )
        return {
            "id": hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12],
            "file": self.file,
            "start": {"line": line, "column": column},
            "end": {"line": last, "column": end},
            "operator": draft.operator,
            "original": original,
            "replacement": edit.replacement,
            "function": place.function,
            "lines": list(place.lines),
            "static": place.static,
            "string_only": draft.string_only,
            "viability": "viable",
            "duplicate_of": None,
            "reason": None,
        }

    def _judge(
        self,
        mutant: dict[str, Any],
        edit: Edit,
        own: bool,
        known: dict[tuple[int, int, str], str],
    ) -> None:
        """Say whether the mutant compiles, and whether to code seen before."""
        verdict = self._compiler.judge(edit, own=own)
        if verdict.code is None:
            mutant.update(viability="unviable", reason=verdict.reason)
        elif verdict.equivalent:
            mutant["viability"] = "equivalent"
        else:
            first = known.setdefault(verdict.code, mutant["id"])
            if first != mutant["id"]:
                mutant.update(viability="duplicate", duplicate_of=first)


def order(mutant: Mapping[str, Any]) -> tuple[Any, ...]:
    """By what mutants are ordered."""
    return (mutant["file"], *_order(mutant))


def _order(mutant: Mapping[str, Any]) -> tuple[Any, ...]:
    start, end = mutant["start"], mutant["end"]
    return (start["line"], start["column"], end["line"], end["column"], mutant["operator"],
            mutant["replacement"])  # fmt: skip


def _numbers(lines: Iterable[Sequence[int]]) -> set[int]:
    return {number for first, last in lines for number in range(first, last + 1)}


def _told(place: Mapping[str, int]) -> str:
    return f"line {place['line']}, column {place['column']}"
