"""Conditions: other connectives, operands and negations left out, branches always or never taken.

Conditions of loops belong to the loops, those of comprehensions to the comprehensions. Asserts
are left alone: one that always holds makes no difference in code that is right.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from redhanded_worker.operators._places import asks_surroundings, binds
from redhanded_worker.operators.base import Edit, Example, Operator, Source


class AndOr(Operator):
    """``a and b`` is ``a or b``."""

    name = "and-or"
    family = "boolean"
    description = "and becomes or, and the other way about."
    shared_with = ("mutmut", "cosmic-ray", "mutpy", "Stryker", "cargo-mutants")
    examples = (
        Example("y = a and b\n", "y = a or b\n"),
        Example("y = a or b and c\n", "y = a or (b or c)\n"),
        Example("y = a or b and c\n", "y = a and (b and c)\n"),
        Example("y = ((a)and(b)  # and\n     and c)\n", "y = ((a)or(b)  # and\n     or c)\n"),
    )
    node_types = (ast.BoolOp,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace all operators of the chain; its operands stay what they are."""
        assert isinstance(node, ast.BoolOp)
        if asks_surroundings(node):
            return
        word = "or" if isinstance(node.op, ast.And) else "and"
        start, end = source.span(node)
        changed, done = "", start
        for index, value in enumerate(node.values):
            first, last = source.span(value)
            bare = (first, last) == source.outer_span(value)
            text = source.text[first:last]
            changed += source.text[done:first]
            changed += f"({text})" if bare and isinstance(value, ast.BoolOp) else text
            done = last
            if index < len(node.values) - 1:
                at, stop = source.infix(value, node.values[index + 1])
                changed += source.text[last:at] + word
                done = stop
        changed += source.text[done:end]
        bare = (start, end) == source.outer_span(node)
        if bare and isinstance(source.parent(node), ast.BoolOp):
            changed = f"({changed})"
        yield source.edit(node, changed)


class OperandDropped(Operator):
    """``a and b`` is ``a``, or ``b``."""

    name = "operand-dropped"
    family = "boolean"
    description = "One operand of and, or or, is left out."
    shared_with = ()
    examples = (
        Example("y = a and b\n", "y = a\n"),
        Example("y = a and b\n", "y = b\n"),
        Example("y = a or (b) or c\n", "y = a or c\n"),
        Example("y = (a and  # one\n     b)  # two\n", "y = (b)  # two\n"),
    )
    node_types = (ast.BoolOp,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Remove each operand that nothing else needs, with one of the operators beside it."""
        assert isinstance(node, ast.BoolOp)
        if asks_surroundings(node):
            return
        spans = [source.outer_span(value) for value in node.values]
        seen: set[str] = set()
        for index, value in enumerate(node.values):
            if binds(value) or ast.dump(value) in seen:
                continue
            seen.add(ast.dump(value))
            if len(node.values) == 2 and _is_made_elsewhere(node.values[1 - index], node, source):
                continue
            if index == 0:
                yield source.replace(spans[0][0], spans[1][0], "")
            else:
                yield source.replace(spans[index - 1][1], spans[index][1], "")


class NotRemoved(Operator):
    """``not a`` is ``a``."""

    name = "not-removed"
    family = "boolean"
    description = "A not is left out."
    shared_with = ("mutmut", "cosmic-ray", "mutpy", "Stryker", "cargo-mutants")
    examples = (
        Example("y = not a\n", "y = a\n"),
        Example("if a and not(b or c): f()\n", "if a and (b or c): f()\n"),
    )
    node_types = (ast.UnaryOp,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Remove the word."""
        assert isinstance(node, ast.UnaryOp)
        parent = source.parent(node)
        if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
            # Of two it makes no difference which one goes.
            return
        if isinstance(node.op, ast.Not) and not asks_surroundings(node):
            yield source.replace(source.span(node)[0], source.outer_span(node.operand)[0], "")


class ConditionForced(Operator):
    """``if c`` is always, or never, so."""

    name = "condition-forced"
    family = "boolean"
    description = "The condition of an if, an elif or a conditional expression is True, or False."
    shared_with = ("PIT", "Stryker")
    examples = (
        Example("if a < b: f()\n", "if True: f()\n"),
        Example("if a < b: f()\nelse: g()\n", "if False: f()\nelse: g()\n"),
        Example("if a: f()\nelif(\n    b\n): x = 1\n", "if a: f()\nelif(\n    True\n): x = 1\n"),
        Example("y = a if b else c\n", "y = a if False else c\n"),
    )
    node_types = (ast.If, ast.IfExp)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the condition, unless it binds a name or tells where the code runs."""
        assert isinstance(node, (ast.If, ast.IfExp))
        test = node.test
        if isinstance(test, ast.Constant) or binds(test) or asks_surroundings(test):
            return
        yield source.edit(test, "True")
        if not _is_deletable(node):
            yield source.edit(test, "False")


class TernarySwapped(Operator):
    """``a if c else b`` is ``b if c else a``."""

    name = "ternary-swapped"
    family = "boolean"
    description = "The two values of a conditional expression change places."
    shared_with = ()
    examples = (
        Example("y = a if b else c\n", "y = c if b else a\n"),
        Example("y = (a) if b else c if d else e\n", "y = (c if d else e) if b else (a)\n"),
        Example("y = [a if b else c if d else e]\n", "y = [a if b else e if d else c]\n"),
    )
    node_types = (ast.IfExp,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Swap the texts; what is between the two stays there."""
        assert isinstance(node, ast.IfExp)
        if ast.dump(node.body) == ast.dump(node.orelse) or asks_surroundings(node.test):
            return
        (a, b), (c, d) = source.outer_span(node.body), source.outer_span(node.orelse)
        other = source.text[c:d]
        if isinstance(node.orelse, (ast.IfExp, ast.Lambda)) and (c, d) == source.span(node.orelse):
            other = f"({other})"
        yield source.replace(a, d, other + source.text[b:c] + source.text[a:b])


def _is_made_elsewhere(kept: ast.expr, node: ast.BoolOp, source: Source) -> bool:
    """Whether other operators leave the same: ``x = None``, ``while False``, ``for x in ()``."""
    if isinstance(kept, ast.Tuple):
        plain = not kept.elts
    else:
        plain = isinstance(kept, ast.Constant) and isinstance(kept.value, (bool, type(None)))
    holder = source.parent(node)
    return plain and isinstance(
        holder,
        (ast.Assign, ast.AnnAssign, ast.Return, ast.Lambda, ast.arguments, ast.If, ast.IfExp,
         ast.While, ast.For, ast.match_case),
    )  # fmt: skip


def _is_deletable(node: ast.If | ast.IfExp) -> bool:
    """Whether leaving out the only statement of the branch does the same as never taking it."""
    if isinstance(node, ast.IfExp) or node.orelse or len(node.body) > 1:
        return False
    only = node.body[0]
    if isinstance(only, ast.Expr):
        return isinstance(only.value, ast.Call)
    return isinstance(only, (ast.Raise, ast.AugAssign))


OPERATORS: tuple[Operator, ...] = (
    AndOr(),
    OperandDropped(),
    NotRemoved(),
    ConditionForced(),
    TernarySwapped(),
)
