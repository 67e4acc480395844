import pytest

from shop.pricing import delivery, discount, line_total


def test_line_total():
    assert line_total(250, 3) == 750


def test_line_total_with_discount():
    assert line_total(100, 10) == 950


def test_no_line_without_quantity():
    with pytest.raises(ValueError):
        line_total(250, 0)


def test_discount_begins_at_ten():
    assert discount(9) == 0
    assert discount(10) == 5


def test_small_orders_pay_for_delivery():
    assert delivery(1_000) == 495


def test_delivery_is_free_from_the_limit_on():
    assert delivery(4_999) == 495
    assert delivery(5_000) == 0
