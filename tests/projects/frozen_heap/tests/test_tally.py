from tally import count, double


def test_count():
    assert count("ab") == 3


def test_doubles_to_something():
    assert double(2)


def test_double():
    assert double(2) == 4
