"""What holds for every operator: its examples, its name, and what it makes of real sources."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from redhanded_worker.exclude import Excluded
from redhanded_worker.operators import ALL, Edit, Operator, Source, by_name

REAL = ("textwrap", "shlex", "fractions", "statistics", "argparse")
HERE = [each for each in ALL if each.since <= sys.version_info[:2]]


def edits_of(operator: Operator, source: Source) -> Iterator[tuple[ast.AST, Edit]]:
    for node in source.walk():
        if isinstance(node, operator.node_types):
            for edit in operator.edits(node, source):
                yield node, edit


@pytest.fixture(params=REAL)
def real(request: pytest.FixtureRequest) -> Source:
    spec = importlib.util.find_spec(request.param)
    assert spec is not None
    assert spec.origin is not None
    return Source(Path(spec.origin).read_text(encoding="utf-8"))


@pytest.mark.parametrize("operator", HERE, ids=lambda operator: operator.name)
def test_some_edit_of_each_example_gives_what_it_says(operator: Operator) -> None:
    assert len(operator.examples) >= 2
    for example in operator.examples:
        source = Source(example.before)
        made = [edit.apply(example.before) for _, edit in edits_of(operator, source)]
        assert example.after in made
        compile(example.after, "<example>", "exec", dont_inherit=True)


@pytest.mark.parametrize("operator", ALL, ids=lambda operator: operator.name)
def test_an_operator_says_what_it_is(operator: Operator) -> None:
    assert type(operator).__module__ == f"redhanded_worker.operators.{operator.family}"
    assert operator.name == operator.name.lower().replace(" ", "-").replace("_", "-")
    assert operator.description[0].isalpha() or operator.description.startswith("__")
    assert operator.description.endswith(".")
    assert by_name([operator.name]) == (operator,)


def test_no_two_have_the_same_name_and_none_that_of_a_family() -> None:
    names = [each.name for each in ALL]
    assert len(set(names)) == len(names)
    assert not set(names) & {each.family for each in ALL}


def test_no_two_edits_of_real_sources_give_the_same_text(real: Source) -> None:
    makers: dict[tuple[int, int, str], list[str]] = defaultdict(list)
    for operator in ALL:
        for node, edit in edits_of(operator, real):
            if real.in_fstring(node) and sys.version_info < (3, 12):
                continue
            makers[_normal(real.text, edit)].append(operator.name)
    assert len(makers) > 100
    assert {key: names for key, names in makers.items() if len(names) > 1} == {}


def test_nearly_all_edits_of_real_sources_compile(real: Source) -> None:
    excluded = Excluded(real)
    found = [
        (operator, edit)
        for operator in ALL
        for node, edit in edits_of(operator, real)
        if node not in excluded
    ]
    some = found[:: max(1, len(found) // 150)]
    failed: list[str] = []
    for operator, edit in some:
        try:
            compile(edit.apply(real.text), "<mutant>", "exec", dont_inherit=True)
        except SyntaxError as error:
            failed.append(f"{operator.name}: {error}")
    assert len(some) > 100
    assert len(failed) <= len(some) // 100, failed


def _normal(text: str, edit: Edit) -> tuple[int, int, str]:
    """The same for all edits that give the same text."""
    old = text[edit.start : edit.end]
    new = edit.replacement
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    old, new = old[head:], new[head:]
    tail = 0
    while tail < min(len(old), len(new)) and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    start, end = edit.start + head, edit.end - tail
    return start, end, new[: len(new) - tail]
