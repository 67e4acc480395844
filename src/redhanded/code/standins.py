"""Stand-ins for what only a build or an installation of the project makes.

Tests of many projects can't even be imported in a bare copy of the repository: the package imports
a version module that the build writes, or asks for the metadata of its own distribution. Where the
checkout and the interpreter have neither, a stand-in is written into the scratch tree, and told:
of metadata only where some file of the project asks for any, or where it declares a pytest plugin.
"""

from __future__ import annotations

import configparser
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from redhanded.code.change import Change
from redhanded.code.classify import parse_toml

_VERSION = re.compile(r"\d+(?:\.\d+)*(?:\.?(?:a|b|rc|post|dev)\d+)?$")
_LITERAL = re.compile(r"^__version__\s*(?::[^=\n]*)?=\s*[\"']([^\"'\n]+)[\"']", re.MULTILINE)
_WRITE_TO = re.compile(r"[\"']?(?:write_to|version_file)[\"']?\s*[:=]\s*[\"']([^\"'\n]+)[\"']")
_ASKS = re.compile(rb"importlib[._]metadata|from importlib import [^\n]*metadata|pkg_resources")
_VERSION_MODULES = ("__init__.py", "_version.py", "__about__.py", "__version__.py", "version.py")

# Table of pyproject.toml, and the key that names the file which the build writes.
_WRITERS = (
    (("tool", "setuptools_scm"), "write_to"),
    (("tool", "setuptools_scm"), "version_file"),
    (("tool", "hatch", "build", "hooks", "vcs"), "version-file"),
    (("tool", "versioningit", "write"), "file"),
    (("tool", "pdm", "version"), "write_to"),
)


def write_stand_ins(change: Change, tree: Path, installed: Collection[str]) -> tuple[str, ...]:
    """Write what is missing into a scratch tree.

    Args:
        change: Whose repository.
        tree: The tree, otherwise complete; its own settings say what a build would make.
        installed: Normalised names of the distributions that the interpreter has.

    Returns:
        What a reader of the result should know.
    """
    project = _Project(tree)
    notes = []
    for file in project.version_files():
        version = _tag_version(change)
        (tree / file).write_text(_version_module(version), encoding="utf-8")
        notes.append(
            f"{file} is made by the project's build and the checkout has none: a stand-in says "
            f"version {version}; build or install the project in the checkout for the real one"
        )
    name = project.name
    known = name is None or normalised(name) in installed or _has_metadata(tree, name)
    if name is not None and not known and project.wants_metadata():
        version = project.version() or _tag_version(change)
        _write_metadata(tree, name, version, project.entry_points())
        notes.append(
            f"{name} is not installed in the project's interpreter: a stand-in for its metadata "
            f"says version {version}"
        )
    return tuple(notes)


def normalised(name: str) -> str:
    """A distribution's name as it is compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


class _Project:
    """What the settings in a tree say about the project."""

    def __init__(self, tree: Path) -> None:
        self._tree = tree
        self._document = _toml(tree / "pyproject.toml")
        self._legacy = _ini(tree / "setup.cfg", "metadata")
        self._main = self._table("project") or self._table("tool", "poetry") or self._legacy

    @property
    def name(self) -> str | None:
        """The distribution's."""
        name = self._main.get("name")
        return name if isinstance(name, str) and name else None

    def version(self) -> str | None:
        """What the settings or the package itself say."""
        version = self._main.get("version")
        if isinstance(version, str) and re.fullmatch(r"v?\d[\w.+!-]*", version):
            return version
        package = normalised(self.name or "").replace("-", "_")
        for folder in (self._tree / "src" / package, self._tree / package):
            for module in _VERSION_MODULES:
                match = _LITERAL.search(_read(folder / module))
                if match is not None:
                    return match[1]
        return None

    def version_files(self) -> Iterator[str]:
        """Modules that a build would write, and that are not there."""
        named = [self._table(*path).get(key) for path, key in _WRITERS]
        named += _WRITE_TO.findall(_read(self._tree / "setup.py"))
        for name in dict.fromkeys(each for each in named if isinstance(each, str)):
            # Some count from the folder of the sources.
            for path in (PurePosixPath(name), PurePosixPath("src") / name):
                there = self._tree / path
                if there.exists():
                    break
                is_below = ".." not in path.parts and not path.is_absolute()
                if is_below and path.suffix == ".py" and there.parent.is_dir():
                    yield str(path)
                    break

    def entry_points(self) -> Mapping[str, Mapping[str, Any]]:
        """Names and objects by group."""
        return {
            "console_scripts": self._table("project", "scripts"),
            "gui_scripts": self._table("project", "gui-scripts"),
            **{
                group: points
                for group, points in self._table("project", "entry-points").items()
                if isinstance(points, dict)
            },
        }

    def wants_metadata(self) -> bool:
        """Whether any of the project's files asks for metadata, or pytest has to find a plugin."""
        if self.entry_points().get("pytest11"):
            return True
        files = (path for path in self._tree.rglob("*.py") if path.is_file())
        return any(_ASKS.search(path.read_bytes()) for path in files)

    def _table(self, *path: str) -> Mapping[str, Any]:
        table: Any = self._document
        for key in path:
            table = table.get(key, {}) if isinstance(table, dict) else {}
        return table if isinstance(table, dict) else {}


def _tag_version(change: Change) -> str:
    commit = change.head.commit or change.repository.head()
    tag = None if commit is None else change.repository.last_tag(commit)
    match = _VERSION.search(tag or "")
    return match[0] if match is not None else "0.0.0"


def _version_module(version: str) -> str:
    numbers = tuple(int(part) for part in re.findall(r"\d+", version))
    return (
        f"__version__ = version = {version!r}\n"
        f"__version_tuple__ = version_tuple = {numbers!r}\n"
        "__commit_id__ = commit_id = None\n"
    )


def _has_metadata(tree: Path, name: str) -> bool:
    for folder in (tree, tree / "src"):
        for kind in (".egg-info", ".dist-info"):
            for found in folder.glob(f"*{kind}"):
                if normalised(found.name.removesuffix(kind).split("-")[0]) == normalised(name):
                    return True
    return False


def _write_metadata(
    tree: Path, name: str, version: str, points: Mapping[str, Mapping[str, Any]]
) -> None:
    folder = tree / f"{normalised(name).replace('-', '_')}-{version}.dist-info"
    folder.mkdir()
    said = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (folder / "METADATA").write_text(said, encoding="utf-8")
    lines = []
    for group, members in points.items():
        if members:
            lines.append(f"[{group}]")
            lines += [f"{each} = {value}" for each, value in members.items()]
    told = "".join(f"{line}\n" for line in lines)
    (folder / "entry_points.txt").write_text(told, encoding="utf-8")


def _toml(path: Path) -> dict[str, Any]:
    try:
        return parse_toml(path.read_bytes())
    except (OSError, ValueError):
        return {}


def _ini(path: Path, section: str) -> Mapping[str, Any]:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(_read(path))
    except configparser.Error:
        return {}
    return parser[section] if parser.has_section(section) else {}


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
