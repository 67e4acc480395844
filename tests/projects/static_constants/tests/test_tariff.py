import pytest
import tariff


@pytest.mark.parametrize("size", tariff.SIZES)
def test_sizes(size):
    assert size < 3


def test_limit():
    assert tariff.LIMIT == 10


def test_fee():
    assert tariff.Parcel().cost(1) == 6


def test_default_size():
    assert tariff.Parcel().cost() == 15


def test_table():
    assert tariff.check("triple", 2) == 6


def test_start():
    assert tariff.START == 8


def test_double():
    assert tariff.double(1) == 2
