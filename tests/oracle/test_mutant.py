"""Mutants applied to texts, and sampled."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.oracle.errors import RefusedError
from bench.oracle.mutant import Mutant, mutated, read_mutants, sample


def _mutant(start: tuple[int, int], end: tuple[int, int], new: str, old: str | None) -> Mutant:
    return Mutant("m", "a.py", start, end, new, old)


def test_columns_are_characters() -> None:
    text = 'x = "äöü" + "€"\n'.encode()
    assert mutated(text, _mutant((1, 10), (1, 11), "-", "+")) == 'x = "äöü" - "€"\n'.encode()


def test_lines_end_where_python_says() -> None:
    text = "a = 1\x0c\r\nb = '\u2028'\r\nc = 3\r\n".encode()
    changed = mutated(text, _mutant((3, 4), (3, 5), "4", "3"))
    assert changed == "a = 1\x0c\r\nb = '\u2028'\r\nc = 4\r\n".encode()


def test_the_encoding_and_its_mark_are_kept() -> None:
    text = "# coding: latin-1\nx = 'ä'\n".encode("latin-1")
    assert mutated(text, _mutant((2, 5), (2, 6), "ö", "ä")).endswith(b"'\xf6'\n")
    marked = b"\xef\xbb\xbfx = 1\n"
    assert mutated(marked, _mutant((1, 4), (1, 5), "2", "1")) == b"\xef\xbb\xbfx = 2\n"


def test_a_span_over_lines_and_an_empty_one_at_the_end() -> None:
    text = b"if x:\n    y()\n"
    assert mutated(text, _mutant((1, 3), (2, 5), "0:\n z", "x:\n    y")) == b"if 0:\n z()\n"
    assert mutated(text, _mutant((3, 0), (3, 0), "z()\n", "")) == b"if x:\n    y()\nz()\n"


@pytest.mark.parametrize(
    ("start", "end", "old"), [((1, 4), (1, 5), "2"), ((9, 0), (9, 1), None), ((1, 0), (1, 99), "")]
)
def test_a_mutant_that_does_not_fit_is_refused(
    start: tuple[int, int], end: tuple[int, int], old: str | None
) -> None:
    with pytest.raises(RefusedError, match=r"mutant m of a\.py: expected"):
        mutated(b"x = 1\n", _mutant(start, end, "0", old))


def test_a_sample_is_the_same_for_a_seed_and_keeps_the_order() -> None:
    mutants = [_mutant((line, 0), (line, 1), "0", None) for line in range(1, 101)]
    chosen = sample(mutants, 10, 0)
    assert chosen == sample(mutants, 10, 0)
    assert chosen != sample(mutants, 10, 1)
    assert [one.start for one in chosen] == sorted(one.start for one in chosen)
    assert sample(mutants, 100, 0) == sample(mutants, None, 0) == mutants


def test_two_mutants_of_one_id_are_refused(tmp_path: Path) -> None:
    line = '{"id": "a", "file": "f", "start": {"line": 1, "column": 0}, '
    line += '"end": {"line": 1, "column": 1}, "replacement": ""}\n'
    (tmp_path / "twice.jsonl").write_text(line * 2, encoding="utf-8")
    with pytest.raises(RefusedError, match="expected an id once, found a more than once"):
        read_mutants(tmp_path / "twice.jsonl")
