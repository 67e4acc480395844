"""Mutants from elsewhere: what is read, and what is refused with which reason."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import msgspec
import pytest

from redhanded.code.external import Given, read_mutants
from redhanded.errors import UsageError
from redhanded.model.mutant import Mutant, Position

MODULE = '''\
def area(width, height):
    """Of a rectangle."""
    if width < 0 or height < 0:
        raise ValueError("négatif", width)
    return width * height


def twice(x):
    return x + x
'''


@pytest.fixture
def root(tmp_path: Path) -> Path:
    tree = tmp_path / "tree"
    (tree / "pkg").mkdir(parents=True)
    (tree / "pkg" / "mod.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "outside.py").write_text("x = 1\n")
    return tree


def span(**changes: object) -> dict[str, object]:
    record: dict[str, object] = {
        "file": "pkg/mod.py",
        "start": {"line": 5, "column": 17},
        "end": {"line": 5, "column": 18},
        "replacement": "+",
    }
    record.update(changes)
    return record


def lines(tmp_path: Path, *records: object) -> Path:
    path = tmp_path / "mutants.txt"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def apply(root: Path, given: Given) -> str:
    """The file with the mutant in it, by means of the reader's positions alone."""
    text = (root / given.file).read_text(encoding="utf-8").split("\n")
    before = "\n".join([*text[: given.start.line - 1], text[given.start.line - 1]
                        [: given.start.column]])  # fmt: skip
    after = "\n".join([text[given.end.line - 1][given.end.column :], *text[given.end.line :]])
    return before + given.replacement + after


# Spans


def test_a_span_is_read(tmp_path: Path, root: Path) -> None:
    path = lines(tmp_path, span(), span(operator="model", original="*", id="m1", why="guessed"))
    first, second = read_mutants(path, root)
    assert first == Given("pkg/mod.py", Position(5, 17), Position(5, 18), "+", "given")
    assert second.operator == "model"
    assert "return width + height" in apply(root, first)


def test_the_request_gets_plain_json(tmp_path: Path, root: Path) -> None:
    given = read_mutants(lines(tmp_path, span()), root)
    assert json.loads(msgspec.json.encode(given)) == [{**span(), "operator": "given"}]


def test_our_own_mutants_are_read(tmp_path: Path, root: Path) -> None:
    mutant = Mutant(
        id="abc", file="pkg/mod.py", start=Position(9, 13), end=Position(9, 14),
        operator="arithmetic", original="+", replacement="-", function="twice", lines=(9, 9),
    )  # fmt: skip
    path = tmp_path / "mutants.jsonl"
    path.write_bytes(msgspec.json.encode(mutant) + b"\n\n")
    (given,) = read_mutants(path, root)
    assert given == Given("pkg/mod.py", mutant.start, mutant.end, "-", "arithmetic")


def test_columns_are_characters(tmp_path: Path, root: Path) -> None:
    record = span(start={"line": 4, "column": 36}, end={"line": 4, "column": 41}, original="width")
    (given,) = read_mutants(lines(tmp_path, record | {"replacement": "height"}), root)
    assert '"négatif", height)' in apply(root, given)


def test_an_insertion_at_the_end_of_the_file_is_inside(tmp_path: Path, root: Path) -> None:
    end = {"line": 10, "column": 0}
    (given,) = read_mutants(
        lines(tmp_path, span(start=end, end=end, replacement="x = 1\n", original="")), root
    )
    assert apply(root, given) == MODULE + "x = 1\n"


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"file": "pkg/mod.py"}, "missing required field"),
        (span(replacement=3), "Expected `str`"),
        (span(start={"line": 11, "column": 0}), "line 11 is outside pkg/mod.py"),
        (span(start={"line": 0, "column": 0}), "line 0 is outside pkg/mod.py"),
        (span(end={"line": 5, "column": 99}), "column 99 is outside line 5"),
        (span(start={"line": 5, "column": -1}), "column -1 is outside line 5"),
        (span(start={"line": 6, "column": 0}), "ends before it starts: 6:0 to 5:18"),
        (span(original="/"), "expected '/' at pkg/mod.py:5:17, found '*'"),
        (span(file="../outside.py"), "../outside.py is outside"),
        (span(file="/etc/passwd"), "/etc/passwd is outside"),
        (span(file="pkg/none.py"), "there is no file pkg/none.py"),
        (span(file="pkg"), "can't be read"),
    ],
)
def test_a_span_is_refused(tmp_path: Path, root: Path, record: object, message: str) -> None:
    path = lines(tmp_path, span(), record)
    with pytest.raises(UsageError) as caught:
        read_mutants(path, root)
    assert str(caught.value).startswith(f"{path}:2: ")
    assert message in str(caught.value)


