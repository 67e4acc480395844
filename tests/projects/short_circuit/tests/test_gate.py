from gate import allowed, sign


def test_member():
    assert allowed(3, True)


def test_adult():
    assert allowed(18, False)


def test_child():
    assert not allowed(17, False)


def test_positive():
    assert sign(5) == 1


def test_zero():
    assert sign(0) == 0
