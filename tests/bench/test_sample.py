"""Samples with some of every kind."""

from __future__ import annotations

import pytest

from bench.changes.sample import shares, stratified
from bench.oracle.mutant import Mutant

MANY = [Mutant(str(at), "a.py", (at + 1, 0), (at + 1, 1), "x") for at in range(60)]


def kind(mutant: Mutant) -> str:
    at = int(mutant.id)
    return "rare" if at == 17 else "some" if at % 10 == 0 else "most"


def test_all_where_there_are_few() -> None:
    assert stratified(MANY[:20], kind, 20, 0) == MANY[:20]


def test_some_of_every_kind_in_their_own_order() -> None:
    sample = stratified(MANY, kind, 20, 0)
    assert len(sample) == 20
    assert {kind(mutant) for mutant in sample} == {"rare", "some", "most"}
    assert sample == sorted(sample, key=MANY.index)
    assert stratified(MANY, kind, 20, 0) == sample
    assert stratified(MANY, kind, 20, 1) != sample


@pytest.mark.parametrize(
    ("sizes", "cap", "expected"),
    [
        ({"a": 53, "b": 6, "c": 1}, 20, {"a": 17, "b": 2, "c": 1}),
        ({"a": 5, "b": 5, "c": 5}, 2, {"a": 1, "b": 1, "c": 0}),
        ({"a": 2, "b": 1}, 20, {"a": 2, "b": 1}),
    ],
)
def test_shares(sizes: dict[str, int], cap: int, expected: dict[str, int]) -> None:
    assert shares(sizes, cap) == expected
