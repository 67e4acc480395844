"""What is seen of a call: entries, instances, returns, exceptions, threads."""

from __future__ import annotations

import asyncio
import functools
import operator
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from redhanded.model.graded import Answer, Lack, Phase
from redhanded.outputs.adapters.base import Verdict, Watched
from redhanded.outputs.witness.evidence import Doubt, doubt, ignored
from redhanded.outputs.witness.recorder import Seen
from redhanded.outputs.witness.token import TOKEN, Token, carried
from redhanded.outputs.witness.watcher import Watcher

ACCEPT = {"": Verdict(Answer.ACCEPT)}
REJECT = {"": Verdict(Answer.REJECT)}


class Called:
    """One watched call and what was seen."""

    def __init__(self, watched: Sequence[Watched], ask: Callable[[], Any], repeat: int = 0) -> None:
        watcher = Watcher()
        watcher.watch(watched)

        async def asked() -> Any:
            found = ask()
            return await found if isinstance(found, Awaitable) else found

        try:
            with carried():
                self.raw, self.error, self.seen = asyncio.run(
                    watcher.call(Token(Phase.DECISION), asked)
                )
        finally:
            watcher.close()
        self.doubt = doubt(
            self.seen,
            watcher.targets,
            watcher.unwatchable,
            answered=self.error is None,
            repeat=repeat,
        )

    @property
    def lack(self) -> Lack | None:
        return self.doubt.lack if self.doubt else None

    @property
    def told(self) -> list[tuple[str, Any, str | None]]:
        entries = [one.entry() for one in self.seen.opened]
        return [(one.target.rpartition(".")[2], one.returned, one.raised) for one in entries]


def grader(text: str) -> bool:
    return library(text)


def library(text: str) -> bool:
    if text == "raise":
        raise ValueError("no")
    return text == "yes"


def library_via(raw: Any) -> dict[str, Verdict]:
    return ACCEPT if raw else REJECT


BOTH = [Watched(grader, "grader"), Watched(library, "upstream", via=library_via)]


def test_an_entry_and_what_came_back() -> None:
    found = Called(BOTH, lambda: grader("yes"))
    assert found.told == [
        ("test_witness:grader", True, None),
        ("test_witness:library", True, None),
    ]
    assert [one.parent for one in found.seen.opened] == [None, found.seen.opened[0]]
    assert found.raw is True
    assert found.doubt is None


def test_an_exception_is_told_from_a_return_of_none() -> None:
    found = Called(BOTH, lambda: grader("raise"))
    assert found.told == [
        ("test_witness:grader", None, "ValueError: no"),
        ("test_witness:library", None, found.told[1][2]),
    ]
    assert found.told[1][2] in ("ValueError: no", "an exception")
    assert found.doubt is None


def nothing() -> None:
    return None


def test_none_is_a_return() -> None:
    assert Called([Watched(nothing, "grader")], nothing).told == [
        ("test_witness:nothing", None, None)
    ]


async def slow_library(text: str) -> bool:
    await asyncio.sleep(0)
    await asyncio.gather(asyncio.sleep(0), asyncio.sleep(0.001))
    if text == "raise":
        raise ValueError("no")
    return text == "yes"


async def slow_grader(text: str) -> bool:
    await asyncio.sleep(0)
    return await slow_library(text)


SLOW = [Watched(slow_grader, "grader"), Watched(slow_library, "upstream", via=library_via)]


def test_a_coroutine_is_one_entry_across_its_awaits() -> None:
    found = Called(SLOW, lambda: slow_grader("yes"))
    assert found.told == [
        ("test_witness:slow_grader", True, None),
        ("test_witness:slow_library", True, None),
    ]
    assert [one.outermost for one in found.seen.opened] == [True, True]
    assert found.doubt is None


def test_an_exception_that_leaves_a_coroutine() -> None:
    found = Called(SLOW, lambda: slow_grader("raise"))
    assert next(one[2] for one in found.told) == "ValueError: no"
    assert found.told[1][2] in ("ValueError: no", "an exception")


def test_a_coroutine_that_is_cancelled_didn_t_return() -> None:
    async def ask() -> str:
        try:
            await asyncio.wait_for(sleeper(), 0.01)
        except asyncio.TimeoutError:
            return "gave up"
        return "woke"

    async def sleeper() -> bool:
        await asyncio.sleep(30)
        return True

    found = Called([Watched(sleeper, "grader")], ask)
    assert found.raw == "gave up"
    (entry,) = found.told
    assert entry[1] is None
    assert entry[2] is not None


