"""The smallest set of tests that reaches as much."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Hashable, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redhanded.model.cover import Cover, smallest_cover

TESTS = "abcdefgh"

# Mutants that two or three tests kill are where the search has something to do.
KILLS = st.lists(st.sets(st.sampled_from(TESTS), min_size=2, max_size=3), max_size=10).map(
    lambda rows: {test: {n for n, row in enumerate(rows) if test in row} for test in TESTS}
)

# Greedy takes one too many.
TRAP = {"a": "0", "b": "134", "c": "2", "d": "03", "e": "124"}
# The first cover that the search meets is not the first in test order.
TIE = {"a": "04", "c": "1", "d": "02", "e": "4", "f": "13", "h": "23"}
BOTH = {"a": "04", "c": "1", "d": "3", "e": "34", "f": "2", "g": "02", "h": "14"}
# More tests are needed than there are mutants that share none.
ODD = {"a": "12", "b": "04", "c": "03", "d": "25", "e": "13", "f": "45"}


def brute(kills: Mapping[str, Collection[Hashable]], order: Sequence[str]) -> tuple[str, ...]:
    """All sets by size, then in test order: the first that reaches all."""
    everything: set[Hashable] = set().union(*kills.values())
    for size in range(len(order) + 1):
        for team in itertools.combinations(order, size):
            if everything == set().union(*(kills.get(test, ()) for test in team)):
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


@pytest.mark.parametrize("kills", [TRAP, TIE, BOTH, ODD])
def test_it_takes_a_search(kills: dict[str, str]) -> None:
    given_up = smallest_cover(kills, TESTS, nodes=0)
    assert smallest_cover(kills, TESTS) == Cover(brute(kills, TESTS), exact=True) != given_up


@given(KILLS, st.permutations(TESTS))
def test_no_smaller_and_no_earlier_set_reaches_as_much(
    kills: dict[str, set[int]], order: list[str]
) -> None:
    assert smallest_cover(kills, order) == Cover(brute(kills, order), exact=True)


@given(KILLS, st.permutations(TESTS), st.integers(0, 4))
def test_a_search_that_was_given_up_still_reaches_all(
    kills: dict[str, set[int]], order: list[str], nodes: int
) -> None:
    found = smallest_cover(kills, order, nodes=nodes)
    everything = set().union(*kills.values())
    assert set().union(*(kills[test] for test in found.tests)) == everything
    if found.exact:
        assert len(found.tests) == len(brute(kills, TESTS))


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
