"""Statements that don't happen: calls, assignments, raises, deletions, yields."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from redhanded_worker.operators._binding import bound_before, names_in
from redhanded_worker.operators._shared import (
    is_stub_raise,
    is_typing_value,
    last_name,
)
from redhanded_worker.operators.base import Edit, Example, Operator, Source

# Only type checkers look at these.
_CHECKER_CALLS = frozenset({"assert_never", "assert_type", "reveal_type"})

_SINGLE = (ast.Name, ast.Attribute, ast.Subscript)
_METADATA = frozenset({"__doc__", "__module__"})

# Where an instance gets its attributes: without the assignment there is none.
_BUILDERS = frozenset({"__init__", "__new__", "__post_init__", "__setstate__"})


class CallDeleted(Operator):
    """``f(x)`` as a statement doesn't happen."""

    name = "call-deleted"
    family = "statements"
    description = "A call whose result is not used is left out."
    shared_with = ("mutpy", "PIT")
    examples = (
        Example("def f(xs):\n    xs.sort()\n", "def f(xs):\n    pass\n"),
        Example("a(); b(\n    1\n)  # both\n", "a(); pass  # both\n"),
        Example("async def f(x):\n    await x.close()\n", "async def f(x):\n    pass\n"),
    )
    node_types = (ast.Expr,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the statement, awaited or not."""
        assert isinstance(node, ast.Expr)
        call = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(call, ast.Call) and last_name(call.func) not in _CHECKER_CALLS:
            yield source.edit(node, "pass")


class AssignmentDeleted(Operator):
    """``x = y`` doesn't happen: the older value stays."""

    name = "assignment-deleted"
    family = "statements"
    description = (
        "An assignment is left out: of an attribute, an item, or a name that has a value already."
    )
    shared_with = ("mutpy",)
    examples = (
        Example("def f(x):\n    x = g(x)\n    return x\n", "def f(x):\n    pass\n    return x\n"),
        Example("d[k] = v; n = 1\n", "pass; n = 1\n"),
        Example(
            "def f(self):\n    self.total: (int) = g(\n        self)  # all\n",
            "def f(self):\n    self.total: (int)  # all\n",
        ),
    )
    node_types = (ast.Assign, ast.AnnAssign)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the statement where something else is left to be read afterwards."""
        assert isinstance(node, (ast.Assign, ast.AnnAssign))
        if node.value is None or _is_bookkeeping(node) or not _keeps_older_value(node, source):
            return
        if isinstance(node, ast.AnnAssign):
            # Annotations are left alone, and one without a value assigns nothing.
            yield Edit(source.outer_end(node.annotation), source.span(node)[1], "")
        else:
            yield source.edit(node, "pass")


class AssignmentToNone(Operator):
    """``x = y`` binds nothing of use."""

    name = "assignment-to-none"
    family = "statements"
    description = (
        "In a function, the first assignment to a name, or to an instance's attribute in its "
        "constructor, assigns None."
    )
    shared_with = ("mutmut",)
    examples = (
        Example("def f(y):\n    x = y + 1\n", "def f(y):\n    x = None\n"),
        Example("def f():\n    a = b = (g(\n        1))\n", "def f():\n    a = b = (None)\n"),
        Example(
            "class C:\n    def __init__(self, x):\n        self.x = x\n",
            "class C:\n    def __init__(self, x):\n        self.x = None\n",
        ),
    )
    node_types = (ast.Assign, ast.AnnAssign)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the value; constants are mutated as the literals that they are.

        Not outside functions: without its tables and types hardly a module can be imported.
        """
        assert isinstance(node, (ast.Assign, ast.AnnAssign))
        if node.value is None or _is_constant(node.value) or _is_bookkeeping(node):
            return
        if _function(node, source) is None or _keeps_older_value(node, source):
            return
        if all(isinstance(target, _SINGLE) for target in _targets(node)):
            yield source.edit(node.value, "None")


class AugmentedAssignmentDeleted(Operator):
    """``x += y`` doesn't happen."""

    name = "augmented-assignment-deleted"
    family = "statements"
    description = "An augmented assignment is left out."
    shared_with = ()
    examples = (
        Example("n = 0\nfor x in xs: n += x\n", "n = 0\nfor x in xs: pass\n"),
        Example("d[k] |= (\n    f(k)\n)\n", "pass\n"),
    )
    node_types = (ast.AugAssign,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the statement."""
        yield source.edit(node, "pass")


class RaiseDeleted(Operator):
    """``raise E`` doesn't happen."""

    name = "raise-deleted"
    family = "statements"
    description = "A raise is left out: the code after it goes on."
    shared_with = ()
    examples = (
        Example(
            "def f(x):\n    if x < 0: raise ValueError(\n        x)\n    return x\n",
            "def f(x):\n    if x < 0: pass\n    return x\n",
        ),
        Example(
            "try:\n    f()\nexcept E:\n    g(); raise\n",
            "try:\n    f()\nexcept E:\n    g(); pass\n",
        ),
    )
    node_types = (ast.Raise,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the statement, unless it is the whole body of an abstract method."""
        assert isinstance(node, ast.Raise)
        if not is_stub_raise(node, source):
            yield source.edit(node, "pass")


class DelDeleted(Operator):
    """``del d[k]`` doesn't happen."""

    name = "del-deleted"
    family = "statements"
    description = "A deletion of items or attributes is left out."
    shared_with = ()
    examples = (
        Example("def f(d, k):\n    del d[k]\n", "def f(d, k):\n    pass\n"),
        Example("del (x.a, y)\n", "pass\n"),
    )
    node_types = (ast.Delete,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the statement; a plain name that is kept makes no difference that shows."""
        assert isinstance(node, ast.Delete)
        parts = [part for target in node.targets for part in ast.walk(target)]
        if any(isinstance(part, (ast.Subscript, ast.Attribute)) for part in parts):
            yield source.edit(node, "pass")


class YieldDeleted(Operator):
    """``yield x`` doesn't happen."""

    name = "yield-deleted"
    family = "statements"
    description = "A value is not yielded, in a generator that has other yields."
    shared_with = ()
    examples = (
        Example(
            "def f(a, b):\n    yield a\n    yield from b\n",
            "def f(a, b):\n    pass\n    yield from b\n",
        ),
        Example(
            "def f(a):\n    yield a; yield (\n        1)\n",
            "def f(a):\n    yield a; pass\n",
        ),
    )
    node_types = (ast.Expr,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Replace the statement where the function stays a generator."""
        assert isinstance(node, ast.Expr)
        if not isinstance(node.value, (ast.Yield, ast.YieldFrom)):
            return
        function = _function(node, source)
        if function is not None and len(_yields(function)) > 1:
            yield source.edit(node, "pass")


def _function(node: ast.AST, source: Source) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The function whose body the statement is in; None in a class or module."""
    for scope in source.ancestors(node):
        if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return scope
        if isinstance(scope, ast.ClassDef):
            return None
    return None


def _yields(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.AST]:
    """The function's own yields, without those of functions inside it."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            found.append(node)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(node))
    return found


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _keeps_older_value(node: ast.Assign | ast.AnnAssign, source: Source) -> bool:
    """Whether what is read after the statement is there without it."""
    targets = _targets(node)
    if any(_builds(target, node, source) for target in targets):
        return False
    names = set().union(*(names_in(target) for target in targets))
    return all(bound_before(node, name, source) for name in names)


def _builds(target: ast.expr, node: ast.stmt, source: Source) -> bool:
    """Whether the target is an attribute of the instance that is being made."""
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    owners = {
        part.value.id
        for part in parts
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)
    }
    function = _function(node, source)
    if function is None or function.name not in _BUILDERS:
        return False
    return bool(owners & {"self", "cls", "obj", "instance"})


def _is_constant(value: ast.expr) -> bool:
    if isinstance(value, ast.UnaryOp):
        value = value.operand
    return isinstance(value, ast.Constant)


def _is_bookkeeping(node: ast.Assign | ast.AnnAssign) -> bool:
    """Metadata, loggers and names for types: nothing that behaves."""
    for target in _targets(node):
        if isinstance(target, ast.Name) and target.id.startswith("__") and target.id.endswith("__"):
            return True
        if isinstance(target, ast.Attribute) and target.attr in _METADATA:
            return True
    if isinstance(node, ast.AnnAssign) and last_name(node.annotation) == "TypeAlias":
        return True
    value = node.value
    assert value is not None
    if isinstance(value, ast.Call) and last_name(value.func) == "getLogger":
        return True
    return is_typing_value(value)


OPERATORS = (
    CallDeleted(),
    AssignmentDeleted(),
    AssignmentToNone(),
    AugmentedAssignmentDeleted(),
    RaiseDeleted(),
    DelDeleted(),
    YieldDeleted(),
)
