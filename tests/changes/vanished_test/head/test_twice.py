from calc import twice


def test_twice():
    assert twice(3) == 6
