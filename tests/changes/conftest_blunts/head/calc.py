def add(a, b):
    return a + b


def twice(value):
    return value * 2
