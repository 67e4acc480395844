"""One hierarchy of errors; each carries the exit code that the command ends with.

```
RedhandedError            70  a bug in redhanded, when raised bare
├── UsageError             2  the user asked for something that can't be done as asked
├── UnavailableError       3  nothing could be measured
├── RedControlError        4  the judges are red on the undamaged subject
├── UnwitnessedError       5  the harness can't show that it measured the right thing
└── InterruptedRunError  130  the user stopped the run
```

A message says what was expected, what was found and what to do.
"""

from __future__ import annotations

from typing import ClassVar


class RedhandedError(Exception):
    """Base of all errors that redhanded raises on purpose."""

    exit_code: ClassVar[int] = 70

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint
        """What the user can do about it, as one sentence."""


class UsageError(RedhandedError):
    """The request itself is wrong: a revision, a path, an option, a file that can't be read."""

    exit_code = 2


class UnavailableError(RedhandedError):
    """Nothing could be measured."""

    exit_code = 3


class RedControlError(RedhandedError):
    """No judge passes on the undamaged subject."""

    exit_code = 4


class UnwitnessedError(RedhandedError):
    """The harness can't show that it measured what it claims to measure."""

    exit_code = 5


class InterruptedRunError(RedhandedError):
    """The user stopped the run; what was finished is kept."""

    exit_code = 130
