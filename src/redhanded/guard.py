"""What a user is told where something goes wrong: a message and an exit code, no traceback."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path

import typer

from redhanded.errors import InterruptedRunError, RedhandedError

BUG = RedhandedError.exit_code


@contextlib.contextmanager
def guarded(kept: list[Path] | None = None) -> Iterator[None]:
    """Turn what went wrong into a message and an exit code; a user never sees a traceback.

    Args:
        kept: Filled by the command with the run's directory, where it has one.
    """
    try:
        yield
    except typer.Exit:
        raise
    except RedhandedError as error:
        if error.exit_code == BUG:
            code = _bug(error, kept)
        else:
            complain(str(error), error.hint)
            code = error.exit_code
        raise typer.Exit(code) from None
    except KeyboardInterrupt:
        complain("interrupted")
        raise typer.Exit(InterruptedRunError.exit_code) from None
    except BrokenPipeError:
        close_stdout()
        raise typer.Exit(0) from None
    except Exception as error:
        raise typer.Exit(_bug(error, kept)) from None


def complain(message: str, hint: str | None = None) -> None:
    """Say on stderr what went wrong, and what can be done about it."""
    print(f"redhanded: {message}", file=sys.stderr, flush=True)
    if hint:
        print(f"  {hint}", file=sys.stderr, flush=True)


def _bug(error: Exception, kept: list[Path] | None) -> int:
    text = "".join(traceback.format_exception(error))
    folder = kept[0] if kept and kept[0].is_dir() else None
    if folder is not None:
        path = folder / "crash.txt"
        path.write_text(text, encoding="utf-8")
    else:
        handle, name = tempfile.mkstemp(prefix="redhanded-crash-", suffix=".txt")
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        path = Path(name)
    complain(
        f"this is a bug in redhanded, not in your project: {type(error).__name__}: {error}",
        f"The traceback is in {path}; please report it.",
    )
    return BUG


def close_stdout() -> None:
    """Whoever read stdout is gone: keep Python from complaining once more at its end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
