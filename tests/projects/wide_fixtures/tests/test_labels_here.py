def test_first_reader(labels):
    assert len(labels) == 1
