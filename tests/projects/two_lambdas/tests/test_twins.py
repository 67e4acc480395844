from twins import DOUBLE, ENDS, SQUARE, by_second


def test_double():
    assert DOUBLE(3) == 6


def test_square():
    assert SQUARE(3) == 9


def test_first():
    assert ENDS["first"]((1, 2)) == 1


def test_last():
    assert ENDS["last"]((1, 2)) == 2


def test_by_second():
    assert by_second([(1, 2), (2, 1)]) == [(2, 1), (1, 2)]
