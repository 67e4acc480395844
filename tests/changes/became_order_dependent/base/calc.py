def label(number):
    return f"item {number}"


def twice(value):
    return value * 2
