from functools import lru_cache


def count(items):
    return len(items) + 1


@lru_cache(maxsize=None)
def double(number):
    return number * 2
