from memo import parse, total


def test_parses_to_something():
    assert parse("1,2")


def test_parses_to_the_parts():
    assert parse("1,2") == (1, 2)


def test_total():
    assert total("1,2") == 3
