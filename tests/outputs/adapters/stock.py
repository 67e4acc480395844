"""What is tried on every stock grader: one right and one wrong output, under watch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from redhanded.model.output import Output
from tests.outputs.adapters.asking import accepts, asked, witnessed


@dataclass(frozen=True)
class Stock:
    """A stock grader, made by a function so that nothing is imported while collecting."""

    name: str
    """As reports call it."""
    make: Callable[[], Any]
    right: str | Output
    wrong: str | Output
    given: dict[str, Any] = field(default_factory=dict)
    claims: str | None = None
    """A kind that its documentation claims."""
    fresh: bool = True

    def tried(self) -> None:
        """It is named, asked, read and witnessed."""
        grader = self.make()
        one = asked(grader, **self.given)
        assert one.name == self.name
        assert one.state == ("fresh" if self.fresh else "shared")
        assert (one.fresh() is not one) is self.fresh
        if self.claims is not None:
            assert one.claim is not None
            assert self.claims in one.claim.kinds
        assert accepts(grader, self.right, **self.given)
        assert not accepts(grader, self.wrong, **self.given)
        for output in (self.right, self.wrong):
            found = witnessed(grader, output, **self.given)
            assert found["error"] is None
            assert found["doubt"] is None
            assert found["ignored"] == {}
            assert found["roles"] == {"grader", "upstream"}


def ids(stock: list[Stock]) -> list[str]:
    """Names for parametrized tests."""
    return [one.name.partition(":")[2] for one in stock]


def all_different_instances(make: Callable[[], Any], other: Any, output: str, **given: Any) -> None:
    """The entry of another grader that shares its code isn't this one's."""
    from redhanded.model.graded import Lack
    from redhanded.outputs.adapters.prepared import Prepared

    mine, theirs = asked(make(), **given), asked(other, **given)
    assert isinstance(mine, Prepared)
    assert isinstance(theirs, Prepared)
    assert all(watched.instance is not None for watched in mine.watched)
    swapped = Prepared(mine.name, mine.watched, theirs.ask, mine.read)
    found = witnessed_prepared(swapped, output)
    assert found.lack in (Lack.OTHER_INSTANCE, Lack.NOT_ENTERED)


def witnessed_prepared(one: Any, output: str) -> Any:
    """The doubt about a call of something already made ready."""
    import asyncio

    from redhanded.model.graded import Phase
    from redhanded.outputs.witness.evidence import doubt
    from redhanded.outputs.witness.token import Token
    from redhanded.outputs.witness.watcher import Watcher

    watcher = Watcher()
    watcher.watch(one.watched)
    try:
        token = Token(Phase.PROBE)
        _, error, seen = asyncio.run(watcher.call(token, lambda: one.grade(Output(text=output))))
    finally:
        watcher.close()
    return doubt(seen, watcher.targets, watcher.unwatchable, answered=error is None)
