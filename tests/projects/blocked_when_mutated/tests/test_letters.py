from letters import fetch


def test_two():
    assert fetch([1, 2]) == [1, 2]
