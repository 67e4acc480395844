"""Parcels: what is packed, weighed, labelled and sent."""

LIMIT = 3


class Shelf:
    """A place for parcels, which knows how many lie there."""

    def __init__(self):
        self.items = []

    def put(self, item):
        self.items.append(item)

    def take(self):
        return self.items.pop()

    def __len__(self):
        return len(self.items)


def weigh(items):
    return sum(items) + 1


def label(name):
    return name.upper()


def wait(days):
    while days > 0:
        days = days - 1
    return days


def never_tested(value):
    return value * 2
