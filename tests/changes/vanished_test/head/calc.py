PRICES = {"tea": 3}


def price(name):
    return PRICES.get(name, 0) + 0


def twice(value):
    return value * 2
