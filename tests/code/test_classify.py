from __future__ import annotations

import pytest

from redhanded.code.classify import Classifier, PytestSettings, read_pytest_settings


def settings_of(**files: str) -> PytestSettings:
    named = {name.replace("__", "."): text.encode() for name, text in files.items()}
    return read_pytest_settings(named.get)


TREE = (
    "README.md",
    "conftest.py",
    "docs/conf.py",
    "docs/guide.rst",
    "examples/app/__init__.py",
    "noxfile.py",
    "pkg/__init__.py",
    "pkg/data/table.json",
    "pkg/mod.py",
    "pkg/testing/__init__.py",
    "pkg/testing/helpers.py",
    "pkg/tests/__init__.py",
    "pkg/tests/data.json",
    "pkg/tests/helpers.py",
    "pkg/tests/test_mod.py",
    "pkg/tools/inner.py",
    "pyproject.toml",
    "setup.py",
    "single.py",
    "src/tools/__init__.py",
)


def classifier(settings: PytestSettings | None = None, sources: tuple[str, ...] = ()) -> Classifier:
    return Classifier(settings or PytestSettings(), TREE, sources)


@pytest.mark.parametrize(
    ("path", "category"),
    [
        ("pkg/mod.py", "source"),
        ("pkg/__init__.py", "source"),
        ("pkg/tools/inner.py", "source"),
        ("single.py", "source"),
        ("src/tools/__init__.py", "source"),
        ("src/ns/part/mod.py", "source"),
        ("pkg/testing/helpers.py", "source"),
        ("pkg/contest.py", "source"),
        ("pkg/test.py", "source"),
        ("pkg/setup.py", "source"),
        ("pkg/testutils.py", "source"),
        ("pkg/tests/helpers.py", "test"),
        ("pkg/tests/data.json", "test"),
        ("pkg/sandbox/tests/test_core.py", "test"),
        ("Tests/helper.py", "test"),
        ("test/pyproject.toml", "test"),
        ("conftest.py", "test"),
        ("pkg/conftest.py", "test"),
        ("pkg/test_inline.py", "test"),
        ("pkg/inline_test.py", "test"),
        ("app/tests.py", "test"),
        ("test.py", "test"),
        ("test_readme.txt", "test"),
        ("pyproject.toml", "config"),
        ("sub/pytest.ini", "config"),
        ("setup.py", "config"),
        ("noxfile.py", "config"),
        (".coveragerc", "config"),
        ("requirements-dev.txt", "config"),
        ("requirements/testing.txt", "config"),
        ("uv.lock", "config"),
        ("sitecustomize.py", "config"),
        ("src/usercustomize.py", "config"),
        ("docs/conf.py", "other"),
        ("docs/guide.rst", "other"),
        ("examples/app/__init__.py", "other"),
        ("packages/one/scripts/run.py", "other"),
        (".github/check.py", "other"),
        ("README.md", "other"),
        ("pkg/data/table.json", "other"),
        ("pkg/fast.pyx", "other"),
    ],
)
def test_categories(path: str, category: str) -> None:
    assert classifier().category(path) == category


def test_patterns_of_the_configuration_replace_the_default() -> None:
    found = classifier(PytestSettings(python_files=("check_*.py", "spec/*_spec.py")))
    assert found.category("pkg/check_mod.py") == "test"
    assert found.category("spec/mod_spec.py") == "test"
    assert found.category("deep/spec/mod_spec.py") == "test"
    assert found.category("pkg/mod_spec.py") == "source"
    assert found.category("pkg/test_mod.py") == "source"


def test_a_pattern_for_everything_holds_in_testpaths_only() -> None:
    found = classifier(PytestSettings(python_files=("*.py",), testpaths=("checks", "pkg/checks/")))
    assert found.category("checks/mod.py") == "test"
    assert found.category("pkg/checks/mod.py") == "test"
    assert found.category("pkg/mod.py") == "source"
    nowhere = classifier(PytestSettings(python_files=("*.py",)))
    assert nowhere.category("pkg/mod.py") == "source"


