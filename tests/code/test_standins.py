from __future__ import annotations

import importlib.metadata
import runpy
from typing import TYPE_CHECKING

import pytest

from redhanded.code.change import read_change
from redhanded.code.standins import write_stand_ins

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.repos import Repo

ASKS = "from importlib.metadata import version\n"
PROJECT = '[project]\nname = "My.Pkg"\n'


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return tmp_path / "tree"


def stood_in(
    repo: Repo, tree: Path, files: Mapping[str, str], installed: frozenset[str] = frozenset()
) -> tuple[str, ...]:
    """Notes on the stand-ins for a project that has just these files."""
    files = {"asks.py": ASKS, **files}
    repo.commit({"mod.py": "", **files})
    change = read_change(repo.root, None, "HEAD", tree.parent / "snapshot")
    for name, text in files.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return write_stand_ins(change, tree, installed)


VERSION_FILES = [
    {"pyproject.toml": '[tool.hatch.build.hooks.vcs]\nversion-file = "src/pkg/_version.py"\n'},
    {"pyproject.toml": '[tool.setuptools_scm]\nwrite_to = "src/pkg/_version.py"\n'},
    {"pyproject.toml": '[tool.setuptools_scm]\nversion_file = "src/pkg/_version.py"\n'},
    {"pyproject.toml": '[tool.versioningit.write]\nfile = "src/pkg/_version.py"\n'},
    {"pyproject.toml": '[tool.pdm.version]\nsource = "scm"\nwrite_to = "pkg/_version.py"\n'},
    {"setup.py": "setup(use_scm_version={'write_to': 'src/pkg/_version.py'})\n"},
]


@pytest.mark.parametrize("files", VERSION_FILES, ids=lambda files: "".join(files.values())[:25])
def test_a_version_module_that_only_a_build_makes(
    repo: Repo, tree: Path, files: dict[str, str]
) -> None:
    repo.commit({"mod.py": "1\n"})
    repo.git("tag", "v4.16.0")
    notes = stood_in(repo, tree, {**files, "src/pkg/__init__.py": ""})
    made = runpy.run_path(str(tree / "src/pkg/_version.py"))
    assert made["__version__"] == made["version"] == "4.16.0"
    assert made["__version_tuple__"] == made["version_tuple"] == (4, 16, 0)
    (note,) = notes
    assert "src/pkg/_version.py" in note
    assert "4.16.0" in note


def test_a_version_module_that_is_there_is_kept(repo: Repo, tree: Path) -> None:
    files = {**VERSION_FILES[0], "src/pkg/_version.py": "kept\n"}
    assert stood_in(repo, tree, files) == ()
    assert (tree / "src/pkg/_version.py").read_text() == "kept\n"


@pytest.mark.parametrize("path", ["../out.py", "/tmp/out.py", "nowhere/_version.py", "src/V.txt"])
def test_a_version_module_of_no_use_is_not_written(repo: Repo, tree: Path, path: str) -> None:
    text = f'[tool.setuptools_scm]\nwrite_to = "{path}"\n'
    assert stood_in(repo, tree, {"pyproject.toml": text, "src/pkg/__init__.py": ""}) == ()
    assert not (tree.parent / "out.py").exists()


def test_without_a_tag_the_version_is_nought(repo: Repo, tree: Path) -> None:
    stood_in(repo, tree, {**VERSION_FILES[0], "src/pkg/__init__.py": ""})
    assert runpy.run_path(str(tree / "src/pkg/_version.py"))["version"] == "0.0.0"


@pytest.mark.parametrize(
    ("tag", "version"),
    [("release-1.2", "1.2"), ("2026.1.0rc1", "2026.1.0rc1"), ("pkg/v3", "3"), ("wip", "0.0.0")],
)
def test_versions_of_tags(repo: Repo, tree: Path, tag: str, version: str) -> None:
    repo.commit({"mod.py": "1\n"})
    repo.git("tag", tag)
    stood_in(repo, tree, {**VERSION_FILES[0], "src/pkg/__init__.py": ""})
    assert runpy.run_path(str(tree / "src/pkg/_version.py"))["version"] == version


def metadata(tree: Path) -> importlib.metadata.Distribution:
    (found,) = importlib.metadata.distributions(path=[str(tree)])
    return found


