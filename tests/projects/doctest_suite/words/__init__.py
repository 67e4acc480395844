"""Doctests in the code under test are tests."""


def shout(text):
    """Upper case with a mark.

    >>> shout("hey")
    'HEY!'
    """
    return text.upper() + "!"


def first(text):
    """First letter.

    >>> first("hey")
    'h'
    >>> first("")
    Traceback (most recent call last):
    ...
    IndexError: string index out of range
    """
    return text[0]
