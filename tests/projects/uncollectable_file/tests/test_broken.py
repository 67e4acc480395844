from pair import subtract


def test_subtract():
    assert subtract(3, 2) == 1
