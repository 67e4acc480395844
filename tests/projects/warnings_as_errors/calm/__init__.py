import warnings


def total(numbers):
    result = sum(numbers)
    if result < 0:
        warnings.warn("negative total", RuntimeWarning)
    return result
