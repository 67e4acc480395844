"""Which files are source, tests, configuration, or something else.

The rules decide what is mutated and what the reference cohort may see, so they never listen to the
candidate: pytest's settings are those of base.

*Test* side are: ``conftest.py`` anywhere; everything below a folder named ``test`` or ``tests``,
data included; modules that pytest's ``python_files`` matches; ``tests.py`` anywhere and ``test.py``
at the root; text files that pytest collects doctests from; and a ``testpaths`` folder that holds
test modules and no package. *Configuration* is what decides how tests run: pytest, tox, nox,
coverage, packaging and requirement files, and the modules that Python imports by itself when it
starts. *Source* is every other ``.py`` file, unless it lies in a folder whose name says that it
isn't shipped (documentation, examples, benchmarks, scripts). The rest is *other*: package data
among it.
"""

from __future__ import annotations

import configparser
import re
import shlex
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Literal

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Category = Literal["source", "test", "config", "other"]

_CONFIG_NAMES = frozenset(
    {
        ".coveragerc",
        ".pytest.ini",
        ".pytest.toml",
        ".python-version",
        "Pipfile",
        "Pipfile.lock",
        "environment.yml",
        "hatch.toml",
        "noxfile.py",
        "pdm.lock",
        "poetry.lock",
        "pylock.toml",
        "pyproject.toml",
        "pytest.ini",
        "pytest.toml",
        "setup.cfg",
        "sitecustomize.py",
        "toxfile.py",
        "tox.ini",
        "tox.toml",
        "usercustomize.py",
        "uv.lock",
        "uv.toml",
    }
)
_REQUIREMENTS = re.compile(r"(.*[-_.])?(requirements|constraints)([-_.].*)?\.(txt|in)")
_NOT_SHIPPED = frozenset(
    {
        "asv_bench",
        "bench",
        "benchmark",
        "benchmarks",
        "ci",
        "demos",
        "doc",
        "docs",
        "example",
        "examples",
        "misc",
        "notebooks",
        "samples",
        "scripts",
        "tasks",
        "tools",
    }
)


@dataclass(frozen=True)
class PytestSettings:
    """What of pytest's configuration decides which files are tests."""

    file: str | None = None
    """Where it was read from."""
    python_files: tuple[str, ...] = ("test_*.py", "*_test.py")
    testpaths: tuple[str, ...] = ()
    pythonpath: tuple[str, ...] = ()
    doctest_globs: tuple[str, ...] = ("test*.txt",)


def read_pytest_settings(read: Callable[[str], bytes | None]) -> PytestSettings:
    """Settings of the first file that pytest would take them from.

    Args:
        read: Content of a file at the repository's root, None where there is none. A file that
            can't be parsed says nothing: pytest itself refuses it when the tests are run.
    """
    for name, sections in _FILES:
        content = read(name)
        if content is None:
            continue
        table = _table(name, content, sections)
        # pytest.ini is taken even where it is empty.
        if table is not None or name.endswith("pytest.ini"):
            return _settings(name, table or {})
    return PytestSettings()


def same_pytest_tables(
    one: Callable[[str], bytes | None], other: Callable[[str], bytes | None]
) -> bool:
    """Do two revisions configure pytest alike, whatever else their files say?

    Args:
        one: Content of a file at the root of one revision, None where there is none.
        other: Likewise of the other.
    """

    def tables(read: Callable[[str], bytes | None]) -> list[object]:
        contents = ((name, sections, read(name)) for name, sections in _FILES)
        return [
            None if content is None else _table(name, content, sections)
            for name, sections, content in contents
        ]

    return tables(one) == tables(other)


