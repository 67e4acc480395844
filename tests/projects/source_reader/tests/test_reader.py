import inspect
from pathlib import Path

import reader
from reader import add, multiply

LENGTH = 71
CONSTANTS = (int, str, type(None))


def test_add():
    assert add(1, 2) == 3


def test_reads_the_file():
    assert len(Path(reader.__file__).read_text()) == LENGTH


def test_asks_for_the_source():
    assert len(inspect.getsource(reader)) == LENGTH


def test_looks_at_the_code():
    assert all(isinstance(constant, CONSTANTS) for constant in add.__code__.co_consts)


def test_looks_and_judges():
    assert all(isinstance(constant, CONSTANTS) for constant in multiply.__code__.co_consts)
    assert multiply(2, 3) == 6
