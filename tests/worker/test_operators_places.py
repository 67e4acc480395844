"""Comprehensions, decorators and patterns: what goes, and what stays in its place."""

from __future__ import annotations

import pytest

from redhanded_worker.operators.comprehensions import FilterDropped
from redhanded_worker.operators.decorators import DecoratorRemoved
from redhanded_worker.operators.patterns import AlternativeDropped, CaseGuardForced
from tests.worker.operating import change, changes, parts

# Filters


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[x for x in a if x]", ["[x for x in a]"]),
        ("[x for x in (a)if(x)]", ["[x for x in (a)]"]),
        ("[x for x in a if x for y in x if y]", [
            "[x for x in a for y in x if y]", "[x for x in a if x for y in x]"]),
        ("f(x for x in a if (x))", ["f(x for x in a)"]),
        ("f((x for x in a if (x)))", ["f((x for x in a))"]),
        ("{x: 1 for x in (b if c else d) if (x) if not x}", [
            "{x: 1 for x in (b if c else d) if not x}",
            "{x: 1 for x in (b if c else d) if (x)}"]),
        ("[x async for x in a]", []),
        ("[x if y else z for x in a]", []),
    ],
)  # fmt: skip
def test_filters_are_dropped(line: str, expected: list[str]) -> None:
    expected = [f"async def f(): {each}" for each in expected]
    assert parts(FilterDropped(), f"async def f(): {line}") == expected


def test_a_filter_on_a_line_of_its_own() -> None:
    text = "y = [\n    x\n    for x in a  # all\n    # but\n    if (\n        x\n    )\n]\n"
    assert change(FilterDropped(), text) == (
        "y = [\n    x\n    for x in a  # all\n    # but\n    \n]\n"
    )


# Decorators


@pytest.mark.parametrize(
    "name",
    [
        "property", "staticmethod", "classmethod", "functools.cached_property", "x.setter",
        "contextmanager", "dataclass(frozen=True)", "dataclasses.dataclass", "attr.s().define",
        "overload", "abc.abstractmethod", "typing.final", "singledispatch",
    ],
)  # fmt: skip
def test_decorators_without_which_all_crashes_stay(name: str) -> None:
    assert changes(DecoratorRemoved(), f"class C:\n    @{name}\n    def f(self): pass\n") == []


@pytest.mark.parametrize("name", ["functools.lru_cache(maxsize=None)", "wraps(f)", "a.register"])
def test_others_are_removed_and_no_line_moves(name: str) -> None:
    text = f"class C:\n    @{name}\n    @property\n    def f(self): pass\n"
    assert change(DecoratorRemoved(), text) == text.replace(f"@{name}", "")


def test_a_decorator_in_the_middle_over_several_lines() -> None:
    text = "@a\n# why\n@ (  # so\n    b(\n        1)\n)  # done\n@c.setter\nclass C: pass\n"
    assert changes(DecoratorRemoved(), text) == [
        text.replace("@a", "", 1),
        "@a\n# why\n  # done\n@c.setter\nclass C: pass\n",
    ]


# Patterns


MATCH = "match x:\n    case {}: f()\n    case _: g()\n"


def test_a_case_never_matches() -> None:
    assert changes(CaseGuardForced(), MATCH.format("1")) == [
        MATCH.format("1 if False"),
        MATCH.format("1").replace("_", "_ if False"),
    ]


@pytest.mark.parametrize("pattern", ["{'a': b}", "(1)", "[a, *_]", "a, *b", "C(x=1)", "'if:'"])
def test_a_guard_comes_after_the_whole_pattern(pattern: str) -> None:
    assert changes(CaseGuardForced(), MATCH.format(pattern))[0] == MATCH.format(
        f"{pattern} if False"
    )


def test_a_guard_is_forced_both_ways() -> None:
    text = "match x:\n    case a if (\n        a\n    ): f()\n    case _: g()\n"
    assert changes(CaseGuardForced(), text)[:2] == [
        text.replace("        a\n", "        False\n"),
        text.replace("        a\n", "        True\n"),
    ]


def test_a_constant_guard_is_a_literal() -> None:
    assert len(changes(CaseGuardForced(), MATCH.format("1 if True"))) == 1


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("1 | 2 | 3", ["2 | 3", "1 | 3", "1 | 2"]),
        ("(1|2)", ["(2)", "(1)"]),
        ("(1) | ('|')", ["('|')", "(1)"]),
        ("{'a': 1 | (2)} | 3", ["3", "{'a': (2)} | 3", "{'a': 1} | 3", "{'a': 1 | (2)}"]),
        ("(A() | B()) as c", ["(B()) as c", "(A()) as c"]),
    ],
)
def test_alternatives_are_dropped(pattern: str, expected: list[str]) -> None:
    found = changes(AlternativeDropped(), MATCH.format(pattern))
    assert sorted(found) == sorted(MATCH.format(each) for each in expected)
