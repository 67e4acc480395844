import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from redhanded.errors import UsageError
from redhanded.model.output import Output
from redhanded.outputs.contract.base import VARIATIONS, AllOf, Contract, Ruling
from redhanded.outputs.contract.text import contains, exact, near, pattern

WORDS = st.text(alphabet="abcXYZ ß-+#", min_size=1, max_size=12).filter(lambda text: text.strip())


def ruled(contract: Contract, text: str) -> Ruling:
    return contract.rule(Output(text=text)).ruling


@settings(deadline=None)
@given(WORDS)
def test_exact_is_itself(text: str) -> None:
    assert ruled(exact(text), text) is Ruling.RIGHT


@settings(deadline=None)
@given(WORDS, WORDS)
def test_exact_is_wrong_for_what_no_kind_reader_takes_for_the_same(text: str, other: str) -> None:
    assume(near(text) != near(other))
    assert ruled(exact(text, ignore=("case", "whitespace")), other) is Ruling.WRONG


@settings(deadline=None)
@given(WORDS)
def test_exact_keeps_what_it_ignores(text: str) -> None:
    contract = exact(text, ignore=("case", "whitespace", "fence", "article"))
    assert ruled(contract, f"  {text.upper()}\n") is Ruling.RIGHT
    assert ruled(contract, f"```\n{text}\n```") is Ruling.RIGHT
    assert contract.varies == {"case", "whitespace", "fence", "article"} <= VARIATIONS


@pytest.mark.parametrize("found", ["paris", "Paris.", " Paris", '"Paris"'])
def test_exact_cannot_tell_a_slip_of_spelling(found: str) -> None:
    assert ruled(exact("Paris"), found) is Ruling.UNKNOWN


@pytest.mark.parametrize("found", ["", "C", "C#", "Parisian", "The answer is C++"])
def test_exact_is_wrong_by_what_carries_meaning(found: str) -> None:
    assert ruled(exact("C++", ignore=("case",)), found) is Ruling.WRONG


def test_exact_leaves_data_alone() -> None:
    assert exact("1").rule(Output(text="1", value=1)).ruling is Ruling.UNKNOWN
    assert exact("1").rule(Output(value="1")).ruling is Ruling.RIGHT


def test_contains_reads_as_text() -> None:
    contract = contains("approved", forbids=("not approved",))
    assert ruled(contract, "was approved") is Ruling.RIGHT
    assert ruled(contract, "was not approved") is Ruling.WRONG
    assert ruled(contract, "was rejected") is Ruling.WRONG
    assert ruled(contract, "was Approved") is Ruling.UNKNOWN
    assert ruled(contains("Paris"), "Parisian") is Ruling.RIGHT
    assert ruled(contains("Paris", words=True), "Parisian") is Ruling.WRONG
    assert ruled(contains("Paris", ignore="case"), "paris") is Ruling.RIGHT


@settings(deadline=None)
@given(WORDS, WORDS, WORDS)
def test_contains_stands_amid_anything(before: str, needle: str, after: str) -> None:
    assert ruled(contains(needle), before + needle + after) is Ruling.RIGHT


def test_pattern() -> None:
    assert ruled(pattern(r"^\d{3}$"), "123") is Ruling.RIGHT
    assert ruled(pattern(r"\d{3}", full=True), "1234") is Ruling.WRONG
    assert ruled(pattern("PARIS", flags=re.I), "paris") is Ruling.RIGHT


@pytest.mark.parametrize(
    "code",
    [
        "rh.exact('x')",
        "rh.exact('x', ignore=('case', 'whitespace'))",
        "rh.contains('a', 'b', forbids=('c',), words=True)",
        r"rh.pattern('\\d', full=True, flags=2)",
    ],
)
def test_code_gives_back_the_contract(code: str) -> None:
    from redhanded.outputs.contract import text as module

    contract = eval(code, {"rh": module})
    assert contract.code() == code


def test_mistakes_are_told() -> None:
    with pytest.raises(UsageError, match="ignore= knows"):
        exact("x", ignore="spelling")
    with pytest.raises(UsageError, match="aren't empty"):
        contains("")
    with pytest.raises(UsageError, match="needs a text"):
        contains()
    with pytest.raises(UsageError, match="regular expression"):
        pattern("(")


def test_a_pattern_beside_others_judges_each_spelling_by_itself() -> None:
    """It takes no freedom away beforehand; the other contracts' freedom stands."""
    both = AllOf((exact("Paris", ignore=("case", "whitespace")), pattern("Paris")))
    assert both.varies == exact("Paris", ignore=("case", "whitespace")).varies
    assert ruled(both, " Paris ") is Ruling.RIGHT
    assert ruled(both, "paris") is Ruling.WRONG
    assert AllOf((pattern("x"),)).varies == pattern("x").varies
