import pytest
from calm import total


def test_total():
    assert total([1, 2]) == 3


def test_negative():
    with pytest.warns(RuntimeWarning):
        total([-1])
