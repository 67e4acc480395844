"""The page of the configuration says what the code reads, all of it and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

from redhanded.code.config import Configuration, read_configuration
from redhanded.code.options import RunOptions

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "configuration.md").read_text("utf-8")
KEYS = {name.replace("_", "-"): name for name in Configuration.__struct_fields__}
WORDS = {"all": None, "one per core": None}
"""Defaults that are no value of the file's."""


def example() -> bytes:
    found = re.search(r"^```toml\n(.*?)^```$", PAGE, re.M | re.S)
    assert found is not None
    return found[1].encode()


def rows() -> dict[str, str]:
    """Keys of the table and their defaults."""
    # What follows a semicolon is for runs of one kind.
    return dict(re.findall(r"^\| `([^`]+)` \| ([^|;]+?)(?:;[^|]*)? \|", PAGE, re.M))


def test_the_table_has_exactly_the_keys_that_the_code_knows() -> None:
    assert list(rows()) == list(KEYS)


def test_the_example_sets_every_key_to_something_else_than_its_default() -> None:
    found, default = read_configuration(example(), "the page"), Configuration()
    for name in KEYS.values():
        assert getattr(found, name) != getattr(default, name), name


def test_the_defaults_are_those_of_the_code() -> None:
    default, options = Configuration(), RunOptions(command="tests")
    for key, told in rows().items():
        value = WORDS[told] if told in WORDS else json.loads(told.strip("`"))
        wanted = tuple(value) if isinstance(value, list) else value
        assert getattr(default, KEYS[key]) == wanted, key
        if key != "exclude":  # The command line has no such option.
            assert getattr(options, KEYS[key]) == wanted, key
