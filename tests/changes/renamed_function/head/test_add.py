from calc import plus


def test_plus():
    assert plus(1, 2) == 3
