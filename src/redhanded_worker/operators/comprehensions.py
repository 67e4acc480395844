"""Comprehensions and generator expressions that keep what they should leave out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from redhanded_worker.operators._shared import token_after
from redhanded_worker.operators.base import Edit, Example, Operator, Source


class FilterDropped(Operator):
    """``[x for x in xs if c]`` keeps every ``x``."""

    name = "filter-dropped"
    family = "comprehensions"
    description = "A comprehension loses one of its if clauses."
    shared_with = ("Stryker",)
    examples = (
        Example("y = [x for x in xs if x]\n", "y = [x for x in xs]\n"),
        Example(
            "y = {x for x in (xs) if (x > 1) if f(x)}\n",
            "y = {x for x in (xs) if f(x)}\n",
        ),
        Example(
            "y = f(x for x in xs if (g(x)) if h(x))\n",
            "y = f(x for x in xs if (g(x)))\n",
        ),
        Example(
            "y = {\n    k: v\n    for k, v in kv  # all\n    if k  # some\n}\n",
            "y = {\n    k: v\n    for k, v in kv  # all\n      # some\n}\n",
        ),
    )
    node_types = (ast.comprehension,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Remove each clause, from its keyword to its end."""
        assert isinstance(node, ast.comprehension)
        _, end = source.span(node.iter)
        for condition in node.ifs:
            keyword = token_after(source, end, "if", source.span(condition)[0])
            assert keyword is not None
            end = source.outer_end(condition)
            gap = source.text[:keyword]
            before = len(gap.rstrip(" "))
            yield Edit(before if not gap[:before].endswith("\n") else keyword, end, "")


OPERATORS = (FilterDropped(),)
