"""Cases of a match statement that never match, or match too much.

Literals in patterns are mutated where literals are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from redhanded_worker.operators._shared import token_after
from redhanded_worker.operators.base import Edit, Example, Operator, Source

_HEAD = "def f(x, y):\n    match x:\n"


class CaseGuardForced(Operator):
    """``case p if c`` never matches, or matches whatever ``c`` is."""

    name = "case-guard-forced"
    family = "patterns"
    description = (
        "A case of a match statement never matches; one with a guard also matches without it."
    )
    shared_with = ("mutmut", "cargo-mutants")
    examples = (
        Example(
            _HEAD + "        case 1: return y\n", _HEAD + "        case 1 if False: return y\n"
        ),
        Example(
            _HEAD + "        case [a, b] if (a): return y\n",
            _HEAD + "        case [a, b] if (False): return y\n",
        ),
        Example(
            _HEAD + "        case _ if x > y: return y\n        case 2: return x\n",
            _HEAD + "        case _ if True: return y\n        case 2: return x\n",
        ),
        Example(
            _HEAD + "        case (\n            1  # one\n        ): return y\n",
            _HEAD + "        case (\n            1  # one\n        ) if False: return y\n",
        ),
        Example(
            _HEAD + "        case a, b,: return y\n",
            _HEAD + "        case a, b, if False: return y\n",
        ),
    )
    node_types = (ast.match_case,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Force the guard, or add one that is false.

        It stays there, as without one a pattern that always matches can't come before others.
        """
        assert isinstance(node, ast.match_case)
        if node.guard is None:
            colon = token_after(
                source, source.span(node.pattern)[1], ":", source.span(node.body[0])[0]
            )
            assert colon is not None
            end = len(source.text[:colon].rstrip())
            yield Edit(end, end, " if False")
        elif not isinstance(node.guard, ast.Constant):
            yield source.edit(node.guard, "False")
            yield source.edit(node.guard, "True")


class AlternativeDropped(Operator):
    """``case a | b`` doesn't match ``a``."""

    name = "alternative-dropped"
    family = "patterns"
    description = "A pattern loses one of its alternatives."
    shared_with = ()
    examples = (
        Example(_HEAD + "        case 1 | 2: return y\n", _HEAD + "        case 2: return y\n"),
        Example(
            _HEAD + "        case [(1) | (2), a]: return y\n",
            _HEAD + "        case [(1), a]: return y\n",
        ),
        Example(
            _HEAD + "        case (\n            int()  # one\n            | str()  # two\n"
            "        ): return y\n",
            _HEAD + "        case (\n            int()  # one\n              # two\n"
            "        ): return y\n",
        ),
    )
    node_types = (ast.MatchOr,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Remove each alternative with one of the bars beside it."""
        assert isinstance(node, ast.MatchOr)
        spans = [source.outer_span(pattern) for pattern in node.patterns]
        for index, (start, end) in enumerate(spans):
            if index == 0:
                yield Edit(start, spans[1][0], "")
            else:
                bar = token_after(source, spans[index - 1][1], "|", start)
                assert bar is not None
                before = len(source.text[:bar].rstrip(" "))
                same_line = not source.text[:before].endswith("\n")
                yield Edit(before if same_line else bar, end, "")


OPERATORS = (CaseGuardForced(), AlternativeDropped())
