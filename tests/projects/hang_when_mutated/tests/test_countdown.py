from countdown import steps


def test_three():
    assert steps(3) == 3


def test_none():
    assert steps(0) == 0


def test_less_than_none():
    assert steps(-1) == 0
