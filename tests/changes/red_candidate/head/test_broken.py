from calc import quarter


def test_quarter():
    assert quarter(8) == 2
