from growth import many, padded


def test_padded():
    assert padded("ab", 5) == "abababab"


def test_many():
    assert many("x", 3) == ["x", "x", "x"]
