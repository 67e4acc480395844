def depth(number):
    if number == 0:
        return 0
    return 1 + depth(number - 1)
