import json
import os
import time

import pytest


def broken(*args, **kwargs):
    raise RuntimeError("patched away for the time of a test")


@pytest.fixture(autouse=True)
def patched(monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 5.5)
    for module, names in (
        (time, ("monotonic", "perf_counter", "sleep")),
        (os, ("write", "fork", "_exit")),
        (json, ("dumps", "loads")),
    ):
        for name in names:
            monkeypatch.setattr(module, name, broken)
