import pytest
from calc import PRICES, price


@pytest.mark.parametrize("name", sorted(PRICES))
def test_price(name):
    assert price(name) > 1
