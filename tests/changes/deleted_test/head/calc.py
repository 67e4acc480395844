def add(a, b):
    return a + b


def twice(value):
    return value * 2


def half(value):
    return value // 2
