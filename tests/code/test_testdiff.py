"""Which tests a change leaves as they were."""

from __future__ import annotations

import pytest

from redhanded.code.change import End
from redhanded.code.testdiff import TestTexts, unchanged

FILE = "tests/test_a.py"
OLD = """
import helper
LIMIT = 3

def check(value):
    assert value

def test_one():
    check(LIMIT)

class TestGroup:
    size = 2

    def test_two(self):
        assert self.size == 2

    def test_three(self):
        test_one()
"""


def same(node: str, new: str, old: str = OLD) -> bool:
    one, other = (TestTexts(text.encode()).digest(f"{FILE}::{node}") for text in (old, new))
    return one == other


def test_adding_a_test_leaves_its_neighbours_unchanged() -> None:
    new = OLD + "\n\ndef test_new():\n    assert LIMIT\n"
    assert same("test_one", new)
    assert same("TestGroup::test_two", new)


@pytest.mark.parametrize(
    ("old", "new", "changed", "kept"),
    [
        ("check(LIMIT)", "check(4)", "test_one", "TestGroup::test_two"),
        ("self.size == 2", "self.size == 3", "TestGroup::test_two", "test_one"),
        ("size = 2", "size = 1", "TestGroup::test_two", "test_one"),
    ],
)
def test_a_change_counts_where_it_is(old: str, new: str, changed: str, kept: str) -> None:
    text = OLD.replace(old, new)
    assert not same(changed, text)
    assert same(kept, text)


@pytest.mark.parametrize("old", ["LIMIT = 3", "assert value", "import helper"])
def test_what_all_tests_share_counts_for_all(old: str) -> None:
    text = OLD.replace(old, {"LIMIT = 3": "LIMIT = 4", "assert value": "assert not value",
                             "import helper": "import other"}[old])  # fmt: skip
    assert not same("test_one", text)
    assert not same("TestGroup::test_two", text)


@pytest.mark.parametrize(
    ("node", "new", "kept"),
    [
        ("test_one", "import helper, inspect\nfrom helper import new", True),
        ("test_one", "import helper\nfrom other import LIMIT", False),
        ("test_one", "import helper\nfrom other import check as check", False),
        ("TestGroup::test_two", "import helper\nfrom other import size as length", True),
        ("TestGroup::test_two", "import helper\nfrom other import length as size", False),
        ("test_one", "import helper\nfrom other import *", False),
        ("test_one", "from __future__ import annotations\nimport helper", False),
        ("test_one", "import inspect", False),
        ("test_one", "try:\n    import helper\nexcept ImportError:\n    pass", False),
    ],
)
def test_an_import_counts_unless_it_is_new_and_not_used(node: str, new: str, kept: bool) -> None:
    text = OLD.replace("import helper", new)

    def read(end: End, path: str) -> bytes:
        return (OLD if end == "base" else text).encode()

    one = f"{FILE}::{node}"
    assert unchanged(one, frozenset({FILE}), frozenset({FILE}), read, {}) is kept


def test_a_test_that_calls_another_changes_with_it() -> None:
    assert not same("TestGroup::test_three", OLD.replace("check(LIMIT)", "check(4)"))


def test_comments_and_layout_are_no_change() -> None:
    assert same("test_one", OLD.replace("check(LIMIT)", "check( LIMIT )  # so"))


def test_parameters_count() -> None:
    old = "import pytest\n\n@pytest.mark.parametrize('n', [1])\ndef test_p(n):\n    assert n\n"
    assert not same("test_p[1]", old.replace("[1]", "[1, 2]"), old)


def test_a_file_that_the_test_opened_counts() -> None:
    def read(end: End, path: str) -> bytes:
        return OLD.encode()

    node = f"{FILE}::test_one"
    changed = frozenset({"tests/data.json"})
    assert unchanged(node, frozenset({FILE}), changed, read, {})
    assert not unchanged(node, frozenset({FILE, "tests/data.json"}), changed, read, {})
