def available():
    return True


def value():
    return 4