def test_metadata_of_a_project_that_is_not_installed(repo: Repo, tree: Path) -> None:
    text = (
        PROJECT + 'version = "1.5"\n[project.scripts]\nmy-pkg = "pkg:main"\n'
        '[project.entry-points.pytest11]\nmine = "pkg.plugin"\n'
    )
    notes = stood_in(repo, tree, {"pyproject.toml": text})
    found = metadata(tree)
    assert (found.metadata["Name"], found.version) == ("My.Pkg", "1.5")
    assert {(point.group, point.name, point.value) for point in found.entry_points} == {
        ("console_scripts", "my-pkg", "pkg:main"),
        ("pytest11", "mine", "pkg.plugin"),
    }
    (note,) = notes
    assert "My.Pkg" in note
    assert "1.5" in note


@pytest.mark.parametrize(
    ("files", "version"),
    [
        ({"pyproject.toml": PROJECT + 'dynamic = ["version"]\n', "my_pkg/__init__.py":
          '"""Doc."""\n__version__ = "3.1"\n'}, "3.1"),
        ({"pyproject.toml": PROJECT, "src/my_pkg/__about__.py": "__version__: str = '3.2'\n"},
         "3.2"),
        ({"pyproject.toml": PROJECT, "my_pkg/__init__.py": "import x\n"}, "0.9"),
        ({"pyproject.toml": '[tool.poetry]\nname = "my-pkg"\nversion = "3.3"\n'}, "3.3"),
        ({"setup.cfg": "[metadata]\nname = my-pkg\nversion = 3.4\n"}, "3.4"),
        ({"setup.cfg": "[metadata]\nname = my-pkg\nversion = attr: my_pkg.__version__\n"}, "0.9"),
    ],
    ids=["init", "about", "tag", "poetry", "setup.cfg", "attr"],
)  # fmt: skip
def test_where_versions_are_read_from(
    repo: Repo, tree: Path, files: dict[str, str], version: str
) -> None:
    repo.commit({"mod.py": "1\n"})
    repo.git("tag", "0.9")
    stood_in(repo, tree, files)
    assert metadata(tree).version == version


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("import importlib_metadata\n", True),
        ("from importlib import resources, metadata\n", True),
        ("import pkg_resources\n", True),
        ("metadata = 1\n", False),
    ],
)
def test_metadata_that_nobody_asks_for_is_not_made(
    repo: Repo, tree: Path, text: str, asks: bool
) -> None:
    files = {"pyproject.toml": PROJECT + 'version = "1.5"\n', "asks.py": text}
    assert len(stood_in(repo, tree, files)) == asks


def test_a_pytest_plugin_has_to_be_found(repo: Repo, tree: Path) -> None:
    text = PROJECT + 'version = "1.5"\n[project.entry-points.pytest11]\nmine = "pkg.plugin"\n'
    assert len(stood_in(repo, tree, {"pyproject.toml": text, "asks.py": ""})) == 1


def test_an_installed_project_keeps_its_own_metadata(repo: Repo, tree: Path) -> None:
    text = PROJECT + 'version = "1.5"\n'
    assert stood_in(repo, tree, {"pyproject.toml": text}, frozenset({"my-pkg"})) == ()
    assert list(importlib.metadata.distributions(path=[str(tree)])) == []


@pytest.mark.parametrize("folder", ["my_pkg.egg-info", "src/My.Pkg-1.0.dist-info"])
def test_metadata_that_a_build_left_is_kept(repo: Repo, tree: Path, folder: str) -> None:
    text = PROJECT + 'version = "1.5"\n'
    files = {"pyproject.toml": text, f"{folder}/PKG-INFO": "Name: my-pkg\nVersion: 1.0\n"}
    assert stood_in(repo, tree, files) == ()


@pytest.mark.parametrize("text", ["[project", "[tool]\nruff = 1\n", "project = 3\n"])
def test_a_folder_that_is_no_project_gets_none(repo: Repo, tree: Path, text: str) -> None:
    # Settings that redhanded can't read are refused before a tree is made.
    repo.commit({"mod.py": ""})
    change = read_change(repo.root, None, "HEAD", tree.parent / "snapshot")
    tree.mkdir()
    (tree / "pyproject.toml").write_text(text)
    assert write_stand_ins(change, tree, frozenset()) == ()
    assert [path.name for path in tree.iterdir()] == ["pyproject.toml"]
