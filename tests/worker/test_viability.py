"""What edits compile to, in units as small as can be."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

import pytest

from redhanded_worker.compare import digest
from redhanded_worker.operators.base import Edit, Source
from redhanded_worker.viability import Compiler, Verdict


def judge(text: str, part: str, replacement: str, *, own: bool = True) -> Verdict:
    """What becomes of replacing the first ``part`` of a text."""
    assert part in text
    start = text.index(part)
    return Compiler(Source(text)).judge(Edit(start, start + len(part), replacement), own=own)


CLASS = """\
import a
@a.b
class C(a.D):
    x = 1

    @a.e
    def __f(self):
        return self.__g + 1

    if x:
        async def h(self, k=2):
            return super().h()

    class E:
        def i(self):
            class F:
                y = 3
            return [z for z in (4,)]
"""


@pytest.mark.parametrize("part", ["import a", "x = 1", "1\n\n", "k=2", "__g", "h()", "3", "4"])
def test_another_name_or_number_is_other_code(part: str) -> None:
    changed = {"import a": "import b", "x = 1": "y = 1", "1\n\n": "5\n\n", "k=2": "k=5",
               "__g": "__j", "h()": "k()", "3": "5", "4": "5"}[part]  # fmt: skip
    verdict = judge(CLASS, part, changed)
    assert verdict.code is not None
    assert not verdict.equivalent


@pytest.mark.parametrize("part", ["import a", "x = 1", "self.__g + 1", "2", "super().h()", "3"])
def test_parentheses_and_comments_are_the_same_code(part: str) -> None:
    changed = f"{part} " if " = " in part or "import" in part else f"({part})"
    assert judge(CLASS, part, changed).equivalent


def test_lines_that_go_are_the_same_code() -> None:
    text = "class C:\n    def f(self):\n        x = (\n            1)\n        class D: y = x\n"
    assert judge(text, "(\n            1)", "1").equivalent


@pytest.mark.parametrize(
    ("part", "replacement", "reason"),
    [
        ("1\n\n", "+\n\n", "SyntaxError: invalid syntax"),
        ("return super", "yield super", ""),
        ("k=2", "k=2, k=3", "SyntaxError: duplicate argument 'k' in function definition"),
        ("3", "break", "SyntaxError: invalid syntax"),
        ("x = 1", "return 1", "SyntaxError: 'return' outside function"),
    ],
)
def test_what_does_not_compile_says_why(part: str, replacement: str, reason: str) -> None:
    verdict = judge(CLASS, part, replacement)
    assert (verdict.code is None) == bool(reason)
    assert (verdict.reason or "") == reason
    assert not verdict.equivalent


def test_null_characters_are_refused_with_a_reason() -> None:
    verdict = judge("x = 'a'\n", "a", "\0")
    assert verdict.code is None
    assert verdict.reason is not None
    assert "null" in verdict.reason


def test_flags_of_the_file_hold_in_its_parts() -> None:
    text = "def f(x: 1 + 1): pass\n"
    assert judge(text, "1 + 1", "2").equivalent
    # As a text, the annotation is another one.
    text = "from __future__ import annotations\n" + text
    assert not judge(text, "1 + 1", "2").equivalent
    assert judge(text, "1 + 1", "(1 + 1)").equivalent


@pytest.mark.parametrize(
    ("part", "lines"),
    [
        ("import a", (1, 1)),
        ("a.b", (2, 18)),
        ("x = 1", (4, 4)),
        ("a.e", (6, 8)),
        ("__g", (6, 8)),
        ("if x", (10, 12)),
        ("h()", (10, 12)),
        ("3", (15, 18)),
    ],
)
def test_units_are_small(part: str, lines: tuple[int, int]) -> None:
    changed = {"import a": "import b", "h()": "k()"}.get(part, part.replace("a.", "b."))
    changed = {"x = 1": "x = 2", "__g": "__j", "if x": "if y", "3": "4"}.get(part, changed)
    verdict = judge(CLASS, part, changed)
    assert verdict.code is not None
    first, last = (CLASS[:offset].count("\n") + 1 for offset in verdict.code[:2])
    assert (first, last) == lines


def test_two_edits_of_one_unit_can_come_to_the_same_code() -> None:
    text = "def f(x):\n    return not x in (1, 2)\n\ndef g(x):\n    return not x in (1, 2)\n"
    compiler = Compiler(Source(text))
    at = text.index("not x in")
    one = compiler.judge(Edit(at, at + 8, "x in"))
    other = compiler.judge(Edit(at, at + 8, "not x not in"))
    second = text.index("not x in", at + 1)
    elsewhere = compiler.judge(Edit(second, second + 8, "x in"))
    assert one.code is not None
    assert one.code == other.code
    assert one.code != elsewhere.code


def test_statements_on_one_line_are_one_unit() -> None:
    assert judge("x = 1; y = [\n    2]; z = 3\n", "2", "4").code is not None
    assert judge("class C: x = 1; y = 2\n", "2", "3").code is not None
    assert judge("if a:\n    class C:\n        x = 1\n", "1", "2").code is not None


def test_an_edit_from_elsewhere_may_reach_beyond_its_unit() -> None:
    # One that joins two statements is in neither.
    assert judge("x = [1]\ny = [2]\n", "]\ny = [", ", ", own=False).code is not None
    # Without its end, a text goes on until the next quotes, in another statement.
    text = 'x = """1"""\ny = 2  # """\n'
    assert judge(text, '1"""', "1", own=False).code is not None
    assert judge(text, '1"""', "1").code is None
    # Or nothing ends it.
    verdict = judge('x = """1"""\ny = 2\n', '1"""', "1", own=False)
    assert verdict.code is None
    assert verdict.reason is not None
    assert verdict.reason.startswith("SyntaxError: unterminated triple-quoted string literal")


