"""What the contracts of trajectories and of tool policies rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redhanded.errors import UsageError
from redhanded.model.output import Message, Output, ToolCall
from redhanded.outputs.contract.base import Finding, Ruling
from redhanded.outputs.contract.meaning import answer
from redhanded.outputs.contract.text import Exact
from redhanded.outputs.contract.tools import Trajectory, tool_policy, trajectory

NAMES = st.sampled_from("abc")
ARGUMENTS = st.dictionaries(st.sampled_from("xy"), st.sampled_from([0, 1, True, "1", None]))
CALLS = st.lists(st.builds(ToolCall, NAMES, ARGUMENTS), min_size=1, max_size=5)


def done(calls: Sequence[ToolCall], text: str = "Done.") -> Output:
    made = (Message("assistant", "", (call,)) for call in calls)
    return Output(text, messages=(*made, Message("assistant", text)))


def ruled(contract: Any, calls: Sequence[ToolCall], text: str = "Done.") -> Finding:
    found: Finding = contract.rule(done(calls, text))
    return found


def same(one: ToolCall, other: ToolCall) -> bool:
    return repr((one.name, sorted(one.arguments.items(), key=repr))) == repr(
        (other.name, sorted(other.arguments.items(), key=repr))
    )


@given(CALLS)
def test_the_expected_calls_are_right(calls: list[ToolCall]) -> None:
    for more in ({}, {"order": False}, {"extras": True}, {"arguments": "subset"}):
        assert ruled(trajectory(calls, **more), calls).ruling is Ruling.RIGHT


@given(CALLS, CALLS)
def test_calls_are_right_only_where_they_are_the_expected_ones(
    expected: list[ToolCall], calls: list[ToolCall]
) -> None:
    equal = len(expected) == len(calls) and all(map(same, expected, calls))
    finding = ruled(trajectory(expected), calls)
    assert finding.ruling is (Ruling.RIGHT if equal else Ruling.WRONG)


@given(CALLS, st.randoms(use_true_random=False))
def test_order(calls: list[ToolCall], random: Any) -> None:
    other = list(calls)
    random.shuffle(other)
    assert ruled(trajectory(calls, order=False), other).ruling is Ruling.RIGHT
    finding = ruled(trajectory(calls), other)
    if all(map(same, calls, other)):
        assert finding.ruling is Ruling.RIGHT
    else:
        assert (finding.ruling, finding.bar) == (Ruling.WRONG, "order")
        assert finding.kinds == ("trajectory.order",)


@given(CALLS, st.integers(0, 5), st.booleans())
def test_an_extra_call_is_wrong_where_it_is_not_allowed(
    calls: list[ToolCall], place: int, order: bool
) -> None:
    more = [*calls[:place], ToolCall("z"), *calls[place:]]
    assert ruled(trajectory(calls, order=order, extras=True), more).ruling is Ruling.RIGHT
    finding = ruled(trajectory(calls, order=order), more)
    assert (finding.ruling, finding.bar) == (Ruling.WRONG, "extras")


@given(CALLS, st.data())
def test_a_missing_call_is_wrong_whatever_else_is_there(
    calls: list[ToolCall], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(calls) - 1))
    fewer = [*calls[:place], *calls[place + 1 :], ToolCall("z")]
    for order in (True, False):
        for extras in (True, False):
            finding = ruled(trajectory(calls, order=order, extras=extras), fewer)
            assert (finding.ruling, finding.bar) == (Ruling.WRONG, None)


def test_arguments() -> None:
    expected = ToolCall("a", {"x": {"y": 1, "z": [1]}, "n": 1})
    cases: list[tuple[dict[str, Any], str]] = [
        ({"x": {"y": 1, "z": [1]}, "n": 1.0}, "esn"),
        ({"x": {"y": 1, "z": [1]}, "n": True}, "n"),
        ({"x": {"y": 1, "z": [1], "w": 0}, "n": 1, "m": 2}, "sn"),
        ({"x": {"y": 1, "z": [1, 2]}, "n": 1}, "n"),
        ({"x": {"y": 1}, "n": 1}, "n"),
        ({}, "n"),
    ]
    for arguments, right in cases:
        for mode in ("exact", "subset", "names"):
            finding = ruled(trajectory([expected], arguments=mode), [ToolCall("a", arguments)])
            assert (finding.ruling is Ruling.RIGHT) is (mode[0] in right), (arguments, mode)
            if finding.ruling is Ruling.WRONG:
                assert finding.kinds == ("trajectory.arguments",)
                assert finding.bar is None


def test_arguments_that_are_no_data_are_unknown() -> None:
    finding = ruled(trajectory([ToolCall("a", {"x": 1})]), [ToolCall("a", {"x": {1}})])
    assert finding.ruling is Ruling.UNKNOWN


def test_bare_names_leave_arguments_free() -> None:
    assert trajectory(["a", "b"]).arguments == "names"
    assert trajectory(["a", {"name": "b", "arguments": {"x": 1}}]).arguments == "exact"


def test_a_failed_call_is_not_made() -> None:
    failed = ToolCall("a", error="timed out")
    call = ToolCall("a")
    finding = ruled(trajectory([call]), [failed])
    assert (finding.ruling, finding.kinds) == (Ruling.WRONG, ("trajectory.failures",))
    assert "timed out" in finding.why
    assert ruled(trajectory([call], failures=True), [failed]).ruling is Ruling.RIGHT
    assert ruled(trajectory([call], extras=True), [failed, call]).ruling is Ruling.RIGHT
    assert ruled(trajectory(["a"]), [failed]).ruling is Ruling.RIGHT
    assert ruled(trajectory(["a"], failures=False), [failed]).ruling is Ruling.WRONG


def test_calls_of_one_message_have_no_order() -> None:
    def made(*groups: str) -> Output:
        return Output(
            "Done.",
            messages=tuple(
                Message("assistant", "", tuple(ToolCall(name) for name in group))
                for group in groups
            ),
        )

    contract = trajectory("abc")
    assert contract.rule(made("abc")).ruling is Ruling.RIGHT
    assert contract.rule(made("cab")).ruling is Ruling.UNKNOWN
    assert contract.rule(made("ba", "c")).ruling is Ruling.UNKNOWN
    assert contract.rule(made("ab", "c")).ruling is Ruling.RIGHT
    assert contract.rule(made("ac", "b")).bar == "order"
    assert contract.rule(made("bad", "c")).ruling is Ruling.WRONG
    assert trajectory("aba").rule(made("a", "ab")).ruling is Ruling.UNKNOWN


def test_a_side_effect_happens_once() -> None:
    twice = [ToolCall("a"), ToolCall("b"), ToolCall("a", {"x": 1})]
    free = trajectory(["a", "b"], extras=True)
    assert ruled(free, twice).ruling is Ruling.RIGHT
    finding = ruled(trajectory(["a", "b"], extras=True, once=["a"]), twice)
    assert (finding.ruling, finding.bar) == (Ruling.WRONG, None)
    assert finding.kinds == ("trajectory.repeats",)
    again = ruled(trajectory(["a", "b"]), twice)
    assert again.bar == "extras"
    assert set(again.kinds) == {"trajectory.extras", "trajectory.repeats"}


def test_the_share_that_has_to_be_made() -> None:
    calls = [ToolCall(name) for name in "abcd"]
    half = trajectory("abcd", threshold=0.5, failures=False)
    assert ruled(half, calls[:2]).ruling is Ruling.RIGHT
    finding = ruled(half, calls[:1])
    assert (finding.ruling, finding.bar) == (Ruling.WRONG, "threshold")
    assert ruled(half, calls[::-1]).bar == "order"
    wrong_try = [*calls[:2], ToolCall("c", error="no")]
    assert ruled(half, wrong_try).ruling is Ruling.RIGHT


def test_the_final_answer() -> None:
    contract = trajectory(["a"], final=Exact("Done."))
    assert ruled(contract, [ToolCall("a")]).ruling is Ruling.RIGHT
    finding = ruled(contract, [ToolCall("a")], "Not done.")
    assert finding.ruling is Ruling.WRONG
    assert finding.kinds == ("trajectory.final", "exact")
    assert finding.part == "text"
    meant = trajectory(["a"], final=answer("Paris"))
    assert ruled(meant, [ToolCall("a")], "Well, perhaps.").ruling is Ruling.UNKNOWN
    assert ruled(meant, [], "Well, perhaps.").ruling is Ruling.WRONG


@pytest.mark.parametrize(
    "name", ["rm", "RM", "functions.rm", "server__rm", "mcp.server/rm", "mcp__fs__Rm", "a:rm"]
)
def test_a_denied_tool_is_denied_under_any_namespace(name: str) -> None:
    finding = ruled(tool_policy(denied=["rm"]), [ToolCall("search"), ToolCall(name)])
    assert finding.ruling is Ruling.WRONG
    assert name in finding.why


@pytest.mark.parametrize("name", ["mcp_fs_rm", "rm_file", "rm-rf", "doRm"])
def test_whether_another_name_is_the_denied_tool_is_unknown(name: str) -> None:
    assert ruled(tool_policy(denied=["rm"]), [ToolCall(name)]).ruling is Ruling.UNKNOWN


@pytest.mark.parametrize("name", ["confirm", "rmdir", "search", "functions.search", "warm__up"])
def test_other_tools_may_be_called(name: str) -> None:
    assert ruled(tool_policy(denied=["rm"]), [ToolCall(name)]).ruling is Ruling.RIGHT


def test_a_denied_name_with_a_namespace() -> None:
    policy = tool_policy(denied=["fs.delete"])
    wanted = {"fs.delete": "wrong", "mcp__fs__delete": "wrong", "delete": "unknown",
              "db.delete": "unknown", "fs.read": "right"}  # fmt: skip
    found = {name: ruled(policy, [ToolCall(name)]).ruling.value for name in wanted}
    assert found == wanted


def test_only_allowed_tools() -> None:
    policy = tool_policy(allowed=["search"])
    wanted = {"search": "right", "Search": "unknown", "evil__search": "unknown", "rm": "wrong"}
    found = {name: ruled(policy, [ToolCall(name)]).ruling.value for name in wanted}
    assert found == wanted
    assert ruled(policy, []).ruling is Ruling.RIGHT


def test_a_wrong_call_counts_before_an_unknown_one() -> None:
    policy = tool_policy(denied=["rm"])
    assert ruled(policy, [ToolCall("rm_file"), ToolCall("rm")]).ruling is Ruling.WRONG


def test_what_can_not_be_declared() -> None:
    for declare in (
        lambda: trajectory(["a"], arguments="all"),  # type: ignore[arg-type]
        lambda: trajectory(["a"], threshold=0),
        lambda: trajectory([], extras=True),
        lambda: trajectory([3]),  # type: ignore[list-item]
        tool_policy,
    ):
        with pytest.raises(UsageError, match="expected"):
            declare()


@pytest.mark.parametrize(
    ("contract", "code"),
    [
        (trajectory(["a"]), "rh.trajectory(['a'])"),
        (trajectory(["a"], arguments="exact"), "rh.trajectory(['a'], arguments='exact')"),
        (trajectory(["a"], failures=False), "rh.trajectory(['a'], failures=False)"),
        (
            trajectory([ToolCall("a", {"x": 1})], order=False, extras=True, once="a",
                       failures=True, threshold=0.5, final=Exact("y")),
            "rh.trajectory([rh.ToolCall('a', {'x': 1})], order=False, extras=True, once=['a'], "
            "failures=True, threshold=0.5, final=rh.exact('y'))",
        ),
    ],
)  # fmt: skip
def test_its_code_says_all_that_was_declared(contract: Trajectory, code: str) -> None:
    assert contract.code() == code
    assert tool_policy(denied=["a"], allowed=["b"]).code() == (
        "rh.tool_policy(denied=['a'], allowed=['b'])"
    )
