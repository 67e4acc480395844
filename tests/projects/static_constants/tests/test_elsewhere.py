def test_elsewhere():
    assert sum([1, 2]) == 3
