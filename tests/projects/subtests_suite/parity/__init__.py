def is_even(number):
    return number % 2 == 0


def halve(number):
    if number < 0:
        raise ValueError(number)
    return number // 2
