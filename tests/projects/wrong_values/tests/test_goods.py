import json
from unittest.mock import Mock

from goods import apply, encode, pair, safe, size
from helpers import check_pair


def test_unpacks():
    first, second = pair(1, 2)
    assert first < second


def test_decodes():
    assert json.loads(encode({"a": 1})) == {"a": 1}


def test_hands_back():
    assert size(pair(1, 2)) == 2


def test_callback():
    def judge(value):
        assert value == 3

    apply(judge, 3)


def test_mock():
    mock = Mock()
    apply(mock, 3)
    mock.assert_called_once_with(3)


def test_safe():
    assert safe(1) == 1


def test_helper():
    check_pair(pair(1, 2))
