"""What a person reads in a terminal."""

from __future__ import annotations

import io

import msgspec
import pytest
from rich.console import Console

from redhanded.model.result import Control, RealDefect
from redhanded.report.page import Options
from redhanded.report.terminal import render
from tests import samples
from tests.report.pictures import compare, terminal

replace = msgspec.structs.replace


def test_delta_in_80_columns() -> None:
    text = terminal(samples.result())
    compare("delta-80.txt", text)
    assert max(map(len, text.splitlines())) <= 80
    assert all(line == line.rstrip() for line in text.splitlines())


def test_delta_with_everything_in_120_columns() -> None:
    compare("delta-120-all.txt", terminal(samples.result(), 120, show_all=True))


def test_tests_in_80_columns() -> None:
    compare("tests-80.txt", terminal(samples.suite_result()))


def test_tests_with_the_whole_matrix() -> None:
    text = terminal(samples.suite_result(matrix=True))
    compare("tests-80-matrix.txt", text)
    assert "1 test kills nothing: tests/test_cart.py::test_import\n" in text


def test_brief() -> None:
    compare("delta-80-brief.txt", terminal(samples.result(), brief=True))


def test_the_first_ten_lines_give_the_answer() -> None:
    top = "\n".join(terminal(samples.result()).splitlines()[:10])
    for told in ("main~1", "Reference    0.333", "Delta        0.333", "these tests kill 3"):
        assert told in " ".join(top.split("\n             "))
    assert top.index("Reference") < top.index("Delta")


def test_what_was_not_measured_is_unavailable() -> None:
    result = samples.result(
        reference=samples.cohort(label="reference: empty"),
        candidate=samples.cohort(),
        delta=samples.delta_result(
            value=None,
            reading="nothing was left to gain",
            without_crash_only=None,
            free=0,
            minimal_gain=(),
            dominators_open=None,
            unavailable="nothing was left to gain",
            real_defect=RealDefect(None, (), "base's source can't be imported"),
        ),
    )
    lines = terminal(result).splitlines()
    told = [line for line in lines if line.startswith(("Reference", "Delta", "Real", "  "))]
    assert told[1] == "Reference    unavailable   killed / tried   (reference: empty)".replace(
        "killed / tried", "0 killed / 0 tried"
    )
    assert told[2].startswith("Delta        unavailable   ")
    assert told[3] == "             Nothing was left to gain"
    assert "Unavailable" not in "".join(lines)
    assert "Real defect  unavailable: base's source can't be imported" in lines
    scores = [line for line in lines if line.startswith(("  reference ", "  candidate "))]
    assert [line.split()[-1] for line in scores] == ["unavailable", "unavailable"]


def test_an_aborted_run_has_no_score() -> None:
    text = terminal(samples.result(complete=False))
    assert "ABORTED      the run was stopped: it has no score\n" in text


def test_a_real_defect_that_passes_is_told() -> None:
    missed = RealDefect(False, (), "base's source passes all new tests")
    text = terminal(samples.result(delta=samples.delta_result(real_defect=missed)))
    assert "Real defect  NOT caught: base's source passes all new tests\n" in text


def test_failed_controls_are_named() -> None:
    failed = Control("canary", "candidate", samples.FILE, False, "the canary was not entered")
    text = terminal(samples.result(controls=(failed,)), 120)
    assert "0 of 1 passed (canary 1)" in text
    assert (
        "             not passed: canary (candidate src/shop/cart.py): the canary was not entered\n"
        in text
    )


@pytest.mark.parametrize("show_all", [False, True])
def test_nothing_is_hidden_silently(show_all: bool) -> None:
    gained = samples.MUTANTS[0]
    alive = samples.MUTANTS[1]
    text_only = samples.MUTANTS[3]
    many = tuple(
        replace(m, id=f"{n:03}")
        for n, m in enumerate([gained] * 20 + [alive] * 30 + [text_only] * 9)
    )
    test = samples.result().tests[4]
    tests = tuple(replace(test, id=f"tests/test_many.py::test_{n:03}") for n in range(40))
    result = samples.result(
        mutants=many, tests=tests, warnings=tuple(f"warning {n}" for n in range(20))
    )
    text = terminal(result, show_all=show_all)
    lines = text.splitlines()
    more = [line.strip() for line in lines if "more (--all)" in line]
    shown = (
        sum("  < → <=  by" in line for line in lines),
        sum("compare-boundary, 3 tests ran it" in line for line in lines),
        sum("string, 1 test ran it" in line for line in lines),
        sum("test_0" in line and "green" in line for line in lines),
        sum(line.startswith("  warning") for line in lines),
    )
    if show_all:
        assert shown == (20, 30, 9, 40, 20)
        assert more == []
    else:
        assert shown == (8, 8, 3, 15, 8)
        assert [int(line.split()[2]) for line in more] == [25, 12, 22, 6, 13]


def test_hostile_text_is_shown_not_obeyed() -> None:
    mutant = replace(
        samples.MUTANTS[1],
        id="x",
        original="\x1b[2J",
        replacement="[red]a[/red]\u202e",
        file="x.py",
    )
    text = terminal(samples.result(mutants=(mutant,)))
    assert "    - \\x1b[2J\n    + [red]a[/red]\\u202e\n" in text


def test_no_colour_where_it_is_no_terminal_and_some_where_it_is() -> None:
    assert "\x1b" not in terminal(samples.result())
    screen = Console(file=io.StringIO(), force_terminal=True, color_system="standard", _environ={})
    render(samples.result(), screen, Options())
    assert isinstance(screen.file, io.StringIO)
    assert "\x1b[32m" in screen.file.getvalue()


def test_narrow() -> None:
    text = terminal(samples.result(), 40)
    assert "test_source_has_docstring" in "".join(text.split())
    compare("delta-40.txt", text)


def test_without_sources_only_the_span_is_shown() -> None:
    console = Console(file=io.StringIO(), width=80, _environ={}, highlight=False, markup=False)
    render(samples.result(), console, Options())
    assert isinstance(console.file, io.StringIO)
    assert "    - >\n    + >=\n" in console.file.getvalue()
