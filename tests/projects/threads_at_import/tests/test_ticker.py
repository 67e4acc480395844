from ticker import add, alive


def test_add():
    assert add(1, 2) == 3


def test_alive():
    assert alive()
