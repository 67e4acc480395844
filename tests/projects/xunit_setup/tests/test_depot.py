import unittest

import depot


def setup_module():
    depot.configure(3)


def test_rate_is_there():
    assert depot._settings


def test_rate_is_right():
    assert depot._settings["rate"] == 30


class TestStock:
    @classmethod
    def setup_class(cls):
        cls.stock = depot.stock(3)

    def test_stock_is_there(self):
        assert self.stock

    def test_stock_is_right(self):
        assert self.stock == [0, 1, 2]


class StockTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stock = depot.stock(2)

    def test_unit_stock_is_there(self):
        self.assertTrue(self.stock)

    def test_unit_stock_is_right(self):
        self.assertEqual(self.stock, [0, 1])
