"""JSON as its specification has it: read strictly, compared as JSON, taken apart by pointer."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

MISSING: Final = object()
"""Where a pointer leads nowhere."""
FENCED: Final = re.compile(r"\s*(`{3,}|~{3,})(?:json|JSON)?[ \t]*\n(.*?)\n?[ \t]*\1\s*", re.S)
_LONGEST_NUMBER: Final = 4000


class NoJsonError(ValueError):
    """A text, or a value, is no JSON; says what is wrong with it."""

    def __init__(self, message: str, kind: str = "json.syntax") -> None:
        super().__init__(message)
        self.kind = kind


class UndecidedError(ValueError):
    """Whether it is JSON, or what it says, depends on the reader."""


def read(text: str) -> Any:
    """Parse a text that must be one JSON document and nothing else.

    Raises:
        NoJsonError: It isn't; duplicate keys, ``NaN`` and ``Infinity`` are refused too.
        UndecidedError: It holds a number, or a depth, that parsers don't agree about.
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_constant,
            parse_float=_float,
            parse_int=_int,
        )
    except (NoJsonError, UndecidedError):
        raise
    except ValueError as error:
        raise NoJsonError(f"no JSON: {error}") from None
    except RecursionError:
        raise UndecidedError("nested too deeply to be compared") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            told = f"the key {json.dumps(key)} stands twice in one object"
            raise NoJsonError(told, "json.duplicates")
        found[key] = value
    return found


def _constant(name: str) -> Any:
    raise NoJsonError(f"{name} is no JSON")


def _float(literal: str) -> float:
    value = float(literal)
    if math.isinf(value):
        raise UndecidedError(f"{literal} is larger than most parsers can hold")
    return value


def _int(literal: str) -> int:
    if len(literal) > _LONGEST_NUMBER:
        raise UndecidedError("a number has more digits than most parsers can hold")
    return int(literal)


def plain(value: Any) -> Any:
    """A value as JSON data: tuples become lists.

    Raises:
        NoJsonError: It holds NaN or an infinity.
        UndecidedError: It holds something that JSON has no word for.
    """
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        raise NoJsonError(f"{value} is no JSON number")
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise UndecidedError("an object has keys that are no text")
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    raise UndecidedError(f"a {type(value).__name__} is no JSON value")


def unfenced(text: str) -> str | None:
    """What stands inside a code fence that is the whole text; None where there is none."""
    found = FENCED.fullmatch(text)
    return found[2] if found else None


def same(one: Any, other: Any, *, exact_numbers: bool = False) -> bool:
    """Are two values equal as JSON: true is not 1; 1 is 1.0 unless ``exact_numbers``?"""
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one == other and not (exact_numbers and type(one) is not type(other))
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str) and one == other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            same(value, other[key], exact_numbers=exact_numbers) for key, value in one.items()
        )
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(
            same(left, right, exact_numbers=exact_numbers)
            for left, right in zip(one, other, strict=True)
        )
    return False


def named(value: Any) -> str:
    """JSON's word for a value's type."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    return "object" if isinstance(value, dict) else "array"


def shown(value: Any, width: int = 60) -> str:
    """A value for a message, on one line."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= width else text[: width - 3] + "..."


def tokens(pointer: str) -> list[str]:
    """The parts of a JSON pointer (RFC 6901).

    Raises:
        ValueError: It is none.
    """
    if pointer == "":
        return []
    if not pointer.startswith("/") or re.search(r"~(?![01])", pointer):
        raise ValueError(f"{pointer!r} is no JSON pointer: write one such as '/items/0/name'")
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]


def joined(pointer: str, part: str | int) -> str:
    """A pointer one step deeper."""
    return pointer + "/" + str(part).replace("~", "~0").replace("/", "~1")


def resolve(data: Any, parts: Sequence[str]) -> Any:
    """What stands at a pointer, or ``MISSING``."""
    for part in parts:
        if isinstance(data, dict) and part in data:
            data = data[part]
        elif isinstance(data, list) and re.fullmatch(r"0|[1-9]\d*", part) and int(part) < len(data):
            data = data[int(part)]
        else:
            return MISSING
    return data


def walk(data: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """All values of a document with their pointers, outermost first."""
    yield pointer, data
    if isinstance(data, dict):
        for key, value in data.items():
            yield from walk(value, joined(pointer, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from walk(value, joined(pointer, index))
