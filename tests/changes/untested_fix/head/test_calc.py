from calc import add, half


def test_add_nothing():
    assert add(1, 0) == 1


def test_half():
    assert half(7) == 3
