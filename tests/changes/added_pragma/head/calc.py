def add(a, b):
    return a + b + 0  # pragma: no mutate


def half(value):  # pragma: no mutate
    return value // 2
