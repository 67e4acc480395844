"""An edit changes the piece of syntax that it was made for, and nothing around it."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from redhanded_worker.exclude import Excluded
from redhanded_worker.operators import ALL
from redhanded_worker.operators.base import Edit, Operator, Source

EVERY = 5
"""One of so many edits is looked at: each takes a comparison of whole trees."""

LOOSE = """\
def f(a, b, c, *d, **e):
    x = a if b else c if a else lambda: b
    x = not a or b and not(c or a) and a is not b
    x = -a ** -b * (a - (b + c)) % ~a << 2
    x = [a for a in b if a if(c)or b], {a: b for a in c if not a in b}
    x = a <b<= (c)and a in(b)or c not in a
    x = f(a, *d, k=b or c, **e)[a:b - 1:-1][f(a, b)].g(lambda: -a)
    x = (yield a), (yield), (y := a or b) and y
    x += a if(b)else c
    for a in b, c: x = a; continue
    while(a)and b: break
    if(a)or b: return-a
    elif not(a): raise A(a or b) from c
    try: a()
    except (A, B): b(a)
    return a, (b), not c
"""


def edits(source: Source) -> Iterator[tuple[Operator, ast.AST, Edit]]:
    excluded = Excluded(source)
    for node in source.walk():
        if node in excluded:
            continue
        for operator in ALL:
            if isinstance(node, operator.node_types):
                for edit in operator.edits(node, source):
                    if not excluded.touches(edit.start, edit.end):
                        yield operator, node, edit


def difference(one: object, other: object) -> list[object] | None:
    """The nodes on the way to the smallest part in which two trees differ; None if they don't."""
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return []
        return _only(list(zip(one, other, strict=True)))
    if isinstance(one, ast.AST) and type(one) is type(other):
        pairs = [(getattr(one, name, None), getattr(other, name, None)) for name in one._fields]
        below = _only(pairs)
        return None if below is None else [one, *below]
    if type(one) is type(other) and one == other:
        return None
    return [one]


def _only(pairs: list[tuple[object, object]]) -> list[object] | None:
    found = [below for one, other in pairs if (below := difference(one, other)) is not None]
    if not found:
        return None
    return found[0] if len(found) == 1 else []


def _negated(path: list[object], node: ast.AST, source: Source) -> bool:
    """Whether it is ``-1`` that became ``0``."""
    above = source.parent(node)
    return bool(path) and path[-1] is above and isinstance(above, ast.UnaryOp)


def check(source: Source, every: int) -> int:
    count = 0
    for operator, node, edit in list(edits(source))[::every]:
        try:
            changed = ast.parse(edit.apply(source.text))
        except SyntaxError:
            continue
        path = difference(source.tree, changed)
        assert path is not None
        inside = any(part is node for part in path) or _negated(path, node, source)
        assert inside, f"{operator.name}: {edit} changes more than it is for"
        count += 1
    return count


def test_nothing_around_an_edit_changes_where_syntax_is_tight() -> None:
    assert check(Source(LOOSE), 1) > 100


@pytest.mark.parametrize("name", ["shlex", "textwrap"])
def test_nothing_around_an_edit_of_a_real_source_changes(name: str) -> None:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    assert check(Source(Path(spec.origin).read_text(encoding="utf-8")), EVERY) > 50
