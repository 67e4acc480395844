import pytest
from measure import width


@pytest.mark.parametrize("text", ["", "a b", "x::y/z[0]", "ü", "ü"])
def test_width(text):
    assert width(text) == len(text) + len(text)


@pytest.mark.parametrize("half", [1, 2], ids=["one", "two"])
@pytest.mark.parametrize("fixture", ["a"], indirect=True)
def test_indirect(fixture, half):
    assert width(fixture) == 2


@pytest.fixture
def fixture(request):
    return request.param
