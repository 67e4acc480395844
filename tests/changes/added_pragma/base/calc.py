def add(a, b):
    return a + b


def half(value):  # pragma: no mutate
    return value // 2
