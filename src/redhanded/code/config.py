"""``[tool.redhanded]`` of ``pyproject.toml``.

Read from base, so that a change can't choose how it is graded; :func:`same_table` tells whether
head's differs, which is reported.

============== =============================================================================
key            meaning
============== =============================================================================
`sources`      files and folders that are source, whatever the folders' names say
`exclude`      files, folders or patterns (``*`` crosses slashes) that are never mutated
`operators`    operators or families to use; all where left out
`families-off` kinds of places left alone: ``logging``, ``repr``
`jobs`         trials at a time; one per core where left out
`max-mutants`  how many mutants are drawn where there are more
`seed`         decides which
`isolate`      ``fork`` or ``process``
`policy`       ``judged`` or ``any-failure``
`pytest-args`  go before those of the command line
============== =============================================================================
"""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec

from redhanded.code.classify import parse_toml
from redhanded.code.options import RunOptions
from redhanded.errors import UsageError

_VALUES = (
    "isolate is 'fork' or 'process', policy is 'judged' or 'any-failure', jobs, max-mutants and "
    "seed are whole numbers, the others lists of strings."
)
_Count = Annotated[int, msgspec.Meta(ge=1)]


class Configuration(msgspec.Struct, frozen=True):
    """What a project has settled for its runs."""

    sources: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    operators: tuple[str, ...] | None = None
    families_off: tuple[str, ...] = ()
    jobs: _Count | None = None
    max_mutants: _Count | None = None
    seed: int = 0
    isolate: Literal["fork", "process"] = "fork"
    policy: Literal["judged", "any-failure"] = "judged"
    pytest_args: tuple[str, ...] = ()


def read_configuration(content: bytes | None, where: str) -> Configuration:
    """Read the table out of a ``pyproject.toml``.

    Args:
        content: The file's; None where there is none.
        where: What messages call the file.
    """
    try:
        table = _table(content)
    except ValueError as error:
        message = f"expected a TOML document with a table [tool.redhanded] in {where}: {error}"
        raise UsageError(message, hint="Mend the file.") from None
    values: dict[str, Any] = {}
    for key, value in table.items():
        name = _checked(key, where)
        if name in values:
            message = f"{where}: [tool.redhanded] has '{_spelled(name)}' in two spellings"
            raise UsageError(message, hint="Keep one of them.")
        values[name] = value
    try:
        return msgspec.convert(values, Configuration)
    except msgspec.ValidationError as error:
        said = str(error).replace("$.", "")
        for name in values:
            said = said.replace(f"`{name}", f"`{_spelled(name)}")
        message = f"{where}: [tool.redhanded] has a wrong value: {said}"
        raise UsageError(message, hint=_VALUES) from None


def same_table(one: bytes | None, other: bytes | None) -> bool:
    """Whether two ``pyproject.toml`` say the same to redhanded."""
    try:
        return _table(one) == _table(other)
    except ValueError:
        return one == other


def merged(options: RunOptions, configuration: Configuration) -> RunOptions:
    """The options of a run: what the command line says goes before the configuration."""
    default = RunOptions(command=options.command)

    def chosen(name: str) -> Any:
        value = getattr(options, name)
        return getattr(configuration, name) if value == getattr(default, name) else value

    return replace(
        options,
        operators=chosen("operators"),
        families_off=chosen("families_off"),
        jobs=chosen("jobs"),
        max_mutants=chosen("max_mutants"),
        seed=chosen("seed"),
        isolate=chosen("isolate"),
        policy=chosen("policy"),
        pytest_args=configuration.pytest_args + options.pytest_args,
    )


def _table(content: bytes | None) -> dict[str, Any]:
    tools = {} if content is None else parse_toml(content).get("tool", {})
    table = tools.get("redhanded", {}) if isinstance(tools, dict) else tools
    if not isinstance(table, dict):
        message = "it is no table"
        raise ValueError(message)
    return table


def _checked(key: str, where: str) -> str:
    name = key.replace("-", "_")
    known = Configuration.__struct_fields__
    if name in known:
        return name
    near = difflib.get_close_matches(name, known, n=2)
    spelled = [_spelled(one) for one in near or known]
    hint = f"Did you mean {' or '.join(spelled)}?" if near else f"Keys are {', '.join(spelled)}."
    message = f"{where}: [tool.redhanded] has the key '{key}', which redhanded doesn't know"
    raise UsageError(message, hint=hint)


def _spelled(name: str) -> str:
    return name.replace("_", "-")