def test_a_coroutine_cancelled_at_a_bare_yield_didn_t_return() -> None:
    async def spinner() -> bool:
        while True:
            await asyncio.sleep(0)

    async def ask() -> str:
        task = asyncio.ensure_future(spinner())
        for _ in range(3):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return "done"

    (entry,) = Called([Watched(spinner, "grader")], ask).told
    assert entry[2] is not None


def test_concurrent_calls_of_the_library_are_siblings() -> None:
    async def ask() -> bool:
        first, second = await asyncio.gather(slow_library("yes"), slow_library("no"))
        return first and second

    found = Called([Watched(ask, "grader"), Watched(slow_library, "upstream")], ask)
    assert [one.outermost for one in found.seen.outermost("upstream")] == [True, True]


def test_recursion_counts_once() -> None:
    def count(number: int) -> int:
        return number and 1 + count(number - 1)

    found = Called([Watched(count, "grader")], lambda: count(3))
    assert len(found.seen.opened) == 4
    assert [one.returned for one in found.seen.outermost("grader")] == [3]


def test_an_enclosing_upstream_counts_and_not_the_one_inside() -> None:
    found = Called(
        [Watched(grader, "upstream", via=library_via), Watched(library, "upstream")],
        lambda: grader("yes"),
    )
    assert [one.target.function for one in found.seen.outermost("upstream")] == [grader]


class Scorer:
    def __init__(self, bar: int) -> None:
        self.bar = bar

    def measure(self, value: int) -> bool:
        return value > self.bar

    async def a_measure(self, value: int) -> bool:
        await asyncio.sleep(0)
        return value > self.bar

    def __call__(self, value: int) -> bool:
        return self.measure(value)


def test_two_objects_of_a_class_are_told_apart() -> None:
    mine, other = Scorer(1), Scorer(1)
    for name in ("measure", "a_measure", "__call__"):
        watched = [Watched(getattr(Scorer, name), "grader", instance=mine)]
        assert Called(watched, lambda name=name: getattr(mine, name)(2)).lack is None  # type: ignore[misc]
        wrong = Called(watched, lambda name=name: getattr(other, name)(2))  # type: ignore[misc]
        assert wrong.lack is Lack.OTHER_INSTANCE
        assert wrong.seen.opened[0].entry().instance == "other"


def closure(needle: str, options: dict[str, int]) -> Callable[[str], bool]:
    def score(text: str) -> bool:
        return needle in text and bool(options)

    return score


def slow_closure(options: dict[str, int]) -> Callable[[str], Awaitable[bool]]:
    async def score(text: str) -> bool:
        await asyncio.sleep(0)
        return bool(options) and text == "yes"

    return score


def test_two_closures_that_share_a_code_object_are_told_apart() -> None:
    mine, other = closure("a", {"a": 1}), closure("a", {"a": 1})
    watched = [Watched(mine, "grader", instance=mine)]
    assert Called(watched, lambda: mine("a")).lack is None
    assert Called(watched, lambda: other("a")).lack is Lack.OTHER_INSTANCE
    mine_slow, other_slow = slow_closure({"a": 1}), slow_closure({"a": 1})
    watched = [Watched(mine_slow, "grader", instance=mine_slow)]
    assert Called(watched, lambda: mine_slow("yes")).lack is None
    assert Called(watched, lambda: other_slow("yes")).lack is Lack.OTHER_INSTANCE


def test_both_instances_of_one_code_are_told_apart_in_one_call() -> None:
    first, second = Scorer(1), Scorer(5)
    found = Called(
        [
            Watched(Scorer.measure, "grader", instance=first),
            Watched(Scorer.measure, "upstream", instance=second, via=library_via),
        ],
        lambda: first.measure(3) and second.measure(3),
    )
    assert [(one.target.role, one.own) for one in found.seen.opened] == [
        ("grader", True),
        ("upstream", True),
    ]
    assert not ignored(found.seen, REJECT)
    assert ignored(found.seen, ACCEPT)


def test_a_grader_that_is_its_own_library_is_entered_as_both() -> None:
    mine, other = closure("a", {"a": 1}), closure("a", {"a": 1})
    watched = [
        Watched(mine, "grader", instance=mine),
        Watched(mine, "upstream", instance=mine, via=library_via),
    ]
    found = Called(watched, lambda: mine("a"))
    assert found.lack is None
    assert [(one.target.role, one.outermost, one.returned) for one in found.seen.opened] == [
        ("grader", True, True),
        ("upstream", True, True),
    ]
    assert not ignored(found.seen, ACCEPT)
    assert ignored(found.seen, REJECT)
    assert Called(watched, lambda: other("a")).lack is Lack.OTHER_INSTANCE


