"""The smallest set of tests that reaches as much."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redhanded.model.cover import Cover, smallest_cover

KILLS = st.dictionaries(st.sampled_from("abcdef"), st.sets(st.integers(0, 7)))


def brute(kills: dict[str, set[int]], order: str) -> tuple[str, ...]:
    """All sets by size, then in test order: the first that reaches all."""
    everything = set().union(*kills.values())
    for size in range(len(order) + 1):
        for team in itertools.combinations(order, size):
            if everything == set().union(*(kills.get(test, set()) for test in team)):
                return team
    raise AssertionError


@pytest.mark.parametrize(
    ("kills", "expected"),
    [
        ({}, ""),
        ({"a": ""}, ""),
        ({"a": "1"}, "a"),
        ({"a": "1", "b": "1"}, "a"),
        ({"b": "12", "a": "1"}, "b"),
        # Greedy takes c first and needs three.
        ({"a": "123", "b": "456", "c": "2345"}, "ab"),
        ({"a": "12", "b": "34", "c": "13", "d": "24"}, "ab"),
        ({"b": "34", "c": "13", "d": "24"}, "cd"),
    ],
)
def test_it_is_the_smallest_and_of_equals_the_first(kills: dict[str, str], expected: str) -> None:
    assert smallest_cover(kills, "abcd") == Cover(tuple(expected), exact=True)


@given(KILLS, st.permutations("abcdef"))
def test_no_smaller_and_no_earlier_set_reaches_as_much(
    kills: dict[str, set[int]], order: list[str]
) -> None:
    assert smallest_cover(kills, order) == Cover(brute(kills, "".join(order)), exact=True)


@given(KILLS, st.permutations("abcdef"), st.integers(0, 4))
def test_a_search_that_was_given_up_still_reaches_all(
    kills: dict[str, set[int]], order: list[str], nodes: int
) -> None:
    found = smallest_cover(kills, order, nodes=nodes)
    everything = set().union(*kills.values())
    assert set().union(*(kills[test] for test in found.tests)) == everything
    if found.exact:
        assert len(found.tests) == len(brute(kills, "abcdef"))


def test_a_search_that_was_given_up_says_so() -> None:
    # Each two of five tests share a mutant: four are needed, which only a search can tell.
    kills = {test: [pair for pair in itertools.combinations("abcde", 2) if test in pair]
             for test in "abcde"}  # fmt: skip
    assert smallest_cover(kills, "abcde", nodes=0) == Cover(tuple("abcd"), exact=False)
    assert smallest_cover(kills, "abcde") == Cover(tuple("abcd"), exact=True)


def test_a_small_set_holds_nobody_who_adds_nothing() -> None:
    # Greedy takes b on its way, before a, c and e make it needless.
    kills = {"a": "3456", "b": "257", "c": "167", "d": "13", "e": "0245", "f": "036", "g": "15"}
    assert smallest_cover(kills, "abcdefg", nodes=0) == Cover(("a", "c", "e"), exact=False)


def test_equals_are_settled_apart_from_the_size() -> None:
    # The size is known before the first node; which of the pairs comes first is not.
    kills = {"a": "12", "b": "34", "c": "13", "d": "24"}
    found = smallest_cover(kills, "abcd", nodes=0)
    assert len(found.tests) == 2
    assert found.exact


def test_many_tests_with_many_twins_need_no_deep_search() -> None:
    kills = {f"t{index}": [index // 2] for index in range(2000)}
    found = smallest_cover(kills, list(kills))
    assert len(found.tests) == 1000
    assert found.exact
