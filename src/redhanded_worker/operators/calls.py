"""Calls with an argument missing or with two arguments in the wrong order."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from redhanded_worker.operators._shared import (
    TYPING_FACTORIES,
    last_name,
    token_after,
    token_before,
)
from redhanded_worker.operators.base import Edit, Example, Operator, Source

# Keywords that decide what people see in passing: no test is meant to look there.
_PASSING = frozenset({"stacklevel", "exc_info", "flush"})

# Nothing but a crash, or nothing at all, comes of other orders here.
_FIXED_ORDER = frozenset({
    "isinstance", "issubclass", "getattr", "hasattr", "setattr", "delattr", "super", "map",
    "filter", "reduce", "partial", "partialmethod", "starmap", "namedtuple", "type", "cast",
    "field", "max", "min", "gcd", "lcm", "hypot", "isclose", "is_", "symmetric_difference",
})  # fmt: skip


class KeywordDropped(Operator):
    """``f(x, k=v)`` loses ``k=v``."""

    name = "keyword-dropped"
    family = "calls"
    description = "A call loses one of its keyword arguments, or **kwargs."
    shared_with = ("mutmut",)
    examples = (
        Example("y = f(a, k=v)\n", "y = f(a)\n"),
        Example("y = f(k=v,)\n", "y = f()\n"),
        Example("y = f(k=(v), *a, **kw)\n", "y = f(*a, **kw)\n"),
        Example("y = f(k=(v), *a, **kw)\n", "y = f(k=(v), *a)\n"),
        Example("y = f(\n    a,  # one\n    k=v,  # two\n)\n", "y = f(\n    a,  # two\n)\n"),
    )
    node_types = (ast.Call,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Remove each keyword argument with one of the commas beside it."""
        assert isinstance(node, ast.Call)
        if last_name(node.func) in TYPING_FACTORIES:
            return
        count = len(node.args) + len(node.keywords)
        close = source.span(node)[1] - 1
        spans = sorted(source.span(each) for each in (*node.args, *node.keywords))
        for keyword in node.keywords:
            if keyword.arg in _PASSING or _is_default(keyword, node):
                continue
            start, end = source.span(keyword)
            index = spans.index((start, end))
            before = spans[index - 1][1] if index else start
            comma = token_before(source, start, ",", before)
            following = token_after(source, end, ",", close)
            if comma is not None:
                yield Edit(comma, end, "")
            elif count == 1:
                yield Edit(start, end if following is None else following + 1, "")
            elif following is not None:
                after = source.text[following + 1 : close]
                yield Edit(start, following + 1 + len(after) - len(after.lstrip(" ")), "")


class ArgumentsSwapped(Operator):
    """``f(a, b)`` is called as ``f(b, a)``."""

    name = "arguments-swapped"
    family = "calls"
    description = "Two neighbouring positional arguments of a call change places."
    shared_with = ()
    examples = (
        Example("y = f(a, b)\n", "y = f(b, a)\n"),
        Example("y = f(a, (b, 1), *c)\n", "y = f((b, 1), a, *c)\n"),
        Example(
            "y = f(\n    (a or b),  # one\n    c,\n    k=1)\n",
            "y = f(\n    c,  # one\n    (a or b),\n    k=1)\n",
        ),
    )
    node_types = (ast.Call,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Swap each pair; what is between the two stays there."""
        assert isinstance(node, ast.Call)
        if last_name(node.func) in _FIXED_ORDER | TYPING_FACTORIES:
            return
        for first, second in zip(node.args, node.args[1:], strict=False):
            if isinstance(first, ast.Starred) or isinstance(second, ast.Starred):
                continue
            a, b = source.outer_span(first)
            c, d = source.outer_span(second)
            if ast.dump(first) != ast.dump(second):
                text = source.text
                yield Edit(a, d, text[c:d] + text[b:c] + text[a:b])


def _is_default(keyword: ast.keyword, call: ast.Call) -> bool:
    """Whether the argument most likely says what would be so without it."""
    if not isinstance(keyword.value, ast.Constant):
        return False
    value = keyword.value.value
    if keyword.arg == "encoding":
        return isinstance(value, str) and value.lower().replace("_", "-") in ("utf-8", "utf8")
    return value is None and keyword.arg is not None


OPERATORS = (KeywordDropped(), ArgumentsSwapped())