def test_a_forged_name_is_not_the_library() -> None:
    source = "def library(text):\n    return True\n"
    space: dict[str, Any] = {"__name__": library.__module__}
    exec(compile(source, library.__code__.co_filename, "exec"), space)
    forged = space["library"]
    forged.__qualname__ = library.__qualname__

    def wrapper(text: str) -> bool:
        return bool(forged(text))

    found = Called(
        [Watched(wrapper, "grader"), Watched(library, "upstream")], lambda: wrapper("no")
    )
    assert found.lack is Lack.UPSTREAM_NOT_ENTERED


def test_a_grader_that_was_never_called() -> None:
    assert Called(BOTH, lambda: True).lack is Lack.NOT_ENTERED


def test_a_guard_that_returns_early() -> None:
    def guarded(text: str) -> bool:
        return False if not text.isalpha() else library(text)

    watched = [Watched(guarded, "grader"), Watched(library, "upstream")]
    assert Called(watched, lambda: guarded("yes")).lack is None
    assert Called(watched, lambda: guarded("?!")).lack is Lack.UPSTREAM_NOT_ENTERED


def test_a_grader_that_raises_needn_t_have_reached_its_library() -> None:
    def strict(text: str) -> bool:
        raise TypeError(text)

    found = Called([Watched(strict, "grader"), Watched(library, "upstream")], lambda: strict("x"))
    assert isinstance(found.error, TypeError)
    assert found.doubt is None


def test_a_verdict_over_a_swallowed_exception_is_not_the_library_s() -> None:
    def falls_back(text: str) -> bool:
        try:
            return library(text)
        except ValueError:
            return True

    watched = [Watched(falls_back, "grader"), Watched(library, "upstream", via=library_via)]
    assert Called(watched, lambda: falls_back("yes")).lack is None
    assert Called(watched, lambda: falls_back("raise")).lack is Lack.UPSTREAM_IGNORED


def test_a_retry_that_comes_back_is_the_library_s() -> None:
    def retries(text: str) -> bool:
        try:
            return library("raise")
        except ValueError:
            return library(text)

    watched = [Watched(retries, "grader"), Watched(library, "upstream", via=library_via)]
    found = Called(watched, lambda: retries("no"))
    assert found.lack is None
    assert not ignored(found.seen, REJECT)
    assert ignored(found.seen, ACCEPT)


def test_a_wrapper_that_inverts_the_verdict_is_seen() -> None:
    def inverts(text: str) -> bool:
        return not library(text)

    watched = [Watched(inverts, "grader"), Watched(library, "upstream", via=library_via)]
    found = Called(watched, lambda: inverts("no"))
    assert found.lack is None
    assert ignored(found.seen, ACCEPT)[""].lack is Lack.UPSTREAM_IGNORED
    assert not ignored(found.seen, REJECT)


def test_scores_have_to_agree_where_there_is_no_bar() -> None:
    def score(text: str) -> float:
        return 0.5

    def half(raw: Any) -> dict[str, Verdict]:
        return {"score": Verdict(Answer.SCORED, raw)}

    seen = Called([Watched(score, "upstream", via=half)], lambda: score("x")).seen
    assert not ignored(seen, {"": Verdict(Answer.SCORED, 0.5)})
    assert ignored(seen, {"": Verdict(Answer.SCORED, 0.6)})
    assert not ignored(seen, {"score": Verdict(Answer.SCORED, 0.5)})
    both = {"score": Verdict(Answer.SCORED, 0.5), "other": Verdict(Answer.ACCEPT)}
    assert set(ignored(seen, both)) == {"other"}


def test_a_reading_that_fails_is_no_agreement() -> None:
    def broken(raw: Any) -> dict[str, Verdict]:
        raise KeyError("score")

    seen = Called([Watched(library, "upstream", via=broken)], lambda: library("yes")).seen
    assert ignored(seen, ACCEPT)[""].lack is Lack.UPSTREAM_IGNORED


def test_a_cached_answer_is_no_entry() -> None:
    cached = functools.lru_cache(grader)
    cached("yes")
    watched = [Watched(cached, "grader")]
    assert Called(watched, lambda: cached("no")).lack is None
    assert Called(watched, lambda: cached("yes")).lack is Lack.NOT_ENTERED
    assert Called(watched, lambda: cached("yes"), repeat=1).lack is Lack.CACHED


def test_c_callables_can_t_be_watched_and_say_so() -> None:
    for callable_ in (operator.itemgetter(0), str.isalpha, functools.partial(max, 1)):
        found = Called([Watched(callable_, "grader")], lambda: True)
        assert found.lack is Lack.NOT_ENTERED
        assert found.doubt is not None
        assert "C" in found.doubt.why
        assert "Wrap it" in found.doubt.why


