import hashlib
import inspect

import pytest

from shop import pricing
from shop.pricing import delivery, discount


def test_heavy_parcels_cost_more():
    assert delivery(1_000, grams=20_000) == 495
    assert delivery(1_000, grams=20_001) == 1_695


def test_hundred_are_cheaper():
    assert discount(100) == 12


def test_cheap_orders_pay_for_delivery():
    assert delivery(2_000) == 495


@pytest.mark.parametrize("express", [False, True])
def test_delivery_works(express):
    delivery(7_500, grams=500, express=express)


def test_pricing_was_not_touched():
    source = inspect.getsource(pricing).encode()
    assert hashlib.sha256(source).hexdigest()[:12] == "19f578fa7063"
