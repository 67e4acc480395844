from clock import day, week


def test_day():
    assert day() == 1440


def test_week():
    assert week() == 10080
