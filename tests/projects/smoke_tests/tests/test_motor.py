from motor import start


def test_runs():
    start(3)


def test_runs_quietly():
    try:
        start(3)
    except Exception:
        pass


def test_says():
    assert start(3) == 6
