"""Which test files import which source files."""

from __future__ import annotations

from pathlib import Path

import pytest

from redhanded.code.imports import Imports


@pytest.fixture
def imports(tmp_path: Path) -> Imports:
    files = {
        "src/pkg/__init__.py": "from .core import f\n",
        "src/pkg/core.py": "import pkg.low\n",
        "src/pkg/low.py": "LIMIT = 1\n",
        "src/pkg/lonely.py": "X = 1\n",
        "tests/conftest.py": "",
        "tests/helper.py": "def use():\n    from pkg import core\n",
        "tests/test_direct.py": "import pkg\n",
        "tests/test_by_helper.py": "import helper\n",
        "tests/test_elsewhere.py": "import json\n",
        "tests/test_dynamic.py": "import importlib\nimportlib.import_module('p' + 'kg')\n",
        "sub/conftest.py": "import pkg.lonely\n",
        "sub/test_by_conftest.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return Imports(tmp_path, [tmp_path / "src"])


@pytest.mark.parametrize(
    ("test", "reached"),
    [
        ("tests/test_direct.py", True),
        ("tests/test_by_helper.py", True),
        ("tests/test_elsewhere.py", False),
        ("tests/test_dynamic.py", True),
    ],
)
def test_imports_are_followed_through_files_and_functions(
    imports: Imports, test: str, reached: bool
) -> None:
    assert imports.reaches(test, "src/pkg/low.py") is reached


def test_a_conftest_counts_for_the_tests_below_it_alone(imports: Imports) -> None:
    assert imports.reaches("sub/test_by_conftest.py", "src/pkg/lonely.py")
    assert not imports.reaches("tests/test_direct.py", "src/pkg/lonely.py")


def test_a_file_that_is_not_there_is_taken_to_import_everything(imports: Imports) -> None:
    assert imports.reaches("tests/test_gone.py", "src/pkg/low.py")