def test_misfits_can_be_put_aside(tmp_path: Path, root: Path) -> None:
    path = lines(
        tmp_path,
        span(original="/"),
        span(start={"line": 99, "column": 0}),
        span(file="pkg/none.py"),
        span(),
    )
    misfits: list[str] = []
    assert len(read_mutants(path, root, misfits=misfits)) == 1
    assert [each.split(": ")[0] for each in misfits] == [f"{path}:{n}" for n in (1, 2, 3)]


def test_what_is_no_mutant_is_no_misfit(tmp_path: Path, root: Path) -> None:
    for record in (span(file="../outside.py"), {"file": "pkg/mod.py"}):
        path = lines(tmp_path, record)
        with pytest.raises(UsageError):
            read_mutants(path, root, misfits=[])


def test_a_link_out_of_the_root_is_refused(tmp_path: Path, root: Path) -> None:
    (root / "link.py").symlink_to(tmp_path / "outside.py")
    with pytest.raises(UsageError, match=r"link\.py is outside"):
        read_mutants(lines(tmp_path, span(file="link.py")), root)


def test_a_link_into_the_root_is_refused(tmp_path: Path, root: Path) -> None:
    (tmp_path / "link.py").symlink_to(root / "pkg" / "mod.py")
    with pytest.raises(UsageError, match=r"\.\./link\.py is outside"):
        read_mutants(lines(tmp_path, span(file="../link.py")), root)


def test_a_byte_order_mark_is_passed_over(tmp_path: Path, root: Path) -> None:
    path = lines(tmp_path, span())
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert len(read_mutants(path, root)) == 1


def test_a_broken_line_is_refused(tmp_path: Path, root: Path) -> None:
    path = tmp_path / "mutants.txt"
    path.write_text(json.dumps(span()) + '\n{"file": \n')
    with pytest.raises(UsageError, match=":2: not JSON"):
        read_mutants(path, root)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b" \n\n", "the file is empty"),
        (b"some prose\n", "found neither JSON objects nor a unified diff"),
        (b"[1, 2]\n", "found neither JSON objects nor a unified diff"),
        (b"\xff\xfe\x00", "found other bytes at offset 0"),
    ],
)
def test_a_file_of_something_else_is_refused(
    tmp_path: Path, root: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "mutants.txt"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=message):
        read_mutants(path, root)


def test_no_file_is_refused(tmp_path: Path, root: Path) -> None:
    with pytest.raises(UsageError, match="found none that can be read"):
        read_mutants(tmp_path / "nothing", root)


def test_source_that_is_no_text_is_refused(tmp_path: Path, root: Path) -> None:
    (root / "pkg" / "mod.py").write_bytes(b"x = '\xff'\n")
    with pytest.raises(UsageError, match="can't be decoded as Python source"):
        read_mutants(lines(tmp_path, span()), root)


def test_a_declared_encoding_is_honoured(tmp_path: Path, root: Path) -> None:
    (root / "pkg" / "mod.py").write_bytes("# coding: latin-1\nx = 'é', 1\n".encode("latin-1"))
    at = {"line": 2, "column": 9}
    record = span(start=at, end={"line": 2, "column": 10}, original="1")
    (given,) = read_mutants(lines(tmp_path, record), root)
    assert given.start == Position(2, 9)


# Unified diffs


def patch(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "changes"
    path.write_text(text, encoding="utf-8")
    return path


def git_diff(root: Path, *changes: tuple[str, str]) -> str:
    """What git says of replacing texts in the module."""
    file = root / "pkg" / "mod.py"
    original = file.read_bytes()
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "."], cwd=root, check=True)
    text = original.decode()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    file.write_bytes(text.encode())
    done = subprocess.run(["git", "diff"], cwd=root, check=True, capture_output=True)
    file.write_bytes(original)
    return done.stdout.decode()


def test_a_diff_becomes_the_smallest_span_of_whole_operators(tmp_path: Path, root: Path) -> None:
    text = git_diff(root, ("width < 0", "width <= 0"))
    (given,) = read_mutants(patch(tmp_path, text), root)
    assert given == Given("pkg/mod.py", Position(3, 13), Position(3, 14), "<=", "diff")
    assert apply(root, given) == MODULE.replace("width < 0", "width <= 0")


def test_a_diff_becomes_the_smallest_span_of_whole_words(tmp_path: Path, root: Path) -> None:
    (given,) = read_mutants(patch(tmp_path, git_diff(root, ("return x + x", "return y + x"))), root)
    assert (given.start, given.end, given.replacement) == (Position(9, 11), Position(9, 12), "y")
    (given,) = read_mutants(
        patch(tmp_path, git_diff(root, ("width * height", "width * weight"))), root
    )
    assert given.replacement == "weight"


