"""What the oracle refuses to do."""

from __future__ import annotations


class RefusedError(Exception):
    """Something that is not as it must be; its text says what was expected and what was found."""
