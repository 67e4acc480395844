"""What holds of every change."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from redhanded.model.delta import delta
from redhanded.model.matrix import KillMatrix
from redhanded.model.outcome import OPEN, Outcome, Policy, Reason, Status
from tests.model.strategies import OUTCOMES, World, worlds

POLICIES = st.sampled_from(["judged", "any-failure"])


@given(worlds(), POLICIES)
def test_the_sets_fit_together(world: World, policy: Policy) -> None:
    found = world.delta(policy)
    old = world.reference.statuses(contested=world.contested, policy=policy)
    new = world.candidate.statuses(policy=policy)
    assert set(found.gained) | set(found.free) <= set(found.open)
    assert not set(found.gained) & set(found.free)
    assert set(found.regained) <= set(found.contested)
    assert 0 <= len(found.gained) <= len(found.open)
    outside = [name for name, status in old.items() if status in OPEN]
    assert list(found.open) == outside
    killed = {name for name, status in old.items() if status is Status.KILLED}
    kept = {name for name in killed if new[name] is Status.KILLED}
    gone = [*found.lost, *found.demoted, *found.unresolved]
    assert len(gone) == len(set(gone))
    assert set(gone) == killed - kept
    everything = {name for name, status in new.items() if status is Status.KILLED}
    assert set(found.gained) == everything & set(found.open)


@given(worlds(), POLICIES)
def test_there_is_no_delta_only_where_there_is_no_population(world: World, policy: Policy) -> None:
    found = world.delta(policy)
    whole = len(found.open) + len(found.contested)
    assert (found.value is None) == (whole == 0)
    assert (found.unavailable is None) == (whole != 0)
    if found.value is not None:
        assert found.value * whole == len(found.gained)
    beside = whole - len(found.free)
    assert (found.without_crash_only is None) == (beside == 0)
    if found.without_crash_only is not None:
        assert found.value is not None
        assert found.without_crash_only >= found.value
        assert round(found.without_crash_only * beside) == len(found.gained)


@given(worlds(), st.dictionaries(st.integers(0, 5), st.sampled_from(OUTCOMES)), POLICIES)
def test_one_more_test_never_lowers_what_is_gained(
    world: World, does: dict[int, Outcome | Reason], policy: Policy
) -> None:
    extra = {
        (world.mutants[index].id, "extra"): what
        for index, what in does.items()
        if index < len(world.mutants) and world.mutants[index].viability == "viable"
    }
    before = world.delta(policy)
    after = world.but(added=(*world.added, "extra"), cells=world.cells | extra).delta(policy)
    assert set(before.gained) <= set(after.gained)
    assert before.open == after.open
    assert len(after.lost) <= len(before.lost)


@given(worlds(), st.data())
def test_a_rename_that_breaks_old_tests_never_raises_the_delta(
    world: World, data: st.DataObject
) -> None:
    broken = data.draw(st.sets(st.sampled_from(world.old))) if world.old else set()
    reached = {
        at for at, what in world.cells.items()
        if at[1] in broken and what is not Outcome.NOT_ENTERED
    }  # fmt: skip
    after = world.but(
        cells=world.cells | dict.fromkeys(reached, Reason.RED_CONTROL),
        contested=world.contested | {mutant for mutant, _ in reached},
    )
    was, now = world.delta(), after.delta()
    assert (now.value or 0.0) <= (was.value or 0.0)
    assert (now.without_crash_only or 0.0) <= (was.without_crash_only or 0.0)
    assert set(now.open) <= set(was.open)


@given(worlds())
def test_old_tests_that_only_follow_a_rename_gain_nothing(world: World) -> None:
    # Every old test breaks, and comes back under a new name, doing what it did.
    moved = {
        (mutant, f"new-{test}"): what
        for (mutant, test), what in world.cells.items()
        if test in world.old
    }
    reached = {at for at in world.cells if at[1] in world.old}
    broken: dict[tuple[str, str], Outcome | Reason]
    broken = dict.fromkeys(reached, Reason.RED_CONTROL)
    after = World(
        mutants=world.mutants,
        deleted=world.old,
        unchanged=(),
        added=tuple(f"new-{test}" for test in world.old),
        cells=broken | moved,
        contested=frozenset(mutant for mutant, _ in reached),
    )
    assert after.delta().gained == ()


@given(worlds(), POLICIES)
def test_deleting_a_test_loses_what_it_alone_killed(world: World, policy: Policy) -> None:
    before = world.delta(policy)
    for test in world.unchanged:
        after = world.but(
            deleted=(*world.deleted, test),
            unchanged=tuple(one for one in world.unchanged if one != test),
        ).delta(policy)
        alone = world.candidate.killed_alone(test, policy)
        gone = [len(x.lost) + len(x.demoted) + len(x.unresolved) for x in (before, after)]
        assert gone[1] - gone[0] == alone
        assert after.value == before.value


@given(worlds(), POLICIES)
def test_the_minimal_gain_gains_all_and_no_smaller_set_does(world: World, policy: Policy) -> None:
    found = world.delta(policy)
    kills = {test: set(mutants) for test, mutants in found.gained_by.items()}
    wanted = set(found.gained)
    assert found.minimal_gain.exact
    assert set().union(*(kills[test] for test in found.minimal_gain.tests)) == wanted
    for team in itertools.combinations(kills, max(len(found.minimal_gain.tests) - 1, 0)):
        assert not wanted or set().union(*(kills[test] for test in team)) != wanted
    assert set(found.minimal_gain.tests) <= set(world.added)


@given(worlds(), POLICIES)
def test_dominators_never_outnumber_what_they_stand_for(world: World, policy: Policy) -> None:
    found = world.delta(policy)
    assert found.dominators_gained is not None
    assert found.dominators_open is not None
    assert found.dominators_gained <= len(found.gained)
    assert bool(found.dominators_gained) == bool(found.gained)
    alive = len(found.open) - len(found.gained)
    assert found.dominators_open == found.dominators_gained + alive


@given(worlds())
def test_other_tools_rule_leaves_the_same_mutants_open(world: World) -> None:
    judged, loose = world.delta(), world.delta("any-failure")
    assert loose.open == judged.open
    assert set(judged.gained) | set(judged.free) <= set(loose.gained)
    assert loose.free == loose.demoted == ()
    assert set(loose.contested) <= set(judged.contested)


@given(worlds(), st.randoms(use_true_random=False), POLICIES)
def test_the_order_of_cells_and_mutants_changes_no_number(
    world: World, random: Any, policy: Policy
) -> None:
    mutants = list(world.mutants)
    random.shuffle(mutants)

    def shuffled(matrix: KillMatrix) -> KillMatrix:
        cells = list(matrix.cells)
        random.shuffle(cells)
        return KillMatrix.of(mutants, matrix.tests, cells)

    before = world.delta(policy)
    after = delta(
        shuffled(world.reference),
        shuffled(world.candidate),
        contested=world.contested,
        policy=policy,
    )
    assert after.result() == before.result()
    assert set(after.gained) == set(before.gained)


@given(worlds(), POLICIES)
def test_tests_that_change_nothing_gain_and_lose_nothing(world: World, policy: Policy) -> None:
    same = world.but(deleted=(), unchanged=world.old, added=())
    found = same.delta(policy)
    assert found.gained == found.lost == found.demoted == found.unresolved == found.free == ()
    assert found.minimal_gain.tests == ()
