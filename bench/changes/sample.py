"""A sample of a change's mutants, with some of every kind of status."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

from bench.oracle.mutant import Mutant, sample

Kind = TypeVar("Kind", bound=Hashable)


def stratified(
    mutants: Sequence[Mutant], kind: Callable[[Mutant], Kind], cap: int, seed: int
) -> list[Mutant]:
    """At most ``cap`` mutants, in their own order.

    Of each kind one, as long as there is room, largest kinds first; the rest of the room in
    proportion to what is left of each kind. Within a kind the seed decides.
    """
    if len(mutants) <= cap:
        return list(mutants)
    groups: dict[Kind, list[Mutant]] = {}
    for mutant in mutants:
        groups.setdefault(kind(mutant), []).append(mutant)
    sizes = {name: len(group) for name, group in groups.items()}
    chosen = {
        mutant.id
        for name, share in shares(sizes, cap).items()
        for mutant in sample(groups[name], share, seed)
    }
    return [mutant for mutant in mutants if mutant.id in chosen]


def shares(sizes: Mapping[Kind, int], cap: int) -> dict[Kind, int]:
    """How many of each kind; never more than there are."""
    order = sorted(sizes, key=lambda name: (-sizes[name], str(name)))
    share = {name: int(at < cap) for at, name in enumerate(order)}
    room = min(cap, sum(sizes.values())) - sum(share.values())
    left = sum(sizes.values()) - sum(share.values())
    if room <= 0:
        return share
    exact = {name: room * (sizes[name] - share[name]) / left for name in order}
    whole = {name: int(exact[name]) for name in order}
    remainders = sorted(order, key=lambda name: whole[name] - exact[name])
    for name in remainders[: room - sum(whole.values())]:
        whole[name] += 1
    return {name: share[name] + whole[name] for name in order}
