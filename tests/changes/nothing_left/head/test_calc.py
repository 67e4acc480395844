from calc import add


def test_add_nothing():
    assert add(1, 0) == 1


def test_add():
    assert add(1, 2) == 3
