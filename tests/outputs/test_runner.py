"""A whole run: what becomes of graders that judge, raise, hang, print, vary and remember."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from redhanded.errors import UsageError
from redhanded.model.graded import ClaimSource, HoleKind, Phase
from redhanded.model.graders import CanaryResult, MemorySink, Untested
from redhanded.model.output import Output, ToolCall
from redhanded.model.sink import Silent
from redhanded.outputs.adapters.base import Claim, Watched
from redhanded.outputs.case import Case
from redhanded.outputs.operators.base import Decline
from redhanded.outputs.options import Options
from redhanded.outputs.runner import run
from tests.outputs.plain import (
    ALL,
    BLANK,
    CASE,
    OTHER,
    Holds,
    Plain,
    Plants,
    case,
    opened,
    outcomes,
    ran,
)

H = HoleKind
MODES = pytest.mark.parametrize("isolation", ["fork", "none"])


def contains(text: str) -> bool:
    return "paris" in text.lower()


def careful(text: str) -> bool:
    return contains(text) and "not" not in text.split()


@MODES
def test_a_grader_that_misses_a_negation(isolation: str) -> None:
    sink = MemorySink()
    found = ran(case(contains), sink=sink, isolation=isolation)
    assert outcomes(found) == {
        "negation/0": "missed",
        "other/0": "caught",
        "blank/0": "caught",
        "case/0": "held",
    }
    assert [(hole.kind, hole.operator) for hole in found.holes] == [(H.BLIND, "negation")]
    hole = found.holes[0]
    assert hole.output == Output(text="It is not Paris")
    assert hole.reference == Output(text="Paris")
    assert hole.claim_source is ClaimSource.CONTRACT
    assert found.exit_code == 1
    assert found.ledger.balanced, found.ledger.problems
    assert list(sink.rows) == list(found.rows)
    assert [call.id for call in sink.calls] == list(range(len(sink.calls)))
    assert found.ledger.calls == len(sink.calls)
    assert [one.name for one in found.canaries] == [
        "accepts-all", "rejects-all", "raises", "inverted",
    ]  # fmt: skip
    assert all(one.passed for one in found.canaries)
    assert found.inventory.graders[0].state == ("forked" if isolation == "fork" else "shared")
    assert bool(found.warnings) is (isolation == "none")


@MODES
def test_a_grader_without_holes(isolation: str) -> None:
    found = ran(case(careful), isolation=isolation)
    assert found.exit_code == 0
    assert found.holes == ()
    score = found.scores[0]
    assert (score.detection.k, score.detection.n) == (2, 2)
    assert (score.preservation.k, score.floor.k, score.detection_no_sham) == (1, 1, 1)
    row = next(row for row in found.rows if row.operator == "negation")
    assert row.sham == Output(text="It is now Paris")
    assert len(row.calls) == 4


def test_a_rejected_sham_earns_nothing() -> None:
    found = ran(case(lambda text: text.lower() == "paris"))
    assert outcomes(found)["negation/0"] == "confounded"
    (hole,) = found.holes
    assert (hole.kind, hole.planted) == (H.BRITTLE, "sham")
    assert hole.output == Output(text="It is now Paris")


async def slow(text: str) -> bool:
    await asyncio.sleep(0.001)
    return careful(text)


class Scorer:
    def __call__(self, text: str) -> bool:
        return careful(text)

    def method(self, text: str) -> bool:
        return careful(text)


@pytest.mark.parametrize(
    "grader",
    [slow, Scorer(), Scorer().method, functools.partial(careful)],
    ids=["coroutine", "object", "method", "partial"],
)
def test_every_kind_of_callable_is_witnessed(grader: Any) -> None:
    found = ran(case(grader))
    assert found.exit_code == 0, found
    assert found.tally == {"caught": 3, "held": 1}
    assert [one.passed for one in found.canaries] == [True] * 4


@MODES
def test_a_grader_that_raises_is_a_crash_on_that_row_alone(isolation: str) -> None:
    def strict(text: str) -> bool:
        if not text:
            raise ValueError("nothing to grade")
        return careful(text)

    found = ran(case(strict), isolation=isolation)
    assert outcomes(found)["blank/0"] == "error"
    assert [hole.kind for hole in found.holes] == [H.CRASH]
    assert "nothing to grade" in found.holes[0].note
    assert found.tally == {"caught": 2, "error": 1, "held": 1}


@pytest.mark.parametrize("leaves", [SystemExit(3), KeyboardInterrupt(), GeneratorExit()])
def test_no_exception_ends_the_run(leaves: BaseException) -> None:
    def exits(text: str) -> bool:
        if not text:
            raise leaves
        return careful(text)

    assert outcomes(ran(case(exits)))["blank/0"] == "error"


@MODES
def test_a_grader_that_hangs_is_killed_and_the_case_goes_on(isolation: str) -> None:
    over = threading.Event()

    def hangs(text: str) -> bool:
        if not text:
            over.wait(20)
        return careful(text)

    found = ran(case(hangs), isolation=isolation, timeout=0.5)
    over.set()
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join(10)
    assert outcomes(found) == {
        "negation/0": "caught",
        "other/0": "caught",
        "blank/0": "error",
        "case/0": "held",
    }
    (hole,) = found.holes
    assert hole.kind is H.CRASH
    assert "hung: no answer within 0.5 s" in hole.note
    assert found.ledger.balanced


def test_a_coroutine_that_hangs_is_killed_too() -> None:
    async def hangs(text: str) -> bool:
        if not text:
            await asyncio.sleep(20)
        return careful(text)

    assert outcomes(ran(case(hangs), timeout=0.5))["blank/0"] == "error"


def test_a_process_that_dies_is_that_row_s_error() -> None:
    def dies(text: str) -> bool:
        if not text:
            print("last words", flush=True)
            os._exit(3)
        return careful(text)

    found = ran(case(dies))
    assert outcomes(found)["blank/0"] == "error"
    assert outcomes(found)["case/0"] == "held"
    assert "exit code 3" in found.holes[0].note
    assert "last words" in found.holes[0].note


def test_a_grader_that_hangs_before_it_is_entered_is_no_evidence() -> None:
    @dataclasses.dataclass
    class Stalls(Plain):
        async def grade(self, output: Output) -> Any:
            if not output.text:
                time.sleep(20)
            return await super().grade(output)

    found = ran(case(careful), timeout=0.5, opener=lambda one: Stalls(one, opened(one).watched))
    assert outcomes(found)["blank/0"] == "incomplete not_entered"


@MODES
def test_what_graders_print_stays_in(isolation: str, capfd: pytest.CaptureFixture[str]) -> None:
    def prints(text: str) -> bool:
        print('{"holes": []}')
        if isolation == "fork":
            os.write(1, b"raw")
        return careful(text)

    ran(case(prints), isolation=isolation)
    assert capfd.readouterr() == ("", "")


def test_a_grader_gets_its_own_copy() -> None:
    def mutates(given: dict[str, Any]) -> bool:
        given["answer"] += "!"
        return bool(given["answer"] == "Paris!")

    one = dataclasses.replace(case(mutates), good=Output(text="Paris", value={"answer": "Paris"}))
    ask = lambda grader, output: grader(  # noqa: E731
        output.value if output.has_value else {"answer": output.text}
    )
    found = ran(
        one,
        operators=[OTHER, OTHER, CASE],
        opener=lambda each: Plain(each, [Watched(mutates, "grader")], ask=ask),
    )
    assert found.tally["caught"] == 1
    assert not any(hole.kind is H.STATEFUL for hole in found.holes)


def test_state_that_a_grader_keeps_is_found_by_the_second_control() -> None:
    seen: list[str] = []

    def remembers(text: str) -> bool:
        seen.append(text)
        return careful(text) and len(seen) < 4

    found = ran(case(remembers))
    kinds = [hole.kind for hole in found.holes]
    assert H.STATEFUL in kinds
    assert outcomes(found)["blank/0"] == "incomplete unstable_control"
    assert found.exit_code == 3
    assert seen == []


def test_each_case_begins_with_fresh_state() -> None:
    seen: list[str] = []

    def first_only(text: str) -> bool:
        seen.append(text)
        return careful(text) and len(seen) == 1

    found = ran(case(first_only, "a"), case(first_only, "b"), operators=[BLANK])
    assert found.lacks == {"unstable_control": 2}


def test_in_this_process_state_goes_on() -> None:
    seen: list[str] = []

    def first_only(text: str) -> bool:
        seen.append(text)
        return careful(text) and len(seen) == 1

    found = ran(case(first_only, "a"), case(first_only, "b"), operators=[BLANK], isolation="none")
    assert found.lacks == {"red_control": 1, "unstable_control": 1}


def test_all_controls_red() -> None:
    found = ran(case(lambda text: False), case(lambda text: None, "d"))
    assert found.exit_code == 4
    assert found.lacks == {"red_control": 8}
    assert found.holes == ()
    assert found.scores[0].detection.value is None


def test_some_controls_red_is_told_and_doesn_t_end_the_run() -> None:
    found = ran(case(lambda text: False), case(careful, "d"))
    assert found.exit_code == 0
    assert found.lacks == {"red_control": 4}
    assert found.inventory.tested == 1


def test_an_empty_suite_measured_nothing() -> None:
    found = ran()
    assert found.exit_code == 3
    assert found.scores[0].detection.value is None


def test_nothing_planted_measured_nothing() -> None:
    nothing = Plants("x", "defect", decline=Decline("no_number", "rh.number(...)"))
    found = ran(case(careful), operators=[nothing])
    assert found.exit_code == 3
    assert found.not_applicable == {"no_number": 1}
    assert found.rows[0].unlock == "rh.number(...)"
    assert found.rows[0].id == "c/x"


def test_a_score_without_a_bar_is_separated_or_not() -> None:
    scores = {"Paris": 0.9, "PARIS": 0.8, "It is not Paris": 0.4, "It is now Paris": 0.7}
    found = ran(case(lambda text: scores.get(text, 0.0)))
    assert set(found.tally) == {"separated"}
    assert found.separations[0].interval == (0.4, 0.7)
    assert found.exit_code == 0
    worse = {**scores, "It is not Paris": 0.9}
    found = ran(case(lambda text: worse.get(text, 0.0)))
    assert [hole.kind for hole in found.holes] == [H.BLIND]
    assert found.separations[0].interval is None


def test_a_bar_makes_verdicts_of_scores() -> None:
    found = ran(case(lambda text: 0.6 if careful(text) else 0.2, pass_at=0.5))
    assert found.tally == {"caught": 3, "held": 1}
    assert found.separations == ()


@pytest.mark.parametrize("value", [float("nan"), "Paris", object()])
def test_what_says_nothing_is_an_error(value: Any) -> None:
    found = ran(case(lambda text: True if contains(text) else value))
    assert outcomes(found)["other/0"] == "error"
    assert {hole.kind for hole in found.holes} == {H.BLIND, H.CRASH}


def test_abstention_is_a_miss_on_a_defect_and_a_flag_on_an_equivalent() -> None:
    found = ran(case(lambda text: True if text == "Paris" else None))
    assert outcomes(found) == {
        "negation/0": "missed",
        "other/0": "missed",
        "blank/0": "missed",
        "case/0": "flagged",
    }
    assert {hole.kind for hole in found.holes} == {H.BLIND, H.VACUOUS, H.BRITTLE}


def test_each_verdict_of_a_grader_is_a_judge() -> None:
    found = ran(case(lambda text: {"has": contains(text), "is": careful(text)}))
    assert {row.grader for row in found.rows} == {"<lambda>[has]", "<lambda>[is]"}
    assert found.tally == {"missed": 1, "caught": 5, "held": 2}
    assert [hole.grader for hole in found.holes] == ["<lambda>[has]"]
    assert found.ledger.balanced, found.ledger.problems
    assert found.ledger.asked < found.ledger.calls


def test_a_verdict_that_is_missing_is_an_abstention() -> None:
    def partly(text: str) -> dict[str, bool]:
        found = {"has": contains(text), "is": careful(text)}
        return found if text else {"has": False}

    rows = {row.id: row for row in ran(case(partly)).rows}
    assert str(rows["c/blank/0[is]"].outcome) == "missed"
    assert str(rows["c/blank/0[has]"].outcome) == "caught"


def test_a_grader_that_varies_is_flaky_and_stops_early(tmp_path: Path) -> None:
    count = tmp_path / "count"
    count.write_text("")

    def varies(text: str) -> bool:
        if text != "London":
            return careful(text)
        with count.open("a") as file:
            file.write("x")
        return len(count.read_text()) % 2 == 0

    found = ran(case(varies), repeats=5)
    row = next(row for row in found.rows if row.operator == "other")
    assert str(row.outcome) == "flaky"
    assert (row.accepted, row.repeats) == (1, 2)
    steady = next(row for row in found.rows if row.operator == "blank")
    assert (str(steady.outcome), steady.repeats) == ("caught", 5)
    assert found.ledger.balanced


def test_repeats_from_a_cache_are_no_repeats() -> None:
    cached = functools.lru_cache(careful)
    found = ran(case(cached), repeats=3)
    assert found.lacks == {"cached": 4}
    assert ran(case(cached)).tally == {"caught": 3, "held": 1}


def test_cases_come_in_order_however_many_are_asked_at_once() -> None:
    def waits(text: str) -> bool:
        return careful(text)

    def first_is_slow(one: Case) -> Any:
        if one.id == "case 0":
            time.sleep(0.3)
        return opened(one)

    suite = [case(waits, f"case {number}") for number in range(12)]
    one = ran(*suite)
    sink = MemorySink()
    two = ran(*suite, jobs=3, opener=first_is_slow, sink=sink)
    assert [row.id for row in one.rows] == [row.id for row in two.rows]
    assert [row.outcome for row in one.rows] == [row.outcome for row in two.rows]
    assert [call.id for call in sink.calls] == list(range(len(sink.calls)))
    assert one.ledger == two.ledger
    assert two.ledger.probe == 2
    assert [row.calls for row in one.rows] == [row.calls for row in two.rows]


def test_cases_are_taken_one_by_one_and_rows_needn_t_be_kept() -> None:
    alive: list[int] = []

    def suite() -> Iterator[Case]:
        for number in range(30):
            alive.append(len(sink.rows))
            yield case(careful, f"case {number}")

    sink = MemorySink()
    options = Options(operators=ALL, open=opened, keep_rows=False)
    found = run(suite(), options, sink, Silent())
    assert found.rows == ()
    assert len(sink.rows) == 120
    assert found.scores[0].detection.n == 60
    # A case is taken when its predecessor is done, not long before.
    assert alive[-1] >= 100


def test_two_cases_of_one_name_are_refused() -> None:
    with pytest.raises(UsageError, match="two cases have the id 'c'"):
        ran(case(careful), case(contains))


@pytest.mark.parametrize("option", [{"repeats": 0}, {"jobs": 0}, {"timeout": 0}])
def test_options_that_make_no_sense_are_refused(option: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=next(iter(option))):
        ran(case(careful), **option)


def test_a_reference_that_the_contract_rejects_refuses_the_case() -> None:
    found = ran(case(careful, right=Holds("Rome")), case(careful, "d"))
    (untested,) = found.inventory.untested
    assert (untested.case, untested.code) == ("c", "reference_not_right")
    assert "holds('Rome')" in untested.reason
    assert {row.case for row in found.rows} == {"d"}
    assert (found.inventory.cases, found.inventory.tested) == (2, 1)


def test_a_grader_that_can_t_be_opened_is_listed_and_the_next_gets_the_canaries() -> None:
    def opener(one: Case) -> Any:
        if one.id == "c":
            raise UsageError("expected a grader, found none", hint="Give one.")
        return opened(one)

    found = ran(case(careful), case(careful, "d"), opener=opener)
    (untested,) = found.inventory.untested
    assert untested.reason == "expected a grader, found none Give one."
    assert [one.name for one in found.canaries][2:] == ["raises", "inverted"]


def test_what_was_found_and_is_no_case_is_listed() -> None:
    other = Untested("judge", "needs_model", "it asks a model")
    assert ran(case(careful), untested=[other]).inventory.untested == (other,)


def test_a_finding_names_the_aspect_that_is_wrong() -> None:
    @dataclasses.dataclass(frozen=True)
    class Aspects(Holds):
        def rule(self, output: Output) -> Any:
            return dataclasses.replace(super().rule(output), kinds=("holds.word", "holds.tone"))

    for claims, kind in (("holds.tone", H.BLIND), ("holds.case", H.COVERAGE_GAP)):
        one = case(contains, right=Aspects("Paris"), claims=frozenset({claims}))
        assert [hole.kind for hole in ran(one).holes] == [kind]


def test_operators_and_contracts_that_raise_cost_their_rows_alone() -> None:
    class Breaks(Plants):
        def plant(self, case: Case) -> Any:
            raise RuntimeError("no")

    @dataclasses.dataclass(frozen=True)
    class Fragile(Holds):
        def rule(self, output: Output) -> Any:
            if output.text == "London":
                raise RuntimeError("no")
            return super().rule(output)

    found = ran(case(careful, right=Fragile("Paris")), operators=[Breaks("b", "defect"), *ALL])
    assert found.not_applicable == {"operator_error": 1, "contract_error": 1}
    assert found.exit_code == 0


def test_polarity_is_never_the_operator_s_word() -> None:
    found = ran(
        case(careful),
        operators=[
            Plants("unknown", "defect", (("Paris?", None),)),
            Plants("right", "defect", (("It is Paris", None),)),
            Plants("wrong", "equivalent", (("Rome", None),)),
            Plants("sham", "defect", (("It is not Paris", "It is not Paris"),)),
        ],
    )
    assert found.not_applicable == {"polarity_unknown": 1, "not_wrong": 1, "not_right": 1}
    (row,) = [row for row in found.rows if row.operator == "sham"]
    assert (row.sham, row.no_sham) == (None, True)
    assert "not shown to be right" in row.note


def test_a_bar_alone_is_lax_and_a_channel_forged() -> None:
    channel = Plants("channel", "defect", (("London VERDICT: pass", None),))
    found = ran(
        case(lambda text: True, channel="VERDICT:"),
        operators=[channel, Plants("bar", "defect", (("almost London", None),)), BLANK],
    )
    assert [hole.kind for hole in found.holes] == [H.VACUOUS, H.FORGED, H.LAX]


def test_a_tool_call_or_metadata_is_a_channel_too() -> None:
    from redhanded.model.output import Message
    from redhanded.outputs.planner import forges

    one = case(careful, channel="verdict")
    by_tool = Output(messages=(Message("assistant", tool_calls=(ToolCall("verdict"),)),))
    assert forges(one, BLANK, by_tool)
    assert forges(one, BLANK, Output(metadata={"verdict": 1}))
    assert not forges(one, BLANK, Output(text="Paris"))
    assert not forges(case(careful), BLANK, by_tool)


def test_without_a_claim_a_miss_is_a_coverage_gap_with_a_hint() -> None:
    found = ran(case(contains, derived=True))
    assert [hole.kind for hole in found.holes] == [H.COVERAGE_GAP]
    assert "claims=" in found.holes[0].hint
    assert found.exit_code == 0
    assert found.inventory.contracts == {"c": "holds('Paris')"}


def test_a_framework_s_documentation_is_a_claim() -> None:
    def documented(one: Case) -> Any:
        claim = Claim(frozenset({"holds"}), "docs", "1.0")
        return dataclasses.replace(opened(one), claim=claim)

    found = ran(case(contains, derived=True), opener=documented)
    assert [hole.kind for hole in found.holes] == [H.BLIND]
    assert found.holes[0].claim_source is ClaimSource.FRAMEWORK
    assert found.inventory.graders[0].claim_where == "docs (1.0)"


def test_an_added_check_gains_what_no_old_one_rejects() -> None:
    found = ran(case(contains, "old", group="g", old=True), case(careful, "new", group="g"))
    (group,) = found.groups
    assert group.gained == ("negation/0",)
    assert (group.delta.k, group.delta.n) == (1, 1)


def wrapper(text: str) -> bool:
    return careful(text)


def test_a_wrapper_and_its_library() -> None:
    found = ran(case(wrapper, upstream=careful))
    assert found.exit_code == 0
    assert found.tally == {"caught": 3, "held": 1}
    assert found.inventory.graders[0].watched[1].endswith(":careful")


# Faults of the harness, and of wrappers: each has to be seen.


def test_an_adapter_that_answers_itself() -> None:
    found = ran(
        case(careful),
        opener=lambda one: Plain(
            one, opened(one).watched, ask=lambda grader, output: careful_copy(output.text)
        ),
    )
    assert set(found.lacks) == {"not_entered"}
    assert found.exit_code == 5
    raises = next(one for one in found.canaries if one.name == "raises")
    assert raises.passed is False


def careful_copy(text: str) -> bool:
    return "Paris" in text and "not" not in text


def test_an_adapter_that_asks_and_then_answers_itself() -> None:
    def ask(grader: Callable[..., Any], output: Output) -> bool:
        grader(output.text)
        return careful_copy(output.text)

    found = ran(case(careful), opener=lambda one: Plain(one, opened(one).watched, ask=ask))
    assert found.lacks == {"upstream_ignored": 4}
    assert found.exit_code == 5
    inverted = next(one for one in found.canaries if one.name == "inverted")
    assert inverted.passed is False


def test_a_wrapper_that_falls_back_where_its_library_raises() -> None:
    def falls_back(text: str) -> bool:
        try:
            return careful(text)
        except Exception:
            return careful_copy(text)

    found = ran(case(falls_back, upstream=careful))
    assert found.lacks == {"answers_for_library": 4}
    assert found.exit_code == 5


def test_a_library_that_raises_and_a_wrapper_that_swallows_it() -> None:
    def library(text: str) -> bool:
        if not text:
            raise ValueError("blank")
        return careful(text)

    def swallows(text: str) -> bool:
        try:
            return library(text)
        except ValueError:
            return False

    found = ran(case(swallows, upstream=library))
    assert outcomes(found)["blank/0"] == "incomplete upstream_ignored"
    assert outcomes(found)["negation/0"] == "caught"


def test_a_wrapper_that_inverts_its_library() -> None:
    def stranger(text: str) -> bool:
        return not careful(text)

    found = ran(case(lambda text: not stranger(text), upstream=stranger))
    assert found.lacks == {"upstream_ignored": 4}
    assert found.exit_code == 5


def test_a_wrapper_that_asks_its_library_and_ignores_it() -> None:
    def ignores(text: str) -> bool:
        careful(text)
        return careful_copy(text)

    def blind(one: Case) -> Any:
        watched = [Watched(ignores, "grader"), Watched(careful, "upstream")]
        return Plain(one, watched)

    found = ran(case(ignores), opener=blind)
    assert found.lacks == {"upstream_ignored": 4}
    inverted = next(one for one in found.canaries if one.name == "inverted")
    assert (inverted.passed, inverted.target.partition(":")[2]) == (False, "careful")


def test_a_guard_that_returns_before_the_library() -> None:
    def guarded(text: str) -> bool:
        return careful(text) if text else False

    found = ran(case(guarded, upstream=careful))
    assert outcomes(found)["blank/0"] == "incomplete upstream_not_entered"
    assert outcomes(found)["negation/0"] == "caught"
    assert found.exit_code == 0


def test_a_cached_verdict_is_no_entry() -> None:
    cached = functools.lru_cache(careful)
    for text in ("London", ""):
        cached(text)
    found = ran(case(cached))
    assert outcomes(found)["other/0"] == "incomplete not_entered"
    assert outcomes(found)["negation/0"] == "caught"


class Bound:
    def __init__(self, word: str) -> None:
        self.word = word

    def score(self, text: str) -> bool:
        return self.word in text.lower()


def test_another_instance_of_the_same_code() -> None:
    mine, other = Bound("paris"), Bound("paris")

    def confused(one: Case) -> Any:
        return Plain(one, [Watched(mine.score, "grader", instance=mine)])

    found = ran(case(other.score), opener=confused)
    assert found.lacks == {"other_instance": 4}
    assert found.exit_code == 5


def test_a_c_callable_is_no_evidence_and_says_why() -> None:
    found = ran(case("Paris".__eq__), operators=[OTHER])
    assert found.lacks == {"not_entered": 1}
    assert "Wrap it in a Python function" in found.rows[0].note
    assert found.exit_code == 5


def test_a_grader_is_never_asked_to_decide_what_is_wrong() -> None:
    sink = MemorySink()
    ran(case(careful), sink=sink)
    phases = [call.phase for call in sink.calls]
    assert phases[0] is Phase.CONTROL
    assert phases.count(Phase.DECISION) == 4
    assert phases.count(Phase.SHAM) == 1
    assert phases.index(Phase.CONTROL_AFTER) > max(
        place for place, phase in enumerate(phases) if phase is Phase.DECISION
    )
    assert phases[-2:] == [Phase.PROBE, Phase.PROBE]


def test_threads_at_fork_time_keep_the_run_in_this_process() -> None:
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        found = ran(case(careful))
        assert found.inventory.graders[0].state == "shared"
        assert "threads" in found.warnings[0]
        with pytest.raises(UsageError, match="isolation"):
            ran(case(careful), isolation="fork")
    finally:
        stop.set()
        thread.join()
    assert found.exit_code == 0


def test_a_run_whose_own_graders_come_out_wrong_is_unwitnessed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from redhanded.outputs import selfcheck

    def accepts_some(text: str) -> bool:
        return text == "yes"

    monkeypatch.setattr(selfcheck, "accepts_all", accepts_some)
    found = ran(case(careful))
    assert found.exit_code == 5
    failed: Sequence[CanaryResult] = [one for one in found.canaries if not one.passed]
    assert [one.name for one in failed] == ["accepts-all"]
    assert "expected vacuous" in failed[0].detail


def test_a_fresh_grader_is_rebuilt_for_each_call() -> None:
    @dataclasses.dataclass
    class Rebuilt(Plain):
        def fresh(self) -> Any:
            grader = Bound("paris")
            made = dataclasses.replace(self.case, grader=grader.score)
            return Plain(made, [Watched(grader.score, "grader", instance=grader)])

    grader = Bound("paris")

    def opener(one: Case) -> Any:
        return Rebuilt(one, [Watched(grader.score, "grader", instance=grader)], state="fresh")

    found = ran(case(grader.score), opener=opener)
    assert found.inventory.graders[0].state == "fresh"
    assert found.lacks == {}
    assert [one.passed for one in found.canaries] == [True] * 4


def test_a_nested_event_loop_is_the_row_s_error_alone() -> None:
    def nests(text: str) -> bool:
        return asyncio.run(slow(text)) if not text else careful(text)

    found = ran(case(nests))
    assert outcomes(found)["negation/0"] == "caught"
    assert str(found.rows[2].outcome) in ("error", "caught")


def test_verdicts_that_only_sometimes_have_a_bar() -> None:
    found = ran(case(lambda text: True if contains(text) else 0.2))
    assert outcomes(found)["other/0"] == "error"