class Classifier:
    """Puts paths into categories."""

    def __init__(
        self, settings: PytestSettings, files: Collection[str], sources: Collection[str] = ()
    ) -> None:
        """Learn the rules of one project.

        Args:
            settings: pytest's, at base.
            files: All tracked files, to know packages by.
            sources: Files and folders that the project names as its source: below them, the names
                of their own parents say nothing.
        """
        self.settings = settings
        self.packages = packages(files)
        self._sources = tuple(path.strip("/") for path in sources)
        self._test_folders = tuple(
            folder
            for folder in map(_folder, settings.testpaths)
            if self._is_for_tests(folder, files)
        )

    def category(self, path: str) -> Category:
        """Category of a path."""
        *folders, name = path.split("/")
        named = self._named(path)
        if name == "conftest.py" or self._is_test(path, name, folders[named:]):
            return "test"
        if self._is_config(name, "/".join(folders)):
            return "config"
        if not name.endswith(".py"):
            is_doctest = any(fnmatchcase(name, glob) for glob in self.settings.doctest_globs)
            return "test" if is_doctest else "other"
        return "source" if named or self._is_shipped(folders) else "other"

    def _named(self, path: str) -> int:
        """How many leading parts of a path the project itself names as source."""
        return max(
            (len(source.split("/")) for source in self._sources if is_below(path, source)),
            default=0,
        )

    def _is_test(self, path: str, name: str, folders: list[str]) -> bool:
        if any(folder.lower() in ("test", "tests") for folder in folders):
            return True
        if any(is_below(path, folder) for folder in self._test_folders):
            return True
        if not name.endswith(".py"):
            return False
        return name == "tests.py" or path == "test.py" or self._is_test_module(path)

    def _is_test_module(self, path: str) -> bool:
        name = path.rpartition("/")[2]
        for pattern in self.settings.python_files:
            if pattern in ("*.py", "*"):
                # Meant for the folders that pytest is pointed at: elsewhere it would make all
                # source a test.
                if any(is_below(path, _folder(there)) for there in self.settings.testpaths):
                    return True
            elif "/" in pattern:
                if fnmatchcase("/" + path, "*/" + pattern.lstrip("/")):
                    return True
            elif fnmatchcase(name, pattern):
                return True
        return False

    def _is_for_tests(self, folder: str, files: Collection[str]) -> bool:
        if any(is_below(package, folder) for package in self.packages):
            return False
        inside = [path for path in files if is_below(path, folder)]
        return any(path.endswith(".py") and self._is_test_module(path) for path in inside)

    def _is_config(self, name: str, folder: str) -> bool:
        if name == "setup.py":
            return folder not in self.packages
        if folder.rpartition("/")[2] == "requirements" and name.endswith((".txt", ".in")):
            return True
        return name in _CONFIG_NAMES or _REQUIREMENTS.fullmatch(name) is not None

    def _is_shipped(self, folders: list[str]) -> bool:
        for depth, folder in enumerate(folders, start=1):
            if folder == "src":
                return True
            if folder in _NOT_SHIPPED or folder.startswith("."):
                return False
            if "/".join(folders[:depth]) in self.packages:
                return True
        return True


def packages(files: Collection[str]) -> frozenset[str]:
    """Folders that hold an ``__init__.py``."""
    found = (path.rpartition("/") for path in files)
    return frozenset(folder for folder, _, name in found if name == "__init__.py")


def is_below(path: str, folder: str) -> bool:
    """Whether a path is ``folder`` or lies below it."""
    return path == folder or path.startswith(folder + "/")


def parse_toml(content: bytes) -> dict[str, Any]:
    """A TOML document; ValueError where it is none."""
    document: dict[str, Any] = tomllib.loads(content.decode())
    return document


_FILES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("pytest.toml", ("pytest",)),
    (".pytest.toml", ("pytest",)),
    ("pytest.ini", ("pytest",)),
    (".pytest.ini", ("pytest",)),
    ("pyproject.toml", ("tool", "pytest")),
    ("tox.ini", ("pytest",)),
    ("setup.cfg", ("tool:pytest",)),
)


def _table(name: str, content: bytes, sections: tuple[str, ...]) -> Mapping[str, Any] | None:
    """The table of pytest in one file; None where the file has none."""
    try:
        if not name.endswith(".toml"):
            parser = configparser.RawConfigParser(strict=False)
            parser.read_string(content.decode())
            return parser[sections[0]] if parser.has_section(sections[0]) else None
        table: Any = parse_toml(content)
        for section in sections:
            table = table.get(section, {})
        # Since pytest 9 the table itself; before, one inside it.
        table = table.get("ini_options", table)
    except (ValueError, AttributeError, configparser.Error):
        return None
    return table if isinstance(table, dict) and table else None


def _settings(name: str, table: Mapping[str, Any]) -> PytestSettings:
    default = PytestSettings()
    return PytestSettings(
        file=name,
        python_files=_words(table.get("python_files")) or default.python_files,
        testpaths=_words(table.get("testpaths")),
        pythonpath=_words(table.get("pythonpath")),
        doctest_globs=tuple(_doctest_globs(_words(table.get("addopts")))) or default.doctest_globs,
    )


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        try:
            return tuple(shlex.split(value))
        except ValueError:
            return tuple(value.split())
    if isinstance(value, list):
        return tuple(str(word) for word in value)
    return ()


def _doctest_globs(words: tuple[str, ...]) -> Iterator[str]:
    option = "--doctest-glob"
    for position, word in enumerate(words):
        if word.startswith(option + "="):
            yield word.removeprefix(option + "=")
        elif word == option and position + 1 < len(words):
            yield words[position + 1]


def _folder(path: str) -> str:
    return path.removeprefix("./").rstrip("/")
