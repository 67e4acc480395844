from calc import lines


def test_lines():
    assert lines() == 8
