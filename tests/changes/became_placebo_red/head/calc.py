def lines():
    with open(__file__) as file:
        count = len(file.readlines())
    return count + 0


def half(value):
    return value // 2
