"""The demo: a small project with a change whose tests look better than they are.

The sample's files come with the package. Its repository is made by calling git here, apart from
:mod:`redhanded.code.git`, which never writes to a repository.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import typer

from redhanded import shell
from redhanded.code.options import RunOptions
from redhanded.errors import UnavailableError, UsageError
from redhanded.guard import guarded
from redhanded.shell import Output

SAMPLE: Final = Path(__file__).resolve().parent / "sample"
BASE: Final = "HEAD^"
HEAD: Final = "HEAD"

LOOK_AT: Final = """\
What to look at
- All tests of the change are green. Two of the new ones kill mutants that the old tests leave
  alive: the delta counts those and nothing else, and says who killed what.
- test_cheap_orders_pay_for_delivery repeats an old test, so it gains nothing. The two of
  test_delivery_works assert nothing, so they can't judge. test_pricing_was_not_touched compares
  the source's text: it fails on a mere comment, and is no judge.
- test_delivery_is_free_from_the_limit_on was made weaker: a mutant that only it killed is lost.
- No test asks what express delivery costs: every mutant of that line survives.
"""

_CLOCK: Final = ("2024-02-01T10:00:00+0000", "2024-02-02T10:00:00+0000")
_TIMEOUT: Final = 300


def run(keep: Path | None, python: str | None, output: Output) -> None:
    """Set the sample up, grade its change, and say what to look at.

    Args:
        keep: Folder for the sample; None: a temporary one.
        python: Interpreter to run the sample's tests with; None: the first that has pytest.
        output: Where the result goes.
    """
    with guarded(), sample_folder(keep) as folder:
        repository = set_up(folder)
        options = RunOptions(
            command="delta",
            repository=repository,
            base=BASE,
            head=HEAD,
            python=interpreter(folder, python),
        )
        try:
            # A temporary folder is gone when the reader would look into it.
            shown = replace(output, where=keep is not None)
            shell.run(options, shown, out=None, resume=None)
        except typer.Exit as end:
            if end.exit_code == 0 and not output.quiet:
                print(f"\n{LOOK_AT}", file=sys.stderr if output.json else sys.stdout)
                if keep is not None:
                    print(f"The sample is in {repository}.", file=sys.stderr)
            raise


@contextlib.contextmanager
def sample_folder(keep: Path | None) -> Iterator[Path]:
    """A folder for the sample: one to keep, or one that is removed at the end.

    Raises:
        UsageError: There is something in the folder to keep already.
    """
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="redhanded-demo-") as name:
            yield Path(name)
        return
    if keep.exists() and not (keep.is_dir() and not any(keep.iterdir())):
        raise UsageError(
            f"expected --keep to name a new or an empty folder, found {keep}",
            hint="Give another name.",
        )
    keep.mkdir(parents=True, exist_ok=True)
    yield keep.absolute()


def set_up(folder: Path) -> Path:
    """Write the sample's repository: two commits, the change being the second.

    Args:
        folder: Where to put it.

    Returns:
        The repository.

    Raises:
        UnavailableError: git is missing or refuses.
    """
    repository = folder / "shop"
    repository.mkdir()
    _git(repository, "init", "--quiet", "--initial-branch=main")
    steps = (("base", "Sell things by mail"), ("head", "Deliver heavy parcels, and in a hurry"))
    for date, (revision, subject) in zip(_CLOCK, steps, strict=True):
        ignored = shutil.ignore_patterns("__pycache__")
        # Each copy gets a time of its own: git takes equal times and sizes for equal files.
        shutil.copytree(
            SAMPLE / revision,
            repository,
            dirs_exist_ok=True,
            ignore=ignored,
            copy_function=shutil.copyfile,
        )
        _git(repository, "add", "--all")
        _git(repository, "commit", "--quiet", "--no-verify", "-m", subject, date=date)
    return repository


def interpreter(folder: Path, asked: str | None) -> str:
    """An interpreter that has pytest: the one asked for, our own, one on PATH, or a new one.

    Args:
        folder: Where a new virtual environment would go.
        asked: What the user named; taken as it is.

    Raises:
        UnavailableError: There is none, and pytest can't be installed.
    """
    if asked is not None:
        return asked
    if importlib.util.find_spec("pytest") is not None:
        return sys.executable
    for name in ("python", "python3"):
        path = shutil.which(name)
        if path is not None and _has_pytest(path):
            return path
    made = folder / "venv"
    print("redhanded: no pytest at hand; installing one for the demo", file=sys.stderr)
    python = made / "bin" / "python"
    _call([sys.executable, "-m", "venv", str(made)])
    _call([str(python), "-m", "pip", "install", "--quiet", "pytest"])
    return str(python)


def _has_pytest(python: str) -> bool:
    try:
        done = subprocess.run(
            [python, "-c", "import sys, pytest; sys.exit(sys.version_info < (3, 10))"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_TIMEOUT,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _call(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=_TIMEOUT,
        )
        problem = done.stderr.strip().rpartition("\n")[2] if done.returncode else None
    except (OSError, subprocess.TimeoutExpired) as error:
        problem = str(error)
    if problem is not None:
        raise UnavailableError(
            f"the demo needs an interpreter with pytest, found none and couldn't make one: "
            f"{problem or 'no reason given'}",
            hint="Name one: redhanded demo --python /path/to/python.",
        )


def _git(folder: Path, *arguments: str, date: str | None = None) -> None:
    """Call git without the user's configuration, names, signatures and hooks."""
    environment = {name: value for name, value in os.environ.items() if name[:4] != "GIT_"}
    environment |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    for role in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{role}_NAME": "Demo", f"GIT_{role}_EMAIL": "demo@example.org"}
        if date is not None:
            environment[f"GIT_{role}_DATE"] = date
    try:
        done = subprocess.run(
            ["git", *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise UnavailableError(
            f"the demo needs git, and it can't be started: {error.strerror}",
            hint="Install git.",
        ) from error
    if done.returncode:
        raise UnavailableError(
            f"the demo needs a git repository; git {arguments[0]} said: {done.stderr.strip()}",
            hint="git 2.28 or later is needed.",
        )
