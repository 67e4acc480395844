"""What no operator touches, always or on request."""

from __future__ import annotations

import ast
import sys
import textwrap

import pytest

from redhanded_worker.exclude import KINDS, LOGGING, REPR, Excluded
from redhanded_worker.mutants import FileMutants
from redhanded_worker.operators import by_name
from redhanded_worker.operators.base import Source


def left(text: str) -> list[str]:
    """The literals, calls and sums of a text that are not left alone."""
    source = Source(textwrap.dedent(text))
    excluded = Excluded(source)
    return [
        source.text_of(node)
        for node in source.walk()
        if isinstance(node, (ast.Constant, ast.Call, ast.BinOp)) and node not in excluded
    ]


def kinds(text: str) -> set[str | None]:
    """The kinds of places that the literals of a text are in."""
    source = Source(textwrap.dedent(text))
    excluded = Excluded(source)
    return {excluded.kind_of(n) for n in source.walk() if isinstance(n, ast.Constant)}


@pytest.mark.parametrize(
    "text",
    [
        '"""Docstring."""\n',
        'class C:\n    """Docstring."""\n',
        'def f():\n    """Docstring."""\n',
        "x: Dict[1, 'a']\n",
        "def f(x: 'a' = y, *z: 1, **k: 2) -> 3: ...\n",
        "async def f() -> not 3: ...\n",
        "...\n",
        "class C:\n    x: int\n    'about x'\n",
        "__all__ = ['a', 'b']\n",
        "__all__: list[str] = ['a', 'b']\n",
        "__all__ += ['a'] + b.__all__\n",
        "__all__.extend(['a'])\n",
        "from __future__ import annotations\n",
        "if TYPE_CHECKING:\n    x = 1 + 2\n    f(3)\n",
        "if typing.TYPE_CHECKING:\n    x = 1 + 2\n",
        "if not TYPE_CHECKING: pass\nelse: x = 1\n",
        "if __name__ == '__main__': pass\n",
        "T = TypeVar('T', bound=1)\n",
        "I = typing.NewType('I', int)\n",
        "X: TypeAlias = 'int | None'\n",
        "X = Union[int, 'str', None]\n",
        "@overload\ndef f(x: int, y=1) -> int: return 1\n",
        "@typing.overload\nasync def f(x=1): return 1\n",
    ],
)
def test_it_is_always_left_alone(text: str) -> None:
    assert left(text) == []


@pytest.mark.skipif(sys.version_info < (3, 12), reason="syntax of 3.12")
@pytest.mark.parametrize(
    "text", ["type X = int | 'str'\n", "def f[T: (int, 'str')](): ...\n", "class C[*T]: ...\n"]
)
def test_types_in_newer_syntax_are_left_alone(text: str) -> None:
    assert left(text) == []


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("x: 'a' = 1\n", ["1"]),
        ("def f(x: 'a' = 1): ...\n", ["1"]),
        ("if TYPE_CHECKING: x = 1\nelse: x = 2\n", ["2"]),
        ("if not TYPE_CHECKING: x = 1\n", ["1"]),
        ("x = 'a' if TYPE_CHECKING else 1\n", ["1"]),
        ("if __name__ == '__main__': x = 1\n", ["1"]),
        ("if __name__ == 'a': x = 1\n", ["'a'", "1"]),
        ("x = cast('int', y)\n", ["cast('int', y)"]),
        ("x = Pair[int, 'a']\n", ["'a'"]),
        ("x = NamedTuple('x', 'a')\n", ["NamedTuple('x', 'a')", "'x'", "'a'"]),
        ("all = ['a']\n", ["'a'"]),
        ("def f(): 'doc'; return 'a'\n", ["'a'"]),
        ("from future import x\ny = 1\n", ["1"]),
    ],
)
def test_what_is_beside_it_is_not_left_alone(text: str, rest: list[str]) -> None:
    assert left(text) == rest


def test_an_edit_touches_what_it_is_in_or_cuts_through() -> None:
    text = "f(cast('int', y), 1)\n"
    excluded = Excluded(Source(text))
    start, end = text.index("'int'"), text.index(", y")
    assert excluded.touches(start, end)
    assert excluded.touches(start + 1, start + 2)
    assert excluded.touches(start + 1, start + 1)
    assert excluded.touches(start - 1, start + 1)
    assert excluded.touches(end - 1, end + 1)
    assert not excluded.touches(start - 5, end + 1), "something bigger may be replaced"
    assert not excluded.touches(start, start)
    assert not excluded.touches(end, end + 1)
    assert not excluded.touches(text.index("1"), text.index("1") + 1)


def test_a_forced_condition_touches_the_guard_that_it_replaces() -> None:
    text = "if TYPE_CHECKING: pass\nelse: x = 1\n"
    assert FileMutants("m.py", text).all(by_name(["boolean"])) == ([], [])


@pytest.mark.parametrize(
    "call",
    [
        "logging.info('a %s', 1)",
        "logger.debug('a')",
        "_LOG.exception('a')",
        "self._logger.error('a', exc_info=True)",
        "logging.getLogger(__name__).warning('a')",
        "log.log(1, 'a')",
    ],
)
def test_log_calls_are_a_kind(call: str) -> None:
    assert kinds(f"{call}\n") == {LOGGING}


@pytest.mark.parametrize(
    "text", ["warnings.warn('a')", "self.error('a')", "x.log(1)", "log(1)", "y = logger.debug('a')"]
)
def test_other_calls_are_no_log_calls(text: str) -> None:
    assert kinds(f"{text}\n") == {None}


def test_reprs_are_a_kind() -> None:
    assert kinds("class C:\n    def __repr__(self): return 'C' + 1\n") == {REPR}
    assert kinds("class C:\n    def __str__(self): return 'C'\n") == {None}
    text = "class C:\n    def __repr__(self):\n        'doc'\n        log.info(1)\n"
    assert kinds(text) == {None, REPR}


def test_kinds_are_left_alone_on_request() -> None:
    text = """
        def f(x):
            log.info('a')
            return 'b'
        class C:
            def __repr__(self):
                return 'c'
    """

    def texts(*off: str) -> set[str]:
        planned = FileMutants("m.py", textwrap.dedent(text), families_off=off)
        mutants, _ = planned.all(by_name(["returns", "statements"]))
        return {mutant["original"] for mutant in mutants}

    assert texts() == {"log.info('a')", "'b'", "'c'"}
    assert texts(LOGGING) == {"'b'", "'c'"}
    assert texts(REPR) == {"log.info('a')", "'b'"}
    assert texts(*KINDS) == {"'b'"}


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="positions are true from 3.12 on")
def test_insides_of_fstrings_are_left_alone_where_positions_are_wrong() -> None:
    text = "x = g(f'a{1 + 2}b{(3):>{4}}' 'c', 5)\n"
    source = Source(text)
    excluded = Excluded(source)
    numbers = [n for n in source.walk() if isinstance(n, ast.Constant) and n not in excluded]
    assert [number.value for number in numbers] == [5]
    start = text.index("f'a")
    assert not excluded.touches(start, text.index(", 5"))


@pytest.mark.skipif(sys.version_info < (3, 12), reason="positions are true from 3.12 on")
def test_insides_of_fstrings_are_mutated_where_positions_are_true() -> None:
    mutants, _ = FileMutants("m.py", "x = f'é{{a}}{1:>{2}} {(3)}'\n").all(by_name(["literal"]))
    assert [m["original"] for m in mutants if m["operator"] == "integer-incremented"] == list("123")