def test_an_edit_between_statements() -> None:
    text = "x = 1\n\n\ny = 2\n"
    assert judge(text, "\n\n\n", "\n# nothing\n\n", own=False).equivalent
    assert not judge(text, "\n\n\n", "\nz = 3\n\n", own=False).equivalent


TABLE = (
    "T = f({\n"
    + "".join(f"    'k{n}': ['v{n}', (g({n}, x=-1),)],\n" for n in range(40))
    + "}, *h)\n"
)


@pytest.mark.parametrize(
    ("part", "replacement", "equivalent"),
    [
        ("'k7'", "'k8'", False),
        ("'v7'", "''", False),
        ("'v7'", "('v7')", True),
        ("'v7'", '"v7"', True),
        ("['v7', (g(7, x=-1),)]", "[]", False),
        ("g(7, x=-1)", "None", False),
        ("(g(7, x=-1),)", "( g(7, x=-1),)", True),
        ("g(7, x=-1)", "g(7)", False),
        ("7, x=-1", "7, x=1", False),
        ("7, x=-1", "7, x=(-1)", True),
    ],
)
def test_items_of_a_long_table(part: str, replacement: str, equivalent: bool) -> None:
    start = TABLE.index(part)
    edit = Edit(start, start + len(part), replacement)
    verdict = Compiler(Source(TABLE)).judge(edit)
    assert verdict.code is not None
    assert verdict.equivalent == equivalent
    assert verdict.code[1] - verdict.code[0] < 30
    whole = [digest(compile(text, "<t>", "exec")) for text in (TABLE, edit.apply(TABLE))]
    assert (whole[0] == whole[1]) == equivalent


def test_an_edit_from_elsewhere_may_reach_beyond_an_item() -> None:
    assert judge(TABLE, "'v7'", "'v7', 1", own=False).code is not None
    # By itself it would be a tuple of one; there comes a comma, though.
    assert judge(TABLE, "'v7'", "'v7',", own=False).code is None
    assert judge(TABLE, "g(7", "),(g(7", own=False).code is not None


@pytest.mark.parametrize("name", ["textwrap", "fractions"])
def test_units_tell_the_same_as_the_whole_file(name: str) -> None:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    source = Source(Path(spec.origin).read_text(encoding="utf-8"))
    whole = digest(compile(source.text, "<whole>", "exec", dont_inherit=True))
    compiler = Compiler(source)
    numbers = [
        (node, node.value)
        for node in source.walk()
        if isinstance(node, ast.Constant) and type(node.value) is int
    ]
    seen = set()
    for number, value in numbers[:40]:
        for replacement in (f"({value})", f"{value + 7}", "+"):
            edit = source.edit(number, replacement)
            verdict = compiler.judge(edit)
            try:
                code = compile(edit.apply(source.text), "<whole>", "exec", dont_inherit=True)
            except SyntaxError:
                expected = "unviable"
            else:
                expected = "same" if digest(code) == whole else "other"
            found = "same" if verdict.equivalent else "other" if verdict.code else "unviable"
            assert found == expected
            seen.add(found)
    assert seen == {"same", "other", "unviable"}
