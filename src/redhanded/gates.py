"""What a gate of graders is held against, read from files: an earlier run, and waivers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import msgspec

from redhanded.errors import UsageError
from redhanded.evidence.graders import read_run
from redhanded.model.gate import Allowed, Waiver
from redhanded.model.graders import hole_key

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_LIST: Final = "waiver"
_EXAMPLE: Final = (
    'Such as [[waiver]] with case = "capital", kind = "blind", reason = "...", '
    "expires = 2030-01-31."
)
_PATTERNS: Final = ("hole", "case", "grader", "kind", "operator", "defect_class", "variant")


def allowed(baseline: Path | None, waivers: Path | None) -> Allowed:
    """Read both, where they are given.

    Raises:
        UsageError: One can't be read, or holds something else.
    """
    known = None
    if baseline is not None:
        result, _ = read_run(baseline)
        known = frozenset(hole_key(hole) for hole in result.holes)
    return Allowed(known, () if waivers is None else read_waivers(waivers))


def read_waivers(path: Path) -> tuple[Waiver, ...]:
    """The waivers of a file: TOML, or JSON where it is named so.

    Raises:
        UsageError: It can't be read, or one of them is none; says which.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"can't read {path}: {error}") from None
    try:
        given: Any = msgspec.json.decode(text) if path.suffix == ".json" else tomllib.loads(text)
    except (msgspec.MsgspecError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: {error}", hint=_EXAMPLE) from None
    found = given.get(_LIST) if isinstance(given, dict) else None
    if not isinstance(found, list) or set(given) != {_LIST}:
        raise UsageError(f"{path}: expected a list named {_LIST} and nothing else", hint=_EXAMPLE)
    return tuple(_waiver(path, number, one) for number, one in enumerate(found, 1))


def _waiver(path: Path, number: int, given: object) -> Waiver:
    try:
        made = msgspec.convert(given, Waiver)
    except msgspec.ValidationError as error:
        raise UsageError(f"{path}: waiver {number}: {error}", hint=_EXAMPLE) from None
    if not made.reason.strip():
        raise UsageError(f"{path}: waiver {number}: expected a reason, found none")
    if all(getattr(made, name) is None for name in _PATTERNS):
        raise UsageError(
            f"{path}: waiver {number}: expected what it waives, one of {', '.join(_PATTERNS)}",
            hint=_EXAMPLE,
        )
    return made
