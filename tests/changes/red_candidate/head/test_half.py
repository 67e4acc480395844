from calc import half


def test_half():
    assert half(7) == 4
