import ladder


def test_climb():
    assert ladder.climb(7, 2) == 3
