"""Mutants as diffs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redhanded.model.mutant import Mutant, Position
from redhanded.report.diff import MOST_LINES, fits, one_line, printable, snippet, windowed


def planted(source: str, start: int, end: int, replacement: str) -> Mutant:
    """A mutant of a source whose lines end with line feeds."""

    def position(offset: int) -> Position:
        before = source[:offset]
        return Position(before.count("\n") + 1, offset - (before.rfind("\n") + 1))

    return Mutant(
        "id", "a.py", position(start), position(end), "op", source[start:end], replacement, "f",
        (1, 1),
    )  # fmt: skip


def between(source: str, original: str, replacement: str) -> Mutant:
    start = source.index(original)
    return planted(source, start, start + len(original), replacement)


def shown(mutant: Mutant, source: str | None) -> list[str]:
    return [f"{line.sign}{line.text}" for line in snippet(mutant, source)]


def test_one_line_with_its_difference_marked() -> None:
    source = "def f(a):\n    return a < 1\n"
    mutant = between(source, "<", "<=")
    before, after = snippet(mutant, source)
    assert (before.text, after.text) == ("return a < 1", "return a <= 1")
    assert after.mark is not None
    assert after.text[slice(*after.mark)] == "="


def test_lines_that_stay_are_not_shown() -> None:
    source = "x = [\n    1,\n    2,\n    3,\n]\n"
    mutant = between(source, "[\n    1,\n    2,\n    3,\n]", "[\n    1,\n    9,\n    3,\n]")
    assert shown(mutant, source) == ["-2,", "+9,"]


def test_a_deleted_statement_has_no_after() -> None:
    source = "def f():\n    log(\n        1)\n    return 2\n"
    assert shown(between(source, "log(\n        1)", ""), source) == ["-log(", "-    1)"]


def test_long_spans_say_what_they_leave_out() -> None:
    source = "x = [\n" + "".join(f"  {n},\n" for n in range(40)) + "]\n"
    lines = shown(between(source, source[4:-1], "[]"), source)
    assert lines[MOST_LINES // 2] == " … 30 lines …"
    assert lines[-1] == "+x = []"


def test_a_source_that_does_not_fit_is_not_used() -> None:
    source = "a = 1\nb = 2\n"
    mutant = between(source, "2", "3")
    assert shown(mutant, "a = 1\nb = 7\n") == ["-2", "+3"]
    assert shown(mutant, "a = 1\n") == ["-2", "+3"]
    assert shown(mutant, None) == ["-2", "+3"]
    assert fits(mutant, source)
    assert not fits(mutant, "a = 1\nb = 7\n")


def test_lines_end_where_python_ends_them() -> None:
    source = 'a = "\u2028\x0c"; b = 1\r\nc = 2\rd = 3\n'
    mutant = Mutant("i", "a.py", Position(3, 4), Position(3, 5), "op", "3", "4", "f", (3, 3))
    assert shown(mutant, source) == ["-d = 3", "+d = 4"]


def test_columns_are_characters() -> None:
    source = 'x = "äöü", 1 < 2\n'
    assert shown(between(source, "<", ">"), source) == ['-x = "äöü", 1 < 2', '+x = "äöü", 1 > 2']


@pytest.mark.parametrize(
    ("original", "replacement", "told"),
    [
        ("<", "<=", "< → <="),
        ("a\n   + b", "a - b", "a + b → a - b"),
        ("not ", "", "without not"),
        ("", "not ", "with not"),
    ],
)
def test_in_one_line(original: str, replacement: str, told: str) -> None:
    mutant = Mutant(
        "i", "a", Position(1, 0), Position(1, 1), "o", original, replacement, "f", (1, 1)
    )
    assert one_line(mutant) == told


@given(st.text(), st.text(), st.integers(24, 100))
def test_one_line_is_short_and_printable(original: str, replacement: str, width: int) -> None:
    mutant = Mutant(
        "i", "a", Position(1, 0), Position(1, 1), "o", original, replacement, "f", (1, 1)
    )
    told = one_line(mutant, width)
    assert len(told) <= width + 8
    assert told.isprintable()


@given(st.text(), st.integers(5, 60), st.data())
def test_a_window_keeps_the_focus(text: str, width: int, data: st.DataObject) -> None:
    focus = data.draw(st.integers(0, max(0, len(text) - 1)))
    cut = windowed(text, width, focus)
    assert len(cut) == min(len(text), width)
    if len(text) > width:
        inner = cut.removeprefix("…").removesuffix("…")
        assert inner in text
        assert len(inner) >= width - 2


def test_tabs_are_spaces() -> None:
    source = "if a:\n\tif b:\n\t\tc = 1\n"
    assert shown(between(source, "if b:\n\t\tc = 1", "if 0:\n\t\tc = 2"), source) == [
        "-if b:",
        "-    c = 1",
        "+if 0:",
        "+    c = 2",
    ]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_nothing_for_the_terminal_to_obey(text: str) -> None:
    assert printable(text).isprintable()


@given(
    st.lists(st.sampled_from(["a", " b", "", "    c = 1", "é"]), min_size=1, max_size=6).map(
        "\n".join
    ),
    st.data(),
)
def test_a_snippet_tells_a_change_where_there_is_one(source: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, len(source)))
    replacement = data.draw(st.sampled_from(["", "x", "y\nz", "  "]))
    mutant = planted(source, start, end, replacement)
    assert fits(mutant, source)
    changed = source[:start] + replacement + source[end:]
    if changed.split() != source.split():
        signs = {line.sign for line in snippet(mutant, source)}
        assert signs & {"-", "+"}
