"""What an order costs, in cents."""

FREE_DELIVERY_FROM = 5_000
DELIVERY = 495


def discount(quantity):
    """Per cent off for buying many of one article."""
    if quantity >= 100:
        return 12
    if quantity >= 10:
        return 5
    return 0


def line_total(price, quantity):
    """What one line of an order costs."""
    if quantity < 1:
        raise ValueError(f"expected a quantity of at least 1, found {quantity}")
    total = price * quantity
    return total - total * discount(quantity) // 100


def delivery(total, grams=0, express=False):
    """What the delivery of an order costs; heavy parcels and haste are never free."""
    cost = 0 if total >= FREE_DELIVERY_FROM else DELIVERY
    if grams > 20_000:
        cost += 1_200
    if express:
        cost += 800
    return cost
