def check(found, expected):
    assert found is not None
