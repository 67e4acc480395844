"""Places where a change tells nothing about the tests."""

from __future__ import annotations

import ast

from redhanded_worker.operators._shared import dotted
from redhanded_worker.operators.base import Source

# The same for every test of a run: which interpreter runs, where, and that it imports.
_SURROUNDINGS = frozenset({
    "__name__", "sys.version_info", "sys.hexversion", "sys.platform", "sys.implementation.name",
    "os.name",
})  # fmt: skip


def asks_surroundings(node: ast.AST) -> bool:
    """Whether the expression looks at ``__name__``, or at the interpreter or its platform."""
    return any(
        isinstance(part, (ast.Name, ast.Attribute)) and dotted(part) in _SURROUNDINGS
        for part in ast.walk(node)
    )


def beside_surroundings(node: ast.AST, source: Source) -> bool:
    """Whether the node is part of a comparison with such a thing, or is one."""
    above: ast.AST | None = node
    while isinstance(above, ast.expr):
        if isinstance(above, ast.Compare):
            return asks_surroundings(above)
        above = source.parent(above)
    return False


def is_metadata(node: ast.AST, source: Source) -> bool:
    """Whether the node is part of the value of ``__version__``, ``__slots__`` and the like."""
    for above in source.ancestors(node):
        if isinstance(above, (ast.Assign, ast.AnnAssign)):
            targets = above.targets if isinstance(above, ast.Assign) else [above.target]
            return any(
                isinstance(target, ast.Name)
                and target.id.startswith("__")
                and target.id.endswith("__")
                for target in targets
            )
        if isinstance(above, (ast.stmt, ast.Lambda)):
            return False
    return False


def binds(node: ast.AST) -> bool:
    """Whether evaluating the expression binds a name, so that what comes later needs it."""
    return any(isinstance(part, ast.NamedExpr) for part in ast.walk(node))
