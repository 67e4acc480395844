"""Loops: run zero times, left instead of continued, continued instead of left."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from redhanded_worker.operators.base import Edit, Example, Operator, Source

# These are emptied where containers are; a loop over an empty one is the same defect.
_CONTAINERS = (ast.List, ast.Tuple, ast.Set, ast.Dict)


class ForNoIterations(Operator):
    """``for x in xs`` runs over nothing."""

    name = "for-no-iterations"
    family = "loops"
    description = "The body of a for loop runs zero times: its iterable becomes ()."
    shared_with = ("cosmic-ray", "mutpy")
    examples = (
        Example("for x in xs:\n    y = f(x)\n    g(y)\n", "for x in ():\n    y = f(x)\n    g(y)\n"),
        Example("for i in range(\n    3\n): x[i] = i\n", "for i in (): x[i] = i\n"),
    )
    node_types = (ast.For,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Empty the iterable; an asynchronous loop can't run over a tuple at all."""
        assert isinstance(node, ast.For)
        if not isinstance(node.iter, _CONTAINERS) and not _is_deletable(node):
            yield source.edit(node.iter, "()")


def _is_deletable(node: ast.For) -> bool:
    """Whether leaving out the only statement of the body does the same as not running it."""
    if node.orelse or len(node.body) > 1:
        return False
    only = node.body[0]
    return isinstance(only, ast.AugAssign) or (
        isinstance(only, ast.Expr) and isinstance(only.value, ast.Call)
    )


class WhileNoIterations(Operator):
    """``while c`` never runs."""

    name = "while-no-iterations"
    family = "loops"
    description = "The body of a while loop runs zero times: its condition becomes False."
    shared_with = ("mutpy", "Stryker")
    examples = (
        Example("while n > 1:\n    n = f(n)\n", "while False:\n    n = f(n)\n"),
        Example("while (n): n = f(n)\n", "while (False): n = f(n)\n"),
    )
    node_types = (ast.While,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Falsify the condition; a constant one is mutated as the literal that it is."""
        assert isinstance(node, ast.While)
        if not isinstance(node.test, ast.Constant):
            yield source.edit(node.test, "False")


class BreakToContinue(Operator):
    """``break`` goes on instead."""

    name = "break-to-continue"
    family = "loops"
    description = "A loop goes on where it would be left: break becomes continue."
    shared_with = ("cosmic-ray", "mutpy", "poodle")
    examples = (
        Example("for x in xs:\n    if x: break\n", "for x in xs:\n    if x: continue\n"),
        Example("while f():\n    g(); break\n", "while f():\n    g(); continue\n"),
    )
    node_types = (ast.Break,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the statement."""
        yield source.edit(node, "continue")


class ContinueToBreak(Operator):
    """``continue`` leaves the loop instead."""

    name = "continue-to-break"
    family = "loops"
    description = "A loop is left where it would go on: continue becomes break."
    shared_with = ("cosmic-ray", "mutmut", "mutpy", "poodle")
    examples = (
        Example(
            "for x in xs:\n    if x: continue\n    f(x)\n",
            "for x in xs:\n    if x: break\n    f(x)\n",
        ),
        Example(
            "while f():\n    if g():\n        continue  # next\n    h()\n",
            "while f():\n    if g():\n        break  # next\n    h()\n",
        ),
    )
    node_types = (ast.Continue,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the statement."""
        yield source.edit(node, "break")


OPERATORS = (ForNoIterations(), WhileNoIterations(), BreakToContinue(), ContinueToBreak())
