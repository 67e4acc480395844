def lines():
    return 8


def half(value):
    return value // 2
