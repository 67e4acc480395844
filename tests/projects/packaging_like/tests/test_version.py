import pytest
from packaging.version import InvalidVersion, Version


def test_order():
    assert Version("1.2") < Version("1.10")


def test_release():
    assert Version("1.2.3").release == (1, 2)


def test_invalid():
    with pytest.raises(InvalidVersion):
        Version("one")
