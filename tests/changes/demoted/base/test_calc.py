import pytest

from calc import half


def test_negative():
    with pytest.raises(ValueError):
        half(-1)
