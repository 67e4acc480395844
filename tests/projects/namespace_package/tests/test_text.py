from acme.text import words
from acme.text.case import snake


def test_snake():
    assert snake("One Two") == "one_two"


def test_count():
    assert words.count() == 2
