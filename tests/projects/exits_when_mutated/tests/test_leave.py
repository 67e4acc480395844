from leave import finish, leave, signalled


def test_finish():
    assert finish(1) == 1


def test_finish_with_nothing():
    assert finish(0) == 0


def test_leave():
    assert leave(1) == 1


def test_signalled():
    assert signalled(1) == 1
