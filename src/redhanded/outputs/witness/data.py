"""What a grader returned, as plain data that can be stored and compared."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

DEPTH: Final = 6
ITEMS: Final = 100
TEXT: Final = 2000
_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")


def as_data(value: Any, depth: int = DEPTH) -> Any:
    """A value as plain data: without addresses, not deep, not long, with no float JSON lacks."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Enum):
        return as_data(value.value, depth)
    if isinstance(value, int):
        return int(value) if -(2**63) <= value < 2**63 else str(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, str):
        return _cut(str(value))
    if depth == 0:
        return told(value)
    if isinstance(value, Mapping):
        return {str(key): as_data(one, depth - 1) for key, one in _first(value.items())}
    if isinstance(value, (list, tuple)):
        return [as_data(one, depth - 1) for one in _first(value)]
    if isinstance(value, (set, frozenset)):
        return [as_data(one, depth - 1) for one in _first(sorted(value, key=told))]
    return _object(value, depth)


def _object(value: Any, depth: int) -> Any:
    if isinstance(value, type) or callable(value):
        return told(value)
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
    elif hasattr(value, "__struct_fields__"):
        names = list(value.__struct_fields__)
    else:
        names = [name for name in getattr(value, "__dict__", {}) if not name.startswith("_")]
    if not names:
        return told(value)
    fields = {name: as_data(getattr(value, name, None), depth - 1) for name in names[:ITEMS]}
    return {"type": type(value).__qualname__, **fields}


def told(value: Any) -> str:
    """``repr`` without addresses; the type's name where there is none."""
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__qualname__}>"
    return _cut(_ADDRESS.sub("", text))


def error_text(error: BaseException) -> str:
    """Type and one line of an exception."""
    try:
        message = str(error).strip()
    except Exception:
        message = ""
    first = message.splitlines()[0] if message else ""
    return _cut(_ADDRESS.sub("", f"{type(error).__qualname__}: {first}" if first
                             else type(error).__qualname__))  # fmt: skip


def _cut(text: str) -> str:
    return text if len(text) <= TEXT else f"{text[: TEXT - 1]}…"


def _first(values: Any) -> list[Any]:
    return [one for _, one in zip(range(ITEMS), values, strict=False)]
