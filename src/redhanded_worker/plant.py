"""Plants an edit in one module: the code objects to swap in, or the module's code for import."""

from __future__ import annotations

import ast
import inspect
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import CodeType

from redhanded_worker import weave


@dataclass(frozen=True)
class Edit:
    """Replace the text from ``start`` to ``end`` (character offsets) by ``replacement``."""

    start: int
    end: int
    replacement: str


@dataclass(frozen=True)
class Swap:
    """One function's code, before and after."""

    old: CodeType
    new: CodeType


class CannotSwapError(Exception):
    """The change shows at import, or changes a function's kind: it has to be planted there."""


def _future_flags(tree: ast.Module) -> int:
    import __future__

    flags = 0
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            for alias in node.names:
                feature = getattr(__future__, alias.name, None)
                flags |= getattr(feature, "compiler_flag", 0)
    return flags


class Module:
    """One source file, ready to be compiled in parts."""

    def __init__(self, text: str, filename: str) -> None:
        """Read a source text.

        Args:
            text: The file's text, with line feeds as line ends.
            filename: What its code objects are to name as their file.
        """
        self.text = text
        self.filename = filename
        self.tree = ast.parse(text)
        self.flags = _future_flags(self.tree)
        self._starts = [0]
        for line in text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._segments = list(self._cut())
        self._originals: dict[tuple[int, int], CodeType] = {}

    def offset(self, line: int, column: int) -> int:
        """Character offset of a line (from 1) and column (characters, from 0)."""
        return self._starts[line - 1] + column

    def _cut(self) -> Iterator[tuple[int, int]]:
        """First and last line of each top-level statement that has its lines to itself."""
        spans = []
        for node in self.tree.body:
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            spans.append((first, node.end_lineno or node.lineno))
        for index, (first, last) in enumerate(spans):
            before = index == 0 or spans[index - 1][1] < first
            after = index == len(spans) - 1 or spans[index + 1][0] > last
            if before and after:
                yield first, last

    def segment(self, edit: Edit) -> tuple[int, int] | None:
        """The lines of the one top-level statement that holds the edit, if one does."""
        for first, last in self._segments:
            if self._starts[first - 1] <= edit.start and edit.end < self._starts[last]:
                return first, last
        return None

    def compile(self, tree: ast.Module) -> CodeType:
        """Compile a tree as this module's."""
        ast.fix_missing_locations(tree)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code: CodeType = compile(tree, self.filename, "exec", self.flags, dont_inherit=True)
        return code

    def _parse(self, text: str, first_line: int) -> ast.Module:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse("\n" * (first_line - 1) + text)

    def _part(self, span: tuple[int, int] | None) -> tuple[str, int, int]:
        """Text, first line and offset of a segment, or of the whole module."""
        if span is None:
            return self.text, 1, 0
        begin = self._starts[span[0] - 1]
        return self.text[begin : self._starts[span[1]] - 1], span[0], begin

    def original(self, span: tuple[int, int] | None) -> CodeType:
        """The unchanged code of a segment or of the whole module."""
        key = span or (0, 0)
        if key not in self._originals:
            text, line, _ = self._part(span)
            self._originals[key] = self.compile(self._parse(text, line))
        return self._originals[key]

    def planted(
        self,
        edit: Edit,
        span: tuple[int, int] | None,
        keep: Sequence[tuple[CodeType, frozenset[str]]] = (),
    ) -> CodeType:
        """The changed and marked code of a segment or of the whole module.

        Args:
            edit: The change.
            span: Lines of the segment; None for the whole module.
            keep: Free variables to keep alive, by the function whose they are: live closures
                have a cell for each, which new code must match.

        Raises:
            SyntaxError: The changed text doesn't parse or compile.
        """
        text, line, offset = self._part(span)
        at = edit.start - offset
        new = text[:at] + edit.replacement + text[edit.end - offset :]
        tree = self._parse(new, line)
        before, after = alike(self.text[edit.start : edit.end], edit.replacement)
        weave.mark(
            tree,
            _byte_position(new, at + before, line),
            _byte_position(new, at + len(edit.replacement) - after, line),
        )
        for code, names in keep:
            weave.keep_names(tree, code.co_name, code.co_firstlineno, sorted(names))
        return self.compile(tree)

    def changed(self, edit: Edit, span: tuple[int, int] | None) -> CodeType:
        """The changed code of a segment or of the whole module, nothing woven in.

        Raises:
            SyntaxError: The changed text doesn't parse or compile.
        """
        text, line, offset = self._part(span)
        at = edit.start - offset
        new = text[:at] + edit.replacement + text[edit.end - offset :]
        return self.compile(self._parse(new, line))

    def swaps(self, edit: Edit) -> list[Swap]:
        """The functions to swap so that live code does what the edited text says.

        Raises:
            SyntaxError: The changed text doesn't parse or compile.
            CannotSwapError: The edit has to be planted at import.
        """
        span = self.segment(edit)
        old = self.original(span)
        keep: list[tuple[CodeType, frozenset[str]]] = []
        for _ in range(4):
            new = self.planted(edit, span, keep)
            if runs_at_import(new):
                raise CannotSwapError("the edited code runs at import")
            swaps = list(differences(old, new))
            dropped = []
            for swap in swaps:
                if set(swap.new.co_freevars) - set(swap.old.co_freevars):
                    raise CannotSwapError("the function needs another closure")
                lost = frozenset(swap.old.co_freevars) - frozenset(swap.new.co_freevars)
                if lost:
                    dropped.append((swap.new, lost))
            if not dropped:
                _refuse_twins(old, swaps)
                return swaps
            keep = keep + dropped
        raise CannotSwapError("the function dropped a free variable")

    def woven(self, transformer: ast.NodeTransformer) -> CodeType:
        """The whole module's code after a transformation of its tree."""
        tree = transformer.visit(ast.parse(self.text))
        assert isinstance(tree, ast.Module)
        return self.compile(tree)


