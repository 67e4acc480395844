"""Mutants from a cosmic-ray session: by its diffs, or by cosmic-ray's own operators."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import sys
from pathlib import Path

import msgspec
import pytest

from redhanded.code.external import Given, read_mutants
from redhanded.errors import UsageError
from redhanded.model.mutant import Position

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
    return tree


SCHEMA = """
CREATE TABLE work_items (job_id VARCHAR NOT NULL, PRIMARY KEY (job_id));
CREATE TABLE mutation_specs (module_path VARCHAR, operator_name VARCHAR, operator_args JSON,
    occurrence INTEGER, start_pos_row INTEGER, start_pos_col INTEGER, end_pos_row INTEGER,
    end_pos_col INTEGER, definition_name VARCHAR, job_id VARCHAR NOT NULL, PRIMARY KEY (job_id));
CREATE TABLE work_results (worker_outcome VARCHAR(9), output TEXT, test_outcome VARCHAR(11),
    diff TEXT, job_id VARCHAR NOT NULL, PRIMARY KEY (job_id));
"""

# As cosmic-ray writes it: of lines split at newlines, so that there is an empty one at the end.
DIFF = """\
--- mutation diff ---
--- a/pkg/mod.py
+++ b/pkg/mod.py
@@ -6,5 +6,5 @@

\x20
 def twice(x):
-    return x + x
+    return x - x
\x20"""


def session(tmp_path: Path, *jobs: tuple[str, int, str | None, str | None]) -> Path:
    """A session with jobs: operator, occurrence, outcome of the worker, diff."""
    path = tmp_path / "session"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCHEMA)
        for number, (operator, occurrence, outcome, diff) in enumerate(jobs):
            connection.execute(
                "INSERT INTO mutation_specs VALUES (?, ?, ?, ?, 9, 13, 9, 14, 'twice', ?)",
                ("pkg/mod.py", operator, json.dumps("{}"), occurrence, str(number)),
            )
            if outcome:
                connection.execute(
                    "INSERT INTO work_results VALUES (?, '', 'KILLED', ?, ?)",
                    (outcome, diff, str(number)),
                )
        connection.commit()
    return path


# The least of cosmic-ray's trees: words, and the space before each.
TREE = """
import re

class Leaf:
    def __init__(self, prefix, value, parent):
        self.prefix, self.value, self.parent = prefix, value, parent

    def get_code(self):
        return self.prefix + self.value

class Root:
    parent = None

    def __init__(self, text):
        found = re.findall(r"(\\s*)(\\S*)", text)
        self.children = [Leaf(*each, self) for each in found]

    def get_code(self):
        return "".join(each.get_code() for each in self.children)

get_ast = Root

def ast_nodes(node):
    return [node, *node.children]
"""

OPERATOR = """
class Minus:
    def mutation_positions(self, node):
        return [None] * (getattr(node, "value", None) == "+")

    def mutate(self, node, index):
        node.value = "-"
        assert node.parent.get_code().count(" + ") == 1, "only a copy is changed"
        return node

class Gone(Minus):
    def mutate(self, node, index):
        return None

class Same(Minus):
    def mutate(self, node, index):
        return node

def get_operator(name):
    return {"core/Minus": Minus, "core/Gone": Gone, "core/Same": Same}[name]
