import unittest

import pytest
from strict import old_root, root


def test_raises():
    with pytest.raises(ValueError):
        root(-1)


def test_raises_and_says():
    with pytest.raises(ValueError, match="no root of -1"):
        root(-1)


def test_raises_anything():
    with pytest.raises(Exception):
        root(-1)


def test_root():
    assert root(9) == 3


def test_warns():
    with pytest.warns(DeprecationWarning):
        result = old_root(4)
    assert result == 2


class ExpectationTest(unittest.TestCase):
    def test_assert_raises(self):
        with self.assertRaises(ValueError):
            root(-1)

    def test_assert_raises_called(self):
        self.assertRaises(ValueError, root, -1)

    def test_assert_warns(self):
        with self.assertWarns(DeprecationWarning):
            old_root(4)
