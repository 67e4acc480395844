import pytest
from pair import add, multiply


@pytest.fixture
def broken():
    raise RuntimeError("broken before the test begins")


def test_add():
    assert add(1, 2) == 3


def test_red():
    assert add(1, 2) == 4


def test_red_too():
    assert multiply(2, 3) == 7


def test_red_in_setup(broken):
    assert add(2, 2) == 4
