from shapes import Box, Made, Point, describe, double, resize


def test_property():
    assert Box(3).area == 9


def test_cached_property():
    assert Box(3).volume == 27


def test_staticmethod():
    assert Box.unit() == 10


def test_classmethod():
    assert Box.cube(1).side == 5


def test_equality():
    assert Box(2) == Box(2)


def test_nested_class():
    assert Box.Lid().weight() == 20


def test_dataclass():
    assert Point(1).moved(2) == Point(3)


def test_dispatch_to_int():
    assert describe(3) == "number"


def test_dispatch_to_list():
    assert describe([3]) == "list"


def test_dispatch_to_the_rest():
    assert describe("3") == "thing"


def test_partial():
    assert double(4) == 8


def test_alias():
    assert resize(3, 3) == 9


def test_metaclass():
    assert Made().made_by == "meta"
