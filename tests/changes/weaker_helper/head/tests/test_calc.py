from calc import add
from helpers import check


def test_add():
    check(add(1, 2), 3)
