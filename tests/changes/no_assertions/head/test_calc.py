from calc import add, half


def test_add():
    assert add(1, 2) == 3


def test_half():
    half(7)