def test_a_testpaths_folder_without_packages_is_all_tests() -> None:
    tree = (*TREE, "checks/test_a.py", "checks/helpers.py", "lib/helpers.py", "pkg/test_in.py")
    paths = ("checks", "pkg", "lib", ".")
    found = Classifier(PytestSettings(testpaths=paths), tree)
    assert found.category("checks/helpers.py") == "test"
    assert found.category("checks/data/x.json") == "test"
    assert found.category("pkg/mod.py") == "source"
    assert found.category("lib/helpers.py") == "source"
    assert found.category("single.py") == "source"


def test_a_folder_is_no_prefix_of_a_name() -> None:
    found = Classifier(PytestSettings(testpaths=("checks",)), ("checks/test_a.py", "checks_lib.py"))
    assert found.category("checks_lib.py") == "source"


def test_doctest_globs_make_tests() -> None:
    settings = settings_of(pytest__ini="[pytest]\naddopts = -q --doctest-glob='*.rst'\n")
    assert classifier(settings).category("docs/guide.rst") == "test"
    assert classifier(settings).category("test_readme.txt") == "other"
    apart = settings_of(pytest__ini="[pytest]\naddopts = --doctest-glob *.rst -q\n")
    assert classifier(apart).category("docs/guide.rst") == "test"


def test_named_sources_are_source_where_a_folder_name_says_otherwise() -> None:
    found = classifier(sources=("pkg/test", "docs/ext.py", "scripts"))
    assert found.category("pkg/test/client.py") == "source"
    assert found.category("pkg/test/tests/helpers.py") == "test"
    assert found.category("pkg/test/test_client.py") == "test"
    assert found.category("docs/ext.py") == "source"
    assert found.category("docs/conf.py") == "other"
    assert found.category("scripts/run.py") == "source"
    assert found.category("scripts/conftest.py") == "test"
    assert found.category("pkg/mod.py") == "source"


def test_settings_default() -> None:
    settings = settings_of()
    assert settings == PytestSettings()
    assert settings.python_files == ("test_*.py", "*_test.py")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest__toml", '[pytest]\npython_files = ["x_*.py", "y.py"]\ntestpaths = ["a"]'),
        ("pytest__ini", "[pytest]\npython_files = x_*.py\n  y.py\ntestpaths = a"),
        (
            "pyproject__toml",
            '[tool.pytest.ini_options]\npython_files = ["x_*.py", "y.py"]\ntestpaths = "a"',
        ),
        ("pyproject__toml", '[tool.pytest]\npython_files = ["x_*.py", "y.py"]\ntestpaths = ["a"]'),
        ("tox__ini", "[pytest]\npython_files = x_*.py y.py\ntestpaths = a"),
        ("setup__cfg", "[tool:pytest]\npython_files = x_*.py y.py\ntestpaths = a"),
    ],
)
def test_settings_are_read_from_each_file(name: str, text: str) -> None:
    settings = settings_of(**{name: text})
    assert settings.file == name.replace("__", ".")
    assert settings.python_files == ("x_*.py", "y.py")
    assert settings.testpaths == ("a",)


def test_the_first_file_that_speaks_of_pytest_wins() -> None:
    settings = settings_of(
        pyproject__toml="[project]\nname = 'x'\n",
        tox__ini="[pytest]\npythonpath = lib\n",
        setup__cfg="[tool:pytest]\npythonpath = src\n",
    )
    assert (settings.file, settings.pythonpath) == ("tox.ini", ("lib",))
    empty = settings_of(pytest__ini="", tox__ini="[pytest]\npythonpath = lib\n")
    assert (empty.file, empty.pythonpath) == ("pytest.ini", ())


def test_a_file_that_cannot_be_parsed_says_nothing() -> None:
    settings = settings_of(pyproject__toml="[tool", setup__cfg="[tool:pytest]\ntestpaths = a\n")
    assert settings.testpaths == ("a",)
    assert settings_of(pytest__ini="python_files = x\n").python_files == ("test_*.py", "*_test.py")
