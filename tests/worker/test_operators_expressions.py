"""Operators of expressions: which tree comes out, and what they leave alone."""

from __future__ import annotations

import ast

import pytest

from redhanded_worker.operators import arithmetic, boolean, comparison, literal, returns, string
from redhanded_worker.operators.base import Operator
from tests.worker.operating import changes, parts

TANGLED = [
    "-a ** b ** -c * d",
    "x / a ** b % c ** 2",
    "a | b ^ c & d ^ e | f << 2 & 3",
    "(a | b) ^ (c) & (d | e)",
    "(a ** (b ** c), (a ** b) ** c)",
    "a and b or c and (d or e) and not f or (lambda: x)",
    "a or b and (c or d) or e",
    "2 if a ** b else c | d | e",
]
TREES: list[Operator] = [
    arithmetic.ArithmeticOperator(),
    arithmetic.BitwiseOperator(),
    boolean.AndOr(),
]
SWAPS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Mod: ast.Mult,
    ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


@pytest.mark.parametrize("text", TANGLED)
def test_only_the_operator_changes_whatever_binds_tighter(text: str) -> None:
    tree = ast.parse(text)
    wanted = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.BinOp, ast.BoolOp)):
            old = node.op
            node.op = SWAPS[type(old)]()  # type: ignore[assignment]
            wanted.append(ast.dump(tree))
            node.op = old
    made = [each for operator in TREES for each in parts(operator, text)]
    assert sorted(ast.dump(ast.parse(each)) for each in made) == sorted(wanted)


LEFT_ALONE: list[tuple[Operator, str]] = [
    (arithmetic.ArithmeticOperator(), "y = a + b + 'c'"),
    (arithmetic.ArithmeticOperator(), "y = '%s' % a"),
    (arithmetic.ArithmeticOperator(), "y = [a] * n + list(b)"),
    (arithmetic.ArithmeticOperator(), "y = path / 'a' / b"),
    (arithmetic.ArithmeticOperator(), "y = a - {b}"),
    (arithmetic.BitwiseOperator(), "T = a | None"),
    (arithmetic.BitwiseOperator(), "y = a | {b: c}"),
    (arithmetic.UnarySign(), "y = -0"),
    (arithmetic.AugmentedOperator(), "x += 'a'"),
    (arithmetic.AugmentedToPlain(), "x += 1"),
    (comparison.EqualityNegated(), "if __name__ == '__main__': f()"),
    (comparison.EqualityNegated(), "y = not a == b"),
    (comparison.ComparisonBoundary(), "y = sys.version_info < (3, 11)"),
    (boolean.ConditionForced(), "if __name__ == '__main__': f()"),
    (boolean.ConditionForced(), "while a: f()"),
    (boolean.ConditionForced(), "if a := b: f(a)"),
    (boolean.ConditionForced(), "if True: f()"),
    (boolean.OperandDropped(), "if sys.platform == 'win32' and a: f()"),
    (boolean.TernarySwapped(), "y = a if b else a"),
    (literal.IntegerIncremented(), "y = sys.version_info < (3, 11)"),
    (literal.IntegerIncremented(), "warn(a, stacklevel=2)"),
    (literal.IntegerDecremented(), "y = 0"),
    (literal.IntegerDecremented(), "y = xs[::1]"),
    (literal.IntegerDecremented(), "y = xs[::-1]"),
    (literal.IntegerDecremented(), "n += 1"),
    (literal.NoneToValue(), "y = a is None"),
    (literal.NoneToValue(), "def f(a=None): pass"),
    (literal.NoneToValue(), "T = Callable[[int, None], None]"),
    (literal.NoneToValue(), "raise a from None"),
    (literal.ContainerEmptied(), "y = x[a, b]"),
    (literal.ContainerEmptied(), "[a, b] = (c, d)"),
    (literal.ContainerEmptied(), "__slots__ = ['a']"),
    (literal.ContainerEmptied(), "y = '%s' % (a,)"),
    (returns.ReturnNone(), "def f(): return"),
    (returns.ReturnNone(), "def f(): return True"),
    (returns.ReturnNone(), "def f(): return [a]"),
    (returns.LambdaNone(), "y = lambda: None"),
    (string.StringChanged(), "y = ''"),
    (string.StringChanged(), "def f():\n    'Doc.'"),
    (string.StringChanged(), "T = TypeVar('T')"),
    (string.StringChanged(), "__version__ = '1'"),
    (string.StringChanged(), "y = a.encode('ascii')"),
    (string.StringEmptied(), "y = 'a %s' % b"),
    (string.StringEmptied(), "y = f'a {b}'"),
    (string.StringFilled(), "y = 'a'"),
]


@pytest.mark.parametrize(("operator", "text"), LEFT_ALONE, ids=lambda value: str(value)[:40])
def test_what_tells_nothing_stays(operator: Operator, text: str) -> None:
    assert changes(operator, text + "\n") == []


def test_what_is_nearly_the_same_does_not() -> None:
    assert parts(arithmetic.ArithmeticOperator(), "y = a % b") == ["y = a * b"]
    assert parts(arithmetic.BitwiseOperator(), "y = a - {b} & c") == ["y = a - {b} | c"]
    assert parts(returns.ReturnNone(), "def f(): return 1") == ["def f(): return None"]
    assert parts(returns.ReturnNone(), "def f(): return []") == ["def f(): return None"]
    assert parts(string.StringEmptied(), "y = 'ab'.encode('ascii')") == ["y = ''.encode('ascii')"]
    assert parts(literal.IntegerDecremented(), "n *= 1") == ["n *= 0"]


def test_what_other_operators_make_of_a_condition_is_not_made_twice() -> None:
    forced = boolean.ConditionForced()
    assert parts(forced, "if a: raise E") == ["if True: raise E"]
    assert parts(forced, "if a: n += 1") == ["if True: n += 1"]
    assert len(parts(forced, "if a: return_ = 1")) == 2
    dropped = boolean.OperandDropped()
    assert parts(dropped, "y = a or None") == ["y = a"]
    assert parts(dropped, "while a and True: f()") == ["while a: f()"]
    assert parts(dropped, "for x in a or (): f()") == ["for x in a: f()"]
    assert parts(boolean.NotRemoved(), "y = not not a") == ["y = not a"]


def test_an_operand_whose_name_is_needed_stays() -> None:
    assert parts(boolean.OperandDropped(), "y = (m := f()) and m.x") == ["y = (m := f())"]


def test_words_stay_apart() -> None:
    assert parts(comparison.IdentityNegated(), "y = (a)is(b)") == ["y = (a)is not(b)"]
    assert parts(boolean.AndOr(), "y = (a)or(b)") == ["y = (a)and(b)"]
    assert parts(boolean.OperandDropped(), "y =[x for x in(a)or(b)]") == [
        "y =[x for x in(b)]",
        "y =[x for x in(a)]",
    ]
    assert parts(boolean.NotRemoved(), "y = 1 if(a)else not(b)") == ["y = 1 if(a)else (b)"]


def test_texts_after_characters_of_several_bytes() -> None:
    assert parts(string.StringEmptied(), "y = 'ä'; z = 'ö'") == [
        "y = ''; z = 'ö'",
        "y = 'ä'; z = ''",
    ]
