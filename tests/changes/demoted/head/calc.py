def half(value):
    if value < 0:
        raise ValueError(f"negative: {value}")
    return value // 2