def alike(original: str, replacement: str) -> tuple[int, int]:
    """How many characters two texts share at their beginnings, and then at their ends."""
    most = min(len(original), len(replacement))
    before = 0
    while before < most and original[before] == replacement[before]:
        before += 1
    after = 0
    while after < most - before and original[-1 - after] == replacement[-1 - after]:
        after += 1
    return before, after


def _byte_position(text: str, offset: int, first_line: int) -> tuple[int, int]:
    line_start = text.rfind("\n", 0, offset) + 1
    line = first_line + text.count("\n", 0, offset)
    return line, len(text[line_start:offset].encode())


def is_function(code: CodeType) -> bool:
    """Is this the code of a function, generator, coroutine, lambda or comprehension?"""
    return bool(code.co_flags & inspect.CO_OPTIMIZED)


def children(code: CodeType) -> list[CodeType]:
    """Code objects nested directly in ``code``."""
    return [const for const in code.co_consts if isinstance(const, CodeType)]


_KIND = (
    inspect.CO_GENERATOR
    | inspect.CO_COROUTINE
    | inspect.CO_ASYNC_GENERATOR
    | inspect.CO_ITERABLE_COROUTINE
    | inspect.CO_VARARGS
    | inspect.CO_VARKEYWORDS
)


def kinds_differ(old: CodeType, new: CodeType) -> bool:
    """Did a function become a generator or a coroutine, or stop being one?"""
    if is_function(old) and (old.co_flags & _KIND) != (new.co_flags & _KIND):
        return True
    before, after = children(old), children(new)
    return len(before) == len(after) and any(map(kinds_differ, before, after))


def runs_at_import(code: CodeType, inside: bool = False) -> bool:
    """Does the marker lie in code that runs when the module is imported?

    Args:
        code: A module's marked code, or part of it.
        inside: ``code`` lies in a function.
    """
    inside = inside or is_function(code)
    if weave.ENTER in code.co_consts:
        return not inside
    return any(runs_at_import(child, inside) for child in children(code))


def _flat(code: CodeType) -> Iterator[CodeType]:
    yield code
    for child in children(code):
        yield from _flat(child)


def _refuse_twins(old: CodeType, swaps: Sequence[Swap]) -> None:
    """Refuse where a function can't be told from another that has equal code.

    Before 3.11 code objects don't know their columns: two equal lambdas on one line are equal.

    Raises:
        CannotSwapError: There is such a pair, or nothing to swap at all.
    """
    if not swaps:
        raise CannotSwapError("no function differs")
    known = list(_flat(old))
    for swap in swaps:
        if known.count(swap.old) > 1:
            raise CannotSwapError("two functions have equal code on one line")


def differences(old: CodeType, new: CodeType) -> Iterator[Swap]:
    """The functions in which two compilations of one text differ, outermost first.

    Raises:
        CannotSwapError: A function changed its kind.
    """
    if old == new:
        return
    if is_function(old):
        if (old.co_flags & _KIND) != (new.co_flags & _KIND):
            raise CannotSwapError("the function changed its kind")
        yield Swap(old, new)
    before, after = children(old), children(new)
    if len(before) == len(after):
        pairs: list[tuple[CodeType, CodeType | None]] = list(zip(before, after, strict=True))
    else:
        # A nested function came or went. What has no twin lives on only in frames and closures
        # that the mutant would never have made.
        twins = {(child.co_name, child.co_firstlineno): child for child in after}
        if len(twins) < len(after):
            raise CannotSwapError("functions that share a name and a line came or went")
        pairs = [(child, twins.get((child.co_name, child.co_firstlineno))) for child in before]
    for one, other in pairs:
        if other is not None:
            yield from differences(one, other)
