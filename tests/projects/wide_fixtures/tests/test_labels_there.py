def test_second_reader(labels):
    assert labels == ["Pear"]


def test_stranger():
    assert sorted([2, 1]) == [1, 2]
