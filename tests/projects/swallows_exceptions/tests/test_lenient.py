from lenient import ratio, to_number


def test_number():
    assert to_number(" 7 ") == 7


def test_no_number():
    assert to_number("seven") == 0


def test_swallows_and_judges():
    try:
        result = ratio(6, 3)
    except Exception:
        result = None
    assert result == 2


def test_swallows_and_is_content():
    try:
        ratio(6, 3)
    except Exception:
        pass


def test_expects_by_hand():
    message = ""
    try:
        ratio(1, 0)
    except ZeroDivisionError as error:
        message = str(error)
    assert message == "nothing to divide by"
