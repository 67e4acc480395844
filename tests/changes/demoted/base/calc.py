def half(value):
    if value < 0:
        raise ValueError(value)
    return value // 2
