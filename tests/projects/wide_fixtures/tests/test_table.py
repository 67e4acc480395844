import pytest

from catalogue import build


@pytest.fixture(scope="module")
def table():
    return build([("pear", 3), ("plum", 4)])


def test_first_sees_the_size(table):
    assert len(table) == 2


def test_second_sees_a_price(table):
    assert table["plum"] == 8


class TestInAClass:
    @pytest.fixture(scope="class")
    def cheap(self):
        return build([("fig", 1)])

    def test_first_of_the_class(self, cheap):
        assert "fig" in cheap

    def test_second_of_the_class(self, cheap):
        assert cheap["fig"] == 2
