"""Pragmas count as the file at base has them."""

from __future__ import annotations

import pytest

from redhanded_worker.operators.base import Source
from redhanded_worker.pragma import honoured, marked_lines

F = "def f():\n    return 1  # pragma: no mutate\n"
G = "def g():\n    return 1  # pragma: no mutate\n"


@pytest.mark.parametrize(
    "comment",
    [
        "# pragma: no mutate",
        "#pragma:no mutate",
        "# Pragma: NO  Mutate (x)",
        "# x # pragma: no mutate",
    ],
)
def test_a_comment_marks_its_line(comment: str) -> None:
    assert marked_lines(Source(f"x = 1\ny = 2  {comment}\n")) == [2]


@pytest.mark.parametrize(
    "text",
    ["x = '# pragma: no mutate'\n", "x = '''\n# pragma: no mutate\n'''\n", "# pragma: no cover\n"],
)
def test_other_texts_mark_nothing(text: str) -> None:
    assert marked_lines(Source(text)) == []


def test_other_comments_beside_it_mark_nothing() -> None:
    assert marked_lines(Source("x = 1  # one\n# pragma: no mutate\ny = 2  # two\n")) == [2]


def test_all_count_where_there_is_no_base() -> None:
    assert honoured(Source(F + G), None) == ({2, 4}, set())


def test_those_that_base_has_not_do_not_count() -> None:
    assert honoured(Source(F + G), "") == (set(), {2, 4})
    assert honoured(Source(F + G), F) == ({2}, {4})
    assert honoured(Source(F + G), G) == ({4}, {2})
    assert honoured(Source(F + G), G + F) == ({2, 4}, set())


def test_a_changed_line_loses_its_pragma() -> None:
    assert honoured(Source(F), F.replace("1", "2")) == (set(), {2})


def test_code_that_moved_keeps_its_pragma() -> None:
    indented = "class C:\n" + "".join(f"    {line}\n" for line in F.splitlines())
    assert honoured(Source(indented), F) == ({3}, set())


def test_one_at_base_lets_one_count() -> None:
    twice = F + "    return 1  # pragma: no mutate\n"
    assert honoured(Source(twice), F) == ({2}, {3})
    assert honoured(Source("\n" + twice), G) == ({3}, {4})
    assert honoured(Source(F + G), F + G.replace("g(", "h(")) == ({2, 4}, set())


def test_a_base_that_does_not_parse_is_read_line_by_line() -> None:
    assert honoured(Source(F + G), "def f(:\n    return 1  # pragma: no mutate \n") == ({2}, {4})
