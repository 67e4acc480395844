from clamped import clamp
from hypothesis import example, given
from hypothesis import strategies as st


@given(st.integers(-100, 100))
def test_within(value):
    assert 0 <= clamp(value, 0, 10) <= 10


@given(st.integers(0, 10))
def test_inside_stays(value):
    assert clamp(value, 0, 10) == value


@example(11)
@given(st.just(11))
def test_just_outside(value):
    assert clamp(value, 0, 10) == 10
