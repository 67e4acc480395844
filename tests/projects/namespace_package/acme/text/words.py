WORDS = ["one", "two"]


def count():
    return len(WORDS)
