"""Boolean connectives and conditions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from redhanded_worker.operators.base import Edit, Example, Operator, Source

# Each of these is left out by an operator of its own: so is a branch that is nothing else.
_DELETED = (ast.Raise, ast.AugAssign, ast.Delete)


class Connective(Operator):
    """``a and b`` is ``a or b``."""

    name = "connective"
    family = "boolean"
    description = "One and becomes or, or the other way about."
    shared_with = (
        "cosmic-ray", "mutatest", "mutmut", "mutpy", "poodle", "Stryker", "cargo-mutants",
    )  # fmt: skip
    examples = (
        Example("y = a and b\n", "y = a or b\n"),
        Example("y = a or(b)or c\n", "y = a and(b)or c\n"),
        Example("y = a or(b)or c\n", "y = a or(b)and c\n"),
        Example("y = not (a  # and\n         and b)\n", "y = not (a  # and\n         or b)\n"),
    )
    node_types = (ast.BoolOp,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace each connective by itself."""
        assert isinstance(node, ast.BoolOp)
        other = "or" if isinstance(node.op, ast.And) else "and"
        for left, right in _pairs(node):
            yield Edit(*source.infix(left, right), other)


class OperandDropped(Operator):
    """``a and b`` is ``a``."""

    name = "operand-dropped"
    family = "boolean"
    description = "An operand of and, or of or, is left out."
    shared_with = ()
    examples = (
        Example("y = a and b\n", "y = a\n"),
        Example("y = a and b\n", "y = b\n"),
        Example("y = 1 if(a)or b or(c)else 2\n", "y = 1 if b or(c)else 2\n"),
        Example("y = 1 if(a)or b or(c)else 2\n", "y = 1 if(a)or b else 2\n"),
        Example("y = (a\n     or f(b, c)  # d\n     or e)\n", "y = (a  # d\n     or e)\n"),
    )
    node_types = (ast.BoolOp,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Remove the first with the connective behind it, others with the one before them."""
        assert isinstance(node, ast.BoolOp)
        spans = [source.outer_span(value) for value in node.values]
        if not _binds(node.values[0]):
            yield source.replace(spans[0][0], spans[1][0], "")
        for (_, before), (_, end), value in zip(spans, spans[1:], node.values[1:], strict=False):
            if not _binds(value):
                yield source.replace(before, end, "")


class NotDropped(Operator):
    """``not x`` is ``x``."""

    name = "not-dropped"
    family = "boolean"
    description = "A not is left out, unless negating the comparison behind it does the same."
    shared_with = ("cosmic-ray", "mutmut", "mutpy", "poodle", "Stryker", "cargo-mutants")
    examples = (
        Example("y = not x\n", "y = x\n"),
        Example("y = a and not(b or c)\n", "y = a and (b or c)\n"),
        Example("y = 1 if(not x)else 2\n", "y = 1 if(x)else 2\n"),
    )
    node_types = (ast.UnaryOp,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Remove the word."""
        assert isinstance(node, ast.UnaryOp)
        if not isinstance(node.op, ast.Not):
            return
        above = source.parent(node)
        if isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.Not):
            return
        if not (isinstance(node.operand, ast.Compare) and len(node.operand.ops) == 1):
            start, _ = source.span(node)
            yield source.replace(start, source.outer_span(node.operand)[0], "")


class ConditionTrue(Operator):
    """``if c`` is ``if True``."""

    name = "condition-true"
    family = "boolean"
    description = "The condition of an if, or of a conditional expression, is always true."
    shared_with = ("mutatest", "PIT", "Stryker")
    examples = (
        Example("if x:\n    f()\n", "if True:\n    f()\n"),
        Example("if a: f()\nelif(b)or c: g()\n", "if a: f()\nelif True: g()\n"),
        Example("y = a if(\n    x)else b\n", "y = a if(\n    True)else b\n"),
    )
    node_types = (ast.If, ast.IfExp)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the condition."""
        assert isinstance(node, (ast.If, ast.IfExp))
        if _can_be_forced(node.test):
            yield source.edit(node.test, "True")


class ConditionFalse(Operator):
    """``if c`` is ``if False``."""

    name = "condition-false"
    family = "boolean"
    description = (
        "The condition of an if, or of a conditional expression, is never true; "
        "not where the branch is a single statement that is left out anyway."
    )
    shared_with = ("mutatest", "PIT", "Stryker")
    examples = (
        Example("if x: y = f()\n", "if False: y = f()\n"),
        Example("if a: f()\nelif b == c: g()\nelse: h()\n",
                "if a: f()\nelif False: g()\nelse: h()\n"),
        Example("y = a if x is not None else b\n", "y = a if False else b\n"),
    )  # fmt: skip
    node_types = (ast.If, ast.IfExp)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the condition."""
        assert isinstance(node, (ast.If, ast.IfExp))
        if _can_be_forced(node.test) and not _does_what_is_left_out(node):
            yield source.edit(node.test, "False")


class TernarySwapped(Operator):
    """``a if c else b`` is ``b if c else a``."""

    name = "ternary-swapped"
    family = "boolean"
    description = "The two values of a conditional expression change places."
    shared_with = ()
    examples = (
        Example("y = a if c else b\n", "y = b if c else a\n"),
        Example(
            "y = (a)if c else b if d else e\n", "y = (b if d else e) if c else (a)\n"
        ),
        Example("y = f(\n    1  # one\n    if c\n    else (2))\n",
                "y = f(\n    (2)  # one\n    if c\n    else 1)\n"),
    )  # fmt: skip
    node_types = (ast.IfExp,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Swap the values; what is between the two stays there."""
        assert isinstance(node, ast.IfExp)
        if ast.dump(node.body) == ast.dump(node.orelse):
            return
        a, b = source.outer_span(node.body)
        c, d = source.outer_span(node.orelse)
        text = source.text
        last = text[c:d]
        loose = (c, d) == source.span(node.orelse)
        if loose and isinstance(node.orelse, (ast.IfExp, ast.Lambda)):
            last = f"({last})"
        yield source.replace(a, d, last + _spaced(text[b:c]) + text[a:b])


def _spaced(words: str) -> str:
    """The text with a space at either end."""
    before = "" if words[0].isspace() else " "
    return before + words + ("" if words[-1].isspace() else " ")


def _pairs(node: ast.BoolOp) -> Iterator[tuple[ast.expr, ast.expr]]:
    yield from zip(node.values, node.values[1:], strict=False)


def _binds(node: ast.expr) -> bool:
    """Whether a name gets its value here: without it the rest crashes."""
    return any(isinstance(part, ast.NamedExpr) for part in ast.walk(node))


def _can_be_forced(test: ast.expr) -> bool:
    """Whether the condition is no literal, which is mutated as such, and binds no name."""
    return not isinstance(test, ast.Constant) and not _binds(test)


def _does_what_is_left_out(node: ast.If | ast.IfExp) -> bool:
    if isinstance(node, ast.IfExp) or node.orelse or len(node.body) > 1:
        return False
    only = node.body[0]
    return isinstance(only, _DELETED) or (
        isinstance(only, ast.Expr) and isinstance(only.value, ast.Call)
    )


OPERATORS = (
    Connective(),
    OperandDropped(),
    NotDropped(),
    ConditionTrue(),
    ConditionFalse(),
    TernarySwapped(),
)
