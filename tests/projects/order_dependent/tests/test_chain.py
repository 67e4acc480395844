import chain


def test_begins():
    chain.begin()
    assert chain.step() == 2


def test_goes_on():
    assert chain.step() == 2


def test_twice():
    assert chain.twice(2) == 4
