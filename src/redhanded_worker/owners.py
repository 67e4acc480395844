"""Whose code a frame runs."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable
from typing import Final

_RUNNERS: Final = ("pytest", "_pytest", "pluggy", "hypothesis", "pytest_subtests", "_hypothesis")


class Owners:
    """Tells code under test, test code, the runner's and the rest apart, by file."""

    def __init__(self, tree: str, subject: Iterable[str]) -> None:
        """Take the files.

        Args:
            tree: Root of the scratch tree.
            subject: Files of the code under test, relative to ``tree``.
        """
        self.tree = os.path.realpath(tree) + os.sep
        self._subject = {self.tree + os.path.normpath(name) for name in subject}
        self._known: dict[str, tuple[str, str]] = {}
        self._here = os.path.dirname(os.path.abspath(__file__)) + os.sep
        stdlib = sysconfig.get_paths()["stdlib"]
        self._runner_roots = (
            self._here,
            os.path.join(stdlib, "unittest") + os.sep,
            os.path.join(stdlib, "doctest.py"),
        )

    def is_subject(self, filename: str) -> bool:
        """Is this file code under test?"""
        return self.of(filename)[0] == "subject"

    def of(self, filename: str) -> tuple[str, str]:
        """Owner of a file, and the name to show for it."""
        known = self._known.get(filename)
        if known is None:
            known = self._known[filename] = self._look(filename)
        return known

    def warm(self) -> None:
        """Look at the files of all loaded modules."""
        for module in list(sys.modules.values()):
            name = getattr(module, "__file__", None)
            if isinstance(name, str):
                self.of(name)

    def _look(self, filename: str) -> tuple[str, str]:
        if filename.startswith("<"):
            # Doctests compile their examples under such a name; generated code (namedtuple,
            # dataclasses) does too, but fails in its caller's stead.
            owner = "test" if filename.startswith("<doctest") else "other"
            return owner, filename
        path = os.path.realpath(filename)
        if path.startswith(self.tree):
            name = path[len(self.tree) :].replace(os.sep, "/")
            if path in self._subject:
                return "subject", name
            parts = name.split("/")
            if "site-packages" in parts:
                return "other", parts[-1]
            return "test", name
        if path.startswith(self._runner_roots):
            return "runner", os.path.basename(path)
        for root in sys.path:
            prefix = os.path.realpath(root) + os.sep
            if path.startswith(prefix) and path[len(prefix) :].split(os.sep)[0] in _RUNNERS:
                return "runner", os.path.basename(path)
        return "other", os.path.basename(path)
