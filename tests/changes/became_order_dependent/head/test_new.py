from calc import label


def test_new():
    assert label(5) != label(5)
