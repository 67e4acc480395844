def label(number, seen=[]):
    seen.append(number)
    return f"item {number + len(seen) - 1}"


def twice(value):
    return value + value
