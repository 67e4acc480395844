import unittest

from parity import halve, is_even


class EvenTest(unittest.TestCase):
    def test_each(self):
        for number, even in ((0, True), (1, False), (2, True)):
            with self.subTest(number=number):
                self.assertEqual(is_even(number), even)


def test_halves(subtests):
    for number in (0, 2, 4):
        with subtests.test(number=number):
            assert halve(number) == number / 2
