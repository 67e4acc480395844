import pytest
from tidy import check, record


def test_one():
    assert record([], "b") == ["b"]


def test_two():
    assert record(["b"], "a") == ["a", "b"]


def test_refuses():
    with pytest.raises(ValueError):
        check("")


def test_accepts():
    check("a")
