def add(a, b):
    return a + b


def half(value):
    return value // 2
