"""What the frameworks leave behind goes: a live thread would keep later runs from forking."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _no_timers() -> Iterator[None]:
    """deepeval waits for more metrics to count, in a thread, even where it may not send any."""
    yield
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.cancel()
            thread.join()
