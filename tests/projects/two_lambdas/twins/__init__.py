DOUBLE, SQUARE = (lambda x: x + x), (lambda x: x * x)

ENDS = {"first": lambda pair: pair[0], "last": lambda pair: pair[-1]}


def by_second(pairs):
    return sorted(pairs, key=lambda pair: (pair[1], pair[0]))
