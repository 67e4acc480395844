from calc import half


def test_half():
    assert half(6) == 3
