import functools


def shifted(by):
    def shift(value):
        return value + by

    return shift


def counted(function):
    calls = 0

    @functools.wraps(function)
    def wrapper(*args):
        nonlocal calls
        calls += 1
        wrapper.calls = calls
        return function(*args)

    return wrapper


@counted
def area(width, height):
    return width * height


up = shifted(10)