"""


@pytest.fixture
def with_cosmic_ray(tmp_path: Path) -> str:
    """An interpreter in which there is a cosmic-ray, of which one operator is enough here."""
    package = tmp_path / "site" / "cosmic_ray"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "ast.py").write_text(TREE)
    (package / "plugins.py").write_text(OPERATOR)
    python = tmp_path / "python"
    python.write_text(
        f'#!/bin/sh\nshift\nPYTHONPATH="{tmp_path / "site"}" exec "{sys.executable}" "$@"\n'
    )
    python.chmod(0o755)
    return str(python)


MINUS = Given("pkg/mod.py", Position(9, 13), Position(9, 14), "-", "core/Minus")


def test_a_session_that_was_run_has_diffs(tmp_path: Path, root: Path) -> None:
    path = session(tmp_path, ("core/Minus", 0, "NORMAL", DIFF))
    assert read_mutants(path, root) == [MINUS]


def test_filtered_jobs_are_left_out(tmp_path: Path, root: Path) -> None:
    path = session(tmp_path, ("core/Minus", 0, "NORMAL", DIFF), ("core/Plus", 0, "SKIPPED", None))
    assert read_mutants(path, root) == [MINUS]


def test_jobs_without_diff_are_made_by_cosmic_ray(
    tmp_path: Path, root: Path, with_cosmic_ray: str
) -> None:
    path = session(tmp_path, ("core/Again", 0, "NORMAL", DIFF), ("core/Minus", 0, None, None))
    first, second = read_mutants(path, root, python=with_cosmic_ray)
    assert first == msgspec.structs.replace(MINUS, operator="core/Again")
    assert second == MINUS


def test_a_node_that_cosmic_ray_removes_is_gone(
    tmp_path: Path, root: Path, with_cosmic_ray: str
) -> None:
    path = session(tmp_path, ("core/Gone", 0, None, None), ("core/Minus", 0, None, None))
    first, second = read_mutants(path, root, python=with_cosmic_ray)
    assert first == Given("pkg/mod.py", Position(9, 13), Position(9, 15), "", "core/Gone")
    assert second == MINUS


@pytest.mark.parametrize(
    ("job", "message"),
    [
        (("core/Minus", 7, None, None), "the operator changes nothing there"),
        (("core/Same", 0, None, None), "the operator changes nothing there"),
        (("core/None", 0, None, None), "can't make this mutant: KeyError: 'core/None'"),
    ],
)
def test_what_cosmic_ray_cannot_make_is_refused(
    tmp_path: Path,
    root: Path,
    with_cosmic_ray: str,
    job: tuple[str, int, str | None, str | None],
    message: str,
) -> None:
    with pytest.raises(UsageError, match=message):
        read_mutants(session(tmp_path, job), root, python=with_cosmic_ray)


def test_without_diffs_and_without_cosmic_ray_there_is_advice(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 3\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    path = session(tmp_path, ("core/Minus", 0, None, None))
    with pytest.raises(UsageError, match="1 mutants of the session have not been run") as caught:
        read_mutants(path, root)
    assert "cosmic-ray exec" in str(caught.value.hint)


def test_an_interpreter_that_is_none_is_refused(tmp_path: Path, root: Path) -> None:
    path = session(tmp_path, ("core/Minus", 0, None, None))
    with pytest.raises(UsageError, match="can't be run: No such file"):
        read_mutants(path, root, python=str(tmp_path / "nothing"))


def test_an_interpreter_that_fails_is_refused(tmp_path: Path, root: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho broken >&2\nexit 1\n")
    python.chmod(0o755)
    path = session(tmp_path, ("core/Minus", 0, None, None))
    with pytest.raises(UsageError, match=r"could not be run with .*: broken"):
        read_mutants(path, root, python=str(python))


def test_a_diff_of_other_source_is_refused(tmp_path: Path, root: Path) -> None:
    path = session(tmp_path, ("core/Minus", 0, "NORMAL", DIFF))
    (root / "pkg" / "mod.py").write_text(MODULE.replace("x + x", "2 * x"), encoding="utf-8")
    with pytest.raises(UsageError, match=r"the diff does not fit pkg/mod\.py"):
        read_mutants(path, root)


def test_misfits_can_be_put_aside(tmp_path: Path, root: Path, with_cosmic_ray: str) -> None:
    path = session(
        tmp_path,
        ("core/Again", 0, "NORMAL", DIFF.replace("twice", "thrice")),
        ("core/Minus", 9, None, None),
        ("core/Minus", 7, None, None),
        ("core/Minus", 0, None, None),
    )
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE mutation_specs SET module_path = 'a.py' WHERE occurrence = 9")
        connection.commit()
    misfits: list[str] = []
    assert read_mutants(path, root, python=with_cosmic_ray, misfits=misfits) == [MINUS]
    told = "\n".join(misfits)
    assert "there is no file a.py" in told
    assert "the diff does not fit" in told
    assert "the operator changes nothing there" in told
    assert len(misfits) == 3


def test_a_session_without_mutants_is_refused(tmp_path: Path, root: Path) -> None:
    with pytest.raises(UsageError, match="session without any"):
        read_mutants(session(tmp_path), root)


def test_another_database_is_refused(tmp_path: Path, root: Path) -> None:
    path = tmp_path / "other.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE something (x)")
        connection.commit()
    with pytest.raises(UsageError, match="found another SQLite file"):
        read_mutants(path, root)
