import os

import pytest

from parcel import LIMIT, Shelf, label, wait, weigh


def test_weigh():
    assert weigh([1, 2]) == 4


def test_label_may_skip():
    if label("ä") != "Ä":
        pytest.skip("no such letters here")


@pytest.mark.skip(reason="always")
def test_skipped():
    assert weigh([]) == 0


@pytest.mark.xfail
def test_xfailed():
    assert weigh([]) == 0


def test_red():
    assert weigh([]) == 0


def test_unstable():
    """Does otherwise each second time."""
    path = os.environ["PARCEL_FLIP"]
    there = os.path.exists(path)
    if there:
        os.remove(path)
    else:
        open(path, "w").close()
    assert there


def test_wait():
    assert wait(2) == 0


@pytest.fixture(scope="module")
def shelf():
    return Shelf()


def test_put_and_take(shelf):
    shelf.put("parcel")
    assert shelf.take() == "parcel"


def test_shelf_is_empty(shelf):
    assert len(shelf) == 0


@pytest.mark.parametrize("number", range(LIMIT))
def test_numbers(number):
    assert weigh([number]) > number