@pytest.mark.parametrize("repeat", [0, 1])
def test_a_c_callable_isn_t_taken_for_a_cache(repeat: int) -> None:
    assert Called([Watched(len, "grader")], lambda: True, repeat).lack is Lack.NOT_ENTERED


def test_partials_methods_and_callable_objects_are_resolved() -> None:
    scorer = Scorer(1)
    for callable_ in (functools.partial(grader, "yes"), functools.partial(scorer, 2)):
        assert Called([Watched(callable_, "grader")], callable_).lack is None
    assert Called([Watched(scorer.measure, "grader")], lambda: scorer.measure(2)).lack is None


def test_threads_of_the_call_carry_its_token() -> None:
    def in_thread(text: str) -> bool:
        found: list[bool] = []
        thread = threading.Thread(target=lambda: found.append(library(text)))
        thread.start()
        thread.join()
        return found[0]

    watched = [Watched(in_thread, "grader"), Watched(library, "upstream", via=library_via)]
    found = Called(watched, lambda: in_thread("yes"))
    assert found.lack is None
    assert [one.by_exclusivity for one in found.seen.opened] == [False, False]


POOL = ThreadPoolExecutor(1)


def pooled(text: str) -> bool:
    return POOL.submit(library, text).result()


async def executed(text: str) -> bool:
    return await asyncio.get_running_loop().run_in_executor(POOL, library, text)


async def to_thread(text: str) -> bool:
    return await asyncio.to_thread(library, text)


@pytest.mark.parametrize("function", [pooled, executed, to_thread])
def test_pools_that_were_there_before_carry_it_too(function: Callable[[str], Any]) -> None:
    watched = [Watched(function, "grader"), Watched(library, "upstream", via=library_via)]
    for _ in range(2):
        found = Called(watched, lambda: function("yes"))
        if found.lack is Lack.UPSTREAM_NOT_ENTERED:
            # Before 3.12 threads that are older than the call aren't seen.
            import sys

            assert sys.version_info < (3, 12)
        else:
            assert found.lack is None


def test_a_thread_of_the_call_without_a_token_counts_by_exclusivity() -> None:
    def bare(text: str) -> bool:
        found: list[bool] = []

        def run() -> None:
            TOKEN.set(None)
            found.append(library(text))

        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        return found[0]

    watched = [Watched(bare, "grader"), Watched(library, "upstream")]
    found = Called(watched, lambda: bare("yes"))
    assert found.lack is None
    assert [one.by_exclusivity for one in found.seen.opened] == [False, True]


def test_an_entry_from_a_stray_thread_is_no_evidence() -> None:
    go, done = threading.Event(), threading.Event()

    def stray() -> None:
        go.wait(10)
        library("yes")
        done.set()

    def answers_itself(text: str) -> bool:
        go.set()
        done.wait(10)
        return True

    watched = [Watched(answers_itself, "grader"), Watched(library, "upstream", via=library_via)]
    thread = threading.Thread(target=stray)
    thread.start()
    found = Called(watched, lambda: answers_itself("no"))
    thread.join()
    # Before 3.12 threads that are older than the call aren't seen: then it is not entered at all.
    assert found.lack in (Lack.UNATTRIBUTED, Lack.UPSTREAM_NOT_ENTERED)
    assert not found.seen.outermost("upstream")


def test_a_thread_left_over_from_another_call_is_stray() -> None:
    go = threading.Event()
    threads: list[threading.Thread] = []

    def leaves(text: str) -> bool:
        thread = threading.Thread(target=lambda: (go.wait(10), library("yes")))
        thread.start()
        threads.append(thread)
        return True

    def waits(text: str) -> bool:
        go.set()
        threads[0].join()
        return True

    watched = [Watched(leaves, "grader"), Watched(waits, "grader"), Watched(library, "upstream")]
    watcher = Watcher()
    watcher.watch(watched)

    async def both() -> Seen:
        async def first() -> bool:
            return leaves("x")

        async def second() -> bool:
            return waits("x")

        await watcher.call(Token(Phase.DECISION), first)
        return (await watcher.call(Token(Phase.DECISION), second))[2]

    with carried():
        seen = asyncio.run(both())
    watcher.close()
    found = doubt(seen, watcher.targets, [], answered=True)
    assert found is not None
    assert found.lack is Lack.UNATTRIBUTED


def test_every_doubt_says_why() -> None:
    assert isinstance(Called(BOTH, lambda: True).doubt, Doubt)
    assert "never entered" in Called(BOTH, lambda: True).doubt.why  # type: ignore[union-attr]
