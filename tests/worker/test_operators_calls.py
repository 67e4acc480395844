"""Arguments: commas, comments and parentheses around what is dropped or swapped."""

from __future__ import annotations

import pytest

from redhanded_worker.operators.calls import ArgumentsSwapped, KeywordDropped
from tests.worker.operating import change, changes, parts


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("f(k=v)", ["f()"]),
        ("f(k=v, )", ["f( )"]),
        ("f(a, k=v,)", ["f(a,)"]),
        ("f(a, (b), k=(v))", ["f(a, (b))"]),
        ("f(k=v, l=w)", ["f(l=w)", "f(k=v)"]),
        ("f(k=v, *a)", ["f(*a)"]),
        ("f(*a, k=v)", ["f(*a)"]),
        ("f(**k)", ["f()"]),
        ("g(a, f(k=v))", ["g(a, f())"]),
        ("(f)(k=lambda x, y: x, l=w)", ["(f)(l=w)", "(f)(k=lambda x, y: x)"]),
        ("f(a)(k=v)", ["f(a)()"]),
        ("f(a, [b, c][0], k=v)", ["f(a, [b, c][0])"]),
    ],
)
def test_a_keyword_goes_with_a_comma(line: str, expected: list[str]) -> None:
    assert parts(KeywordDropped(), line) == expected


def test_keywords_over_several_lines() -> None:
    text = "f(\n    k=v,  # one\n    l=(\n        w\n    ),  # two\n)\n"
    assert changes(KeywordDropped(), text) == [
        "f(\n    # one\n    l=(\n        w\n    ),  # two\n)\n",
        "f(\n    k=v,  # two\n)\n",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "f(a, *b)",
        "f(k=None)",
        "warn(a, stacklevel=2)",
        "open(a, encoding='UTF-8')",
        "f(encoding='utf8')",
        "TypeVar('T', bound=a)",
        "typing.NamedTuple('N', a=b)",
    ],
)
def test_keywords_that_decide_nothing_stay(line: str) -> None:
    assert parts(KeywordDropped(), line) == []


def test_another_encoding_decides_something() -> None:
    assert parts(KeywordDropped(), "open(a, encoding='latin-1')") == ["open(a)"]
    assert parts(KeywordDropped(), "open(a, encoding=b)") == ["open(a)"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("f(a, b, c)", ["f(b, a, c)", "f(a, c, b)"]),
        ("f((a), ((b, c)))", ["f(((b, c)), (a))"]),
        ("f(lambda x, y: x, b)", ["f(b, lambda x, y: x)"]),
        ("f(a, b, *c, d)", ["f(b, a, *c, d)"]),
        ("f(a, b, k=c)", ["f(b, a, k=c)"]),
        ("f('x' 'y', a)", ["f(a, 'x' 'y')"]),
        ("f(a, f(b, c))", ["f(f(b, c), a)", "f(a, f(c, b))"]),
        ("f(a, a)", []),
        ("f(a, (a))", []),
        ("f(a)", []),
        ("f(x for x in y)", []),
        ("isinstance(a, b)", []),
        ("builtins.max(a, b)", []),
    ],
)
def test_neighbours_are_swapped(line: str, expected: list[str]) -> None:
    assert parts(ArgumentsSwapped(), line) == expected


def test_comments_stay_where_they_are() -> None:
    text = "f(\n    a,  # one\n    (\n        b\n    ),  # two\n)\n"
    expected = "f(\n    (\n        b\n    ),  # one\n    a,  # two\n)\n"
    assert change(ArgumentsSwapped(), text) == expected
