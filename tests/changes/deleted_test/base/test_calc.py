from calc import add, twice


def test_add():
    assert add(1, 2) == 3


def test_twice():
    assert twice(3) == 6
