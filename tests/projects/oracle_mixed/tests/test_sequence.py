"""Two tests that import nothing, the second of which needs the first."""

done = []


def test_first():
    done.append("first")


def test_second():
    assert done == ["first"]
