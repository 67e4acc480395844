from calc import price


def test_tea():
    assert price("tea") == 3
