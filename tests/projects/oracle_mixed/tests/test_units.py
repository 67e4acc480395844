import unittest

from parcel import weigh


class Weights(unittest.TestCase):
    def test_subtests(self):
        for items in ([], [1], [2]):
            with self.subTest(items=items):
                self.assertGreater(weigh(items), sum(items))

    def test_subtest_skipped(self):
        with self.subTest():
            self.skipTest("only this one")
        self.assertTrue(weigh([]) < 5)
