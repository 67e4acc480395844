from calc import half


def test_negative():
    try:
        half(-1)
    except ValueError:
        pass
