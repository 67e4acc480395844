import warnings


def root(number):
    if number < 0:
        raise ValueError(f"no root of {number}")
    return number**0.5


def old_root(number):
    warnings.warn("use root", DeprecationWarning)
    return number**0.5
