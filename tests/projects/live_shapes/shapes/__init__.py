import functools
from dataclasses import dataclass


class Box:
    def __init__(self, side):
        self.side = side

    @property
    def area(self):
        return self.side**2

    @functools.cached_property
    def volume(self):
        return self.side**3

    @staticmethod
    def unit():
        return 10

    @classmethod
    def cube(cls, side):
        return cls(side * 5)

    def __eq__(self, other):
        return self.side == other.side

    class Lid:
        def weight(self):
            return 20


@dataclass
class Point:
    x: int = 0

    def moved(self, by):
        return Point(self.x + by)


@functools.singledispatch
def describe(value):
    return "thing"


@describe.register
def _(value: int):
    return "number"


@describe.register
def _(value: list):
    return "list"


def scale(value, by):
    return value * by


double = functools.partial(scale, by=2)
resize = scale


class Meta(type):
    def __call__(cls, *args):
        made = super().__call__(*args)
        made.made_by = "meta"
        return made


class Made(metaclass=Meta):
    pass
