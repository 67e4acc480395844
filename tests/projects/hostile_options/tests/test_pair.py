from pair import add


def test_one():
    assert add(1, 2) == 3


def test_two():
    assert add(2, 3) == 5


def test_zero():
    assert add(4, 0) == 4
