"""The suite on every supported Python, and the checks, each in an environment of its own.

`nox` runs all; `nox -s tests-3.12 -- -k delta` one, with arguments for pytest.
"""

from __future__ import annotations

import os
from pathlib import Path

import nox

PYTHONS = ["3.10", "3.11", "3.12", "3.13"]
PROJECT = nox.project.load_toml("pyproject.toml")
TEST = nox.project.dependency_groups(PROJECT, "test")
DEV = nox.project.dependency_groups(PROJECT, "dev")

nox.needs_version = ">=2024.10"
nox.options.reuse_existing_virtualenvs = True


def _offer_pyenv() -> None:
    """Put pyenv's interpreters on PATH: its shims answer only for the version that is chosen."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = [sorted(root.glob(f"versions/{version}.*/bin")) for version in PYTHONS]
    offered = [str(folders[-1]) for folders in found if folders]
    os.environ["PATH"] = os.pathsep.join([*offered, os.environ.get("PATH", os.defpath)])


_offer_pyenv()


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """The suite against the built wheel, as users get it."""
    session.install(".", *TEST)
    session.run("python", "-m", "pytest", *session.posargs)


@nox.session
def frameworks(session: nox.Session) -> None:
    """What asks graders, against the real frameworks: one that can't be imported fails."""
    session.install(".[frameworks]", *TEST)
    session.run(
        *("python", "-m", "pytest", "tests/outputs", *session.posargs),
        # Frameworks bring plugins for pytest.
        env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "REDHANDED_FRAMEWORKS": "all"},
    )


@nox.session
def lint(session: nox.Session) -> None:
    """ruff."""
    session.install(*[need for need in DEV if need.startswith("ruff")])
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """mypy, strict."""
    session.install("-e", ".", *DEV)
    session.run("mypy")


@nox.session
def imports(session: nox.Session) -> None:
    """The contracts on who may import whom."""
    session.install("-e", ".", *[need for need in DEV if need.startswith("import-linter")])
    session.run("lint-imports")


@nox.session
def docs(session: nox.Session) -> None:
    """News fragments parse, links lead somewhere, generated parts are current."""
    session.install("-e", ".", *DEV)
    session.run("towncrier", "build", "--draft", "--version", "unreleased", silent=True)
    session.run("python", "scripts/docs.py", "--check")


@nox.session
def demo(session: nox.Session) -> None:
    """The demo, from the built wheel."""
    session.install(".", *TEST)
    session.run("redhanded", "demo", *session.posargs)
