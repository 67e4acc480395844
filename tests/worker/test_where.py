"""In which function, on which lines and when an edit's place runs."""

from __future__ import annotations

import sys

import pytest

from redhanded_worker.operators.base import Source
from redhanded_worker.where import Place, Places

TEXT = '''\
"""doc"""
X = [
    1,
    2,
]
def f(a=3,
      b=lambda q: q + 4,
      ):
    """doc"""
    try:
        g(5)
    except:
        h(6)
    try:
        pass
    except (
        KeyError,
        7,
    ) as e:
        pass
    else:
        k(8)
    finally:
        k(9)
    if (a
        and 10):
        return (
            11
        )
    elif b == 12:
        pass
    else:
        k(13)
    match a:
        case (
            14
        ) if b > 15:
            pass
        case _:
            pass
    return [
        y + 16
        for y in z(17)
        if y > 18
    ]
@d(19)
@e
class C(B[20], k=21):
    v = 22
    @p(23)
    def m(self, z=24):
        t = lambda: (25,
          26)
        class D:
            w = 27
        async def n():
            async with q(28) as r:
                yield 29
    if v: w = 30; u = 31
'''


@pytest.mark.parametrize(
    ("number", "function", "lines", "static"),
    [
        (1, "<module>", (2, 5), True),
        (3, "<module>", (6, 8), True),
        (4, "<module>", (6, 8), False),
        (5, "f", (11, 11), False),
        (6, "f", (13, 13), False),
        (7, "f", (16, 19), False),
        (8, "f", (22, 22), False),
        (9, "f", (24, 24), False),
        (10, "f", (25, 26), False),
        (11, "f", (27, 29), False),
        (12, "f", (30, 30), False),
        (13, "f", (33, 33), False),
        (14, "f", (35, 37), False),
        (15, "f", (35, 37), False),
        (16, "f", (41, 45), False),
        (17, "f", (41, 45), False),
        (18, "f", (41, 45), False),
        (19, "<module>", (46, 48), True),
        (20, "<module>", (46, 48), True),
        (21, "<module>", (46, 48), True),
        (22, "C", (49, 49), True),
        (23, "C", (50, 51), True),
        (24, "C", (50, 51), True),
        (25, "C.m", (52, 53), False),
        (26, "C.m", (52, 53), False),
        (27, "C.m.D", (55, 55), False),
        (28, "C.m.n", (57, 57), False),
        (29, "C.m.n", (58, 58), False),
        (30, "C", (59, 59), True),
        (31, "C", (59, 59), True),
    ],
)
def test_places(number: int, function: str, lines: tuple[int, int], static: bool) -> None:
    at = TEXT.index(f"{number}")
    found = Places(Source(TEXT)).find(at, at + len(str(number)))
    assert found == Place(function, lines, static)


def find(text: str, part: str, length: int | None = None) -> Place:
    at = text.index(part)
    return Places(Source(text)).find(at, at + (len(part) if length is None else length))


def test_where_a_statement_has_no_code_it_is_reached_with_its_function() -> None:
    text = "x = 1\ndef f():\n    y = 1\n    global x\n    x = 2\n"
    # The first line of a function became one of its executable lines with 3.11.
    assert find(text, "global").lines in [(2, 5), (3, 5)]
    assert find("x = 1\n\n\nif x:\n    y = 2\n    global z\n", "global").lines == (1, 5)


def test_lambdas() -> None:
    text = "def f():\n    return g(\n        1,\n        lambda: (\n            2))\n"
    assert find(text, "2").lines == (2, 5)
    assert not find("x = lambda: 1\n", "1").static
    assert find("x = lambda y=1: 2\n", "1").static


def test_an_insertion_is_in_what_it_is_appended_to() -> None:
    text = "def f(x):\n    if x: y = g(x)\n    return x\n"
    assert find(text, "return", 0).lines == (3, 3)
    assert find(text, ": y", 0).lines == (2, 2)
    assert find(text, "\n    return", 0).lines == (2, 2)
    assert find("def f():\n    return 1\n", "return", 0) == Place("f", (2, 2), False)
    assert find("f = lambda: 1\n", "\n", 0).static is False


def test_an_edit_across_statements_is_reached_with_any_of_them() -> None:
    text = "def f():\n    a()\n    b()\n    c(\n    )\n    d()\n"
    assert find(text, "b()\n    c(").lines == (3, 5)
    assert find(text, "a()\n    b").function == "f"


def test_an_edit_of_a_keyword_between_blocks_is_reached_with_the_statement() -> None:
    text = "def f(x):\n    if x:\n        a()\n    else:\n        b()\n"
    assert find(text, "else").lines == (2, 5)
    assert find(text, "a()\n    else:\n        b()").lines == (2, 5)
    assert find(text, "x:\n        a()").lines == (2, 5)


def test_an_edit_outside_all_statements() -> None:
    assert find("# one\n\nx = 1\n", "one") == Place("<module>", (3, 3), True)
    assert find("x = 1\n# one\n", "one") == Place("<module>", (1, 1), True)
    assert find("x = 1\n# one\ny = 2\nz = 3\n", "one").lines == (3, 3)
    assert find("x = 1\ny = 2\n# one\n", "one").lines == (2, 2)
    assert find("# one\n", "one").lines == (1, 2)


def test_columns_are_counted_in_characters() -> None:
    assert find("é = 'ä€𝄞', lambda: 7, 8\n", "7").static is False
    assert find("é = 'ä€𝄞', lambda: 7, 8\n", "8").static is True


@pytest.mark.skipif(sys.version_info < (3, 12), reason="positions are true from 3.12 on")
def test_lambdas_in_fstrings() -> None:
    assert find("x = f'{(lambda: 7)} {8}'\n", "7").static is False
    assert find("x = f'{(lambda: 7)} {8}'\n", "8").static is True
