"""The library function that a case says its grader wraps."""

from __future__ import annotations

import json

import pytest

from redhanded.errors import UsageError
from tests.outputs.adapters.asking import asked, witnessed


def library(text: str) -> bool:
    return text == "x"


class Scorer:
    def evaluate(self, text: str) -> bool:
        return text == "x"


def through(output: str) -> bool:
    return library(output)


def around(output: str) -> bool:
    return output == "x"


def test_an_upstream_that_is_entered_is_seen() -> None:
    found = witnessed(through, "x", upstream=library)
    assert found["doubt"] is None
    assert found["roles"] == {"grader", "upstream"}


def test_one_that_is_not_entered_is_missed() -> None:
    found = witnessed(around, "x", upstream=library)
    assert str(found["doubt"].lack) == "upstream_not_entered"


def test_by_name() -> None:
    one = asked(through, upstream=f"{__name__}:library")
    assert one.watched[1].function is library
    one = asked(through, upstream="json.decoder:JSONDecoder.decode")
    assert one.watched[1].function is json.decoder.JSONDecoder.decode


def test_a_class_is_watched_by_the_method_that_gives_its_verdict() -> None:
    assert asked(through, upstream=Scorer).watched[1].function is Scorer.evaluate


@pytest.mark.parametrize(
    ("upstream", "message"),
    [
        ("json", "expected 'module:qualname'"),
        ("no_such_module_at_all:f", "can't be imported"),
        ("json:no_such_function", "has nothing called"),
        (5, "expected a callable"),
    ],
)
def test_what_can_not_be_found_is_refused(upstream: object, message: str) -> None:
    with pytest.raises(UsageError, match=message) as refused:
        asked(through, upstream=upstream)
    assert refused.value.hint
