from wrap import area, shifted, up


def test_up():
    assert up(1) == 11


def test_shifted():
    assert shifted(2)(1) == 3


def test_area():
    assert area(2, 3) == 6


def test_calls():
    before = getattr(area, "calls", 0)
    area(1, 1)
    assert area.calls == before + 1