def test_all_hunks_of_a_file_are_one_mutant(tmp_path: Path, root: Path) -> None:
    changes = (("area", "surface"), ("x + x", "x * x"))
    text = git_diff(root, *changes).replace("@@ -", "@@ -")
    (given,) = read_mutants(patch(tmp_path, text), root)
    expected = MODULE.replace("area", "surface").replace("x + x", "x * x")
    assert apply(root, given) == expected
    assert (given.start, given.end) == (Position(1, 4), Position(9, 14))


@pytest.mark.parametrize(
    "change",
    [
        ("    if width", "    width += 1\n    if width"),
        ("    return width * height\n", ""),
        ("return x + x\n", "return x + x\n\n\nlast = 1\n"),
        ("def area", "first = 1\n\n\ndef area"),
        ("return x + x\n", "return x"),
    ],
)
def test_lines_come_and_go(tmp_path: Path, root: Path, change: tuple[str, str]) -> None:
    (given,) = read_mutants(patch(tmp_path, git_diff(root, change)), root)
    assert apply(root, given).rstrip("\n") == MODULE.replace(*change).rstrip("\n")


def test_a_hunk_without_context_inserts_after_its_line(tmp_path: Path, root: Path) -> None:
    text = "--- a/pkg/mod.py\n+++ b/pkg/mod.py\n@@ -8,0 +9 @@\n+    x = 2\n"
    (given,) = read_mutants(patch(tmp_path, text), root)
    assert apply(root, given) == MODULE.replace("(x):\n", "(x):\n    x = 2\n")


def test_each_diff_of_a_file_is_a_mutant(tmp_path: Path, root: Path) -> None:
    first = git_diff(root, ("x + x", "x - x"))
    second = git_diff(root, ("x + x", "x / x"))
    plain = second[second.index("--- ") :].replace("a/", "").replace("b/", "")
    path = patch(tmp_path, f"Two of git's:\n{first}\n{second}and one without prefixes\n{plain}")
    assert [given.replacement for given in read_mutants(path, root)] == ["-", "/", "/"]


def test_a_diff_that_does_not_fit_can_be_put_aside(tmp_path: Path, root: Path) -> None:
    misfit = HEADER + "@@ -9 +9 @@\n-    return y\n+    return x\n"
    misfits: list[str] = []
    path = patch(tmp_path, misfit + git_diff(root, ("x + x", "x - x")))
    assert [each.replacement for each in read_mutants(path, root, misfits=misfits)] == ["-"]
    assert len(misfits) == 1


def test_line_ends_of_another_system(tmp_path: Path, root: Path) -> None:
    file = root / "pkg" / "mod.py"
    file.write_bytes(MODULE.replace("\n", "\r\n").encode())
    text = git_diff(root, ("x + x", "x - x"))
    assert "\r" in text
    (given,) = read_mutants(patch(tmp_path, text), root)
    assert given == Given("pkg/mod.py", Position(9, 13), Position(9, 14), "-", "diff")


HEADER = "--- a/pkg/mod.py\n+++ b/pkg/mod.py\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEADER + "@@ -9 +9 @@\n-    return y\n+    return x\n", "expected '    return y' at line "
         "9, found '    return x \\+ x'"),
        (HEADER + "@@ -40 +40 @@\n-x\n+y\n", "at line 40, found the end of the file"),
        (HEADER + "@@ -9 +9 @@\n-    return x + x\n", "not a unified diff: Hunk is shorter"),
        (HEADER + "@@ -9 +9 @@\n-    return x + x\n+    return x + x\n", "changes nothing"),
        (HEADER + "@@ -8 +8 @@\n-def twice(x):\n+def f(x):\n"
         "@@ -7 +7 @@\n-\n+x = 1\n", "overlaps the one before it"),
        ("diff --git a/pkg/mod.py b/pkg/new.py\nsimilarity index 100%\nrename from pkg/mod.py\n"
         "rename to pkg/new.py\n", "but it renames a/pkg/mod.py"),
        ("diff --git a/x.bin b/x.bin\nindex 1..2 100644\nBinary files a/x.bin and b/x.bin differ\n",
         "but it changes a binary file"),
        ("--- /dev/null\n+++ b/pkg/new.py\n@@ -0,0 +1 @@\n+x\n", "but it adds a file"),
        ("--- a/pkg/mod.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", "but it removes a file"),
        ("diff --git a/pkg/mod.py b/pkg/mod.py\nold mode 100644\nnew mode 100755\n",
         "but it has no hunks"),
        ("--- a/../outside.py\n+++ b/../outside.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n", "is outside"),
        ("--- a/pkg/none.py\n+++ b/pkg/none.py\n@@ -1 +1 @@\n-x\n+y\n", "there is no file"),
    ],
)  # fmt: skip
def test_a_diff_is_refused(tmp_path: Path, root: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_mutants(patch(tmp_path, text), root)
