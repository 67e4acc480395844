"""Mutants of a file: names, order, scope, and what becomes of each."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from redhanded_worker.mutants import FileMutants, apply
from redhanded_worker.operators import ALL, by_name

REAL = ("textwrap", "shlex")


def text_of(name: str) -> str:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).read_text(encoding="utf-8")


def plan(text: str, *names: str, **options: Any) -> list[dict[str, Any]]:
    mutants, refused = FileMutants("pkg/m.py", text, **options).all(
        by_name(names) if names else ALL
    )
    assert refused == []
    return mutants


@pytest.fixture(scope="module", params=REAL)
def real(request: pytest.FixtureRequest) -> tuple[str, list[dict[str, Any]]]:
    text = text_of(request.param)
    return text, plan(text)


Real = tuple[str, list[dict[str, Any]]]


def test_each_span_is_where_it_says_it_is(real: Real) -> None:
    text, mutants = real
    lines = text.split("\n")
    for mutant in mutants:
        start, end = mutant["start"], mutant["end"]
        if start["line"] == end["line"]:
            original = lines[start["line"] - 1][start["column"] : end["column"]]
        else:
            parts = [lines[start["line"] - 1][start["column"] :]]
            parts += lines[start["line"] : end["line"] - 1]
            parts.append(lines[end["line"] - 1][: end["column"]])
            original = "\n".join(parts)
        assert original == mutant["original"] != mutant["replacement"]


def test_nearly_all_are_viable(real: Real) -> None:
    _, mutants = real
    counts = Counter(mutant["viability"] for mutant in mutants)
    assert len(mutants) > 100
    assert counts["unviable"] * 100 < len(mutants), counts
    assert counts["viable"] * 100 > len(mutants) * 95, counts


def test_what_is_told_of_viability_is_so(real: Real) -> None:
    text, mutants = real
    ids = {mutant["id"]: mutant for mutant in mutants}
    for mutant in mutants[::17]:
        changed = apply(text, mutant["start"], mutant["end"], mutant["replacement"])
        if mutant["viability"] == "unviable":
            assert mutant["reason"]
            with pytest.raises(SyntaxError):
                compile(changed, "<mutant>", "exec", dont_inherit=True)
        else:
            assert mutant["reason"] is None
            compile(changed, "<mutant>", "exec", dont_inherit=True)
        if mutant["viability"] == "duplicate":
            assert ids[mutant["duplicate_of"]]["viability"] == "viable"
        else:
            assert mutant["duplicate_of"] is None


def test_names_are_unique_and_the_order_is_told(real: Real) -> None:
    _, mutants = real
    assert len({mutant["id"] for mutant in mutants}) == len(mutants)
    places = [
        (*m["start"].values(), *m["end"].values(), m["operator"], m["replacement"]) for m in mutants
    ]
    assert places == sorted(places)


def test_names_and_verdicts_stay_when_something_is_added_above(real: Real) -> None:
    text, mutants = real
    head = "def unrelated(x, y=2):\n    return x + 1 if x else 'é'\n\n\n"
    # In front of a docstring that is one no more: the file's first text.
    later = {mutant["id"]: mutant for mutant in plan(head + text)}
    for mutant in mutants:
        moved = later[mutant["id"]]
        assert moved["start"]["line"] == mutant["start"]["line"] + 4
        assert {k: moved[k] for k in ("operator", "original", "replacement", "viability")} == {
            k: mutant[k] for k in ("operator", "original", "replacement", "viability")
        }


def test_names_do_not_depend_on_scope_selection_or_kinds(real: Real) -> None:
    text, mutants = real
    middle = text.count("\n") // 2
    scoped = plan(text, lines=[[middle, middle + 40]], families_off=["logging", "repr"])
    assert scoped
    ids = {mutant["id"] for mutant in mutants}
    assert {mutant["id"] for mutant in scoped} < ids
    assert {mutant["id"] for mutant in plan(text, "comparison")} < ids


def test_the_places_lie_in_the_file(real: Real) -> None:
    text, mutants = real
    for mutant in mutants:
        first, last = mutant["lines"]
        assert 1 <= first <= last <= text.count("\n") + 1
        assert first <= mutant["start"]["line"] or first <= mutant["end"]["line"]
        assert mutant["static"] or mutant["function"] != "<module>" or "lambda" in text


def ids(mutants: list[dict[str, Any]]) -> list[str]:
    return [mutant["id"] for mutant in mutants]


def test_a_name_depends_on_what_is_changed_and_where() -> None:
    text = "def f(x):\n    return x + 1\n"
    (one,) = ids(plan(text, "arithmetic"))
    assert len(one) == 12
    assert int(one, 16) >= 0
    assert ids(plan("# more\n\n" + text, "arithmetic")) == [one]
    assert ids(plan(text.replace("x + 1", "y + 2"), "arithmetic")) == [one]
    assert ids(plan(text.replace("f(", "g("), "arithmetic")) != [one]
    assert ids(plan(text.replace("+", "-"), "arithmetic")) != [one]
    mutants, _ = FileMutants("pkg/n.py", text).all(by_name(["arithmetic"]))
    assert ids(mutants) != [one]


def test_equals_are_told_apart_by_their_order() -> None:
    first, second = plan("def f(x):\n    return (x + 1) * (x + 2)\n", "arithmetic-operator")[::2]
    assert first["original"] == second["original"] == "+"
    assert first["id"] != second["id"]
    (alone,) = plan("def f(x):\n    return x + 1\n", "arithmetic-operator")
    assert alone["id"] == first["id"]
    # The order of the text, which isn't that of the tree.
    found = plan("def f(x):\n    return x + 1 if x + 2 else 3\n", "arithmetic-operator")
    assert found[0]["start"]["column"] < found[1]["start"]["column"]
    assert found[0]["id"] == first["id"]


def test_columns_are_counted_in_characters() -> None:
    text = "é = 'ä€𝄞' ; ö = é < 'ß'\n"
    mutants = plan(text, "comparison-boundary")
    assert [m["start"] for m in mutants] == [{"line": 1, "column": text.index("<")}]
    changed = apply(text, mutants[0]["start"], mutants[0]["end"], mutants[0]["replacement"])
    assert changed == text.replace("<", "<=")


def test_an_edit_over_several_lines() -> None:
    text = "x = [\n    1,\n    2,\n]\n"
    (mutant,) = plan(text, "container-emptied")
    assert mutant["start"] == {"line": 1, "column": 4}
    assert mutant["end"] == {"line": 4, "column": 1}
    assert apply(text, mutant["start"], mutant["end"], mutant["replacement"]) == "x = []\n"


SCOPE = "x = a < b\ny = [\n    c < d,\n    1,\n]\nz = e < f\n"


@pytest.mark.parametrize(
    ("lines", "originals"),
    [
        (None, ["<", "[\n    c < d,\n    1,\n]", "<", "<"]),
        ([], []),
        ([[1, 1]], ["<"]),
        ([[4, 4]], ["[\n    c < d,\n    1,\n]"]),
        ([[3, 5]], ["[\n    c < d,\n    1,\n]", "<"]),
        ([[1, 1], [6, 6]], ["<", "<"]),
        ([[5, 900]], ["[\n    c < d,\n    1,\n]", "<"]),
    ],
)
def test_a_mutant_is_in_scope_if_its_span_touches_a_line_in_scope(
    lines: list[list[int]] | None, originals: list[str]
) -> None:
    mutants = plan(SCOPE, "comparison-boundary", "container-emptied", lines=lines)
    assert [mutant["original"] for mutant in mutants] == originals


def test_marked_lines_are_left_alone_as_base_has_them() -> None:
    text = "x = a < b\ny = c < d  # pragma: no mutate\nz = [\n    1,  # pragma: no mutate\n]\n"
    planned = FileMutants("pkg/m.py", text)
    assert planned.ignored_pragmas == []
    mutants, _ = planned.all(by_name(["comparison-boundary", "container-emptied"]))
    assert [mutant["start"]["line"] for mutant in mutants] == [1]
    planned = FileMutants("pkg/m.py", text, base=text.replace("y = c < d  #", "y = c  #"))
    assert planned.ignored_pragmas == ["pkg/m.py:2"]
    mutants, _ = planned.all(by_name(["comparison-boundary", "container-emptied"]))
    assert [mutant["start"]["line"] for mutant in mutants] == [1, 2]


def test_verdicts() -> None:
    text = "def f(x):\n    return (x + 1)\ndef g(x):\n    return [x, 1]\n"
    spans = [
        change(text, "x + 1", "x + 1 "),
        change(text, "x + 1", "x +"),
        change(text, "x + 1", "x + 2"),
        change(text, "x + 1", "x  + 2"),
        change(text, "[x, 1]", "[x, 2]"),
    ]
    mutants, refused = FileMutants("m.py", text).all((), spans)
    assert refused == []
    told = {mutant["replacement"]: mutant for mutant in mutants}
    assert {new: mutant["viability"] for new, mutant in told.items()} == {
        "x + 1 ": "equivalent",
        "x +": "unviable",
        "x + 2": "duplicate",
        "x  + 2": "viable",
        "[x, 2]": "viable",
    }
    assert told["x + 2"]["duplicate_of"] == told["x  + 2"]["id"]
    assert told["x +"]["reason"] == "SyntaxError: invalid syntax"
    assert [mutant["replacement"] for mutant in mutants[:4]] == ["x  + 2", "x +", "x + 1 ", "x + 2"]


def change(text: str, part: str, replacement: str, **more: str) -> dict[str, Any]:
    """The span of the first ``part`` of a text."""
    start = text.index(part)
    return {"start": place(text, start), "end": place(text, start + len(part)),
            "replacement": replacement, **more}  # fmt: skip


def place(text: str, offset: int) -> dict[str, int]:
    before = text[:offset]
    return {"line": before.count("\n") + 1, "column": offset - (before.rfind("\n") + 1)}


def test_a_span_from_elsewhere_is_told_like_our_own() -> None:
    text = "class C:\n    def f(self, x):\n        return x < 1\n"
    (own,) = plan(text, "comparison-boundary")
    span = change(text, "<", "<=", operator="comparison-boundary")
    mutants, _ = FileMutants("pkg/m.py", text).all((), [span])
    assert mutants == [own]
    assert own["function"] == "C.f"
    assert own["lines"] == [3, 3]
    # A wider span is where it changes something.
    mutants, _ = FileMutants("pkg/m.py", text).all((), [change(text, text, text.replace("1", "2"))])
    assert mutants[0]["operator"] == "given"
    assert mutants[0]["original"] == text
    assert (mutants[0]["function"], mutants[0]["lines"]) == ("C.f", [3, 3])
    assert not mutants[0]["static"]


def test_spans_from_elsewhere_know_no_scope_and_stand_beside_our_own() -> None:
    text = "x = a < b\ny = 'a'  # pragma: no mutate\n"
    spans = [change(text, "<", "<="), change(text, "'a'", "'b'"), change(text, "<", "<=")]
    planned = FileMutants("m.py", text, lines=[[1, 1]])
    mutants, _ = planned.all(by_name(["comparison-boundary"]), spans)
    assert [(m["operator"], m["viability"]) for m in mutants] == [
        ("comparison-boundary", "viable"),
        ("given", "duplicate"),
        ("given", "duplicate"),
        ("given", "viable"),
    ]
    assert len(set(ids(mutants))) == 4


@pytest.mark.parametrize(
    ("start", "end", "why"),
    [
        ((3, 0), (3, 0), "expected a line from 1 to 2, found line 3, column 0"),
        ((0, 0), (1, 0), "expected a line from 1 to 2, found line 0, column 0"),
        ((1, 0), (1, 6), "expected a column from 0 to 5, found line 1, column 6"),
        ((1, -1), (1, 0), "expected a column from 0 to 5, found line 1, column -1"),
        ((1, 3), (1, 2), "expected a span that ends after it starts, found one from line 1, "
                         "column 3 to line 1, column 2"),
    ],
)  # fmt: skip
def test_spans_outside_the_file_are_refused(
    start: tuple[int, int], end: tuple[int, int], why: str
) -> None:
    span = {"start": {"line": start[0], "column": start[1]},
            "end": {"line": end[0], "column": end[1]}, "replacement": ""}  # fmt: skip
    text = "x = 1\n"
    mutants, refused = FileMutants("m.py", text).all((), [span, change(text, "1", "2")])
    assert [mutant["replacement"] for mutant in mutants] == ["2"]
    assert refused == [why]


def test_string_only_is_told() -> None:
    told = {m["operator"]: m["string_only"] for m in plan("x = f('a', 1)\n")}
    assert told["integer-incremented"] is False
    assert any(told.values())
