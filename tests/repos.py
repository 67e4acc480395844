"""Small git repositories for tests."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Repo:
    """A git repository in a folder of its own, free of the user's configuration."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._clock = 1_700_000_000
        root.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str, at: int | None = None) -> str:
        """Run git here; ``at`` is the time that it takes for now."""
        names = {"GIT_AUTHOR_NAME": "A", "GIT_COMMITTER_NAME": "A"}
        mails = {"GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_EMAIL": "a@example.org"}
        date = f"{at if at is not None else self._clock} +0000"
        dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), date)
        done = subprocess.run(
            ["git", "-C", str(self.root), *arguments],
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(self.root.parent),
                "GIT_CONFIG_NOSYSTEM": "1",
                **names,
                **mails,
                **dates,
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write files; None removes one."""
        for name, content in files.items():
            path = self.root / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            data = content.encode() if isinstance(content, str) else content
            path.write_bytes(data)

    def commit(
        self,
        files: Mapping[str, str | bytes | None] | None = None,
        message: str = "change",
        at: int | None = None,
    ) -> str:
        """Write files, commit all that is there, and return the commit's id."""
        self.write(files or {})
        self._clock += 60
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", message, at=at)
        return self.git("rev-parse", "HEAD")

    def state(self) -> dict[str, bytes]:
        """Every file of the checkout, those inside ``.git`` included."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and not path.is_symlink()
        }
