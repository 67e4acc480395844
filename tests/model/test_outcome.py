"""The words that rows, results and reports are made of."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from redhanded.model.cells import Cell
from redhanded.model.cover import Cover
from redhanded.model.delta import Delta
from redhanded.model.facts import Facts
from redhanded.model.judgement import Judgement, explain
from redhanded.model.mutant import Viability
from redhanded.model.outcome import ENTERED, NO_JUDGE, Outcome, Policy, Reason, Status, killing
from redhanded.model.reading import Counts
from redhanded.model.score import Score, Tally


def test_every_word_prints_and_is_written_as_its_name_in_small_letters() -> None:
    for word in (*Outcome, *Reason, *Status):
        assert f"{word}" == str(word) == word.value == word.name.lower()
        assert msgspec.json.encode(word) == f'"{word}"'.encode()


def test_a_viability_that_isnt_viable_is_a_status() -> None:
    assert set(get_args(Viability)) - {"viable"} <= set(map(str, Status))


@pytest.mark.parametrize("reason", list(Reason))
def test_who_is_no_judge(reason: Reason) -> None:
    expected = ["red_control", "skipped_control", "order_dependent", "placebo_red", "flaky"]
    assert (reason in NO_JUDGE) == (str(reason) in expected)


@pytest.mark.parametrize("outcome", list(Outcome))
def test_who_has_entered(outcome: Outcome) -> None:
    assert (outcome in ENTERED) == (outcome not in (Outcome.NOT_ENTERED, Outcome.INCOMPLETE))


def test_each_policy_says_what_kills() -> None:
    assert {policy: sorted(map(str, killing(policy))) for policy in get_args(Policy)} == {
        "judged": ["caught"],
        "any-failure": ["caught", "crashed", "hung"],
    }


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Outcome.CAUGHT, "by its own judgement"),
        (Outcome.CRASHED, "no test judged"),
        (Outcome.HUNG, "past its budget"),
        (Outcome.PASSED, "noticed nothing"),
        (Outcome.SKIPPED, "skipped under the mutant"),
        (Outcome.NOT_ENTERED, "never ran the mutant"),
        (Outcome.INCOMPLETE, "no usable evidence"),
    ],
)
def test_each_outcome_is_explained_by_its_own_words(outcome: Outcome, words: str) -> None:
    told = explain(Judgement(outcome))
    assert words in told
    assert told[0] == "t"


@pytest.mark.parametrize("kind", [Cell, Judgement, Tally, Score, Delta, Cover, Counts, Facts])
def test_what_was_found_can_not_be_altered(kind: type[msgspec.Struct]) -> None:
    assert kind.__struct_config__.frozen
