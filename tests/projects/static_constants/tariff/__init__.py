LIMIT = 10
SIZES = (1, 2)


def double(value):
    return value * 2


def triple(value):
    return value * 3


TABLE = {"double": double, "triple": triple}
START = double(4)


class Parcel:
    fee = 5

    def cost(self, size=LIMIT):
        return size + self.fee


def check(name, value, *, scale=1):
    return TABLE[name](value) * scale
