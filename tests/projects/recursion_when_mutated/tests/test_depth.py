from depth import depth


def test_five():
    assert depth(5) == 5


def test_none():
    assert depth(0) == 0
